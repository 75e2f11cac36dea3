"""BenchRun: one training of one method on one split, as plain values that any process can be given."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from infomotif._core.validate import setting
from infomotif.errors import InputError
from infomotif_bench.experiments.schemes import MAX_SPLITS, Scheme
from infomotif_bench.running.lines import Json, read_line

Key = tuple[str, ...]

MAX_TRIALS_PER_SPLIT = 100
"""Most trainings on one split."""


@dataclass(frozen=True)
class BenchRun:
    """Everything that decides the outcome of a run: equal runs have equal outcomes."""

    experiment: str = setting(help="Name of the experiment.")
    dataset: str = setting(help="Name of the graph.")
    method: str = setting(help="Name of the method.")
    version: int = setting(at_least=0, help="The method's version.")
    labels: Scheme = setting(help="How many nodes have a label, and where.")
    split: int = setting(at_least=0, below=MAX_SPLITS, help="Number of the split.")
    settings: Mapping[str, Any] = setting(help="Settings that differ from the method's defaults.")
    data: str = setting(help="Fingerprint of the graph.")
    trial: int = setting(
        default=0, at_least=0, below=MAX_TRIALS_PER_SPLIT, help="Number of the training on this split."
    )

    @property
    def seed(self) -> int:
        """The seed of the training: the number of the split in its first trial, another one in each further trial."""
        return self.split + MAX_SPLITS * self.trial

    @property
    def settings_hash(self) -> str:
        """A short hash of the settings."""
        return hash_of(self.settings)

    @property
    def key(self) -> Key:
        """The key of its record in a store."""
        return (self.experiment, *self.shared_key)

    @property
    def shared_key(self) -> Key:
        """The key without the experiment: one run may serve several experiments."""
        trial = (f"trial {self.trial}",) if self.trial else ()
        return (
            self.dataset, self.method, self.labels.key, str(self.split), self.settings_hash, self.data,
            str(self.version), *trial,
        )  # fmt: skip

    def to_json(self) -> Json:
        """Return the part of a line that says which run it is."""
        return {
            "experiment": self.experiment,
            "dataset": self.dataset,
            "method": self.method,
            "version": self.version,
            **self.labels.to_json(),
            "split": self.split,
            "settings": dict(self.settings),
            "settings_hash": self.settings_hash,
            "data": self.data,
            **({"trial": self.trial} if self.trial else {}),
        }

    @classmethod
    def from_json(cls, line: Json) -> Self:
        """Return the run of a line.

        Raises:
            InputError: Naming the value that is missing or damaged.
        """
        run = read_line(cls, {**line, "labels": Scheme.from_json(line)})
        if line.get("settings_hash") != run.settings_hash:
            raise InputError("settings_hash is not the hash of the settings")
        return run


def hash_of(settings: Mapping[str, Any]) -> str:
    """Return a short hash of settings; their order does not count."""
    return hashlib.sha256(json.dumps(dict(settings), sort_keys=True).encode()).hexdigest()[:12]
