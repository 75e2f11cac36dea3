"""JSON lines: one record per line, appended one at a time; what a kill left half-written is not read."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def append_line(path: Path, record: Mapping[str, Any]) -> None:
    """Append a record to a file; a torn last line, as a kill leaves it, is ended first.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "log.jsonl"
        >>> append_line(path, {"epoch": 1})
        >>> read_lines(path)
        [(1, {'epoch': 1})]
    """
    with path.open("ab+") as stream:
        if stream.seek(0, os.SEEK_END):
            stream.seek(-1, os.SEEK_END)
            if stream.read(1) != b"\n":
                stream.write(b"\n")
        stream.write(_line(record).encode())


def read_lines(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """Return the records of a file with their line numbers, counted from 1; lines that hold none are passed over."""
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
        if isinstance(value, dict):
            records.append((number, value))
    return records


def to_lines(records: list[dict[str, Any]]) -> str:
    """Return records as the text of such a file."""
    return "".join(_line(record) for record in records)


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record) + "\n"
