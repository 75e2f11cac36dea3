"""Files for the tests."""

from __future__ import annotations

from pathlib import Path


def written(path: Path, content: str | bytes) -> Path:
    """Write a file and return its path."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path
