"""Plans: the models and splits that follow from them."""

from __future__ import annotations

import pytest

from infomotif.errors import InputError
from infomotif.runs import BASE, OURS, Plan, RunPlan
from tests.runs.plans import plan, roles


def test_the_former_name_is_still_there():
    assert Plan is RunPlan


def test_the_base_shares_every_setting_but_the_regulariser():
    asked = plan(preset="joint", settings={"lr": 0.3, "regularize": True})
    base, ours = (asked.model(kind, 1).settings() for kind in (BASE, OURS))
    assert (base.regularize, ours.regularize) == (False, True)
    assert base.training.lr == ours.training.lr == 0.3


def test_the_base_of_the_authors_preset_has_its_inputs_and_batches_but_no_warmup():
    base = plan(preset="authors").model(BASE, 0).settings()
    assert not base.regularize
    assert (base.inputs.normalize, base.training.batch_size, base.training.warmup_epochs) == ("row", 512, 0)


def test_both_models_of_a_split_have_its_seed():
    assert plan(seed=4).model(BASE, 1).random_state == plan(seed=4).model(OURS, 1).random_state == 5


def test_fixed_training_nodes_leave_the_rest_to_validation_and_test():
    split = plan().split(roles(), 0, train=range(10))
    assert split.train.tolist() == list(range(10))
    assert (len(split.val), len(split.test)) == (24, 86)


def test_with_fixed_training_nodes_every_split_validates_on_others():
    first, second = plan(splits=2).all_splits(roles(), train=range(10))
    assert first.val.tolist() != second.val.tolist()


def test_a_graph_without_labels_has_no_splits():
    with pytest.raises(InputError, match="has no labels to learn from; give a label column"):
        plan().split(roles().replace(y=None, class_names=()), 0)
