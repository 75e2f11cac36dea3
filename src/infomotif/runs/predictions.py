"""``predictions.csv``: a prediction per node, its label, and the part that it played in the split."""

from __future__ import annotations

import csv
import itertools
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from infomotif._core.files import whole_file
from infomotif._core.spreadsheet import as_text, from_text
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.model.estimator import InfoMotif
from infomotif.model.prediction_sets import PredictionSets
from infomotif.training.splits import Split
from infomotif.typing import Array

CALIBRATION = "calibration"
"""The column with the surprise of validation nodes."""
PARTS = ("train", "val", "test")
"""What the column ``split`` may say of a node."""


def write_predictions(
    path: Path | None,
    graph: Graph,
    model: InfoMotif,
    *,
    labels: Any = None,
    split: Split | None = None,
    sets: PredictionSets | None = None,
    raw_ids: bool = False,
) -> None:
    """Write predictions for all nodes of a graph as CSV, whole or not at all; on a typed graph of the labelled types.

    Args:
        path: The file; None writes to standard output.
        graph: The graph.
        model: The model that predicts.
        labels: Known class numbers, [n], to show next to the predictions.
        split: The split, to show the part that each node plays in it, and what validation nodes say for calibration.
        sets: How sets of classes are made of probabilities; None writes none.
        raw_ids: Whether ids and classes that a spreadsheet would run as formulas are written as they are.
    """
    same = getattr(model, "graph_", None) is graph
    probability = model.predict_proba(None if same else graph)
    classes = [str(c) for c in model.classes_]
    extra: dict[str, Iterable[str]] = {}
    if sets is not None:
        extra[f"set({sets.coverage:g})"] = sets.texts(probability, classes, model.measured_ if same else None)
    if labels is not None:
        extra["label"] = [graph.class_names[c] if c >= 0 else "" for c in labels]
    if split is not None:
        extra["split"] = [str(part) for part in _parts(graph.num_nodes, split)]
        extra[CALIBRATION] = _calibration(graph.num_nodes, split, model.calibration_)
    nodes = model.fitted_.classified(graph)
    write_rows(path, _rows(graph, probability, classes, extra, nodes), raw_ids=raw_ids)


def write_rows(path: Path | None, rows: Iterable[list[str]], *, raw_ids: bool = False) -> None:
    """Write rows as CSV, whole or not at all; without a path to standard output.

    Args:
        path: The file; None writes to standard output.
        rows: The rows, the names of the columns first.
        raw_ids: Whether texts that a spreadsheet would run as formulas are written as they are.
    """
    if not raw_ids:
        rows = ([as_text(cell) for cell in row] for row in rows)
    if path is None:
        _write_rows(sys.stdout, rows)
        return
    with whole_file(path) as aside, aside.open("w", newline="", encoding="utf-8") as stream:
        _write_rows(stream, rows)


def read_split(path: Path, graph: Graph) -> Split:
    """Return the split that a file of predictions states.

    Raises:
        InputError: If the file is missing or damaged, or names a node that the graph does not have.
    """
    nodes: dict[str, list[int]] = {part: [] for part in PARTS}
    try:
        with path.open(newline="", encoding="utf-8") as stream:
            for row in csv.DictReader(stream):
                if row["split"]:
                    nodes[row["split"]].append(_node(graph, row["id"]))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; is the run finished?") from None
    except (OSError, UnicodeDecodeError, KeyError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read ({type(error).__name__}); train again or restore it") from None
    return Split(*(np.sort(np.array(nodes[part], dtype=np.int64)) for part in PARTS))


def _node(graph: Graph, text: str) -> int:
    """Return the number of a node by its id in a file, in which earlier versions left formulas as they were."""
    try:
        return graph.index_of(from_text(text))
    except InputError:
        return graph.index_of(text)


def read_calibration(path: Path) -> Array:
    """Return how much the labels of validation nodes surprised the model, as a file of predictions states it.

    Raises:
        InputError: If the file is missing or damaged.
    """
    try:
        with path.open(newline="", encoding="utf-8") as stream:
            scores = [float(row[CALIBRATION]) for row in csv.DictReader(stream) if row.get(CALIBRATION)]
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; is the run finished?") from None
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read ({type(error).__name__}); train again or restore it") from None
    return np.array(scores)


def _parts(n: int, split: Split) -> Array:
    parts = np.full(n, "", dtype="<U5")
    for part, nodes in zip(PARTS, (split.train, split.val, split.test), strict=True):
        parts[nodes] = part
    return parts


def _calibration(n: int, split: Split, scores: Array) -> list[str]:
    """Return how much the label of each validation node surprised the model; empty for other nodes."""
    column = [""] * n
    for v, score in zip(split.val.tolist(), scores.tolist(), strict=True):
        column[v] = f"{score:.6f}"
    return column


def _rows(
    graph: Graph, probability: Array, classes: list[str], extra: Mapping[str, Iterable[str]], nodes: Array
) -> Iterator[list[str]]:
    yield ["id", "predicted", *(f"p({c})" for c in classes), *extra]
    best = probability.argmax(axis=1)
    columns = zip(*extra.values(), strict=True) if extra else itertools.repeat(())
    listed = np.isin(np.arange(graph.num_nodes), nodes).tolist()
    for v, more in itertools.compress(enumerate(columns), listed):
        yield [str(graph.names_of(v)), classes[best[v]], *(f"{p:.6f}" for p in probability[v]), *more]


def _write_rows(stream: TextIO, rows: Iterable[list[str]]) -> None:
    usual, quoted = (csv.writer(stream, lineterminator="\n", quoting=way) for way in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    for row in rows:
        # With these line ends the writer does not quote a carriage return; readers would end the line there.
        (quoted if any("\r" in field for field in row) else usual).writerow(row)
