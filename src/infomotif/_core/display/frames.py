"""Columns as a data frame of whichever library is installed."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from infomotif._core.extras import MissingExtraError
from infomotif.errors import InputError, unknown_name

KINDS = ("pandas", "polars", "arrow")
"""The libraries that a frame may come from, the preferred one first."""


def to_frame(columns: Iterable[tuple[str, Any]], kind: str | None = None) -> Any:
    """Return columns as a data frame.

    Args:
        columns: Name and values of each column; values are arrays or lists, None where one is missing.
        kind: ``pandas``, ``polars`` or ``arrow``; by default the first of them that is installed.

    Returns:
        A ``pandas.DataFrame``, a ``polars.DataFrame`` or a ``pyarrow.Table``.

    Raises:
        InputError: If two columns have the same name, or ``kind`` is unknown or not installed.

    Example:
        >>> to_frame([("node", ["a", "b"]), ("M7", [1, 2])], "arrow").to_pydict()
        {'node': ['a', 'b'], 'M7': [1, 2]}
    """
    import pyarrow as pa

    chosen = _installed() if kind is None else kind
    if chosen not in KINDS:
        raise unknown_name("kind of frame", str(chosen), KINDS)
    table: dict[str, Any] = {}
    for name, values in columns:
        if name in table:
            raise InputError(f"two columns of the frame are named '{name}'; rename one of them")
        table[name] = _column(values)
    frame = pa.table(table)
    if chosen == "arrow":
        return frame
    try:
        library = import_module(chosen)
    except ModuleNotFoundError as error:
        if error.name != chosen:
            raise
        raise MissingExtraError(f"kind='{chosen}' needs {chosen}: pip install {chosen}") from None
    return frame.to_pandas() if chosen == "pandas" else library.from_arrow(frame)


def _installed() -> str:
    return next((kind for kind in KINDS[:-1] if find_spec(kind) is not None), KINDS[-1])


def _column(values: Any) -> Any:
    import pyarrow as pa

    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        return pa.array(values)
    items = values.tolist() if isinstance(values, np.ndarray) else list(values)
    try:
        return pa.array(items)
    except UnicodeEncodeError:
        # Lone surrogates can stand in names, but not in a frame.
        return pa.array([None if v is None else str(v).encode("utf-8", "backslashreplace").decode() for v in items])
