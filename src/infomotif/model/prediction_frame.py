"""Predictions as a data frame, one row per node."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif._core.display.frames import to_frame
from infomotif.graph import Graph
from infomotif.training.splits import Split
from infomotif.typing import Array


def prediction_frame(
    graph: Graph,
    probability: Array,
    classes: list[str],
    split: Split | None = None,
    kind: str | None = None,
    *,
    rows: Array | None = None,
) -> Any:
    """Return predictions, labels and parts of the split, as :meth:`.InfoMotif.to_frame` describes it.

    Args:
        graph: The graph.
        probability: Probability of each class, [n, C].
        classes: Name of each class.
        split: The split, if it is known.
        kind: Which library's frame.
        rows: The nodes that it lists, by default all.
    """
    columns: list[tuple[str, Any]] = [
        ("node", np.arange(graph.num_nodes) if graph.numbered else graph.names),
        ("predicted", [classes[c] for c in probability.argmax(axis=1).tolist()]),
        *((f"p({name})", np.ascontiguousarray(probability[:, c])) for c, name in enumerate(classes)),
    ]
    if graph.y is not None:
        columns.append(("label", [graph.class_names[c] if c >= 0 else None for c in graph.y.tolist()]))
    if split is not None:
        part = np.full(graph.num_nodes, None, dtype=object)
        for name, nodes in (("train", split.train), ("val", split.val), ("test", split.test)):
            part[nodes] = name
        columns.append(("split", part))
    if rows is not None and len(rows) < graph.num_nodes:
        columns = [
            (name, np.asarray(column, dtype=object if isinstance(column, list) else None)[rows])
            for name, column in columns
        ]
    return to_frame(columns, kind)
