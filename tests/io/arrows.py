"""A format that only the tests know: one edge per line, as ``a>b``."""

from __future__ import annotations

from pathlib import Path

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io.options import ReadOptions, graph_name
from infomotif.typing import AnyPath


def read(path: AnyPath, nodes: AnyPath | None, options: ReadOptions) -> Graph:
    """Read a file of arrows."""
    pairs = [line.split(">") for line in Path(path).read_text().split()]
    if any(len(pair) != 2 for pair in pairs):
        raise InputError(f"{path}: expected one 'a>b' per line; correct it")
    names = sorted({name for pair in pairs for name in pair})
    ends = [[names.index(name) for name in pair] for pair in pairs]
    source, target = zip(*ends, strict=True)
    return Graph.from_edges(
        source, target, num_nodes=len(names), directed=options.directed, names=names, name=graph_name(path, options)
    )
