"""Plain .npy files: opened as memory maps, checked before use, and written piece by piece."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from tokenize import TokenError
from typing import IO

import numpy as np
from numpy.typing import DTypeLike

from infomotif.errors import InputError
from infomotif.typing import Array


def map_array(path: Path, kinds: Sequence[str], shape: Sequence[int]) -> Array:
    """Open a .npy file as a read-only memory map.

    Args:
        path: The file.
        kinds: Types it may have, such as ``int32``; ``text`` means text of any width.
        shape: The shape it must have.

    Raises:
        InputError: If there is no such file, it is cut short, or it holds another type or shape.
    """
    try:
        # There is nothing to map where an array is empty.
        values: Array = _read_empty(path) if 0 in shape else np.lib.format.open_memmap(path, mode="r")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file, so the graph store is not whole; convert the graph again") from None
    except (OSError, ValueError, EOFError, OverflowError, MemoryError, SyntaxError, TypeError, TokenError) as error:
        reason = " ".join(str(error).split())[:120]
        raise InputError(f"{path}: not a whole array file ({reason}); convert the graph again") from None
    kind = "text" if values.dtype.kind == "U" else values.dtype.name
    if kind not in kinds or not values.dtype.isnative:
        raise InputError(f"{path}: must hold {' or '.join(kinds)} (got {values.dtype}); convert the graph again")
    if values.shape != tuple(shape) or not values.flags.c_contiguous:
        raise InputError(
            f"{path}: must have the shape {tuple(shape)} in C order (got {values.shape}); convert the graph again"
        )
    return values.view(np.ndarray)


def _read_empty(path: Path) -> Array:
    """Return an array without entries, of the type and shape in a file's header; nothing else in it is read."""
    with path.open("rb") as stream:
        version = np.lib.format.read_magic(stream)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = header(stream)
    if 0 not in shape:
        raise ValueError(f"it holds {shape} entries instead of none")
    return np.empty(shape, dtype)


class ArrayFile:
    """A .npy file that grows by rows.

    Args:
        path: The file.
        dtype: The type of its entries.
        width: Number of columns; None for one dimension.
    """

    def __init__(self, path: Path, dtype: DTypeLike, width: int | None = None) -> None:
        """Start the file."""
        self.dtype, self.width, self.rows = np.dtype(dtype), width, 0
        self._stream: IO[bytes] = path.open("w+b")
        self._header()
        self._start = self._stream.tell()

    def append(self, values: Array) -> None:
        """Add rows at the end."""
        self._stream.write(np.ascontiguousarray(values, dtype=self.dtype).data)
        self.rows += len(values)

    def close(self) -> None:
        """Write the final shape into the header, which has room for it."""
        self._stream.seek(0)
        self._header()
        if self._stream.tell() != self._start:
            raise InputError(f"{self._stream.name}: the array has too many rows for its header")
        self._stream.close()

    def abandon(self) -> None:
        """Close the file as it is."""
        self._stream.close()

    def _header(self) -> None:
        shape = (self.rows,) if self.width is None else (self.rows, self.width)
        description = {"descr": np.lib.format.dtype_to_descr(self.dtype), "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(self._stream, description)


@contextlib.contextmanager
def array_file(path: Path, dtype: DTypeLike, width: int | None = None) -> Iterator[ArrayFile]:
    """Write a .npy file in pieces.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "values.npy"
        >>> with array_file(path, np.int32) as file:
        ...     file.append(np.arange(2))
        ...     file.append(np.arange(3))
        >>> np.load(path).tolist()
        [0, 1, 0, 1, 2]
    """
    file = ArrayFile(path, dtype, width)
    try:
        yield file
        file.close()
    finally:
        file.abandon()
