"""The node views of the page agree with what the explanations say of one node."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch

import infomotif as im
from infomotif.explain import explain_graph, explain_node, motif_level, role_twins
from infomotif.explain.attributes import contributions, prediction_attributes, strongest
from infomotif.graph.neighbourhoods import hop_distances
from infomotif.runs.report.node_views import nearest_shown, node_views
from infomotif.runs.report.parts import PageParts
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


@pytest.mark.parametrize("options", [{}, {"preset": "base"}, {"encoder": "appnp", "preset": "base"}])
def test_attributes_and_instances_of_a_node_are_those_of_explain(tmp_path, options):
    graph = im.make_roles(num_nodes=80, class_word_rate=0.2, seed=1)
    split = random_split(graph.y, 0.3)
    subject = make_model(hidden=8, epochs=5, progress=False, **options).fit(graph, split.train, split.val).subject()
    space = motif_level(subject)
    folder = SimpleNamespace(folder=tmp_path, graph=graph)
    views = node_views(subject, split, space, explain_graph(subject, space=space).roles, PageParts(folder))
    names = views["vocabulary"]
    for v in (0, 17, 79):
        explained = explain_node(subject, v, instances=5, attributes=8, space=space)
        words = [(names[code if code >= 0 else -1 - code], code >= 0) for code in views["words"][v]]
        assert words == [(each.name, each.value >= 0) for each in explained.attributes]
        shown = [[views["name"][u] for u in members] for _, _, members, _, _ in views["instances"][v]]
        assert shown == [[member.node for member in instance.members] for instance in explained.instances]
        for (_, score, _, _, shared), instance in zip(views["instances"][v], explained.instances, strict=True):
            assert score == round(instance.score, 1)
            assert [names[code if code >= 0 else -1 - code] for code in shared] == [
                each.name for each in instance.attributes[:4]
            ]


@pytest.mark.parametrize("node", [0, 17, 79])
def test_the_attributes_of_a_neighbourhood_are_those_of_the_whole_graph(subject, node):
    predicted = int(subject.predicted[node])
    reach = np.flatnonzero(hop_distances(subject.graph, node, subject.hops) >= 0)
    whole = contributions(subject, lambda h: subject.head(h, torch.tensor([node])).logits[0, predicted], reach)
    (found,) = prediction_attributes(subject, [node], 8)
    expected = strongest(subject, whole, 8)
    assert [each.name for each in found] == [each.name for each in expected]
    assert [each.value for each in found] == pytest.approx([each.value for each in expected], rel=1e-4)
