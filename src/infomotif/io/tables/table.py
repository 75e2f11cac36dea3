"""A table of columns from CSV or parquet: fast where all is well, exact about the place where it is not."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from infomotif.errors import InputError
from infomotif.io.tables import diagnose
from infomotif.io.tables.bytes import AnyPath, magic, open_bytes
from infomotif.io.tables.quotes import CheckedStream, Quotes

if TYPE_CHECKING:
    import pyarrow as pa

Wanted = Literal["text", "number"]
PARQUET = b"PAR1"
_BLOCK = 1 << 24
_LARGEST_BLOCK = (1 << 31) - 1


class Table:
    """Columns of a file, and where each row stands in it.

    Args:
        path: The file, for messages.
        data: The columns.
        place: Gives the place of a row in it, such as ``line 7``, for messages.
    """

    def __init__(self, path: AnyPath, data: pa.Table, place: Callable[[int], str]) -> None:
        """Keep the columns."""
        self.path = path
        self.data = data
        self.place = place

    def __len__(self) -> int:
        """Return the number of rows."""
        return int(self.data.num_rows)

    def where(self, row: int, column: str | None = None) -> str:
        """Return the file and place of a row, and the column, for messages."""
        return f"{self.path} {self.place(row)}" + ("" if column is None else f", column '{column}'")

    def present(self, name: str, what: str) -> pa.ChunkedArray:
        """Return a column as text that is nowhere empty.

        Raises:
            InputError: If it is empty somewhere.
        """
        import pyarrow.compute as pc

        column = self.text(name)
        empty = pc.or_kleene(pc.is_null(column), pc.equal(column, ""))
        if pc.any(empty, min_count=0).as_py():
            row = pc.index(empty, True).as_py()
            raise InputError(f"{self.where(row, name)}: the {what} is empty; fill it in or remove the row")
        return column

    def text(self, name: str) -> pa.ChunkedArray:
        """Return a column as text: text as it is, whole numbers as digits; null where missing.

        Raises:
            InputError: If the column holds anything else.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        column = self.data.column(name)
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if pa.types.is_floating(column.type):
            column = pc.if_else(pc.is_nan(column), None, column)
            # Beyond this not every whole number is one, and infinity is none.
            whole = pc.and_(pc.equal(column, pc.floor(column)), pc.less_equal(pc.abs(column), 2.0**53))
            if not pc.all(whole, min_count=0).as_py():
                raise InputError(
                    f"{self.path}: column '{name}' holds numbers that are not whole or beyond 2^53; save it as text"
                )
            column = column.cast(pa.int64())
        if pa.types.is_integer(column.type) or pa.types.is_boolean(column.type) or pa.types.is_null(column.type):
            return column.cast(pa.string())
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            return column
        raise InputError(f"{self.path}: column '{name}' holds {column.type}; save it as text")


def header(path: AnyPath, delimiter: str | None = None) -> list[str]:
    """Return the column names of a CSV or parquet file.

    Raises:
        InputError: If the file cannot be read or its first line is no list of distinct names.
    """
    if magic(path) == PARQUET:
        return [str(name) for name in _parquet(path, schema_only=True).names]
    names, _ = diagnose.csv_header(path, delimiter)
    return names


def require_column(names: Sequence[str], wanted: str, path: AnyPath, option: str) -> None:
    """Refuse a file that lacks a column; the message names the nearest.

    Raises:
        InputError: If the column is not there.
    """
    if wanted not in names:
        close = difflib.get_close_matches(wanted, names, n=1, cutoff=0.5)
        hint = f"did you mean '{close[0]}'? " if close else ""
        shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
        raise InputError(f"{path} line 1: no column '{wanted}'; {hint}columns: {shown} (choose with {option})")


def read_table(
    path: AnyPath,
    wanted: Mapping[str, Wanted] | None = None,
    *,
    only: Sequence[str] | None = None,
    delimiter: str | None = None,
) -> Table:
    """Read a CSV or parquet file, plain or gz, whatever its name is.

    Args:
        path: The file.
        wanted: Columns to read as text exactly as it stands, or as numbers; the others as they look.
        only: Read these columns only.
        delimiter: What separates the fields of CSV; by default what the first line suggests.

    Raises:
        InputError: If the file cannot be read; the message says where.
    """
    if magic(path) == PARQUET:
        data = _parquet(path, only)
        return Table(path, data, lambda row: f"row {row + 1}")
    return _read_csv(path, dict(wanted or {}), only, delimiter)


def _parquet(path: AnyPath, only: Sequence[str] | None = None, *, schema_only: bool = False) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        if schema_only:
            return pq.read_schema(path)
        return pq.read_table(path, columns=None if only is None else list(only))
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not a whole parquet file ({first_line(error)}); write it again") from None


def _read_csv(path: AnyPath, wanted: dict[str, Wanted], only: Sequence[str] | None, delimiter: str | None) -> Table:
    import pyarrow as pa

    names, delimiter = diagnose.csv_header(path, delimiter)
    types = {name: pa.string() if kind == "text" else pa.float64() for name, kind in wanted.items() if name in names}
    while True:
        try:
            data = _arrow_csv(path, types, only, delimiter)
        except (pa.ArrowException, OSError) as error:
            numbers = [name for name, kind in wanted.items() if kind == "number" and name in names]
            diagnose.explain(path, delimiter, numbers)
            raise InputError(f"{path}: cannot be read as CSV ({first_line(error)}); write it again") from None
        odd = [field.name for field in data.schema if not _plain(field.type)]
        if not odd:
            break
        if any(pa.types.is_binary(data.schema.field(name).type) for name in odd):
            diagnose.explain(path, delimiter, ())
        # Dates and times are text to us, and must be exactly the text of the file.
        types.update({name: pa.string() for name in odd})
    return Table(path, data, lambda row: f"line {diagnose.line_of_row(path, delimiter, row)}")


def _arrow_csv(path: AnyPath, types: Mapping[str, Any], only: Sequence[str] | None, delimiter: str) -> Any:
    import pyarrow as pa
    from pyarrow import csv

    parse, convert = csv_options(types, only, delimiter)
    for block in (_BLOCK, _LARGEST_BLOCK):
        try:
            with open_bytes(path) as stream:
                checked = CheckedStream(stream, Quotes(path, delimiter))
                return csv.read_csv(checked, csv.ReadOptions(block_size=block), parse, convert)
        except pa.ArrowInvalid as error:
            if "straddl" not in str(error) or block == _LARGEST_BLOCK:
                raise
    raise InputError(f"{path}: a row is larger than {_LARGEST_BLOCK} bytes")


def csv_options(types: Mapping[str, Any], only: Sequence[str] | None, delimiter: str) -> tuple[Any, Any]:
    """Return how CSV is parsed and converted, the same for whole files and for parts of them."""
    from pyarrow import csv

    parse = csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    convert = csv.ConvertOptions(
        column_types=types,
        include_columns=None if only is None else list(only),
        null_values=list(diagnose.MISSING),
        true_values=list(diagnose.TRUE),
        false_values=list(diagnose.FALSE),
        strings_can_be_null=False,
        check_utf8=True,
    )
    return parse, convert


def _plain(kind: Any) -> bool:
    import pyarrow as pa

    tests = (pa.types.is_string, pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_null)
    return any(test(kind) for test in tests)


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says."""
    text = str(error).strip().splitlines()
    return text[0][:200] if text else type(error).__name__
