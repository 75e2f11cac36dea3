"""Leaving edges out of message passing is the same as a graph without them."""

import numpy as np
import pytest

import infomotif as im
from infomotif.explain import faithfulness, probability_without
from tests.explain.conftest import fitted


@pytest.mark.parametrize("encoder", ["gcn", "gat", "sage", "gin", "jknet", "appnp", "gcnii", "mlp"])
def test_without_a_cut_the_prediction_stays(roles, encoder):
    subject = fitted(roles, encoder, epochs=3).subject()
    for node in (0, 17):
        np.testing.assert_allclose(probability_without(subject, node, [[]])[0], subject.probability[node], atol=1e-5)


def test_a_cut_equals_inference_without_the_edges(roles, model, subject):
    node = 3
    near = roles.undirected.indices[roles.undirected.indptr[node] : roles.undirected.indptr[node + 1]]
    cut = [(node, int(near[0])), (int(near[1]), node)]
    rows, cols = roles.edges()
    keep = [{u, v} not in [set(edge) for edge in cut] for u, v in zip(rows.tolist(), cols.tolist(), strict=True)]
    other = im.Graph.from_edges(
        rows[keep], cols[keep], num_nodes=120, directed=False, x=roles.x, y=roles.y,
        class_names=roles.class_names, attribute_names=roles.attribute_names,
    )  # fmt: skip
    expected = model.predict_proba(other)[node]
    np.testing.assert_allclose(probability_without(subject, node, [cut])[0], expected, atol=1e-5)


def test_readout_in_z_keeps_its_summaries(roles):
    subject = fitted(roles, preset="joint", readout_in_z=True, epochs=3).subject()
    np.testing.assert_allclose(probability_without(subject, 5, [[]])[0], subject.probability[5], atol=1e-4)


def test_cutting_top_instances_hurts_more_than_cutting_random_edges(subject):
    found = faithfulness(subject, np.arange(40), steps=(1, 3))
    top, _, edges = found.curves
    assert found.nodes == 40
    assert all(a > b for a, b in zip(top.drop, edges.drop, strict=True))
    assert top.edges == edges.edges


def test_faithfulness_needs_an_instance(subject):
    with pytest.raises(im.InputError, match="no node has a motif instance"):
        faithfulness(subject, [])
