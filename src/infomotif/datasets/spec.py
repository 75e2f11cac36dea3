"""DatasetSpec: what the registry knows of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infomotif.datasets import fetch
from infomotif.datasets.fetch import LastResort, RemoteFile
from infomotif.errors import InputError
from infomotif.graph import Graph


@dataclass(frozen=True)
class DatasetSpec:
    """What the registry knows of a dataset.

    Args:
        name: The name that commands and :func:`load_dataset` take.
        title: What it is, in one line.
        nodes: Nodes of the largest component.
        edges: Edges of the largest component, without self loops, each once.
        attributes: Number of attributes; 0 if there are none.
        classes: Number of classes.
        directed: Whether edges have a direction.
        source: Where it comes from.
        licence: What is known about its use.
        load: Builds the whole graph from the paths of ``files``.
        whole: Nodes and edges of the whole graph.
        files: What it is read from; none for an embedded graph.
        last_resort: Another way to write the files, for when no address answers.
        settings: Defaults of training for this dataset, such as ``ratio`` and ``hidden``.
        train_mask: Gives the fixed training nodes, for datasets that need it.
    """

    name: str
    title: str
    nodes: int
    edges: int
    attributes: int
    classes: int
    directed: bool
    source: str
    licence: str
    load: Callable[..., Graph]
    whole: tuple[int, int]
    files: tuple[RemoteFile, ...] = ()
    last_resort: LastResort | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    train_mask: Callable[[Graph], NDArray[np.bool_]] | None = None

    def state(self) -> str:
        """Return ``embedded``, ``cached`` (all its files are on this machine) or ``needs download``."""
        if not self.files:
            return "embedded"
        return "cached" if all(fetch.find(file) for file in self.files) else "needs download"

    def fetch(self) -> list[Path]:
        """Return the paths of its files, downloading those that this machine lacks.

        Raises:
            InputError: If a file cannot be fetched or has a wrong checksum.
        """
        return fetch.obtain(self.files, self.last_resort)

    def verify(self) -> list[tuple[Path, str | None]]:
        """Return each file with what is wrong with it, or None; nothing is downloaded.

        Raises:
            InputError: If a file is not on this machine.
        """
        rows = []
        for file in self.files:
            path = fetch.find(file)
            if path is None:
                where = fetch.data_folder()
                raise InputError(f"{file.path} is not under {where}; run 'infomotif datasets fetch {self.name}'")
            rows.append((path, file.check(path)))
        return rows
