"""The slow path: read a CSV file record by record to say exactly which line is wrong and why."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from infomotif._core.reading.limits import COLUMNS, LINE
from infomotif._core.reading.problems import note, together
from infomotif.errors import InputError
from infomotif.io.tables.bytes import text_lines

if TYPE_CHECKING:
    from infomotif.typing import AnyPath


def _any_case(word: str) -> list[str]:
    return ["".join(letters) for letters in itertools.product(*zip(word.lower(), word.upper(), strict=True))]


MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "<NA>")
TRUE = ("1", *_any_case("true"), *_any_case("yes"))
FALSE = ("0", *_any_case("false"), *_any_case("no"))
_DELIMITERS = (",", "\t", ";", "|")


def csv_header(path: AnyPath, delimiter: str | None = None) -> tuple[list[str], str]:
    """Return the column names of the first line, and the delimiter.

    Raises:
        InputError: If the line is blank or a name is empty or repeated.
    """
    if delimiter is not None and (len(delimiter) != 1 or not delimiter.isascii()):
        raise InputError(f"the delimiter must be one ASCII character (got '{delimiter}')")
    for _, line in text_lines(path):
        first = line
        break
    else:
        raise InputError(f"{path}: the file is empty; write it again")
    if not first.strip():
        raise InputError(f"{path} line 1: expected the column names, got a blank line; remove it")
    # A name in quotes may hold other delimiters, so the most frequent one outside quotes wins.
    outside = "".join(first.split('"')[::2])
    if delimiter is None:
        delimiter = max(_DELIMITERS, key=lambda mark: outside.count(mark))
    if outside.count(delimiter) >= COLUMNS.value:
        raise COLUMNS.exceeded(f"{path} line 1 has")
    names = next(records(path, delimiter))[1]
    seen: set[str] = set()
    for i, name in enumerate(names):
        if not name:
            raise InputError(f"{path} line 1: column {i + 1} has no name; name it or remove the column")
        if name in seen:
            raise InputError(f"{path} line 1: column '{name}' occurs twice; rename one of them")
        seen.add(name)
    return names, delimiter


def records(path: AnyPath, delimiter: str, *, strict: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Yield each record of a CSV file with the line it starts on, the header first; blank lines are skipped.

    Raises:
        InputError: If the file is not UTF-8, or with ``strict`` a quote is not closed.
    """
    limit = LINE.value
    csv.field_size_limit(limit)
    reader = csv.reader((line for _, line in text_lines(path)), delimiter=delimiter, strict=strict)
    start = 1
    try:
        for record in reader:
            if record:
                yield start, record
            start = reader.line_num + 1
    except csv.Error as error:
        if "unexpected end" in str(error):
            raise InputError(f"{path} line {start}: a quote opens here and is never closed; close it") from None
        if "new-line character" in str(error):
            raise InputError(f"{path} line {start}: lines end with CR alone; save the file with LF") from None
        if "field limit" in str(error):
            raise LINE.exceeded(f"{path} line {start}: a field has", limit) from None
        raise InputError(f"{path} line {start}: {error}; correct the quotes") from None


def line_of_row(path: AnyPath, delimiter: str, row: int) -> int:
    """Return the line on which a row starts, rows counted from 0 after the header."""
    for number, (line, _) in enumerate(records(path, delimiter), -1):
        if number == row:
            return line
    raise InputError(f"{path} has no row {row}")


def explain(path: AnyPath, delimiter: str, numbers: Sequence[str]) -> None:
    """Find what is wrong with a CSV file; return only if nothing is.

    Args:
        path: The file.
        delimiter: What separates the fields.
        numbers: Columns that must hold numbers.

    Raises:
        InputError: For a line that is ragged, not UTF-8, or has an open quote or text in place of a number.
    """
    width, columns = 0, {}
    with together():
        for line, record in records(path, delimiter, strict=True):
            if not width:
                width, columns = len(record), {name: record.index(name) for name in numbers if name in record}
                continue
            if len(record) != width:
                expected = f"expected {width} fields as in line 1, got {len(record)}"
                note(InputError(f"{path} line {line}: {expected}; correct the line"))
                continue
            for name, column in columns.items():
                value = record[column]
                if value not in MISSING and not is_number(value):
                    note(InputError(f"{path} line {line}, column '{name}': '{value}' is not a number; correct it"))


def is_number(text: str) -> bool:
    """Return whether a field can be read as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text
