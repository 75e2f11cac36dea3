"""The node views of the page agree with what the explanations say of one node."""

from __future__ import annotations

import numpy as np
import pytest

import infomotif as im
from infomotif.explain import motif_level, role_twins, score_instances
from infomotif.explain.attributes import strongest
from infomotif.runs.report.node_views import AttributeCodes, nearest_shown
from infomotif.training import random_split
from tests.models import make_model


@pytest.fixture(scope="module")
def subject():
    graph = im.make_roles(num_nodes=80, class_word_rate=0.2, seed=1)
    split = random_split(graph.y, 0.3)
    return make_model(hidden=8, epochs=5, progress=False).fit(graph, split.train, split.val).subject()


def test_the_twins_are_those_of_explain(subject):
    space = motif_level(subject)
    nearest = nearest_shown(space, np.arange(80), 60)
    for node in range(80):
        twins = [twin.node for twin in role_twins(subject, space, node, count=60)]
        assert nearest[node][nearest[node] >= 0].tolist() == twins


def test_attributes_are_ranked_as_explain_ranks_them(subject):
    every = np.arange(80)
    attributes = AttributeCodes(subject, score_instances(subject), every, every)
    members = [3, 8, 21]
    shared = attributes.shared(members)
    expected = strongest(subject, attributes.of_scores[members], len(shared), at_least=2)
    assert shared
    names = attributes.names()
    assert [names[code if code >= 0 else -1 - code] for code in shared] == [entry.name for entry in expected]
    assert [code >= 0 for code in shared] == [entry.value >= 0 for entry in expected]
