"""Ids by number: an exact hash table over the text of all ids, for edges that come in pieces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif.io.tables import kernels
from infomotif.io.tables.labels import WHOLE
from infomotif.typing import Array

if TYPE_CHECKING:
    import pyarrow as pa


class IdTable:
    """The number of each id.

    Args:
        ids: Id of each node, text.

    Attributes:
        ids: The ids.
        repeated: The first row that repeats the id of an earlier one, and that row; None if all ids differ.

    Example:
        >>> import pyarrow as pa
        >>> IdTable(pa.array(["a", "7", "ü"])).numbers(pa.array(["7", "b", "ü"])).tolist()
        [1, -1, 2]
    """

    def __init__(self, ids: pa.Array) -> None:
        """Enter the ids."""
        self.ids = ids
        self._offsets, self._data = _text(ids)
        n = len(ids)
        self._table = np.full(1 << max(4, (2 * n).bit_length()), -1, np.int32 if n < 2**31 else np.int64)
        # Ids of up to eight bytes are compared as numbers, without reading their text.
        self._words: Array | None = np.empty(n, np.uint64)
        if kernels.short_words(self._offsets, self._data, self._words):
            row, first = kernels.enter_words(self._words, self._table)
        else:
            self._words = None
            row, first = kernels.enter_ids(self._offsets, self._data, self._table)
        self.repeated = (int(row), int(first)) if row >= 0 else None

    def __len__(self) -> int:
        """Return the number of ids."""
        return len(self.ids)

    def __contains__(self, text: str) -> bool:
        """Return whether a text is an id."""
        import pyarrow as pa

        return bool(self.numbers(pa.array([text]))[0] >= 0)

    def numbers(self, texts: pa.Array | pa.ChunkedArray) -> Array:
        """Return the number of each text, -1 where it is not an id."""
        out = np.empty(len(texts), self._table.dtype)
        done = 0
        for part in getattr(texts, "chunks", [texts]):
            offsets, data = _text(part)
            found = out[done : done + len(part)]
            if self._words is None:
                kernels.find_ids(offsets, data, self._offsets, self._data, self._table, found)
            else:
                kernels.find_words(offsets, data, self._words, self._table, found)
            done += len(part)
        return out


def _text(values: pa.Array) -> tuple[Array, Array]:
    import pyarrow as pa

    large: Any = values.cast(pa.large_string())
    _, offsets, data = large.buffers()
    # Views of bytes are read-only as those of Arrow are, so that kernels are compiled once.
    start = np.frombuffer(offsets if len(large) else bytes(8), np.int64)
    return start[large.offset : large.offset + len(large) + 1], np.frombuffer(data if data else b"\0", np.uint8)


def distinct_ids(columns: Iterable[pa.Array]) -> pa.Array:
    """Return the distinct ids of columns that come in pieces, in the order of :func:`.in_order`.

    Example:
        >>> import pyarrow as pa
        >>> distinct_ids([pa.array(["10", "9"]), pa.array(["9", "7"])]).to_pylist()
        ['7', '9', '10']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    known = pa.array([], pa.large_string())
    waiting: list[Any] = []
    for column in columns:
        waiting.append(pc.unique(column).cast(pa.large_string()))
        # Each merge at least doubles what is known, so every id is hashed only a few times.
        if sum(map(len, waiting)) > max(1_000_000, len(known)):
            known, waiting = pc.unique(pa.chunked_array([known, *waiting])), []
    known = pc.unique(pa.chunked_array([known, *waiting]))
    if not pc.all(pc.match_substring_regex(known, f"^(?:{WHOLE.pattern})$"), min_count=0).as_py():
        return known.take(pc.sort_indices(known))
    # "-0" and "0" are the same number; their text decides the order.
    order = np.lexsort([np.asarray(pc.equal(known, "0").to_numpy(zero_copy_only=False)), _whole(known)])
    return known.take(pa.array(order))


def counted(ids: pa.Array) -> bool:
    """Return whether the ids are "0", "1", ... in order, so that they need not be kept."""
    import pyarrow as pa

    step = 1 << 20
    return all(
        ids[start : start + step].equals(pa.array(range(start, min(len(ids), start + step))).cast(ids.type))
        for start in range(0, len(ids), step)
    )


def _whole(ids: pa.Array) -> Array:
    import pyarrow as pa

    return np.asarray(ids.cast(pa.int64()))
