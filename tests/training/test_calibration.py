"""Calibration: one temperature, chosen by validation nodes."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from infomotif import make_roles
from infomotif.errors import InputError
from infomotif.training import random_split
from infomotif.training.calibration import apply_temperature, fitted_temperature
from tests.models import make_model


def drawn(count, scale, seed=0):
    """Classes drawn by the softmax of logits, and these logits times ``scale``."""
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(count, 4, generator=generator)
    target = torch.multinomial(logits.softmax(dim=1), 1, generator=generator).squeeze(1)
    return scale * logits, target


@pytest.mark.parametrize("scale", [0.3, 1.0, 4.0])
def test_the_temperature_undoes_what_logits_were_scaled_by(scale):
    assert fitted_temperature(*drawn(5000, scale)) == pytest.approx(scale, rel=0.1)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_few_nodes_leave_it_near_one(count):
    logits, _ = drawn(count, 1.0)
    assert 0.7 < fitted_temperature(logits, logits.argmax(dim=1)) < 1.4


def test_a_temperature_divides_all_logits():
    classifier, z = nn.Linear(3, 4), torch.randn(5, 3)
    before = classifier(z).detach()
    apply_temperature(classifier, 2.5)
    torch.testing.assert_close(classifier(z), before / 2.5)


def fitted(preset="paper", **changes):
    graph = make_roles(num_nodes=150)
    split = random_split(graph.y, 0.2, val=0.3)
    model = make_model(preset=preset, hidden=8, epochs=30, progress=False, **changes)
    return model.fit(graph, split.train, split.val), graph


@pytest.mark.parametrize("preset", ["paper", "base"])
def test_predictions_stay_and_probabilities_fit_better(preset):
    (plain, graph), (calibrated, _) = fitted(preset), fitted(preset, calibrate=True)
    np.testing.assert_array_equal(plain.predict(), calibrated.predict())
    assert not np.array_equal(plain.predict_proba(), calibrated.predict_proba())
    test = plain.split_.test
    surprise = [-np.log(model.predict_proba()[test, graph.y[test]]).mean() for model in (plain, calibrated)]
    assert surprise[1] < surprise[0]
    assert plain.history_[-1]["loss"] == calibrated.history_[-1]["loss"]


@pytest.mark.slow
def test_auto_calibrates_unless_told_otherwise():
    asked, declined = fitted("auto")[0].choice_, fitted("auto", calibrate=False)[0].choice_
    assert any(member.calibration != 1 for member in asked.members)
    assert all(member.calibration == 1 for member in declined.members)


def test_auto_calibrates_where_nothing_can_be_tried_too():
    with pytest.warns(UserWarning, match="trained on samples"):
        model, _ = fitted("auto", sampling="neighbours")
    assert model.settings_.training.calibrate


@pytest.mark.filterwarnings("ignore:preset auto")
def test_auto_without_validation_nodes_does_not():
    graph = make_roles(num_nodes=100)
    assert (
        not make_model(preset="auto", hidden=8, epochs=5, progress=False)
        .fit(graph, np.arange(60))
        .settings_.training.calibrate
    )


def test_a_resumed_training_is_calibrated_alike(tmp_path):
    graph = make_roles(num_nodes=150)
    split = random_split(graph.y, 0.2, val=0.3)
    outputs = []
    for _ in range(2):
        model = make_model(hidden=8, epochs=5, calibrate=True, progress=False)
        model.fit(graph, split.train, split.val, checkpoint=tmp_path / "state")
        outputs.append(model.predict_proba())
    np.testing.assert_array_equal(*outputs)


def test_it_needs_validation_nodes():
    graph = make_roles(num_nodes=100)
    with pytest.raises(InputError, match="calibrate needs validation nodes"):
        make_model(calibrate=True, epochs=1).fit(graph, np.arange(30))
