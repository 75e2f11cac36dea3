"""motif2vec: walks go where instances are shared, and in the graph itself where none are."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.methods import get_method
from infomotif_bench.methods.embeddings.motif2vec import dealt, motif_graphs
from tests.bench.methods.made import lonely

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


def test_triangles_show_groups_that_hardly_show_in_edges():
    # Cliques of six, and more edges between them than within, none of which closes a triangle.
    clique = np.arange(72) // 6
    joined = (clique[:, None] == clique) & ~np.eye(72, dtype=bool)
    for a, b in np.random.default_rng(0).permutation(np.argwhere(np.tril(clique[:, None] != clique))):
        if not (joined[a] & joined[b]).any() and max(joined[a].sum(), joined[b].sum()) < 14:
            joined[a, b] = joined[b, a] = True
    graph = Graph.from_edges(*np.nonzero(np.tril(joined)), num_nodes=72, directed=False)
    same = (clique[:, None] == clique) & ~np.eye(72, dtype=bool)

    def nearer(method):
        settings = {**method.defaults(), "dimension": 16, "length": 20, "epochs": 5}
        found = method.embed(graph, settings, 0)
        unit = found / np.linalg.norm(found, axis=1, keepdims=True)
        cosine = unit @ unit.T
        return cosine[same].mean() - cosine[clique[:, None] != clique].mean()

    assert nearer(METHOD) > nearer(get_method("node2vec")) + 0.15


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
        ({"p": -1}, "p must be from 1e-06"),
        ({"weights": np.zeros(2)}, "weights must be one of"),
        ({"weights": "square"}, "unknown weights .*: .*known: binary, counts, log"),
        ({"weights": None}, "weights must be one of"),
        ({"walks": True}, "walks must be a whole number"),
    ],
)
def test_hostile_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        METHOD.check(settings)
