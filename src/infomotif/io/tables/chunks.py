"""A CSV or parquet file as a series of small tables, so that no more than one of them is in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from infomotif.errors import InputError
from infomotif.io.store.kernels import record_ends
from infomotif.io.tables import diagnose
from infomotif.io.tables.bytes import BOM, AnyPath, magic, open_bytes
from infomotif.io.tables.quotes import Quotes
from infomotif.io.tables.table import PARQUET, Table, csv_options, first_line

Advance = Callable[[float], None]
BLOCK = 1 << 24
_LONGEST_RECORD = 1 << 28


def file_size(path: AnyPath) -> int:
    """Return the number of bytes of a file, the unit in which reading it advances."""
    magic(path)
    return Path(path).stat().st_size


def table_chunks(
    path: AnyPath,
    types: Mapping[str, Any],
    only: Sequence[str],
    delimiter: str | None = None,
    *,
    block: int = BLOCK,
    advance: Advance = lambda step: None,
) -> Iterator[tuple[int, Table]]:
    """Read some columns of a file, table by table, each with the number of its first row.

    Args:
        path: A CSV or parquet file, CSV also as gz.
        types: Arrow types of columns; those of CSV that are not named look as they do in each table alone.
        only: The columns to read, in this order.
        delimiter: What separates the fields of CSV; by default what the first line suggests.
        block: About how many bytes of the file a table holds.
        advance: Told how many bytes were read.

    Raises:
        InputError: If the file cannot be read; the message says where.
    """
    if magic(path) == PARQUET:
        yield from _parquet_chunks(path, only, block, advance)
        return
    import pyarrow as pa
    from pyarrow import csv

    names, delimiter = diagnose.csv_header(path, delimiter)
    numbers = [name for name, kind in types.items() if pa.types.is_floating(kind) and name in only]
    rows = 0
    for text in _blocks(path, delimiter, block, advance):
        parse, convert = csv_options({n: kind for n, kind in types.items() if n in only}, only, delimiter)
        reading = csv.ReadOptions(column_names=names, block_size=len(text) + 1)
        try:
            data = csv.read_csv(pa.BufferReader(text), reading, parse, convert)
        except pa.ArrowException as error:
            diagnose.explain(path, delimiter, numbers)
            raise InputError(f"{path}: cannot be read as CSV ({first_line(error)}); write it again") from None
        yield rows, Table(path, data, partial(_line, path, delimiter, rows))
        rows += data.num_rows


def _line(path: AnyPath, delimiter: str, before: int, row: int) -> str:
    return f"line {diagnose.line_of_row(path, delimiter, before + row)}"


def _parquet_chunks(path: AnyPath, only: Sequence[str], block: int, advance: Advance) -> Iterator[tuple[int, Table]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            rows, total = 0, max(1, file.metadata.num_rows)
            for batch in file.iter_batches(max(1024, block // (8 * len(only))), columns=list(only)):
                data = pa.Table.from_batches([batch]).select(list(only))
                yield rows, Table(path, data, partial(lambda before, row: f"row {before + row + 1}", rows))
                rows += data.num_rows
                advance(file_size(path) * data.num_rows / total)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not a whole parquet file ({first_line(error)}); write it again") from None


def _blocks(path: AnyPath, delimiter: str, size: int, advance: Advance) -> Iterator[bytes]:
    """Yield the text of whole records, without the line of the column names."""
    with open_bytes(path) as stream:
        packed: Any = getattr(stream, "fileobj", stream)
        rest, header, before = b"", True, 0
        quotes = Quotes(path, delimiter)
        while data := stream.read(max(size, len(rest))):
            quotes.feed(data)
            text = rest + data
            if header:
                text = text.removeprefix(BOM.encode())
            first, last = _ends(text, delimiter, header)
            if len(text) - last > _LONGEST_RECORD:
                _refuse_record(path, delimiter)
            here = packed.tell()
            advance(here - before)
            before = here
            rest = text[last:]
            start, header = (first, header and not last) if header else (0, False)
            if text[start:last].strip():
                yield text[start:last]
        quotes.end()
        if rest.strip() and not header:
            yield rest


def _ends(text: bytes, delimiter: str, header: bool) -> tuple[int, int]:
    if not header and b'"' not in text:
        return 0, max(text.rfind(b"\n"), text.rfind(b"\r")) + 1
    first, last = record_ends(np.frombuffer(text, np.uint8), ord(delimiter))
    return int(first), int(last)


def _refuse_record(path: AnyPath, delimiter: str) -> None:
    diagnose.explain(path, delimiter, ())
    raise InputError(f"{path}: a record is longer than {_LONGEST_RECORD >> 20} MB; correct the quotes")
