"""Fitted: one value that fit makes, save writes and load returns."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from sklearn.exceptions import NotFittedError

from infomotif import InfoMotif, load, make_roles
from infomotif.search.fitted import Fitted
from tests.models import make_model


def fitted(**options) -> InfoMotif:
    return make_model(hidden=8, epochs=2, random_state=3, **options).fit(make_roles(num_nodes=120))


@pytest.mark.parametrize("options", [{}, {"preset": "base"}, {"structural_features": "quantiles"}])
def test_a_loaded_value_is_the_saved_one(tmp_path, options):
    saved = fitted(**options)
    loaded = load(saved.save(tmp_path / "model"))
    for field in dataclasses.fields(Fitted):
        one, two = (getattr(model.fitted_, field.name) for model in (saved, loaded))
        if field.name == "network":
            one, two = one.state_dict(), two.state_dict()
            assert one.keys() == two.keys()
            assert all(torch.equal(one[name], two[name]) for name in one)
        else:
            assert one == two


def test_the_network_of_a_trained_model_has_dropout_switched_off():
    assert not fitted().network_.training


def test_a_failed_fit_leaves_the_model_as_it_was():
    model = fitted()
    before = model.fitted_
    with pytest.raises(KeyboardInterrupt):
        model.fit(make_roles(num_nodes=150), on_epoch=lambda record: (_ for _ in ()).throw(KeyboardInterrupt))
    assert model.fitted_ is before
    assert model.predict().shape == (120,)


@pytest.mark.parametrize("name", ["settings_", "network_", "classes_", "graph_info_"])
def test_before_fit_there_is_nothing_to_know(name):
    assert not hasattr(InfoMotif(), name)
    with pytest.raises(NotFittedError, match="call fit"):
        getattr(InfoMotif(), name)
