"""Input features: attributes scaled, one-hot without any, structural ones standardised on the fitted graph."""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from infomotif import Graph, MotifIndex, load_dataset, make_roles
from infomotif.errors import InputError
from infomotif.motifs import motif_encodings
from infomotif.nn import SparseMatrix
from infomotif.training import FeatureMap


def graph_with(x, n: int = 4) -> Graph:
    return Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=n, directed=False, x=x)


def made(directed: bool) -> Graph:
    rng = np.random.default_rng(0)
    return Graph.from_edges(rng.integers(0, 60, 300), rng.integers(0, 60, 300), num_nodes=60, directed=directed)


def dense(features):
    return (features.to_dense() if isinstance(features, SparseMatrix) else features).numpy()


def features(graph, *, normalize="none", inputs="attributes", index=None):
    return FeatureMap.fit(graph, index, normalize=normalize, inputs=inputs).apply(graph, index)


def test_a_graph_without_attributes_gets_one_hot_ones():
    found = features(load_dataset("karate"))
    assert isinstance(found, SparseMatrix)
    assert np.array_equal(dense(found), np.eye(34))


def test_a_one_hot_model_knows_only_its_own_nodes():
    fitted = FeatureMap.fit(load_dataset("karate"), None, normalize="none", inputs="attributes")
    with pytest.raises(
        InputError, match=r"knows only the 34 nodes that it was trained on \(got 4\); train with inputs=orbits"
    ):
        fitted.apply(Graph.from_edges([0], [1], num_nodes=4, directed=False), None)


def named(names) -> Graph:
    return Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=False, names=names)


def test_a_one_hot_model_knows_its_nodes_by_name():
    fitted = FeatureMap.fit(named(["a", "b", "c"]), None, normalize="none")
    again = FeatureMap.from_dict(json.loads(json.dumps(fitted.__dict__)))
    assert again == fitted
    assert dense(again.apply(named(["c", "a", "b"]), None)).tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    assert dense(again.reader(named(["c", "a", "b"]), None)(np.array([1]))).tolist() == [[1, 0, 0]]
    with pytest.raises(InputError, match=r"knows only the nodes that it was trained on \(not 'd'\)"):
        fitted.apply(named(["a", "b", "d"]), None)
    # Names that are numbers mean the nodes of a graph without names.
    unnamed = FeatureMap.fit(Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=False), None, normalize="none")
    assert dense(unnamed.apply(named(["2", "0", "1"]), None)).tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize("nodes", [["a", "a", "b"], ["a", "b"], ["a", "b", 3]])
def test_impossible_names_in_a_model_file_are_refused(nodes):
    value = dict(FeatureMap.fit(named(["a", "b", "c"]), None, normalize="none").__dict__)
    with pytest.raises(InputError, match="different names|name as many nodes"):
        FeatureMap.from_dict(json.loads(json.dumps(value | {"nodes": nodes})))


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("normalize", ["none", "row", "l2"])
def test_rows_are_scaled_as_asked_and_zero_rows_stay(normalize, kind):
    x = np.array([[1, 3, 0], [0, 0, 0], [-2, 2, 4], [5, 0, 0]], dtype=np.float32)
    found = dense(features(graph_with(sp.csr_array(x) if kind == "sparse" else x), normalize=normalize))
    size = {"none": [1, 1, 1, 1], "row": [4, 1, 8, 5], "l2": [10**0.5, 1, 24**0.5, 5]}[normalize]
    np.testing.assert_allclose(found, x / np.array(size)[:, None], rtol=1e-6)
    assert found.dtype == np.float32


def test_sparse_attributes_stay_sparse_and_mostly_zero_dense_ones_become_so():
    mostly_zero = np.zeros((4, 20), dtype=np.float32)
    mostly_zero[:, 3] = 1
    assert isinstance(features(graph_with(sp.csr_array(mostly_zero))), SparseMatrix)
    assert isinstance(features(graph_with(mostly_zero)), SparseMatrix)
    assert isinstance(features(graph_with(np.ones((4, 20), dtype=np.float32))), torch.Tensor)


def test_all_zero_attributes_are_taken_as_they_are():
    assert not dense(features(graph_with(np.zeros((4, 3))), normalize="l2")).any()


def test_structural_features_are_standardised_and_join_the_attributes():
    graph = make_roles(num_nodes=120)
    index = MotifIndex(graph)
    found = dense(features(graph, inputs="attributes+counts", index=index))
    assert found.shape == (120, graph.num_attributes + 3)
    np.testing.assert_array_equal(found[:, :-3], graph.x.toarray())
    np.testing.assert_allclose(found[:, -3:].mean(axis=0), 0, atol=1e-5)
    np.testing.assert_allclose(found[:, -3:].std(axis=0), 1, atol=1e-5)


def test_structural_features_stand_in_for_missing_attributes():
    graph = load_dataset("karate")
    found = features(graph, inputs="attributes+counts", index=MotifIndex(graph))
    assert dense(found).shape == (34, 3)


def test_another_graph_is_scaled_as_the_fitted_one_was():
    first, second = make_roles(num_nodes=120), make_roles(num_nodes=150, seed=1)
    fitted = FeatureMap.fit(first, MotifIndex(first), normalize="none", inputs="attributes+counts")
    found = dense(fitted.apply(second, MotifIndex(second)))[:, -3:]
    columns, others = (motif_encodings(graph, "counts").values for graph in (first, second))
    expected = (others - columns.mean(axis=0)) / columns.std(axis=0)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_unknown_kinds_of_features_are_refused():
    for wrong in ({"normalize": "auto", "inputs": "foo"}, {"normalize": "foo"}):
        with pytest.raises(InputError, match="unknown"):
            FeatureMap.fit(graph_with(np.eye(4)), None, **wrong)


def test_the_same_attributes_held_sparse_are_scaled_alike():
    x = np.array([[40.0, 0.0], [20.0, 1.0], [0.0, 0.0], [65.0, 1.0]])
    fitted = FeatureMap.fit(graph_with(x), None, normalize="auto")
    assert any(fitted.shift)
    np.testing.assert_array_equal(
        dense(fitted.apply(graph_with(sp.csr_array(x)), None)), dense(fitted.apply(graph_with(x), None))
    )


@pytest.mark.parametrize("inputs", ["counts", "centralities", "orbits"])
@pytest.mark.parametrize("n", [3, 10, 100, 300])
def test_a_structural_feature_that_never_varies_is_zero(n, inputs):
    ring = Graph.from_edges(np.arange(n), np.roll(np.arange(n), -1), num_nodes=n, directed=False)
    fitted = FeatureMap.fit(ring, MotifIndex(ring), normalize="none", inputs=inputs)
    assert set(fitted.deviation) == {1.0}
    np.testing.assert_allclose(dense(fitted.apply(ring, MotifIndex(ring))), 0, atol=1e-6)


@pytest.mark.parametrize("directed", [False, True])
def test_centralities_join_degree_and_counts(directed):
    graph = made(directed)
    index = MotifIndex(graph)
    fitted = FeatureMap.fit(graph, index, normalize="none", inputs="attributes+centralities")
    found = dense(fitted.apply(graph, index))
    expected = motif_encodings(graph, "centralities", index=index).values
    assert fitted.names(()) == motif_encodings(graph, "centralities", index=index).names
    np.testing.assert_allclose(found, (expected - expected.mean(axis=0)) / expected.std(axis=0), atol=1e-5)


@pytest.mark.parametrize("directed", [False, True])
def test_quantiles_tell_in_which_tenth_a_node_is(directed):
    graph = made(directed)
    index = MotifIndex(graph)
    fitted = FeatureMap.fit(graph, index, normalize="none", inputs="attributes+centralities+quantiles")
    found, names = dense(fitted.apply(graph, index)), fitted.names(())
    assert found.shape == (graph.num_nodes, fitted.width) == (graph.num_nodes, len(names))
    columns = motif_encodings(graph, "centralities", index=index)
    for name, column in zip(columns.names, columns.values.T, strict=True):
        tenths = found[:, [i for i, each in enumerate(names) if each.startswith(f"{name}, quantile ")]]
        assert tenths.shape[1] <= 10
        np.testing.assert_array_equal(tenths.sum(axis=1), 1)
        assert tenths.any(axis=0).all(), "no quantile is empty"
        # A larger value is never in an earlier tenth.
        assert (np.diff(tenths.argmax(axis=1)[np.argsort(column)]) >= 0).all()


def test_a_column_of_one_value_is_one_quantile():
    ring = Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=3, directed=False)
    fitted = FeatureMap.fit(ring, MotifIndex(ring), normalize="none", inputs="attributes+centralities+quantiles")
    assert fitted.bounds == ((),) * 6
    np.testing.assert_array_equal(dense(fitted.apply(ring, MotifIndex(ring)))[:, 6:], 1)


def test_some_nodes_have_the_rows_they_have_among_all():
    graph = make_roles(num_nodes=120)
    index = MotifIndex(graph)
    fitted = FeatureMap.fit(graph, index, normalize="none", inputs="attributes+centralities+quantiles")
    read, nodes = fitted.reader(graph, index), np.array([7, 3, 110])
    np.testing.assert_array_equal(dense(read(nodes)), dense(read())[nodes])


def test_values_beyond_those_of_the_fitted_graph_are_in_the_outer_quantiles():
    path = Graph.from_edges(np.arange(29), np.arange(1, 30), num_nodes=30, directed=False)
    clique = Graph.from_edges(*np.triu_indices(30, 1), num_nodes=30, directed=False)
    fitted = FeatureMap.fit(path, MotifIndex(path), normalize="none", inputs="attributes+centralities+quantiles")
    found, names = dense(fitted.apply(clique, MotifIndex(clique))), fitted.names(())
    last = [i for i, name in enumerate(names) if name.startswith("log degree, quantile")][-1]
    assert (found[:, last] == 1).all()


def test_directions_must_be_as_on_the_fitted_graph():
    first, second = made(False), made(True)
    fitted = FeatureMap.fit(first, MotifIndex(first), normalize="none", inputs="attributes+centralities")
    with pytest.raises(InputError, match=r"trained on 6 structural features \(the graph gives 12\); .* without dir"):
        fitted.apply(second, MotifIndex(second))


def test_another_number_of_attributes_is_refused():
    fitted = FeatureMap.fit(graph_with(np.ones((4, 3))), None, normalize="none", inputs="attributes")
    with pytest.raises(InputError, match=r"trained on 3 attributes \(the graph has 5\)"):
        fitted.apply(graph_with(np.ones((4, 5))), None)
    with pytest.raises(InputError, match=r"trained on 3 attributes \(the graph has 0\)"):
        fitted.apply(graph_with(None), None)


def test_a_model_without_attributes_refuses_a_graph_that_has_some():
    fitted = FeatureMap.fit(graph_with(None), None, normalize="none", inputs="attributes")
    with pytest.raises(InputError, match=r"trained without attributes \(the graph has 3\)"):
        fitted.apply(graph_with(np.ones((4, 3))), None)


def test_the_order_of_the_nodes_and_the_last_bit_change_no_quantile():
    graph = made(False)
    order = np.random.default_rng(1).permutation(60)
    rows, cols = graph.edges()
    moved = Graph.from_edges(order[rows], order[cols], num_nodes=60, directed=False)
    fitted = FeatureMap.fit(graph, MotifIndex(graph), normalize="none", inputs="attributes+centralities+quantiles")
    found, other = (dense(fitted.apply(g, MotifIndex(g)))[:, 6:] for g in (graph, moved))
    np.testing.assert_array_equal(found, other[order])
    for bounds, column in zip(fitted.bounds, motif_encodings(graph, "centralities").values.T, strict=True):
        assert np.abs(np.subtract.outer(bounds, column)).min(initial=1) > 1e-10


def test_nodes_that_a_symmetry_exchanges_are_in_one_quantile():
    star = Graph.from_edges([0] * 30 + [31] * 20, [*range(1, 31), *range(32, 52)], num_nodes=52, directed=False)
    fitted = FeatureMap.fit(star, MotifIndex(star), normalize="none", inputs="attributes+centralities+quantiles")
    found = dense(fitted.apply(star, MotifIndex(star)))[:, 6:]
    assert len(np.unique(found[1:31], axis=0)) == len(np.unique(found[32:], axis=0)) == 1


def test_motifs_under_other_names_give_the_same_columns():
    graph = made(True)
    triads = MotifIndex(graph, ["021D", "M5"])
    fitted = FeatureMap.fit(graph, triads, normalize="none", inputs="attributes+centralities+quantiles")
    again = MotifIndex(graph, [motif.pattern for motif in triads.motifs])
    np.testing.assert_array_equal(dense(fitted.apply(graph, again)), dense(fitted.apply(graph, triads)))


def test_a_graph_without_nodes_has_no_rows():
    empty = Graph.from_edges([], [], num_nodes=0, directed=False)
    assert motif_encodings(empty, "centralities").values.shape == (0, 6)


def test_an_attribute_of_one_value_is_zero():
    x = np.column_stack([np.full(300, 0.1 + 5), np.arange(300)]).astype(np.float64)
    graph = Graph.from_edges([0], [1], num_nodes=300, directed=False, x=x)
    found = dense(features(graph, normalize="auto"))
    np.testing.assert_allclose(found[:, 0], 0, atol=1e-5)


def test_orbits_alone_leave_attributes_out():
    graph = make_roles(num_nodes=120)
    fitted = FeatureMap.fit(graph, None, normalize="auto", inputs="orbits")
    assert fitted.names(graph.attribute_names) == motif_encodings(graph).names
    without = dense(fitted.apply(graph.replace(x=None), None))
    np.testing.assert_array_equal(dense(fitted.apply(graph, None)), without)


def test_auto_takes_attributes_where_there_are_some_and_orbits_elsewhere():
    roles, karate = make_roles(num_nodes=60), load_dataset("karate")
    assert FeatureMap.fit(roles, None, normalize="none", inputs="auto") == FeatureMap.fit(roles, None, normalize="none")
    assert FeatureMap.fit(karate, None, normalize="none", inputs="auto").structural == "orbits"


@pytest.mark.parametrize("inputs", ["orbits", "attributes+orbits+neighbours+quantiles", "degree"])
def test_encodings_are_read_back_as_they_were_written(inputs):
    graph = make_roles(num_nodes=60)
    fitted = FeatureMap.fit(graph, None, normalize="auto", inputs=inputs)
    again = FeatureMap.from_dict(json.loads(json.dumps(fitted.__dict__)))
    assert again == fitted
    np.testing.assert_array_equal(dense(again.apply(graph, None)), dense(fitted.apply(graph, None)))


def test_a_file_of_an_earlier_release_has_its_features():
    graph = make_roles(num_nodes=60)
    fitted = FeatureMap.fit(graph, None, normalize="auto", inputs="attributes+centralities+quantiles")
    old = {key: value for key, value in fitted.__dict__.items() if key != "attributes"} | {"structural": "quantiles"}
    assert FeatureMap.from_dict(json.loads(json.dumps(old))) == fitted
