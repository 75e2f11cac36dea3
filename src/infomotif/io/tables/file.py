"""A CSV or parquet file as tables: fast where all is well, exact about the line where it is not."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infomotif._core.reading.limits import COLUMNS, LINE, UNPACKED, unpacked_limit
from infomotif.errors import InputError
from infomotif.io.tables import diagnose
from infomotif.io.tables.bytes import magic, open_bytes
from infomotif.io.tables.quotes import CheckedStream, Quotes
from infomotif.io.tables.table import Codes, Table
from infomotif.io.tables.text_blocks import Advance, text_blocks
from infomotif.typing import AnyPath

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 1 << 24
"""How many bytes of a file are parsed at once."""
_MAX_BLOCK = (1 << 31) - 1
_MIN_BYTES_PER_VALUE = 8
_PARQUET = b"PAR1"
_MIN_ROWS = 1024


class TableFile:
    """A CSV or parquet file, plain or gz, that is read as often as needed: whole, and then kept, or in blocks.

    Args:
        path: The file; what it is follows from its first bytes, not from its name.
        delimiter: What separates the fields of CSV; by default what the first line suggests.
        whole: Whether its columns are read as one table and kept.
        block: About how many bytes a table holds, or are parsed at once.
        advance: Told how many bytes were read in blocks.

    Attributes:
        names: The names of the columns.

    Raises:
        InputError: If the file cannot be read or its first line is not a list of distinct names.
    """

    def __init__(
        self,
        path: AnyPath,
        delimiter: str | None = None,
        *,
        whole: bool = True,
        block: int = BLOCK,
        advance: Advance = lambda step: None,
    ) -> None:
        """Read the names of the columns."""
        self.path, self.whole = path, whole
        self._block, self.advance = block, advance
        self._parquet = magic(path) == _PARQUET
        self._delimiter = ","
        if self._parquet:
            self.names = [str(name) for name in self._parquet_schema().names]
        else:
            self.names, self._delimiter = diagnose.csv_header(path, delimiter)
        self._kept: dict[str, Any] = {}
        self._codes: dict[str, Codes] = {}

    @property
    def size(self) -> int:
        """Number of bytes, the unit in which reading advances."""
        return Path(self.path).stat().st_size

    def require(self, column: str, option: str) -> None:
        """Refuse a file that lacks a column; the message names the nearest.

        Raises:
            InputError: If the column is not there.
        """
        if column not in self.names:
            raise InputError(f"{self.path} line 1: {missing_column(column, self.names)} (choose with {option})")

    def location(self, row: int) -> str:
        """Return the location of a row, such as ``line 7``; rows are counted from 0 after the header."""
        if self._parquet:
            return f"row {row + 1}"
        return f"line {diagnose.line_of_row(self.path, self._delimiter, row)}"

    def tables(self, columns: Sequence[str], types: Mapping[str, Any]) -> Iterator[Table]:
        """Yield some columns table by table, or all rows in one.

        Args:
            columns: The columns, in this order.
            types: Arrow types of columns of CSV; a column without one has the type that its values suggest.

        Raises:
            InputError: If the file cannot be read; the message says where.
        """
        if self.whole:
            yield Table(self.path, self._all_rows(columns, types), self.location, codes=self._codes)
            return
        row = 0
        blocks = self._parquet_blocks(columns) if self._parquet else self._csv_blocks(columns, types)
        for data in blocks:
            yield Table(self.path, data, self.location, first=row)
            row += data.num_rows

    def type_of(self, name: str, seen: set[Any]) -> Any:
        """Return the Arrow type of a whole column from the types that its blocks suggest.

        Raises:
            InputError: If the column is not UTF-8.
        """
        import pyarrow as pa

        if self._parquet:
            return next(iter(seen))
        kinds = {kind for kind in seen if not pa.types.is_null(kind)}
        if any(pa.types.is_binary(kind) for kind in kinds):
            diagnose.explain(self.path, self._delimiter, ())
        if not kinds:
            return pa.null()
        if len(kinds) == 1 and kinds <= {pa.int64(), pa.float64(), pa.bool_()}:
            return kinds.pop()
        if kinds == {pa.int64(), pa.float64()}:
            return pa.float64()
        if kinds == {pa.int64(), pa.bool_()} and self._all_boolean(name):
            return pa.bool_()
        # Dates and times are text to us, and must be exactly the text of the file.
        return pa.string()

    def _all_boolean(self, name: str) -> bool:
        import pyarrow as pa
        import pyarrow.compute as pc

        allowed = pa.array([*diagnose.TRUE, *diagnose.FALSE, *diagnose.MISSING])
        tables = self.tables([name], {name: pa.string()})
        return all(pc.all(pc.is_in(t.data.column(name), allowed), min_count=0).as_py() for t in tables)

    def _all_rows(self, columns: Sequence[str], types: Mapping[str, Any]) -> pa.Table:
        """Return columns of all rows, reading those that are not kept yet, or not with the right type."""
        import pyarrow as pa

        def lacks(name: str) -> bool:
            return name not in self._kept or (
                not self._parquet and name in types and self._kept[name].type != types[name]
            )

        lacking = [name for name in columns if lacks(name)]
        if lacking:
            data = self._parquet_rows(lacking) if self._parquet else self._csv_rows(lacking, types)
            self._kept |= {name: data.column(name) for name in lacking}
        return pa.table({name: self._kept[name] for name in columns})

    def _csv_rows(self, columns: Sequence[str], types: Mapping[str, Any]) -> pa.Table:
        import pyarrow as pa
        from pyarrow import csv

        parse, convert = self._csv_options(columns, types)
        # A record may be longer than a block, but not than a line may be.
        longest = max(self._block, min(2 * LINE.value, _MAX_BLOCK))
        for block in (self._block, longest):
            try:
                with open_bytes(self.path) as stream:
                    checked = CheckedStream(stream, Quotes(self.path, self._delimiter))
                    return csv.read_csv(checked, csv.ReadOptions(block_size=block), parse, convert)
            except (pa.ArrowException, OSError) as error:
                if "straddl" not in str(error) or block == longest:
                    raise self._unreadable(error, columns, types) from None
        raise LINE.exceeded(f"{self.path}: a record has")

    def _csv_blocks(self, columns: Sequence[str], types: Mapping[str, Any]) -> Iterator[pa.Table]:
        import pyarrow as pa
        from pyarrow import csv

        parse, convert = self._csv_options(columns, types)
        for text in text_blocks(self.path, self._delimiter, self._block, self.advance):
            reading = csv.ReadOptions(column_names=self.names, block_size=len(text) + 1)
            try:
                yield csv.read_csv(pa.BufferReader(text), reading, parse, convert)
            except pa.ArrowException as error:
                raise self._unreadable(error, columns, types) from None

    def _csv_options(self, columns: Sequence[str], types: Mapping[str, Any]) -> tuple[Any, Any]:
        from pyarrow import csv

        parse = csv.ParseOptions(delimiter=self._delimiter, newlines_in_values=True)
        convert = csv.ConvertOptions(
            column_types={name: types[name] for name in columns if name in types},
            include_columns=list(columns),
            null_values=list(diagnose.MISSING),
            true_values=list(diagnose.TRUE),
            false_values=list(diagnose.FALSE),
            strings_can_be_null=False,
            check_utf8=True,
        )
        return parse, convert

    def _unreadable(self, error: BaseException, columns: Sequence[str], types: Mapping[str, Any]) -> InputError:
        """Return the error for CSV that Arrow refuses: its line and the reason, found record by record."""
        import pyarrow as pa

        numbers = [name for name in columns if name in types and pa.types.is_floating(types[name])]
        diagnose.explain(self.path, self._delimiter, numbers)
        return InputError(f"{self.path}: cannot be read as CSV ({_first_line(error)}); write it again")

    def _parquet_schema(self) -> Any:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            about = pq.read_metadata(self.path)
            schema = pq.read_schema(self.path)
        except (pa.ArrowException, OSError) as error:
            raise self._broken(error) from None
        if len(schema.names) > COLUMNS.value:
            raise COLUMNS.exceeded(f"{self.path} has")
        groups = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
        unpacked, limit = max(groups, _MIN_BYTES_PER_VALUE * about.num_rows), unpacked_limit(self.size)
        if self.whole and unpacked > limit:
            raise UNPACKED.exceeded(f"{self.path}: unpacks to", limit)
        return schema

    def _parquet_rows(self, columns: Sequence[str]) -> pa.Table:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return pq.read_table(self.path, columns=list(columns))
        except (pa.ArrowException, OSError) as error:
            raise self._broken(error) from None

    def _parquet_blocks(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            with pq.ParquetFile(self.path) as file:
                total = max(1, file.metadata.num_rows)
                rows = max(_MIN_ROWS, self._block // (8 * max(1, len(columns))))
                for batch in file.iter_batches(rows, columns=list(columns)):
                    yield pa.Table.from_batches([batch]).select(list(columns))
                    self.advance(self.size * batch.num_rows / total)
        except (pa.ArrowException, OSError) as error:
            raise self._broken(error) from None

    def _broken(self, error: BaseException) -> InputError:
        return InputError(f"{self.path}: not a whole parquet file ({_first_line(error)}); write it again")


def missing_column(column: str, names: Sequence[str]) -> str:
    """Say that a column is missing, which one is nearest, and which there are.

    Example:
        >>> missing_column("sorce", ["source", "target"])
        "no column 'sorce'; did you mean 'source'? columns: source, target"
    """
    close = difflib.get_close_matches(column, names, n=1, cutoff=0.5)
    hint = f"did you mean '{close[0]}'? " if close else ""
    return f"no column '{column}'; {hint}columns: {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}"


def _first_line(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return text[0][:200] if text else type(error).__name__
