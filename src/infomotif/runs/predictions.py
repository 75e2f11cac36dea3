"""``predictions.csv``: a prediction per node, its label, and the part that it played in the split."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from infomotif._core.files import whole_file
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.model.estimator import InfoMotif
from infomotif.training.splits import Split
from infomotif.typing import Array

PARTS = ("train", "val", "test")
"""What the column ``split`` may say of a node."""


def write_predictions(
    path: Path | None, graph: Graph, model: InfoMotif, *, labels: Any = None, split: Split | None = None
) -> None:
    """Write predictions for all nodes of a graph as CSV, whole or not at all.

    Args:
        path: The file; None writes to standard output.
        graph: The graph.
        model: The model that predicts.
        labels: Known class numbers, [n], to show next to the predictions.
        split: The split, to show the part that each node plays in it.
    """
    same = getattr(model, "graph_", None) is graph
    probability = model.predict_proba(None if same else graph)
    parts = None if split is None else _parts(graph.num_nodes, split)
    rows = _rows(graph, probability, [str(c) for c in model.classes_], labels, parts)
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
                    nodes[row["split"]].append(graph.index_of(row["id"]))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; is the run finished?") from None
    except (OSError, UnicodeDecodeError, KeyError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read ({type(error).__name__}); train again or restore it") from None
    return Split(*(np.sort(np.array(nodes[part], dtype=np.int64)) for part in PARTS))


def _parts(n: int, split: Split) -> Array:
    parts = np.full(n, "", dtype="<U5")
    for part, nodes in zip(PARTS, (split.train, split.val, split.test), strict=True):
        parts[nodes] = part
    return parts


def _rows(
    graph: Graph, probability: Array, classes: list[str], labels: Any, parts: Array | None
) -> Iterator[list[str]]:
    extra = [name for name, column in (("label", labels), ("split", parts)) if column is not None]
    yield ["id", "predicted", *(f"p({c})" for c in classes), *extra]
    best = probability.argmax(axis=1)
    for v in range(graph.num_nodes):
        row = [str(graph.names_of(v)), classes[best[v]], *(f"{p:.6f}" for p in probability[v])]
        if labels is not None:
            row.append(graph.class_names[labels[v]] if labels[v] >= 0 else "")
        if parts is not None:
            row.append(str(parts[v]))
        yield row


def _write_rows(stream: TextIO, rows: Iterable[list[str]]) -> None:
    usual, quoted = (csv.writer(stream, lineterminator="\n", quoting=way) for way in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    for row in rows:
        # With these line ends the writer does not quote a carriage return; readers would end the line there.
        (quoted if any("\r" in field for field in row) else usual).writerow(row)
