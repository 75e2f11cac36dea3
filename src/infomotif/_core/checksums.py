"""JSON files and JSON lines with checksums: every bit that changes is noticed when they are read.

A file or line carries the sha256 of its own bytes, with the 64 digits themselves replaced by :data:`BLANK`. A file also
names other files with their sizes and checksums; written last, it says that they are whole. Lines are appended one at a
time; what a kill left half-written is not read.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from infomotif._core.files import sha256_file, sync_folder, writing
from infomotif._core.reading.documents import parse_json, read_document
from infomotif.errors import InputError

KEY = "checksum"
BLANK = "checksum".ljust(64, "-")
"""What the digits of a file's own checksum are replaced by to compute it."""
REMEDY = "it was changed or damaged; restore it"


def sealed(text: bytes) -> bytes:
    """Return the contents of a file with the first :data:`BLANK` replaced by their checksum."""
    return text.replace(BLANK.encode(), hashlib.sha256(text).hexdigest().encode(), 1)


def is_sealed(text: bytes, checksum: Any) -> bool:
    """Return whether ``checksum``, as it was read from the contents of a file, is theirs.

    Example:
        >>> text = sealed_json({"epochs": 3}).encode()
        >>> checksum = json.loads(text)["checksum"]
        >>> is_sealed(text, checksum), is_sealed(text.replace(b"3", b"4", 1), checksum)
        (True, False)
    """
    if not isinstance(checksum, str) or len(checksum) != len(BLANK) or not checksum.isascii():
        return False
    return hashlib.sha256(text.replace(checksum.encode(), BLANK.encode(), 1)).hexdigest() == checksum


def sealed_json(value: Mapping[str, Any]) -> str:
    """Return indented JSON that carries its checksum as the first key; NaN is refused."""
    text = json.dumps({KEY: BLANK, **value}, indent=2, allow_nan=False) + "\n"
    return sealed(text.encode()).decode()


def check_seal(path: Path, text: bytes, value: Mapping[str, Any], *, required: bool) -> None:
    """Check the checksum that JSON carries.

    Args:
        path: The file, for the message.
        text: Its contents.
        value: The values in them.
        required: Whether it must carry one; files of earlier versions do not.

    Raises:
        InputError: If the checksum differs, or is missing where it is required.
    """
    if (required or KEY in value) and not is_sealed(text, value.get(KEY)):
        raise InputError(f"{path}: does not match its own checksum; {REMEDY}")


def describe_files(folder: Path, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return size and checksum of files of a folder, by their names; files that are missing are left out."""
    paths = {name: folder / name for name in names}
    return {
        name: {"bytes": path.stat().st_size, "sha256": sha256_file(path)}
        for name, path in paths.items()
        if path.is_file()
    }


def check_file(path: Path, expected: Any, described_in: str) -> None:
    """Check that a file is the one whose size and checksum were written down.

    Args:
        path: The file.
        expected: Its size and checksum, from :func:`describe_files`.
        described_in: Name of the file that says so, for the message.

    Raises:
        InputError: If the file is missing or another one.
    """
    if not isinstance(expected, Mapping):
        raise InputError(f"{path}: {described_in} does not say what it must hold; {REMEDY}")
    try:
        same = path.stat().st_size == expected.get("bytes") and sha256_file(path) == expected.get("sha256")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file, although {described_in} names it; restore it") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    if not same:
        raise InputError(f"{path}: does not have the checksum in {described_in}; {REMEDY}")


def append_line(path: Path, record: Mapping[str, Any], *, durable: bool = False) -> None:
    """Append a record to a file; a torn last line, as a kill leaves it, is ended first.

    Args:
        path: The file.
        record: What to append.
        durable: Whether to give the line a checksum and to wait until it is on the disk.

    Raises:
        InputError: If the file cannot be written, or the disk is full.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "log.jsonl"
        >>> append_line(path, {"epoch": 1})
        >>> read_lines(path)
        [(1, {'epoch': 1})]
    """
    with writing(path):
        made = not path.exists()
        with path.open("ab+") as stream:
            line = sealed(_line({KEY: BLANK, **record}).encode()) if durable else _line(record).encode()
            if stream.seek(0, os.SEEK_END):
                stream.seek(-1, os.SEEK_END)
                if stream.read(1) != b"\n":
                    line = b"\n" + line
            stream.write(line)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        if made and durable:
            sync_folder(path.parent)


def read_lines(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """Return the records of a file with their line numbers, counted from 1; lines that hold none are passed over.

    So are lines that do not match the checksum that they carry.
    """
    if not path.exists():
        return []
    records = []
    lines = read_document(path).decode("utf-8", errors="replace").splitlines(keepends=True)
    for number, text in enumerate(lines, start=1):
        if not text.endswith("\n"):
            continue
        try:
            value = parse_json(text)
        except ValueError:
            continue
        if isinstance(value, dict) and (KEY not in value or is_sealed(text.encode(), value.pop(KEY))):
            records.append((number, value))
    return records


def to_lines(records: list[dict[str, Any]]) -> str:
    """Return records as the text of such a file."""
    return "".join(_line(record) for record in records)


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(dict(record)) + "\n"
