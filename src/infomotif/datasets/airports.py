"""Air traffic graphs in the format of struc2vec: an edge list and a file of labels; no attributes."""

from __future__ import annotations

from pathlib import Path

from infomotif.graph import Graph
from infomotif.io import read_edge_list


def read_airports(edges: Path, labels: Path, *, name: str) -> Graph:
    """Read an undirected air traffic graph; its classes are quartiles of airport activity.

    Self loops are dropped as everywhere: in the Brazilian graph they give the label away.

    Raises:
        InputError: If a line is not of the form ``u v``, or a label line not ``node label``.
    """
    return read_edge_list(edges, labels=labels, directed=False, name=name)
