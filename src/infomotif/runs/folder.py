"""RunFolder: a folder of plain files that a training fills; every file appears whole or not at all."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import yaml

from infomotif._core.files import whole_file, write_json, write_text
from infomotif._core.locks import alone
from infomotif._core.yaml import read_yaml
from infomotif.errors import InputError
from infomotif.explain.subject import Subject
from infomotif.graph import Graph
from infomotif.model.estimator import InfoMotif
from infomotif.model.loading import load
from infomotif.search.choice import Choice
from infomotif.training.distributed import launch, restarted
from infomotif.training.splits import Split
from infomotif.typing import Record

BASE_FOLDER = "base"


class RunFolder:
    """``config.yaml`` what was asked, ``metrics.jsonl`` one line an epoch, ``result.json`` the outcome.

    ``predictions.csv``, ``model.json`` and ``model.safetensors`` are of InfoMotif on the first split; ``base/`` holds
    the same two files of the base GNN on that split, so that both can be asked later. ``report.html`` is the page of
    the run. ``state/`` is there while the run is unfinished.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.state = path / "state"

    @property
    def finished(self) -> bool:
        """Whether the run is complete."""
        return (self.path / "result.json").exists()

    @property
    def interrupted(self) -> bool:
        """Whether torchrun started this run, lost a process, and started it again."""
        mark = self.state / "launch"
        return restarted() and mark.exists() and mark.read_text(encoding="utf-8") == launch()

    def start(self, wanted: dict[str, Any], resume: bool, fingerprint: str) -> None:
        """Prepare the folder, or check that it holds the same run, on the same data, to go on with."""
        config = self.path / "config.yaml"
        if config.exists():
            if not (resume or self.interrupted):
                raise InputError(f"{self.path}: holds a run already; add --resume to go on, or name another --out")
            held = read_config(self.path)
            if held.pop("fingerprint", fingerprint) != fingerprint:
                raise InputError(
                    f"{config}: began with other data than is there now; restore it, or name another --out"
                )
            if held != wanted:
                raise InputError(f"{config}: holds another run; repeat its options, or name another --out")
        elif self.path.exists() and (not self.path.is_dir() or any(not _unfinished(p) for p in self.path.iterdir())):
            raise InputError(f"{self.path}: exists and is not a run; name another --out")
        else:
            contents = wanted | {"fingerprint": fingerprint}
            write_text(config, yaml.safe_dump(contents, sort_keys=False, allow_unicode=True))
        self.state.mkdir(exist_ok=True)
        if launch():
            write_text(self.state / "launch", launch())

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other processes from training into the folder while the block runs; tidy up what a kill left."""
        self.state.mkdir(exist_ok=True)
        refusal = f"{self.path}: another process trains into it; wait for it, or name another --out"
        with alone(self.state / "lock", refusal):
            for path in filter(_unfinished, list(self.path.rglob("*.part"))):
                path.unlink()
            yield

    def done(self) -> list[Record]:
        """Return the outcome of every training that is complete, each once."""
        kept: dict[tuple[Any, Any], Record] = {}
        for record in _read_lines(self.state / "done.jsonl"):
            kept.setdefault((record.get("split"), record.get("model")), record)
        return list(kept.values())

    def add_done(self, record: Record) -> None:
        """Keep the outcome of one training."""
        _append_line(self.state / "done.jsonl", record)

    def choice(self, split: int) -> Choice | None:
        """Return what ``preset="auto"`` chose on a split, if it did.

        Raises:
            InputError: If the file that says so is broken.
        """
        path = self._choice_file(split)
        if not path.exists():
            return None
        try:
            return Choice.from_dict(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: cannot be read ({error}); remove it to search again") from None

    def keep_choice(self, split: int, choice: Choice) -> None:
        """Keep what was chosen, so that a run that goes on does not search again."""
        write_json(self._choice_file(split), choice.to_dict())

    def _choice_file(self, split: int) -> Path:
        return self.state / f"choice-{split}.json"

    def keep_metrics_of(self, done: list[Record]) -> None:
        """Drop the lines of an interrupted training; it tells them again when it goes on."""
        complete = {(r["split"], r["model"]) for r in done}
        lines = [r for r in _read_lines(self.path / "metrics.jsonl") if (r.get("split"), r.get("model")) in complete]
        write_text(self.path / "metrics.jsonl", "".join(json.dumps(r) + "\n" for r in lines))

    def add_metrics(self, record: Record) -> None:
        """Append one epoch's line."""
        _append_line(self.path / "metrics.jsonl", record)

    def keep_model(self, graph: Graph, model: InfoMotif, split: Split) -> None:
        """Write the model, and ``predictions.csv`` with the part each node played."""
        part = np.full(graph.num_nodes, "", dtype="<U5")
        part[split.train], part[split.val], part[split.test] = "train", "val", "test"
        model.save(self.path)
        write_predictions(self.path / "predictions.csv", graph, model, labels=graph.y, part=part)

    def keep_base(self, model: InfoMotif) -> None:
        """Write the base GNN's model files beside InfoMotif's."""
        model.save(self.path / BASE_FOLDER)

    def finish(self, result: Record) -> None:
        """Write ``result.json`` and remove what only an unfinished run needs."""
        write_json(self.path / "result.json", result)
        shutil.rmtree(self.state, ignore_errors=True)


def _unfinished(path: Path) -> bool:
    """Whether a kill left this file half-written; :func:`whole_file` names them so."""
    return path.name.startswith(".") and path.suffix == ".part"


def write_predictions(
    path: Path | None, graph: Graph, model: InfoMotif, *, labels: Any = None, part: Any = None
) -> None:
    """Write predictions for all nodes of ``graph`` as CSV, whole or not at all; None writes to standard output."""
    same = getattr(model, "graph_", None) is graph
    probability = model.predict_proba(None if same else graph)
    rows = _prediction_rows(graph, probability, [str(c) for c in model.classes_], labels, part)
    if path is None:
        _write_rows(sys.stdout, rows)
        return
    with whole_file(path) as aside, aside.open("w", newline="", encoding="utf-8") as stream:
        _write_rows(stream, rows)


def _write_rows(stream: TextIO, rows: Iterable[list[str]]) -> None:
    usual, quoted = (csv.writer(stream, lineterminator="\n", quoting=way) for way in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    for row in rows:
        # With these line ends the writer takes a carriage return for harmless; readers do not.
        (quoted if any("\r" in field for field in row) else usual).writerow(row)


def _prediction_rows(graph: Graph, probability: Any, classes: list[str], labels: Any, part: Any) -> Iterator[list[str]]:
    extra = [name for name, column in (("label", labels), ("split", part)) if column is not None]
    yield ["id", "predicted", *(f"p({c})" for c in classes), *extra]
    best = probability.argmax(axis=1)
    for v in range(graph.num_nodes):
        row = [str(graph.names_of(v)), classes[best[v]], *(f"{p:.6f}" for p in probability[v])]
        if labels is not None:
            row.append(graph.class_names[labels[v]] if labels[v] >= 0 else "")
        if part is not None:
            row.append(str(part[v]))
        yield row


@dataclass(frozen=True)
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

    def subject(self) -> Subject:
        """Return what :mod:`infomotif.explain` explains; a model that is a base GNN itself is compared with none."""
        base = self.base if self.model.settings_.regularize else None
        return self.model.subject(self.graph, train=self.split.train, base=base)

    def metrics(self) -> list[tuple[int, Record]]:
        """Return one record an epoch, split and model, each with the line it stands on."""
        return _numbered_lines(self.folder / "metrics.jsonl")


def open_run(folder: Path, graph: Graph, model: InfoMotif | None = None) -> OpenRun:
    """Read the models and the split of a run.

    Args:
        folder: The run folder.
        graph: The graph that it was trained on.
        model: The run's model, if it is loaded already.

    Raises:
        InputError: If a file is missing or broken, or the graph is another one.
    """
    model = load(folder) if model is None else model
    if graph.fingerprint() != model.graph_info_.get("fingerprint"):
        raise InputError(f"{folder}: was trained on other data than {graph.name} holds now; train again")
    base = load(folder / BASE_FOLDER) if (folder / BASE_FOLDER / "model.json").exists() else None
    return OpenRun(folder, graph, model, base, _read_split(folder / "predictions.csv", graph))


def _read_split(path: Path, graph: Graph) -> Split:
    parts: dict[str, list[int]] = {"train": [], "val": [], "test": []}
    try:
        with path.open(newline="", encoding="utf-8") as stream:
            for row in csv.DictReader(stream):
                if row["split"]:
                    parts[row["split"]].append(graph.index_of(row["id"]))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; is the run finished?") from None
    except (OSError, UnicodeDecodeError, KeyError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read ({type(error).__name__}); train again or restore it") from None
    return Split(*(np.sort(np.array(parts[name], dtype=np.int64)) for name in ("train", "val", "test")))


def read_config(folder: Path) -> dict[str, Any]:
    """Return what ``config.yaml`` of a run says."""
    return read_yaml(folder / "config.yaml", missing=f"'{folder}' is not a run folder")


def read_result(folder: Path) -> Record:
    """Return what ``result.json`` of a run says."""
    path = folder / "result.json"
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; is the run finished?") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({type(error).__name__})") from None
    if not isinstance(value, dict) or value.get("format") != "infomotif-result":
        raise InputError(f"{path}: not a result of this package")
    lacking = [key for key in ("created", "graph", "plan", "outcome", "trainings", "environment") if key not in value]
    if lacking:
        raise InputError(f"{path}: lacks '{lacking[0]}'; it was edited or is of another version; train again")
    plan, choice = value["plan"], value.get("choice")
    if isinstance(plan, dict) and isinstance(choice, dict):
        # Results of before every split chose for itself do not say it.
        choice.setdefault("base_splits", plan.get("splits") if choice.get("base_better") else 0)
    return value


def _append_line(path: Path, record: Record) -> None:
    with path.open("ab+") as stream:
        if stream.seek(0, os.SEEK_END):
            stream.seek(-1, os.SEEK_END)
            if stream.read(1) != b"\n":
                stream.write(b"\n")
        stream.write(json.dumps(record).encode() + b"\n")


def _read_lines(path: Path) -> list[Record]:
    return [record for _, record in _numbered_lines(path)]


def _numbered_lines(path: Path) -> list[tuple[int, Record]]:
    """Read whole lines, counted from 1; a torn line, as a kill leaves it, is no record."""
    if not path.exists():
        return []
    found = []
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
    for number, text in enumerate(lines, start=1):
        if text.endswith("\n"):
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if isinstance(line, dict) and {"split", "model"} <= line.keys():
                found.append((number, line))
    return found
