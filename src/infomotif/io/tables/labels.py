"""Class names in order, the words for a missing label, and the check that a graph has labels to learn from."""

from __future__ import annotations

import numbers
import re
from collections.abc import Iterable

import numpy as np

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io.tables.diagnose import MISSING

WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")


def in_order(names: Iterable[str]) -> list[str]:
    """Return names in order: by value if all are whole numbers, else as text.

    Example:
        >>> in_order(["10", "9"]), in_order(["b", "10", "9"])
        (['9', '10'], ['10', '9', 'b'])
    """
    listed = list(names)
    if all(WHOLE.fullmatch(name) for name in listed):
        return sorted(listed, key=lambda name: (int(name), name))
    return sorted(listed)


def known_label(label: object) -> str | None:
    """Return a label as text, None where it is missing: empty, NaN, or one of the words for that, such as NA.

    Example:
        >>> [known_label(label) for label in ("a", "NA", "", None, float("nan"), 7, 7.0)]
        ['a', None, None, None, None, '7', '7']
    """
    if isinstance(label, numbers.Real) and not isinstance(label, numbers.Integral) and float(label).is_integer():
        # As tables read them: a column of whole numbers with a gap holds 1.0 for 1.
        label = int(float(label))
    text = "" if label is None else str(label)
    return None if text in MISSING else text


def require_class_names(classes: Iterable[str]) -> None:
    """Refuse to write classes that would be read as missing labels.

    Raises:
        InputError: If there is such a class.
    """
    for name in classes:
        if known_label(name) is None:
            raise InputError(f"the class name '{name}' cannot be written: it means a missing label; rename it")


def require_labels(graph: Graph, where: str = "") -> None:
    """Refuse a graph without labels of at least two classes.

    Example:
        >>> graph = Graph.from_edges([0], [1], num_nodes=2, directed=True)
        >>> require_labels(graph, "nodes.csv")
        Traceback (most recent call last):
        infomotif.errors.InputError: nodes.csv: no node has a label; name the label column (label=, --label)

    Raises:
        InputError: If there are no labels, or labels of one class only.
    """
    source = where or graph.name
    if graph.y is None:
        raise InputError(f"{source}: no node has a label; name the label column (label=, --label)")
    used = np.unique(graph.y[graph.y >= 0])
    if len(used) == 0:
        raise InputError(f"{source}: the label is empty in every row; label some nodes of at least two classes")
    if len(used) == 1:
        only = graph.class_names[int(used[0])]
        raise InputError(f"{source}: all labels are of one class ('{only}'); label nodes of at least two classes")
