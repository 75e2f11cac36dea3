"""RunRecord and ChoiceRecord: the outcome of a run and the choice of a search, as a store keeps them."""

from __future__ import annotations

import base64
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from infomotif._core.validate import fields_of, setting
from infomotif.errors import InputError
from infomotif_bench.running.lines import Json, values_of
from infomotif_bench.running.run import BenchRun

MAX_NUMBER = 2**53


def _check_nodes(value: tuple[int, ...]) -> None:
    if len(value) != 3 or not all(0 <= count <= MAX_NUMBER for count in value) or not (value[0] and value[2]):
        raise InputError(f"nodes must be how many train, validate and test, not 0 of the first and last (got {value})")


def _check_time(value: str) -> None:
    try:
        datetime.fromisoformat(value)
    except ValueError:
        raise InputError(f"created must be a time (got {value!r:.40})") from None


def _check_details(value: Json) -> None:
    if not isinstance(value.get("choice", ""), str):
        raise InputError(f"details.choice must be text (got {value['choice']!r:.40})")
    seconds = value.get("epoch_cpu_seconds", 0)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= MAX_NUMBER:
        raise InputError(f"details.epoch_cpu_seconds must be a number from 0 (got {seconds!r:.40})")


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """The outcome of a run; its values are checked when it is made.

    Example:
        >>> RunRecord.from_json({"ratio": 0.2, "experiment": "table3"})
        Traceback (most recent call last):
        infomotif.errors.InputError: lacks 'dataset'
    """

    run: BenchRun
    test_accuracy: float | None = setting(at_least=0, at_most=1, help="Share of test nodes that were right.")
    val_accuracy: float | None = setting(at_least=0, at_most=1, help="Share of validation nodes that were right.")
    best_epoch: int | None = setting(default=None, at_least=0, help="The epoch that was kept, if there are epochs.")
    nodes: tuple[int, ...] = setting(check=_check_nodes, help="How many nodes train, validate and test.")
    correct: str | None = setting(help="Which test nodes were right, as :func:`pack` writes it.")
    details: dict[str, Any] = setting(check=_check_details, help="Further values that the method reports.")
    cpu_seconds: float = setting(at_least=0, at_most=MAX_NUMBER, help="CPU time.")
    seconds: float = setting(at_least=0, at_most=MAX_NUMBER, help="Wall time.")
    created: str = setting(check=_check_time, help="When the run ended.")
    failed: str | None = setting(help="Why the training failed, if it did; then there is no accuracy.")
    copied_from: str | None = setting(default=None, help="The experiment that made the run, if it was another.")
    environment: str = setting(default="", help="Name of the environment in which it was made.")

    def __post_init__(self) -> None:
        """Check every value, and that accuracy, failure and the test nodes that were right agree."""
        for name, info in fields_of(type(self)).items():
            object.__setattr__(self, name, info.check(getattr(self, name)))
        accuracy, tested = self.test_accuracy, self.nodes[2]
        if (self.failed is None) != (accuracy is not None):
            raise InputError("a run has either test_accuracy or failed")
        if self.correct is None:
            return
        try:
            size = len(base64.b64decode(self.correct, validate=True))
        except ValueError:
            raise InputError("correct is not base64 text") from None
        if size != -(-tested // 8):
            raise InputError(f"correct is not the text of {tested} test nodes")
        # Rounding may lose less than one node.
        if accuracy is None or abs(float(unpack(self.correct, tested).mean()) - accuracy) * tested >= 1:
            raise InputError(f"test_accuracy is not the share of test nodes that correct holds (got {accuracy})")

    @classmethod
    def from_json(cls, line: Json) -> Self:
        """Return the record of a line.

        Raises:
            InputError: Naming the value that is missing or damaged, or disagrees with another.
        """
        return cls(**values_of(cls, {**line, "run": BenchRun.from_json(line)}))

    def to_json(self) -> Json:
        """Return the line of the record, its keys in the order that all stores have."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        del values["run"]
        if self.copied_from is None:
            del values["copied_from"]
        return {**self.run.to_json(), **values, "nodes": list(self.nodes)}


@dataclass(frozen=True, kw_only=True)
class ChoiceRecord:
    """The settings that a search chose for a row on a dataset."""

    experiment: str
    dataset: str
    row: str
    settings: dict[str, Any]
    by: str = setting(default="", help="How they were chosen.")
    trials: tuple[dict[str, Any], ...] = setting(
        default=(), help="All settings that were tried, with validation accuracy."
    )

    def to_json(self) -> Json:
        """Return the line of the record."""
        return {**{field.name: getattr(self, field.name) for field in fields(self)}, "trials": list(self.trials)}


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
