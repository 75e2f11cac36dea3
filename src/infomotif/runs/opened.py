"""OpenRun: a run folder that was read back, and what its ``config.yaml`` and ``result.json`` say."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from infomotif._core.checksums import BLANK, KEY, check_file, check_seal, is_sealed, read_lines, sealed
from infomotif._core.reading.documents import read_document, read_json
from infomotif._core.reading.yaml import read_yaml
from infomotif.errors import InputError
from infomotif.explain.subject import Subject
from infomotif.graph import Graph
from infomotif.model.estimator import InfoMotif
from infomotif.model.saving import DESCRIPTION, WEIGHTS, load
from infomotif.motifs import MotifIndex
from infomotif.runs.predictions import read_split
from infomotif.runs.result import VERSION, EpochMetrics, RunResult
from infomotif.training.splits import Split

BASE_FOLDER = "base"
"""Where a run folder keeps the base GNN."""
CONFIG, METRICS, RESULT, PREDICTIONS = "config.yaml", "metrics.jsonl", "result.json", "predictions.csv"
_MODEL = (DESCRIPTION, WEIGHTS)
KEPT = (CONFIG, METRICS, PREDICTIONS, *_MODEL, *(f"{BASE_FOLDER}/{name}" for name in _MODEL))
"""The files of a finished run that ``result.json`` names with their checksums; ``report.html`` can be made again."""

_ABOUT_FILES = (KEY, "files")
_CONFIG_MARK = re.compile(rb"# checksum: ([0-9a-f]{64})\n")
_REMEDY = "it was edited or is of another version; restore it or train again"


@dataclass(frozen=True, repr=False)
class OpenRun:
    """A run that was read back.

    Attributes:
        folder: The run folder.
        graph: The graph that it was trained on.
        model: InfoMotif of the first split.
        base: The base GNN of the first split, or None in a folder without it.
        split: The first split.
    """

    folder: Path
    graph: Graph
    model: InfoMotif
    base: InfoMotif | None
    split: Split

    def subject(self, index: MotifIndex | None = None) -> Subject:
        """Return the first split's model for :mod:`infomotif.explain`; InfoMotif is compared with the base GNN.

        Args:
            index: The graph's motifs if they were counted before.
        """
        base = self.base if self.model.settings_.regularize else None
        return self.model.subject(self.graph, index=index, train=self.split.train, base=base)

    def __repr__(self) -> str:
        """Name the folder, the graph and the sizes of the first split, in one line."""
        sizes = "/".join(str(len(nodes)) for nodes in (self.split.train, self.split.val, self.split.test))
        return f"OpenRun('{self.folder}', {self.graph.name!r}, {sizes} nodes to train, validate and test)"

    def _repr_html_(self) -> str:
        """Show the result of the run in a notebook."""
        return read_result(self.folder)._repr_html_()

    def metrics(self) -> list[EpochMetrics]:
        """Return one record per epoch, split and model.

        Raises:
            InputError: If a line holds something else; the message names it.
        """
        path = self.folder / METRICS
        try:
            return [EpochMetrics.from_dict(record, f"{path}, line {number}") for number, record in read_lines(path)]
        except InputError as error:
            raise InputError(f"{error}; remove the line or train again") from None


def open_run(folder: Path, graph: Graph, model: InfoMotif | None = None) -> OpenRun:
    """Read the models and the split of a run.

    Args:
        folder: The run folder.
        graph: The graph that it was trained on.
        model: The run's model, if it is loaded already.

    Raises:
        InputError: If a file is missing or broken, or the graph is another one.
    """
    if (folder / RESULT).exists():
        check_files(folder)
    model = load(folder) if model is None else model
    if graph.fingerprint() != model.graph_info_.get("fingerprint"):
        raise InputError(f"{folder}: was trained on other data than {graph.name} holds now; train again")
    base = load(folder / BASE_FOLDER) if (folder / BASE_FOLDER / "model.json").exists() else None
    return OpenRun(folder, graph, model, base, read_split(folder / PREDICTIONS, graph))


def read_config(folder: Path) -> dict[str, Any]:
    """Return what ``config.yaml`` of a run says: its plan, and the fingerprint of its graph.

    Raises:
        InputError: If the file is missing, is not valid, or does not match the checksum in its first line.
    """
    path = folder / CONFIG
    if path.exists():
        text = read_document(path)
        mark = _CONFIG_MARK.match(text)
        if mark is not None and not is_sealed(text, mark[1].decode()):
            raise InputError(f"{path}: does not match the checksum in its first line; {_REMEDY}")
    return read_yaml(path, missing=f"'{folder}' is not a run folder")


def config_text(values: dict[str, Any]) -> str:
    """Return the text of ``config.yaml``, with its checksum in the first line."""
    text = f"# checksum: {BLANK}\n" + yaml.safe_dump(values, sort_keys=False, allow_unicode=True)
    return sealed(text.encode()).decode()


def check_files(folder: Path) -> None:
    """Check that the files of a finished run are those that it wrote.

    Raises:
        InputError: With the name of the first file that is missing or was changed.
    """
    value = _read_result(folder)
    # Results of earlier versions do not say.
    for name, expected in value.get("files", {}).items():
        if name not in KEPT:
            raise InputError(f"{folder / RESULT}: names '{name}', which is not a file of a run; {_REMEDY}")
        if name.startswith(BASE_FOLDER) and not (folder / BASE_FOLDER).exists():
            continue
        check_file(folder / name, expected, RESULT)


def read_result(folder: Path) -> RunResult:
    """Return what ``result.json`` of a run says.

    Raises:
        InputError: If the file is missing or damaged.
    """
    value = _read_result(folder)
    try:
        return RunResult.from_dict(
            {key: part for key, part in value.items() if key not in _ABOUT_FILES}, str(folder / RESULT)
        )
    except InputError as error:
        raise InputError(f"{error}; {_REMEDY}") from None


def _read_result(folder: Path) -> dict[str, Any]:
    path = folder / RESULT
    text, value = read_json(path, missing=f"{path}: no such file; is the run finished?", remedy=_REMEDY)
    try:
        json.dumps(value, allow_nan=False)
    except ValueError as error:
        raise InputError(f"{path}: cannot be read ({str(error)[:80]}); {_REMEDY}") from None
    if not isinstance(value, dict):
        raise InputError(f"{path}: not a result of this package; {_REMEDY}")
    check_seal(path, text, value, required=value.get("version") == VERSION)
    if not isinstance(value.get("files", {}), dict):
        raise InputError(f"{path}: files must hold keys and values; {_REMEDY}")
    return value
