"""Coloured counts are those of the definition: at each node, in each orbit, for any mixture of named and open types."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from infomotif._core.parallel import limited_threads
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex, get_motif, motifs_for
from infomotif.motifs.colours import census
from infomotif.motifs.colours.sets import MAX_TYPED
from tests.motifs.colours.oracle import edge_names, orbit_counts, random_graph

UNDIRECTED = (
    "a:t0-b:t1, b-c:t0", "a:t0-b, b-c", "a:t0-b:t1, b-c:t1, a-c", "a-[k0]-b, b-[k1]-c", "a-[k0]-b, b-[k1]-c, a-[k0]-c",
    "a-[k0]-b, b-c, a-c", "a:t0-[k0]-b, b-[k1]-c:t1, a-c", "a:t0-b, b:t1-c, a-c", "a-b:t1, b-[k0]-c", "a-[k1]-b, b-c",
)  # fmt: skip
DIRECTED = (
    "a:t0->b:t1, b->c:t0", "a:t0->b, c->b", "a:t0->b:t1, b->c:t1, a->c", "a-[k0]->b, b-[k1]->c",
    "a-[k0]->b, b-[k1]->c, c-[k0]->a", "a-[k0]->b, b->c, a->c", "a<-[k0]->b, b-[k1]->c", "a-[k0]->b, b-[k1]->a, b->c",
    "a<->b, b<->c:t1, a:t0<->c", "a-[k0]->b, b->a, b-[k1]->c, c->b, a->c", "a:t0->b, b-[k1]->c:t1", "a<-[k1]->b, b<->c",
)  # fmt: skip
LARGER = (
    "a:t0-b:t1, b-c, c-d",
    "a-[k0]-b, b-c, c-d:t1, a-d",
    "a-[k0]-b, a-c, a-d, b-c, b-d, c-d",
    "a-b, a:t1-c, a-d:t0",
)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("directed", [False, True])
def test_three_nodes(directed: bool, seed: int) -> None:
    graph = random_graph(10, 45 if directed else 24, directed=directed, node_types=2, edge_types=2, seed=seed)
    patterns = [*UNDIRECTED, "a-[k0&k1]-b, b-[k0]-c", *DIRECTED] if directed else UNDIRECTED
    index = MotifIndex(graph, patterns)
    for motif, count in zip(index.motifs, index.census, strict=True):
        assert np.array_equal(count.orbits, orbit_counts(graph, motif)), motif.pattern


@pytest.mark.parametrize("pattern", LARGER)
def test_four_nodes(pattern: str) -> None:
    graph = random_graph(9, 22, directed=False, node_types=2, edge_types=2, seed=5)
    index = MotifIndex(graph, pattern)
    assert np.array_equal(index.orbit_counts, orbit_counts(graph, index.motifs[0]))


def test_directed_four_nodes() -> None:
    graph = random_graph(9, 34, directed=True, node_types=2, edge_types=2, seed=6)
    index = MotifIndex(graph, ["a:t0->b, b->c, c->d:t1", "a-[k0]->c, a->d, b->c, b-[k1]->d"])
    for motif, count in zip(index.motifs, index.census, strict=True):
        assert np.array_equal(count.orbits, orbit_counts(graph, motif)), motif.pattern


def test_a_type_that_only_some_motifs_name_does_not_change_the_others() -> None:
    graph = random_graph(12, 30, directed=False, node_types=3, edge_types=3, seed=1)
    together = MotifIndex(graph, list(UNDIRECTED))
    for t, pattern in enumerate(UNDIRECTED):
        assert np.array_equal(MotifIndex(graph, pattern).counts[:, 0], together.counts[:, t])


def test_many_classes_are_counted_in_parts_and_by_listing(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = random_graph(12, 60, directed=True, node_types=3, edge_types=3, seed=2)
    patterns = ["a:t0->b, b->c", "a:t1-[k1]->b, b->c", "a-[k2]->b:t2, b->c, a->c", "a->b:t0, c:t1->b"]
    expected = MotifIndex(graph, patterns).orbit_counts
    for most in (500, 1):
        monkeypatch.setattr(census, "MAX_TABLE", most)
        assert np.array_equal(MotifIndex(graph, patterns).orbit_counts, expected)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_number_of_threads_gives_the_same(threads: int) -> None:
    graph = random_graph(300, 9000, directed=True, node_types=3, edge_types=2, seed=3)
    with limited_threads(threads):
        index = MotifIndex(graph, "typed")
    with limited_threads(3):
        assert np.array_equal(index.orbit_counts, MotifIndex(graph, "typed").orbit_counts)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(("node_types", "edge_types"), [(2, 0), (0, 2), (2, 2), (3, 3)])
def test_the_typed_set_has_all_motifs_that_occur(directed: bool, node_types: int, edge_types: int) -> None:
    graph = random_graph(
        9, 34 if directed else 20, directed=directed, node_types=node_types, edge_types=edge_types, seed=4
    )
    from infomotif.motifs.colours.sets import occurring
    from infomotif.motifs.colours.view import ColouredView
    from infomotif.motifs.counting.dyads import DyadGraph

    found = occurring(ColouredView(graph, DyadGraph(graph, directed=directed)))
    for motif, total in found.items():
        assert orbit_counts(graph, motif).sum() == 3 * total
        assert get_motif(motif.name) == motif
    # Every instance without types has exactly one coloured motif.
    plain = MotifIndex(graph, "triads" if directed else "undirected")
    assert sum(found.values()) == plain.totals.sum()
    index = MotifIndex(graph, "typed")
    assert list(index.totals) == sorted(found.values(), reverse=True)[:MAX_TYPED]


def test_networkx_finds_as_many_isomorphic_subgraphs() -> None:
    graph = random_graph(12, 40, directed=True, node_types=2, edge_types=2, seed=7)
    big = nx.DiGraph()
    big.add_nodes_from((v, {"t": graph.node_type_names[int(t)]}) for v, t in enumerate(graph.node_types))  # type: ignore[arg-type]
    big.add_edges_from((u, v, {"k": kind}) for (u, v), kind in edge_names(graph).items())
    for motif in motifs_for(graph, "typed"):
        small = nx.DiGraph()
        small.add_nodes_from((i, {"t": t}) for i, t in enumerate(motif.node_types))
        pairs = ((i, j, kind) for i, row in enumerate(motif.edge_types) for j, kind in enumerate(row) if kind)
        small.add_edges_from((i, j, {"k": kind}) for i, j, kind in pairs)
        matcher = nx.algorithms.isomorphism.DiGraphMatcher(
            big, small, lambda a, b: a["t"] == b["t"], lambda a, b: a["k"] == b["k"]
        )
        maps = sum(1 for _ in matcher.subgraph_isomorphisms_iter())
        assert maps == len(motif.automorphisms) * MotifIndex(graph, motif.name).totals[0]


def test_a_pattern_without_types_matches_any() -> None:
    graph = random_graph(40, 200, directed=True, node_types=3, edge_types=3, seed=8)
    plain = graph.replace(node_types=None, edge_types=None)
    for motifs in ("triads", "directed", "undirected"):
        assert np.array_equal(MotifIndex(graph, motifs).orbit_counts, MotifIndex(plain, motifs).orbit_counts)


def test_permuted_nodes_have_permuted_counts() -> None:
    graph = random_graph(30, 90, directed=True, node_types=2, edge_types=2, seed=9)
    order = np.random.default_rng(0).permutation(30)
    index = MotifIndex(graph, list(DIRECTED))
    assert np.array_equal(MotifIndex(graph.subgraph(order), list(DIRECTED)).orbit_counts, index.orbit_counts[order])


@pytest.mark.parametrize(
    ("graph", "motifs", "message"),
    [
        ({"node_types": ["x", "y", "x"]}, "a:z-b, b-c", "unknown node type 'z'.*known: x, y"),
        ({"edge_types": ["x", "y"]}, "a-[xx]-b, b-c", "unknown edge type 'xx'"),
        ({}, "a:x-b, b-c", "names the node type 'x' but the graph has no node types; name their column"),
        ({}, "a-[x]-b, b-c", "names the edge type 'x' but the graph has no edge types"),
        ({}, "typed", "the motif set 'typed' needs a graph with types"),
        ({"edge_types": ["x", "y"]}, "signed", "the motif set 'signed' needs a signed graph"),
    ],
)
def test_what_a_graph_does_not_have_is_named(graph: dict[str, list[str]], motifs: str, message: str) -> None:
    made = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=False, **graph)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=message):
        MotifIndex(made, motifs)


def test_too_many_kinds_of_typed_edges_are_refused_by_the_typed_set() -> None:
    graph = random_graph(60, 3000, directed=True, node_types=1, edge_types=40, seed=10)
    with pytest.raises(InputError, match="kinds of typed edges .* too many for the set 'typed'"):
        MotifIndex(graph, "typed")


def test_a_graph_without_edges_has_no_typed_motifs() -> None:
    graph = Graph.from_edges([], [], num_nodes=3, directed=False, node_types=["a", "b", "a"])
    with pytest.raises(InputError, match="no three nodes of graph are connected"):
        MotifIndex(graph, "typed")
    assert MotifIndex(graph, "x:a-y:b, y-z").totals.tolist() == [0]


def test_a_search_that_would_take_too_long_is_refused() -> None:
    graph = random_graph(60, 600, directed=False, node_types=2, edge_types=0, seed=11)
    with pytest.raises(InputError, match="finding the instances of motif .* raise max_steps"):
        MotifIndex(graph, "a:t0-b, b-c, c-d, d-e", max_steps=100)
