"""A table of columns, and where each of its rows is in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from infomotif._core.reading.problems import note
from infomotif.errors import InputError
from infomotif.io.tables.diagnose import is_number
from infomotif.typing import AnyPath, Array

if TYPE_CHECKING:
    import pyarrow as pa

Codes = tuple[Array, list[str]]
"""The number of each row's value, -1 where it is missing, and the values."""


class Table:
    """Some columns of a file, or of some of its rows.

    Args:
        path: The file, for messages.
        data: The columns.
        location: Gives the location of a row, such as ``line 7``, for messages.
        first: The number of the first row in the file.
        codes: Where the codes of columns are kept, so that a table that is read twice is encoded once.
    """

    def __init__(
        self,
        path: AnyPath,
        data: pa.Table,
        location: Callable[[int], str],
        *,
        first: int = 0,
        codes: dict[str, Codes] | None = None,
    ) -> None:
        """Keep the columns."""
        self.path = path
        self.data = data
        self.first = first
        self._location = location
        self._codes = {} if codes is None else codes

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self.data.num_rows)

    def location(self, row: int) -> str:
        """Return the location of a row in the file, such as ``line 7``."""
        return self._location(self.first + row)

    def where(self, row: int, column: str | None = None) -> str:
        """Return the file and location of a row, and the column, for messages."""
        return f"{self.path} {self.location(row)}" + ("" if column is None else f", column '{column}'")

    def present(self, name: str, what: str) -> pa.ChunkedArray:
        """Return a column as text, without the rows in which it is empty if that was only noted.

        Raises:
            InputError: If it is empty somewhere.
        """
        import pyarrow.compute as pc

        column = self.text(name)
        empty = pc.or_kleene(pc.is_null(column), pc.equal(column, ""))
        if pc.any(empty, min_count=0).as_py():
            row = pc.index(empty, True).as_py()
            note(InputError(f"{self.where(row, name)}: the {what} is empty; fill it in or remove the row"))
            return column.filter(pc.invert(empty))
        return column

    def text(self, name: str) -> pa.ChunkedArray:
        """Return a column as text: text as it is, whole numbers as digits; null where missing.

        Raises:
            InputError: If the column holds anything else.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        column = self._plain(name)
        if pa.types.is_floating(column.type):
            column = pc.if_else(pc.is_nan(column), None, column)
            # Beyond 2^53 not every whole number is a float, and infinity is not a whole number.
            whole = pc.and_(pc.equal(column, pc.floor(column)), pc.less_equal(pc.abs(column), 2.0**53))
            if not pc.all(whole, min_count=0).as_py():
                raise InputError(
                    f"{self.path}: column '{name}' holds numbers that are not whole or beyond 2^53; save it as text"
                )
            column = column.cast(pa.int64())
        if pa.types.is_integer(column.type) or pa.types.is_boolean(column.type) or pa.types.is_null(column.type):
            return column.cast(pa.string())
        if is_text(column.type):
            return column
        raise InputError(f"{self.path}: column '{name}' holds {column.type}; save it as text")

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Return a column as numbers, NaN where it is missing.

        Raises:
            InputError: If it does not hold numbers.
        """
        import pyarrow as pa

        column = self._plain(name)
        if is_text(column.type):
            for row, value in enumerate(column.to_pylist()):
                if value is not None and not is_number(value):
                    raise InputError(f"{self.where(row, name)}: '{value}' is not a number; correct it")
        try:
            numbers = column.cast(pa.float64(), safe=False)
        except pa.ArrowException:
            raise InputError(f"{self.path}: column '{name}' holds {column.type}; save it as numbers") from None
        return np.asarray(numbers.to_numpy(), dtype=np.float64)

    def has(self, name: str) -> NDArray[np.bool_]:
        """Return which rows have a value in a column."""
        import pyarrow as pa

        column = self._plain(name)
        if pa.types.is_null(column.type):
            return np.zeros(len(self), np.bool_)
        if pa.types.is_floating(column.type) or pa.types.is_integer(column.type) or pa.types.is_boolean(column.type):
            return ~np.isnan(self.numbers(name))
        return self.codes(name)[0] >= 0

    def codes(self, name: str) -> Codes:
        """Return the number of each row's value (-1 where it is empty) and the values, in order of appearance."""
        import pyarrow.compute as pc

        if name not in self._codes:
            column = self.text(name).combine_chunks()
            encoded = pc.dictionary_encode(pc.if_else(pc.equal(column, ""), None, column))
            codes = np.asarray(pc.fill_null(encoded.indices, -1))
            self._codes[name] = codes, encoded.dictionary.to_pylist()
        return self._codes[name]

    def _plain(self, name: str) -> pa.ChunkedArray:
        import pyarrow as pa

        column = self.data.column(name)
        if pa.types.is_dictionary(column.type):
            return column.cast(column.type.value_type)
        # Arrow computes little with numbers of 16 bits.
        return column.cast(pa.float32()) if pa.types.is_float16(column.type) else column


class TableSource(Protocol):
    """Something that gives tables as often as needed: a file, whole or in blocks, or a table in memory."""

    path: AnyPath
    whole: bool

    def tables(self, columns: Sequence[str], types: Mapping[str, Any]) -> Iterator[Table]:
        """Yield some columns, of CSV as certain Arrow types, table by table."""

    def type_of(self, name: str, seen: set[Any]) -> Any:
        """Return the Arrow type of a whole column from the types that it has in the tables."""

    def location(self, row: int) -> str:
        """Return the location of a row, such as ``line 7``."""


class NamedTables(TableSource, Protocol):
    """A source that knows the names of its columns: a file or a data frame."""

    names: list[str]

    def require(self, column: str, option: str) -> None:
        """Refuse a source that lacks a column."""


class InMemory:
    """A table in memory as a source of tables: it is the only one.

    Args:
        table: The table.
    """

    whole = True

    def __init__(self, table: Table) -> None:
        """Keep the table."""
        self.path, self.location, self._table = table.path, table.location, table

    def tables(self, columns: Sequence[str], types: Mapping[str, Any]) -> Iterator[Table]:
        """Yield the table."""
        yield self._table

    def type_of(self, name: str, seen: set[Any]) -> Any:
        """Return the type of a column."""
        return next(iter(seen))


def is_text(kind: pa.DataType) -> bool:
    """Return whether an Arrow type is text."""
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
