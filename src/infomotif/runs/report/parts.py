"""Parts of the page that take long to compute, kept in the run folder for the next page."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import infomotif
from infomotif._core.files import write_text
from infomotif._core.reading.documents import parse_json, read_document
from infomotif._core.versions import installed
from infomotif.runs.opened import BASE_FOLDER, OpenRun

PARTS_FILE = "parts.json"
"""Where a run folder keeps them."""
_MODEL_FILES = ("model.json", "model.safetensors")
_SOURCES = (*_MODEL_FILES, *(f"{BASE_FOLDER}/{name}" for name in _MODEL_FILES), "predictions.csv")
"""Files of a run that the parts follow from, with the graph."""


class PageParts:
    """Plain values by name, each computed once for the same models, split, graph and library versions.

    The file names the sum of all of these and a checksum of the values. A file of another run, of another version, or
    one that was damaged or edited counts as empty, so a page never shows a value that would come out differently now.

    Args:
        run: The run.
    """

    def __init__(self, run: OpenRun) -> None:
        self._path = run.folder / PARTS_FILE
        self._sources = _digest_of_sources(run)
        self._values = _read(self._path, self._sources)
        self._held = dict(self._values)

    def value(self, name: str, compute: Callable[[], Any], **parameters: int) -> Any:
        """Return a value, from the file if it is there.

        Args:
            name: Its name.
            compute: Computes it: plain values that JSON holds exactly.
            parameters: What it depends on besides the run.
        """
        key = " ".join([name, *(f"{parameter}={value}" for parameter, value in sorted(parameters.items()))])
        if key not in self._values:
            self._values[key] = compute()
        return self._values[key]

    def keep(self) -> None:
        """Write the file, whole or not at all, if a value is new."""
        if self._values.keys() != self._held.keys():
            text = _as_text(self._values)
            write_text(self._path, _as_text({"of": self._sources, "checksum": _digest(text), "values": self._values}))


def _read(path: Path, sources: str) -> dict[str, Any]:
    try:
        held = parse_json(read_document(path))
        values = held["values"]
        if held["of"] == sources and held["checksum"] == _digest(_as_text(values)):
            return dict(values)
    except (OSError, ValueError, TypeError, KeyError):
        pass
    return {}


def _digest_of_sources(run: OpenRun) -> str:
    """Return a digest of everything that the parts follow from."""
    digest = hashlib.sha256(_as_text({"infomotif": infomotif.__version__, **installed()}).encode())
    digest.update(run.graph.fingerprint().encode())
    for name in _SOURCES:
        path = run.folder / name
        content = path.read_bytes() if path.exists() else b"none"
        digest.update(f"{name} {len(content)} ".encode() + hashlib.sha256(content).digest())
    return digest.hexdigest()


def _as_text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
