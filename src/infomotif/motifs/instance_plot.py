"""The neighbourhood of a node with instances of a motif shaded; :meth:`.MotifIndex.plot_instance` is the door."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif._core.display.style import literal
from infomotif.errors import InputError
from infomotif.graph.graph_plot import plot_graph
from infomotif.graph.select import node_number
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from infomotif.motifs.index import MotifIndex


def plot_instance(index: MotifIndex, node: str | int, motif: int | None, count: int, **options: Any) -> Axes:
    """Draw it; see :meth:`.MotifIndex.plot_instance`.

    Args:
        index: The motifs of the graph.
        node: Name or number of the node.
        motif: Number of the motif; None takes the one with most edges that the node is in.
        count: How many instances to shade.
        options: As for :meth:`.Graph.plot`.

    Raises:
        InputError: If the node is in no instance.
    """
    graph = index.graph
    v = node_number(node, graph.num_nodes, index_of=graph.index_of)
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise InputError(f"count must be a positive whole number (got {count!r})")
    t = _densest(index, v) if motif is None else motif
    chosen = index.motifs[t]
    total = int(index.counts[v, t])
    name = str(graph.names_of(v))
    if not total:
        raise InputError(f"node '{name}' is in no instance of {chosen.name}; choose another node or motif")
    members = _some_instances(index, v, t, int(count), options["seed"])
    what = chosen.name if chosen.title in ("", "custom pattern") else f"{chosen.name} ({chosen.title})"
    some = "An instance" if len(members) == 1 else f"{len(members)} of {total:,} instances"
    title = f"{some} of {literal(what, 50)} at {literal(name, 24)} in {literal(graph.name, 24)}"
    return plot_graph(graph, v, instances=members, title=title, **options)


def _densest(index: MotifIndex, node: int) -> int:
    sizes = [sum(map(bool, sum(motif.codes, ()))) for motif in index.motifs]
    present = [t for t in range(len(index.motifs)) if index.counts[node, t]]
    return max(present or range(len(index.motifs)), key=lambda t: sizes[t])


def _some_instances(index: MotifIndex, node: int, motif: int, count: int, seed: int) -> Array:
    part = index.select([index.motifs[motif]])
    return np.asarray(part.sample([node], count, np.random.default_rng(seed))[0].members)
