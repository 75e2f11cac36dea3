"""A picture of a small graph, or of what surrounds a node; :meth:`.Graph.plot` is the door."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif._core.display.layout import spring_layout
from infomotif._core.display.network import BOTH, Network, dashed_line, draw_network, square_marker, write_names
from infomotif._core.display.style import COLOURS, Categories, categories, headline, legend, literal, own_axes
from infomotif.errors import InputError
from infomotif.graph.neighbourhoods import hop_distances
from infomotif.graph.select import node_number, node_numbers
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from infomotif.graph.graph import Graph

MAX_NEIGHBOURHOOD = 60
"""How many nodes of a neighbourhood are drawn by default."""
MAX_WHOLE = 400
"""Up to how many nodes a whole graph is drawn by default."""
MAX_DRAWN = 1000
"""How many nodes are drawn at all: the layout takes time and memory that grow with their square."""
_LABELLED = 60
_SIZE = (6.6, 5.4)


def plot_graph(
    graph: Graph,
    node: str | int | None = None,
    *,
    instances: Any = (),
    hops: int = 1,
    max_nodes: int | None = None,
    labels: bool | None = None,
    classes: tuple[Array, Sequence[str]] | None = None,
    legend_title: str | None = None,
    squares: tuple[Array, str] | None = None,
    title: str | None = None,
    seed: int = 0,
    ax: Axes | None = None,
    settle: bool = False,
) -> Axes:
    """Draw a graph, as :meth:`.Graph.plot` describes it.

    Args:
        graph: The graph.
        node: The node in the middle; None draws the whole graph.
        instances: Nodes of one group to shade, or of several.
        hops: How far to look from ``node``.
        max_nodes: How many nodes to draw at most.
        labels: Whether to write names; by default where there is room.
        classes: Class of each node and name of each class to colour by; by default the labels, or
            without labels the node types.
        legend_title: Heading of the legend; None says what the colours are.
        squares: Nodes to draw as squares, and what the legend calls them.
        title: Text above; None says what is drawn.
        seed: Which layout, and which neighbours if there are too many.
        ax: Where to draw; by default in a new figure.
        settle: Whether the layout of the figure of ``ax`` is final, so that names can be placed by it.

    Raises:
        InputError: If there are too many nodes, or a name is unknown.
    """
    groups = instance_groups(graph, instances)
    for name, value in (("hops", hops), ("max_nodes", max_nodes)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1):
            raise InputError(f"{name} must be a positive whole number (got {value!r})")
    if max_nodes is not None and max_nodes > MAX_DRAWN:
        raise InputError(f"max_nodes must be at most {MAX_DRAWN:,} (got {max_nodes:,})")
    if node is None:
        limit, centre = MAX_WHOLE if max_nodes is None else max_nodes, None
        if graph.num_nodes > limit:
            raise InputError(
                f"{graph.name} has {graph.num_nodes:,} nodes, more than the {limit:,} that plot() draws at once; "
                "choose one with node=, or raise max_nodes"
            )
        chosen, left_out = np.arange(graph.num_nodes), 0
    else:
        limit = MAX_NEIGHBOURHOOD if max_nodes is None else max_nodes
        centre = node_number(node, graph.num_nodes, index_of=graph.index_of)
        chosen, left_out = _around(graph, centre, groups, hops, limit, seed)
    if len(chosen) > MAX_DRAWN:
        raise InputError(f"instances hold {len(chosen):,} nodes, more than the {MAX_DRAWN:,} that plot() draws")
    axes = own_axes(ax, "plot", _SIZE)
    edges = _edges_among(graph, chosen)
    row_of = {v: i for i, v in enumerate(chosen.tolist())}
    coloured = _colours(graph, chosen, classes)
    network = Network(
        points=spring_layout(len(chosen), edges[:, :2], centre=None if centre is None else row_of[centre], seed=seed),
        edges=edges,
        directed=graph.directed,
        dashed=_negative(graph, chosen, edges),
        names=[str(name) for name in graph.names_of(chosen).tolist()],
        colours=coloured.colours,
        centre=None if centre is None else row_of[centre],
        shaded=[[row_of[v] for v in group] for group in groups],
        squares=[] if squares is None else [row_of[v] for v in squares[0].tolist() if v in row_of],
    )
    draw_network(axes, network)
    entries: list[tuple[str, Any]] = list(coloured.legend)
    if squares is not None and network.squares:
        entries.append((squares[1], square_marker()))
    if network.dashed:
        entries.append(("negative edge", dashed_line()))
    kind = "type" if classes is None and graph.y is None and graph.node_types is not None else "class"
    legend(axes, entries, title=(kind if coloured.legend else None) if legend_title is None else legend_title)
    headline(axes, _title(graph, centre, hops) if title is None else title)
    if left_out:
        axes.set_xlabel(f"{left_out:,} more nodes within {hops} hop{'s' * (hops > 1)} are not drawn", fontsize=8)
    if labels or (labels is None and len(chosen) <= _LABELLED):
        write_names(axes, network, own=ax is None or settle, everything=bool(labels))
    return axes


def instance_groups(graph: Graph, instances: Any) -> list[list[int]]:
    """Return the node numbers of each instance, given one instance or several, by names or numbers.

    Example:
        >>> from infomotif.graph import Graph
        >>> graph = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=False, names=["a", "b", "c"])
        >>> instance_groups(graph, ["a", "b"]), instance_groups(graph, [[0, 1], [1, 2]])
        ([[0, 1]], [[0, 1], [1, 2]])
    """
    if instances is None:
        return []
    if isinstance(instances, str) or not isinstance(instances, Iterable):
        raise InputError("instances must be a list of nodes, or a list of such lists")
    listed = list(instances)
    if listed and (isinstance(listed[0], str) or not isinstance(listed[0], Iterable)):
        listed = [listed]
    return [node_numbers(group, graph.num_nodes, "instances", index_of=graph.index_of).tolist() for group in listed]


def _around(graph: Graph, centre: int, groups: list[list[int]], hops: int, limit: int, seed: int) -> tuple[Array, int]:
    """Return the nodes to draw, ascending, and how many of the neighbourhood are left out."""
    wanted = np.unique(np.array([centre, *(v for group in groups for v in group)], dtype=np.int64))
    distance = hop_distances(graph, centre, hops)
    near = np.flatnonzero(distance >= 0)
    others = np.setdiff1d(near, wanted)
    # Near nodes come first; among equals chance decides, so that the drawn ones stand for all.
    order = np.random.default_rng(seed).permutation(len(others))
    others = others[order][np.argsort(distance[others[order]], kind="stable")]
    kept = others[: max(0, limit - len(wanted))]
    return np.sort(np.concatenate([wanted, kept])), len(others) - len(kept)


def _edges_among(graph: Graph, nodes: Array) -> Array:
    """Return the edges among ascending nodes: the rows of both ends and a code, [m, 3]."""
    rows = []
    for i, v in enumerate(nodes.tolist()):
        targets = graph.csr.indices[graph.csr.indptr[v] : graph.csr.indptr[v + 1]]
        at = np.searchsorted(nodes, targets)
        inside = (at < len(nodes)) & (nodes[np.minimum(at, len(nodes) - 1)] == targets)
        rows += [(i, int(j)) for j in at[inside]]
    listed = set(rows)
    once = [(i, j, BOTH if (j, i) in listed else 1) for i, j in rows if i < j or (j, i) not in listed]
    return np.array(once, dtype=np.int64).reshape(-1, 3)


def _negative(graph: Graph, nodes: Array, edges: Array) -> list[int]:
    """Return the rows of ``edges`` that have a negative sign, in one direction at least."""
    types = graph.undirected_edge_types if graph.signed else None
    if types is None:
        return []
    indptr, indices, _ = graph.undirected
    rows = []
    for row, (i, j, _) in enumerate(edges.tolist()):
        start, stop = indptr[nodes[i]], indptr[nodes[i] + 1]
        at = start + np.searchsorted(indices[start:stop], nodes[j])
        if "-" in types.names[int(types.codes[at])]:
            rows.append(row)
    return rows


def _colours(graph: Graph, nodes: Array, classes: tuple[Array, Sequence[str]] | None) -> Categories:
    if classes is None:
        if graph.y is None and graph.node_types is not None:
            return categories(graph.node_types[nodes], graph.node_type_names, what="types")
        if graph.y is None or not graph.num_classes:
            return Categories([COLOURS[0]] * len(nodes), [])
        classes = graph.y, graph.class_names
    return categories(classes[0][nodes], classes[1])


def _title(graph: Graph, centre: int | None, hops: int) -> str:
    if centre is None:
        return literal(graph.name, 60)
    far = "Neighbours" if hops == 1 else f"Within {hops} hops"
    return f"{far} of {literal(graph.names_of(centre), 30)} in {literal(graph.name, 30)}"
