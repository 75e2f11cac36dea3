"""motif2vec: walks go where instances are shared, and in the graph itself where none are."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif.baselines import get_method
from infomotif.baselines.motif2vec import dealt, motif_graphs
from infomotif.bench.graphs import bench_graph
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from tests.baselines.made import lonely

METHOD = get_method("motif2vec")


def embed(graph, seed=0, **changes):
    return METHOD.embed(graph, {**METHOD.defaults(), "dimension": 16, "length": 20, **changes}, seed)


def test_motif_graphs_are_the_motif_adjacencies():
    graph = bench_graph("karate")
    index = MotifIndex(graph)
    counted, flat = motif_graphs(graph, "counts"), motif_graphs(graph, "binary")
    for motif, rows, plain in zip(index.motifs, counted, flat, strict=True):
        expected = index.adjacency(motif)
        np.testing.assert_array_equal(rows.indptr, expected.indptr)
        np.testing.assert_array_equal(rows.indices, expected.indices)
        np.testing.assert_array_equal(rows.weights, expected.data)
        assert plain.weights is None


def test_every_graph_of_a_node_gets_its_share_of_walks():
    rng = np.random.default_rng(0)
    joined = rng.random((4, 30)) < 0.6
    rounds, starts = np.repeat(np.arange(12), 30), np.tile(np.arange(30), 12)
    chosen = dealt(joined, rounds, starts)
    for v in range(30):
        own = np.flatnonzero(joined[:, v])
        shares = np.bincount(chosen[starts == v], minlength=4)
        if len(own):
            assert shares[~joined[:, v]].sum() == 0
            assert shares[own].max() - shares[own].min() <= 1


def test_steps_outside_the_graph_are_steps_within_instances():
    graph = bench_graph("karate")
    walks = METHOD.walk(graph, {**METHOD.defaults(), "walks": 6, "length": 10}, np.random.default_rng(0))
    assert sorted(walks[:, 0].tolist()) == sorted(list(range(34)) * 6)
    index = MotifIndex(graph)
    wedges, triangles = (index.adjacency(motif).toarray() > 0 for motif in index.motifs)
    joined = np.zeros((34, 34), bool)
    joined[graph.edges()] = True
    joined |= joined.T
    assert (wedges | triangles | joined)[walks[:, :-1], walks[:, 1:]].all()
    assert not joined[walks[:, :-1], walks[:, 1:]].all()


def test_nodes_that_share_triangles_are_nearer_than_nodes_that_share_an_edge():
    # Cliques of four in a ring: neighbours in the ring share an edge but no triangle.
    cliques = [(4 * c + a, 4 * c + b) for c in range(12) for a in range(4) for b in range(a)]
    ring = [(4 * c, (4 * c + 4) % 48) for c in range(12)]
    graph = Graph.from_edges(*np.array(cliques + ring).T, num_nodes=48, directed=False)
    found = embed(graph, epochs=5)
    unit = found / np.linalg.norm(found, axis=1, keepdims=True)
    cosine, clique = unit @ unit.T, np.arange(48) // 4
    same = (clique[:, None] == clique) & ~np.eye(48, dtype=bool)
    assert cosine[same].mean() > np.mean([cosine[a, b] for a, b in ring]) + 0.1


def test_the_same_seed_gives_the_same_bits():
    graph = bench_graph("karate")
    np.testing.assert_array_equal(embed(graph, 3, q=0.5), embed(graph, 3, q=0.5))
    assert not np.array_equal(embed(graph, 3), embed(graph, 4))


def test_nodes_without_edges_have_zeros():
    assert not embed(lonely(0)).any()
    graph = lonely(12)
    np.testing.assert_array_equal(embed(graph).any(axis=1), graph.degrees > 0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"p": -1}, "p must be above 0"),
        ({"weights": "square"}, "weights must be one of counts, log, binary"),
        ({"weights": None}, "weights must be one of"),
        ({"walks": True}, "walks must be a whole number"),
    ],
)
def test_hostile_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        METHOD.check(settings)
