"""The mutual information of predictions against NumPy, and its training: bits, resuming, files, refusals."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import infomotif as im
from infomotif.errors import InputError
from infomotif.nn.encoders import ENCODERS
from infomotif.nn.regularizer.prediction import co_members, prediction_information
from infomotif.training import make_settings, parse_setting, random_split


@pytest.fixture(scope="module")
def graph():
    return im.make_roles(num_nodes=120)


def fitted(graph, regularizer, encoder="appnp", *, checkpoint=None, epochs=8, **training):
    split = random_split(graph.y, 0.3)
    options = im.Training(epochs=epochs, **training)
    encoder = ENCODERS[encoder](hidden=8) if isinstance(encoder, str) else encoder
    model = im.InfoMotif(encoder, preset="base", regularizer=regularizer, training=options, progress=False)
    return model.fit(graph, split.train, split.val, checkpoint=checkpoint)


@pytest.mark.parametrize("over", ["edges", "motifs"])
def test_pairs_are_the_normalised_matrix_of_co_members(graph, over):
    index = im.MotifIndex(graph)
    rows, cols = graph.edges()
    weights = np.zeros((120, 120))
    if over == "edges":
        weights[rows, cols] = weights[cols, rows] = 1
    else:
        for motif in index.motifs:
            for node in range(120):
                for members in index.instances(node, motif).tolist():
                    weights[node, [other for other in members if other != node]] += 1
    scale = 1 / np.sqrt(np.maximum(weights.sum(axis=1), 1))
    expected = scale[:, None] * weights * scale
    found = co_members(graph, over, index).to_dense().numpy()
    np.testing.assert_allclose(found, expected / expected.sum(), atol=1e-8)


def test_information_is_that_of_numpys_joint_distribution(graph):
    logits = torch.randn(120, 4, generator=torch.Generator().manual_seed(0))
    pairs = co_members(graph)
    p = logits.softmax(dim=1).double().numpy()
    joint = p.T @ pairs.to_dense().double().numpy() @ p
    joint = (joint + joint.T) / 2
    expected = (joint * np.log(joint / np.outer(joint.sum(axis=1), joint.sum(axis=0)))).sum()
    assert prediction_information(logits, pairs).item() == pytest.approx(expected, abs=1e-6)


def test_predictions_that_are_all_alike_have_none(graph):
    assert prediction_information(torch.ones(120, 3), co_members(graph)).item() == pytest.approx(0, abs=1e-6)


def test_a_graph_without_edges_has_no_pairs():
    empty = im.Graph.from_edges([], [], num_nodes=3, directed=False)
    with pytest.raises(InputError, match="prediction_mi needs pairs of nodes"):
        co_members(empty)


@pytest.mark.parametrize("encoder", sorted(ENCODERS))
def test_every_encoder_trains_with_it(graph, encoder):
    model = fitted(graph, im.PredictionMI(start=1), encoder, epochs=3)
    assert [("mi_loss" in record) for record in model.history_] == [False, True, True]
    assert model.network_.regularizer is None


def test_a_module_trains_with_it(graph):
    class Linear(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.map = torch.nn.Linear(graph.num_attributes, 4)

        def forward(self, x, edge_index):
            return self.map(x)

    assert "mi_loss" in fitted(graph, im.PredictionMI(start=0), Linear(), epochs=2).history_[0]


def test_training_raises_it(graph):
    plain, ours = (fitted(graph, regularizer, epochs=60) for regularizer in (None, im.PredictionMI(weight=2.0)))
    found = [prediction_information(model.output_.logits, co_members(graph)).item() for model in (plain, ours)]
    assert ours.history_[-1]["mi_loss"] < ours.history_[20]["mi_loss"]
    assert found[1] > found[0]


@pytest.mark.parametrize("over", ["edges", "motifs"])
def test_the_same_seed_gives_the_same_bits_and_a_file_the_same_model(graph, over, tmp_path):
    regularizer = im.PredictionMI(over=over, start=2)
    one, two = (fitted(graph, regularizer).predict_proba() for _ in range(2))
    np.testing.assert_array_equal(one, two)
    model = fitted(graph, regularizer)
    loaded = im.load(model.save(tmp_path / "model"))
    np.testing.assert_array_equal(loaded.predict_proba(graph), one)
    assert loaded.settings().regularizer == model.settings_.regularizer


def test_a_resumed_training_repeats_to_the_bit(graph, tmp_path):
    state = tmp_path / "state"
    whole = fitted(graph, im.PredictionMI(start=2), self_training=0.2).predict_proba()
    stop = RuntimeError("stop")

    def interrupt(record):
        if record["epoch"] == 11:
            raise stop

    split = random_split(graph.y, 0.3)
    model = im.InfoMotif(
        im.APPNP(hidden=8),
        preset="base",
        regularizer=im.PredictionMI(start=2),
        training=im.Training(epochs=8, self_training=0.2),
        progress=False,
    )
    with pytest.raises(RuntimeError, match="stop"):
        model.fit(graph, split.train, split.val, checkpoint=state, on_epoch=interrupt)
    resumed = model.fit(graph, split.train, split.val, checkpoint=state)
    np.testing.assert_array_equal(resumed.predict_proba(), whole)


def test_options_are_those_of_the_regulariser_by_their_flat_names():
    model = im.InfoMotif(preset="base", regularizer=im.PredictionMI(over="motifs", weight=0.1))
    changes = dict(map(parse_setting, ("prediction_mi=0.1", "prediction_over=motifs")))
    assert model.settings().regularizer == make_settings("base", **changes).regularizer
    assert model.settings().needs_motifs
    assert model.set_params(regularizer__over="edges").settings().regularizer.prediction_over == "edges"


def test_it_does_not_join_the_motif_regulariser():
    with pytest.raises(InputError, match="prediction_mi is a regulariser of its own; set regularize=no"):
        make_settings("joint", prediction_mi=0.3)


def test_samples_of_a_graph_have_no_predictions_of_all_nodes(graph):
    with pytest.raises(InputError, match="prediction_mi needs all nodes at once"):
        fitted(graph, im.PredictionMI(), "gcn", sampling="neighbours")
