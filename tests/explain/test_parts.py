"""Instances, attributes, twins and roles against the formulas written out."""

import numpy as np
import pytest
import torch

import infomotif as im
from infomotif.errors import InputError
from infomotif.explain import (
    explain_graph,
    explain_node,
    find_roles,
    motif_level,
    role_twins,
    score_instances,
    top_instances,
)
from infomotif.explain.attributes import contributions
from infomotif.explain.twins import nearest_nodes
from infomotif.graph.neighbourhoods import hop_distances
from tests.explain.conftest import fitted
from tests.models import make_model


def test_scores_follow_the_papers_formula(subject):
    node, t = 3, 1
    part = score_instances(subject, [node], q=10_000)[t]
    assert len(part.score) == subject.index.counts[node, t]
    head, h = subject.heads[t], subject.h
    with torch.no_grad():
        g = h * torch.sigmoid(h @ head.gate.weight.t() + head.gate.bias)
        a = head.encoder.weight[0, : h.shape[1]]
        e = []
        for members in part.members:
            own = g[torch.from_numpy(members.astype(np.int64))]
            e.append((own @ a).softmax(dim=0) @ own)
        e = torch.stack(e)
        s = torch.sigmoid(e.mean(dim=0))
        expected = e @ (head.discriminator.weight @ s)
    np.testing.assert_allclose(part.score, expected.numpy(), rtol=1e-4, atol=1e-4)


def test_top_instances_contain_the_node_and_fall_in_order(subject):
    found = top_instances(subject, 7, count=6)
    order = [subject.alpha[7, i.motif] * i.score for i in found]
    assert order == sorted(order, reverse=True)
    assert all(7 in i.members for i in found)


@pytest.mark.parametrize("encoder", ["gcn", "sage", "module"])
def test_gradient_times_input_is_that_of_the_dense_input(roles, encoder):
    class Own(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(roles.num_attributes, 8)

        def forward(self, x, edge_index):
            h = self.linear(x)
            return torch.tanh(h).index_add(0, edge_index[1], h[edge_index[0]])

    chosen = Own() if encoder == "module" else encoder
    subject = fitted(roles, chosen, epochs=2).subject()
    weight = torch.linspace(-1, 1, subject.h.shape[1])
    rows = np.array([4, 9, 2])
    found = contributions(subject, lambda h: (h[5] * weight).sum(), rows).toarray()
    x = subject.x.to_dense().requires_grad_()
    with subject.evaluating():
        h = subject.network.encoder(x, subject.adjacency.edge_index)
    (gradient,) = torch.autograd.grad((h[5] * weight).sum(), x)
    np.testing.assert_allclose(found, (gradient * x)[rows].detach().numpy(), atol=1e-6)


def test_twins_are_the_nearest_nodes_beyond_the_hops(subject):
    space = motif_level(subject)
    twins = role_twins(subject, space, 7, count=4, beyond=2)
    distance = hop_distances(subject.graph, 7)
    far = np.flatnonzero(((distance > 2) | (distance < 0)) & (space @ space[7] > 0))
    assert [t.node for t in twins] == far[np.argsort(-(space[far] @ space[7]), kind="stable")[:4]].tolist()
    assert all(t.hops == distance[t.node] for t in twins)


def test_nearest_nodes_agree_with_role_twins(subject):
    space = motif_level(subject)
    found = nearest_nodes(space, np.arange(20), 100)
    for node in range(20):
        twins = role_twins(subject, space, node, count=100)
        assert [t.node for t in twins] == found[node][found[node] >= 0].tolist()
        assert all(t.similarity > 0 for t in twins)


def test_a_node_unlike_all_others_has_no_twins_and_the_note_says_so(subject, monkeypatch):
    space = np.zeros_like(motif_level(subject))
    space[:, 0] = 1
    space[7, 0] = -1
    monkeypatch.setattr("infomotif.explain.node.motif_level", lambda subject: space)
    alone, other = (explain_node(subject, node, twins=3) for node in (7, 8))
    assert alone.twins == alone.distant_twins == ()
    assert [note for note in alone.notes if "twins" in note] == [
        "role twins: none, as no other node is similar in motif-level space"
    ]
    assert len(other.twins) == 3
    assert nearest_nodes(space, np.array([7]), 2).tolist() == [[-1, -1]]
    assert "role twins: none" in " ".join(alone.to_dict()["notes"])
    assert not [note for note in explain_node(subject, 7, twins=0).notes if "twins" in note]


@pytest.mark.parametrize("name", ["instances", "twins", "attributes"])
@pytest.mark.parametrize("value", [-1, 1.5, "3", True, None])
def test_counts_are_whole_numbers_from_0_on(subject, name, value):
    with pytest.raises(InputError, match=f"{name} must be a whole number from 0 on"):
        explain_node(subject, 3, **{name: value})


def test_counts_of_the_parts_are_checked_too(subject):
    space = motif_level(subject)
    for call in (
        lambda: role_twins(subject, space, 3, count=-1),
        lambda: top_instances(subject, 3, count=-1),
        lambda: find_roles(subject, space, 2.5),
    ):
        with pytest.raises(InputError, match="count must be a whole number from 0 on"):
            call()


def test_a_count_of_0_shows_nothing(subject):
    found = explain_node(subject, 3, instances=0, twins=0, attributes=0)
    assert found.instances == found.twins == found.distant_twins == found.attributes == ()


def test_hop_distances_agree_with_networkx(roles):
    import networkx as nx

    expected = nx.single_source_shortest_path_length(roles.to_networkx(), roles.names[4])
    found = hop_distances(roles, 4)
    assert {str(roles.names[v]): int(d) for v, d in enumerate(found) if d >= 0} == expected


def test_a_node_without_instances_has_no_role():
    graph = im.Graph.from_edges(
        [0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3], num_nodes=8, directed=False, y=[0, 0, 0, 1, 1, 1, 0, 1]
    )
    model = make_model(hidden=4, epochs=2, progress=False).fit(graph, [0, 3])
    subject = model.subject()
    space = motif_level(subject)
    assert not space[6].any()
    assert role_twins(subject, space, 6) == []
    assert find_roles(subject, space, 2).member[[6, 7]].tolist() == [-1, -1]
    explanation = model.explain(6)
    assert explanation.instances == ()
    assert "no motif instance" in " ".join(explanation.notes)


def test_roles_cover_every_node_with_instances(subject):
    space = motif_level(subject)
    found = find_roles(subject, space, 3)
    assert sum(role.size for role in found.roles) == int(space.any(axis=1).sum())
    sizes = [role.size for role in found.roles]
    assert sizes == sorted(sizes, reverse=True)
    for number, role in enumerate(found.roles):
        assert (found.member[list(role.representatives)] == number).all()


def test_overview_means_are_those_of_alpha(subject):
    overview = explain_graph(subject, roles=2)
    np.testing.assert_allclose(overview.weights, subject.alpha.mean(axis=0), rtol=1e-6)
    first = overview.classes[0]
    number = subject.class_names.index(first.name)
    np.testing.assert_allclose(first.weights, subject.alpha[subject.predicted == number].mean(axis=0), rtol=1e-5)
