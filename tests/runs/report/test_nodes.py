"""What the page knows of nodes agrees with what the explanations say of one."""

from __future__ import annotations

import numpy as np
import pytest

import infomotif as im
from infomotif.explain import motif_level, role_twins, score_instances
from infomotif.explain.attributes import strongest
from infomotif.runs.report.nodes import _Words, shown_nearest
from infomotif.training import random_split


@pytest.fixture(scope="module")
def subject():
    graph = im.make_roles(num_nodes=80, class_word_rate=0.2, seed=1)
    split = random_split(graph.y, 0.3)
    return im.InfoMotif(hidden=8, epochs=5, progress=False).fit(graph, split.train, split.val).subject()


def test_the_pages_twins_are_those_of_explain(subject):
    space = motif_level(subject)
    found = shown_nearest(space, np.arange(80), 60)
    for node in range(80):
        twins = [twin.node for twin in role_twins(subject, space, node, count=60)]
        assert found[node][found[node] >= 0].tolist() == twins


def test_attributes_are_ranked_as_explain_ranks_them(subject):
    every = np.arange(80)
    words = _Words(subject, score_instances(subject), every, every)
    members = [3, 8, 21]
    shared = words.shared(members)
    expected = strongest(subject, words._scores[members], len(shared), at_least=2)
    assert shared
    names = words.names()
    assert [names[code if code >= 0 else -1 - code] for code in shared] == [entry.name for entry in expected]
    assert [code >= 0 for code in shared] == [entry.value >= 0 for entry in expected]
