"""Job: one training of one method on one split, as plain values that any process can be given."""

from __future__ import annotations

import base64
import hashlib
import json
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infomotif_bench.experiments.graphs import bench_graph, split_of
from infomotif_bench.experiments.schemes import Scheme

Record = dict[str, Any]
Key = tuple[str, ...]


@dataclass(frozen=True)
class Job:
    """What a run is, completely: equal jobs have equal outcomes.

    Attributes:
        experiment: Name of the experiment.
        dataset: Name of the graph.
        method: Name of the method.
        version: The method's version.
        labels: How many nodes have a label, and where.
        split: Number of the split; also the seed of the training.
        settings: Settings that differ from the method's defaults.
        data: Fingerprint of the graph.
    """

    experiment: str
    dataset: str
    method: str
    version: int
    labels: Scheme
    split: int
    settings: Mapping[str, Any]
    data: str

    @property
    def settings_hash(self) -> str:
        """A short hash of the settings."""
        return hash_of(self.settings)

    @property
    def key(self) -> Key:
        """What the store finds its record by."""
        return (self.experiment, *self.run_key)

    @property
    def run_key(self) -> Key:
        """The key without the experiment: the same run may serve several."""
        return (
            self.dataset, self.method, self.labels.key, str(self.split), self.settings_hash, self.data,
            str(self.version),
        )  # fmt: skip

    def to_record(self) -> Record:
        """Return the part of a record that says what was run."""
        return {
            "experiment": self.experiment,
            "dataset": self.dataset,
            "method": self.method,
            "version": self.version,
            **self.labels.to_record(),
            "split": self.split,
            "settings": dict(self.settings),
            "settings_hash": self.settings_hash,
            "data": self.data,
        }


def hash_of(settings: Mapping[str, Any]) -> str:
    """Return a short hash of settings."""
    return hashlib.sha256(json.dumps(dict(settings), sort_keys=True).encode()).hexdigest()[:12]


def record_key(record: Record) -> Key:
    """Return the key of a kept record, as :attr:`Job.key`."""
    return (
        record["experiment"], record["dataset"], record["method"], Scheme.of_record(record).key, str(record["split"]),
        record["settings_hash"], record["data"], str(record["version"]),
    )  # fmt: skip


MOST_SPLITS = 1000
"""Most splits of an experiment; more would tell nothing more."""

_MOST = 2.0**53


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MOST


def _is_share(value: Any) -> bool:
    return value is None or (_is_number(value) and value <= 1)


def _is_time(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(datetime.fromisoformat(value))
    except ValueError:
        return False


def _is_details(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("choice", ""), str):
        return False
    return _is_number(value.get("epoch_cpu_seconds", 0))


_FIELDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "split": (f"a whole number below {MOST_SPLITS}", lambda value: _is_whole(value) and value < MOST_SPLITS),
    "test_accuracy": ("a share or null", _is_share),
    "val_accuracy": ("a share or null", _is_share),
    "cpu_seconds": ("a number", _is_number),
    "seconds": ("a number", _is_number),
    "nodes": (
        "three whole numbers, with nodes that train and nodes that test",
        lambda v: isinstance(v, list) and len(v) == 3 and all(map(_is_whole, v)) and bool(v[0] and v[2]),
    ),
    "correct": ("text or null", lambda value: isinstance(value, str | None)),
    "failed": ("text or null", lambda value: isinstance(value, str | None)),
    "created": ("a time", _is_time),
    "settings": ("keys and values", lambda value: isinstance(value, dict)),
    "details": ("keys and values of a run", _is_details),
    "environment": ("a name", lambda value: isinstance(value, str)),
}


def check_record(record: Record) -> None:
    """Refuse a record whose outcome cannot be: numbers, node counts, which test nodes were right, and what disagrees.

    Raises:
        KeyError: Naming a field that is missing.
        ValueError: Naming a field that is damaged, and what it must be.

    Example:
        >>> check_record({"split": 0, "test_accuracy": "x"})
        Traceback (most recent call last):
        ValueError: test_accuracy must be a share or null (got 'x')
    """
    for key, (wanted, fits) in _FIELDS.items():
        if not fits(record[key]):
            raise ValueError(f"{key} must be {wanted} (got {record[key]!r:.40})")
    tested, correct, accuracy = record["nodes"][2], record["correct"], record["test_accuracy"]
    if (record["failed"] is None) != (accuracy is not None):
        raise ValueError("a run has either test_accuracy or failed")
    if hash_of(record["settings"]) != record["settings_hash"]:
        raise ValueError("settings_hash is not that of the settings")
    if correct is None:
        return
    if len(base64.b64decode(correct, validate=True)) != -(-tested // 8):
        raise ValueError(f"correct does not tell of {tested} test nodes")
    # Less than one node may be lost by rounding.
    if accuracy is None or abs(float(unpack(correct, tested).mean()) - accuracy) * tested >= 1:
        raise ValueError(f"test_accuracy is not the share of test nodes that correct tells (got {accuracy})")


def run_job(job: Job) -> Record:
    """Run a job on one thread and return its record.

    A training whose loss is not finite is an outcome too: its record has ``failed`` and no accuracy.

    Example:
        >>> graph = bench_graph("karate")
        >>> job = Job("demo", "karate", "structural-lr", 1, Scheme(0.4), 0, {}, graph.fingerprint()[:16])
        >>> record = run_job(job)
        >>> record["nodes"], record["failed"]
        ([14, 7, 13], None)
    """
    # A process that only reads the store does without these.
    import torch

    from infomotif.training import TrainingError
    from infomotif_bench.methods import get_method

    graph, split = bench_graph(job.dataset), split_of(job.dataset, job.labels, job.split)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    cpu, wall = time.process_time(), time.perf_counter()
    failed, outcome = None, None
    try:
        with warnings.catch_warnings():
            # A class without a training node is part of drawing splits at random.
            warnings.filterwarnings("ignore", message="no training node has class")
            outcome = get_method(job.method).run(graph, split, job.settings, job.split)
    except TrainingError as error:
        failed = str(error)
    finally:
        torch.set_num_threads(before)
    return job.to_record() | {
        "test_accuracy": None if outcome is None else round(outcome.test_accuracy, 6),
        "val_accuracy": None if outcome is None else round(outcome.val_accuracy, 6),
        "best_epoch": None if outcome is None else outcome.best_epoch,
        "nodes": [len(split.train), len(split.val), len(split.test)],
        "correct": None if outcome is None else pack(outcome.correct),
        "details": {} if outcome is None else dict(outcome.details),
        "cpu_seconds": round(time.process_time() - cpu, 3),
        "seconds": round(time.perf_counter() - wall, 3),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "failed": failed,
    }


def pack(correct: NDArray[np.bool_]) -> str:
    """Return truth values as short text.

    Example:
        >>> unpack(pack(np.array([True, False, True])), 3).tolist()
        [True, False, True]
    """
    return base64.b64encode(np.packbits(correct).tobytes()).decode("ascii")


def unpack(text: str, count: int) -> NDArray[np.bool_]:
    """Return the truth values that :func:`pack` packed."""
    bits = np.frombuffer(base64.b64decode(text), dtype=np.uint8)
    return np.unpackbits(bits, count=count).astype(np.bool_)
