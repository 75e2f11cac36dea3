"""JSON documents from outside: of limited size and depth, and every failure is one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from infomotif._core.reading.limits import DEPTH, DOCUMENT, require_file
from infomotif.errors import InputError


def read_document(path: Path) -> bytes:
    """Return the bytes of a file that is read whole.

    Raises:
        InputError: If it cannot be read or is larger than documents are.
    """
    if require_file(path) > DOCUMENT.value:
        raise DOCUMENT.exceeded(f"{path} has")
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check its permissions") from None


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: If it is not JSON, or its lists and mappings are nested too deep.

    Example:
        >>> parse_json('{"epochs": [1, 2]}')
        {'epochs': [1, 2]}
    """
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError(_too_deep()) from None
    level = [value]
    for _ in range(DEPTH.value):
        level = [part for parent in level for part in _parts(parent) if isinstance(part, dict | list)]
        if not level:
            return value
    raise ValueError(_too_deep())


def read_json(path: Path, *, missing: str, remedy: str) -> tuple[bytes, Any]:
    """Return the bytes of a JSON file and its value.

    Args:
        path: The file.
        missing: What to say if there is no such file.
        remedy: What to do if it cannot be used.

    Raises:
        InputError: If it is missing, cannot be read, or is not JSON.
    """
    if not path.exists():
        raise InputError(missing)
    text = read_document(path)
    try:
        return text, parse_json(text)
    except ValueError as error:
        reason = " ".join(str(error).split())[:120]
        raise InputError(f"{path}: cannot be read ({reason}); {remedy}") from None


def _parts(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _too_deep() -> str:
    return f"nested in more than {DEPTH.value:,} levels, see {DEPTH.variable}"
