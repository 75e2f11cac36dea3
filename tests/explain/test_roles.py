"""Twins and roles against the formulas written out."""

import numpy as np
import pytest

import infomotif as im
from infomotif.errors import InputError
from infomotif.explain import explain_node, find_roles, motif_level, role_twins, top_instances
from infomotif.explain.roles import nearest_nodes
from infomotif.graph.neighbourhoods import hop_distances
from tests.models import make_model


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


def test_a_node_unlike_all_others_has_no_twins_and_the_note_says_so(subject):
    space = np.zeros_like(motif_level(subject))
    space[:, 0] = 1
    space[7, 0] = -1
    alone, other = (explain_node(subject, node, twins=3, space=space) for node in (7, 8))
    assert alone.twins == alone.distant_twins == ()
    assert [note for note in alone.notes if "twins" in note] == [
        "role twins: none, as no other node is similar in motif-level space"
    ]
    assert len(other.twins) == 3
    assert nearest_nodes(space, np.array([7]), 2).tolist() == [[-1, -1]]
    assert "role twins: none" in " ".join(alone.to_dict()["notes"])
    assert not [note for note in explain_node(subject, 7, twins=0, space=space).notes if "twins" in note]


def test_counts_of_the_parts_are_checked_too(subject):
    space = motif_level(subject)
    for call in (
        lambda: role_twins(subject, space, 3, count=-1),
        lambda: top_instances(subject, 3, count=-1),
        lambda: find_roles(subject, space, 2.5),
    ):
        with pytest.raises(InputError, match="count must be a whole number from 0 on"):
            call()


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
