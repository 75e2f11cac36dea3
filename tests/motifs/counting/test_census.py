"""Counts, orbits, instances and shared instances equal brute force, and those of other tools."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from infomotif.datasets import load_dataset
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import SETS, MotifIndex, get_motif
from infomotif.motifs.counting.census import closed_orbits, count_motifs, count_range, triangles
from infomotif.motifs.counting.dyads import DyadGraph
from tests.motifs import brute_force

UNDIRECTED_SETS = [name for name, members in SETS.items() if not any(get_motif(m).directed for m in members)]
DIRECTED = ["triads", "undirected"]
some = settings(max_examples=30, deadline=None)
few = settings(max_examples=10, deadline=None)


def assert_equal_to_brute_force(graph: Graph, motifs: list[str]) -> None:
    index = MotifIndex(graph, motifs)
    orbits = np.split(index.orbit_counts, np.cumsum([len(m.orbits) for m in index.motifs])[:-1], axis=1)
    for t, motif in enumerate(index.motifs):
        instances = brute_force.all_instances(graph, motif)
        assert index.totals[t] == len(instances)
        np.testing.assert_array_equal(orbits[t], brute_force.orbit_counts(graph, motif, instances), motif.name)
        np.testing.assert_array_equal(index.counts[:, t], orbits[t].sum(axis=1))
        listed = [tuple(row) for batch in index.iter_instances(motif, batch=5) for row in batch.tolist()]
        assert sorted(listed) == instances, motif.name
        shared = brute_force.shared_instances(graph.num_nodes, instances)
        np.testing.assert_array_equal(index.adjacency(motif).toarray(), shared, motif.name)
        for v in range(0, graph.num_nodes, 3):
            mine = [members for members in instances if v in members]
            assert [tuple(row) for row in index.instances(v, motif).tolist()] == mine


@pytest.mark.parametrize("name", [name for name in SETS if name != "digraphs4"])
@given(graph=brute_force.graphs(directed=True, most=9))
@few
def test_every_set_equals_brute_force_on_directed_graphs(graph, name):
    assert_equal_to_brute_force(graph, [name])


@pytest.mark.parametrize("name", UNDIRECTED_SETS)
@given(graph=brute_force.graphs(directed=False))
@some
def test_every_undirected_set_equals_brute_force_on_undirected_graphs(graph, name):
    assert_equal_to_brute_force(graph, [name])


@given(brute_force.graphs(directed=True))
@some
def test_triads_and_undirected_motifs_equal_brute_force_together(graph):
    assert_equal_to_brute_force(graph, DIRECTED)


@given(brute_force.graphs(directed=True, most=9))
@few
def test_custom_patterns_equal_brute_force(graph):
    assert_equal_to_brute_force(graph, [*brute_force.CUSTOM, *brute_force.SHAPED])


@pytest.mark.parametrize("edges", [[], [(0, 1)], [(0, 1), (1, 0)]])
def test_graphs_without_triples_have_no_instances(edges):
    graph = Graph.from_edges([u for u, _ in edges], [v for _, v in edges], num_nodes=3, directed=True)
    index = MotifIndex(graph, [*DIRECTED, "graphlets4", *brute_force.CUSTOM])
    assert not index.counts.any()
    assert all(len(drawn.members) == 0 for drawn in index.sample(None, 3, np.random.default_rng(0)))


def test_wide_indices_give_the_same_counts():
    graph = brute_force.random_graph(40, 200, directed=True)
    wide = Graph(graph.csr.indptr.astype(np.int64), graph.csr.indices.astype(np.int64), directed=True)
    motifs = ["triads", "undirected"]
    np.testing.assert_array_equal(MotifIndex(graph, motifs).orbit_counts, MotifIndex(wide, motifs).orbit_counts)
    one, two = (MotifIndex(g, motifs).sample(None, 4, np.random.default_rng(1)) for g in (graph, wide))
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a.members, b.members)


@given(brute_force.graphs(directed=True), st.randoms(use_true_random=False))
@few
def test_counts_do_not_depend_on_the_numbering(graph, random):
    order = list(range(graph.num_nodes))
    random.shuffle(order)
    turned = graph.subgraph(np.array(order))
    np.testing.assert_array_equal(MotifIndex(turned, DIRECTED).counts, MotifIndex(graph, DIRECTED).counts[order])


@given(brute_force.graphs(directed=True))
@few
def test_reversing_all_edges_swaps_out_stars_and_in_stars(graph):
    back = Graph.from_edges(graph.edges()[1], graph.edges()[0], num_nodes=graph.num_nodes, directed=True)
    there, here = MotifIndex(back).counts, MotifIndex(graph).counts
    np.testing.assert_array_equal(there, here[:, [0, 2, 1, 3, 4]])


@pytest.mark.parametrize(
    ("edges", "name"),
    [
        ([(0, 1), (1, 2)], "021C"),
        ([(0, 1), (1, 2), (1, 0)], "111U"),
        ([(0, 1), (1, 2), (2, 1)], "111D"),
        ([(0, 1), (1, 0), (1, 2), (2, 1)], "201"),
        ([(0, 1), (1, 2), (0, 2)], "030T"),
        ([(0, 1), (1, 2), (0, 2), (2, 0)], "120C"),
    ],
)
def test_a_reciprocal_edge_moves_a_triple_to_the_right_triad(edges, name):
    graph = Graph.from_edges([u for u, _ in edges], [v for _, v in edges], num_nodes=3, directed=True)
    totals = MotifIndex(graph, "triads").totals
    assert totals[SETS["triads"].index(name)] == 1
    assert totals.sum() == 1


def test_triads_equal_networkx():
    graph = brute_force.random_graph(300, 1500, directed=True)
    census = nx.triadic_census(nx.DiGraph(list(zip(*map(np.ndarray.tolist, graph.edges()), strict=True))))
    assert MotifIndex(graph, "triads").totals.tolist() == [census[name] for name in SETS["triads"]]


def test_triangles_equal_igraph_and_networkit():
    import igraph
    import networkit

    graph = brute_force.random_graph(10_000, 80_000, directed=False)
    rows, cols = graph.edges()
    once = rows < cols
    pairs = np.stack([rows[once], cols[once]], axis=1)
    listed = np.array(igraph.Graph(n=10_000, edges=pairs).list_triangles())
    counts = MotifIndex(graph, ["M7"]).counts[:, 0]
    np.testing.assert_array_equal(counts, np.bincount(listed.ravel(), minlength=10_000))
    other = networkit.GraphFromCoo((rows[once].astype(np.int64), cols[once].astype(np.int64)), n=10_000, directed=False)
    share = np.array(networkit.centrality.LocalClusteringCoefficient(other).run().scores())
    degree = graph.degrees.astype(np.int64)
    np.testing.assert_allclose(share * degree * (degree - 1) / 2, counts, atol=1e-6)


def directed_totals(graph: Graph) -> list[int]:
    """Count M1 to M5 by sparse products."""
    shape = (graph.num_nodes, graph.num_nodes)
    edges = sp.csr_array((np.ones(graph.num_edges, np.int64), graph.csr.indices, graph.csr.indptr), shape=shape)
    one = sp.csr_array(edges - edges.multiply(edges.T))
    joined = sp.csr_array(((edges + edges.T) > 0).astype(np.int64))

    def apart(paths: sp.csr_array) -> int:
        return int(paths.sum() - paths.diagonal().sum() - paths.multiply(joined).sum())

    chains = one @ one
    stars = apart(sp.csr_array(one.T @ one)) // 2, apart(sp.csr_array(one @ one.T)) // 2
    return [apart(chains), *stars, int(chains.multiply(one).sum()), int(chains.multiply(one.T).sum()) // 3]


@pytest.mark.parametrize(
    ("name", "pinned"),
    [
        ("cora", [5647, 3645, 36734, 1285, 3]),
        ("citeseer", [2840, 4459, 15139, 1013, 0]),
        ("pubmed", [82455, 405474, 173454, 12404, 0]),
    ],
)
def test_totals_of_the_citation_graphs(name, pinned):
    graph = load_dataset(name)
    assert MotifIndex(graph, "directed").totals.tolist() == pinned == directed_totals(graph)


@pytest.mark.parametrize(
    ("name", "triangles"),
    [("cora", 1558), ("citeseer", 1083), ("pubmed", 12520), ("brazil", 4879), ("europe", 46009), ("usa", 180576)],
)
def test_triangles_and_wedges_of_the_benchmark_graphs(name, triangles):
    graph = load_dataset(name)
    degree = graph.degrees.astype(np.int64)
    wedges = int((degree * (degree - 1) // 2).sum()) - 3 * triangles
    assert MotifIndex(graph, "undirected").totals.tolist() == [wedges, triangles]


def test_a_hub_of_a_hundred_thousand_neighbours_is_counted_and_sampled():
    leaves = 100_000
    source = np.concatenate([np.zeros(leaves, np.int64), np.arange(1, leaves, 2)])
    target = np.concatenate([np.arange(1, leaves + 1), np.arange(2, leaves + 1, 2)])
    index = MotifIndex(Graph.from_edges(source, target, num_nodes=leaves + 1, directed=False))
    pairs = leaves * (leaves - 1) // 2
    assert index.totals.tolist() == [pairs - leaves // 2, leaves // 2]
    wedges, triangles = index.sample(None, 20, np.random.default_rng(0))
    assert np.diff(wedges.indptr).min() == 20
    assert np.diff(triangles.indptr)[:2].tolist() == [20, 1]
    assert (wedges.members[:, 0] == 0).all()


def test_triangles_equal_the_cube_of_the_matrix(view, codes):
    joined = (codes > 0).astype(np.int64)
    np.testing.assert_array_equal(triangles(view), np.diag(joined @ joined @ joined) // 2)
    np.testing.assert_array_equal(closed_orbits(view).sum(axis=1), triangles(view))


@pytest.mark.parametrize(("directed", "motifs"), [(True, "triads"), (True, "undirected"), (False, "undirected")])
@pytest.mark.parametrize("cuts", [[0, 60], [0, 1, 1, 17, 60]])
def test_ranges_together_are_the_census(directed: bool, motifs: str, cuts: list[int]) -> None:
    graph = brute_force.random_graph(60, 500, directed=directed)
    chosen = MotifIndex(graph, motifs).motifs
    view = DyadGraph(graph, directed=chosen[0].directed)
    whole = count_motifs(view, chosen)
    parts = [count_range(view, chosen, a, b) for a, b in zip(cuts[:-1], cuts[1:], strict=True)]
    for t, count in enumerate(whole):
        assert np.array_equal(np.concatenate([part[t].orbits for part in parts]), count.orbits)
        if count.proposals is not None:
            assert np.array_equal(np.concatenate([part[t].proposals for part in parts]), count.proposals)


def test_ranges_of_larger_motifs_are_refused() -> None:
    graph = brute_force.random_graph(20, 60, directed=False)
    index = MotifIndex(graph, ["paw"])
    with pytest.raises(InputError, match="only for motifs of three nodes"):
        count_range(DyadGraph(graph, directed=False), index.motifs, 0, 5)
