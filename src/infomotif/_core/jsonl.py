"""JSON lines: one record per line, appended one at a time; what a kill left half-written is not read."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from infomotif._core.checksums import BLANK, KEY, is_sealed, sealed
from infomotif._core.files import sync_folder, writing


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
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
    for number, text in enumerate(lines, start=1):
        if not text.endswith("\n"):
            continue
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and (KEY not in value or is_sealed(text.encode(), value.pop(KEY))):
            records.append((number, value))
    return records


def to_lines(records: list[dict[str, Any]]) -> str:
    """Return records as the text of such a file."""
    return "".join(_line(record) for record in records)


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(dict(record)) + "\n"
