"""Negative instances: what stays and what is random, and permutations without fixed points."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from infomotif import Graph, MotifIndex, make_roles
from infomotif.errors import InputError
from infomotif.motifs import Instances
from infomotif.nn import NEGATIVES, MotifRegularizer, derangement
from infomotif.nn.regularizer.negatives import Negatives, make_negatives, reject_real, shows_real

REAL = sorted(set(NEGATIVES) - {"shuffle", "unseen"})
NODES = np.arange(0, 120, 2)


@pytest.fixture(scope="module")
def index():
    return MotifIndex(make_roles(num_nodes=120))


@pytest.fixture(scope="module")
def observed(index):
    return index.sample(NODES, 4, np.random.default_rng(0))


def members_of(name, index, observed, seed=0):
    """Observed and negative members of the triangles, and their owners."""
    found = make_negatives(name).sample(index, NODES, observed, np.random.default_rng(seed))[1]
    return observed[1].members, found.instances.members, np.repeat(NODES, np.diff(observed[1].indptr))


def test_shuffled_attributes_keep_the_instances(index, observed):
    sampler = make_negatives("shuffle")
    assert sampler.corrupted
    for found, instances in zip(
        sampler.sample(index, NODES, observed, np.random.default_rng(0)), observed, strict=True
    ):
        assert found.instances is instances
        assert found.corrupted


@pytest.mark.parametrize("name", REAL)
def test_real_negatives_are_as_many_as_observed_of_the_same_kind(name, index, observed):
    sampler = make_negatives(name)
    assert not sampler.corrupted
    for found, instances in zip(
        sampler.sample(index, NODES, observed, np.random.default_rng(0)), observed, strict=True
    ):
        assert not found.corrupted
        np.testing.assert_array_equal(found.instances.indptr, instances.indptr)
        assert found.instances.members.shape == instances.members.shape
        assert found.instances.members.dtype == instances.members.dtype


@pytest.mark.parametrize("name", REAL)
def test_negatives_follow_the_generator_and_are_drawn_anew(name, index, observed):
    _, first, _ = members_of(name, index, observed, seed=0)
    _, again, _ = members_of(name, index, observed, seed=0)
    _, other, _ = members_of(name, index, observed, seed=1)
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("name", ["swap", "degree", "orbits", "open"])
def test_the_owner_stays_in_its_place(name, index, observed):
    members, found, owners = members_of(name, index, observed)
    place = members == owners[:, None]
    assert (place.sum(axis=1) == 1).all()
    assert (found[place] == members[place]).all()


def test_swapped_members_come_from_the_whole_graph(index, observed):
    draws = [members_of("swap", index, observed, seed)[1] for seed in range(20)]
    assert set(np.concatenate(draws).ravel().tolist()) == set(range(120))


def test_members_of_the_same_degree(index, observed):
    degree = index.graph.degrees
    common = np.bincount(degree)[degree] > 1
    members, found, owners = members_of("degree", index, observed)
    swapped = (members != owners[:, None]) & common[members]
    # Rare degrees borrow from their neighbours in the order of degrees, never from the other end.
    assert np.abs(degree[members] - degree[found])[swapped].mean() < 0.3 * degree.std()
    assert (found != members)[swapped].all()


def test_members_with_the_same_orbit_counts(index, observed):
    digits = np.frexp(index.orbit_counts.astype(float))[1]
    members, found, owners = members_of("orbits", index, observed)
    swapped = members != owners[:, None]
    apart = np.abs(digits[members] - digits[found]).mean(axis=2)[swapped]
    random = np.abs(digits[members] - digits[members_of("swap", index, observed)[1]]).mean(axis=2)[swapped]
    assert apart.mean() < 0.5 * random.mean()


def test_open_ends_swap_one_member_and_undo_the_motif(index, observed):
    inside = edges_inside(index.graph)
    members, found, owners = members_of("open", index, observed)
    assert ((members != found).sum(axis=1) == 1).all()
    assert all(inside(row) == 3 for row in members)
    # Nearly every triangle becomes a wedge of its owner.
    assert np.mean([inside(row) == 2 for row in found]) > 0.9


def test_open_ends_leave_the_observed_instances_alone(index, observed):
    wide = [instances._replace(members=instances.members.astype(np.int64)) for instances in observed]
    before = [instances.members.copy() for instances in wide]
    make_negatives("open").sample(index, NODES, wide, np.random.default_rng(0))
    for instances, members in zip(wide, before, strict=True):
        np.testing.assert_array_equal(instances.members, members)


def test_open_ends_close_wedges_where_they_can():
    # Node 0 is in one wedge only, 0-1-3; swapping 1 or 3 for its other neighbour 2 makes a triangle or leaves an edge.
    graph = Graph.from_edges([0, 0, 1, 1], [1, 2, 2, 3], num_nodes=4, directed=False)
    index = MotifIndex(graph)
    wedges = index.sample(np.array([0]), 5, np.random.default_rng(0))
    found = make_negatives("open").sample(index, np.array([0]), wedges, np.random.default_rng(0))[0].instances.members
    inside = edges_inside(graph)
    assert [inside(row) for row in wedges[0].members] == [2]
    assert inside(found[0]) != 2


def test_directions_matter_to_open_ends():
    # 1<0>2 is an out-star; 3>0 runs the other way, so that 3 with 0 and either of them is a chain.
    graph = Graph.from_edges([0, 0, 3], [1, 2, 0], num_nodes=4, directed=True)
    index = MotifIndex(graph, ["M2"])
    drawn = index.sample(np.array([0]), 5, np.random.default_rng(0))
    found = make_negatives("open").sample(index, np.array([0]), drawn, np.random.default_rng(0))[0].instances.members
    assert drawn[0].members.tolist() == [[0, 1, 2]]
    assert 3 in found[0].tolist()


def test_instances_of_another_motif(index, observed):
    wedges = {(v, *sorted(row)) for v, rows in _rows(observed[0]) for row in rows}
    members, found, owners = members_of("other-motif", index, observed)
    has = np.diff(observed[0].indptr)[np.searchsorted(NODES, owners)] > 0
    assert has.any()
    assert all((v, *sorted(row)) in wedges for v, row in zip(owners[has], found[has].tolist(), strict=True))


def test_instances_of_other_owners_are_the_observed_ones_in_another_order(index, observed):
    members, found, _ = members_of("other-owner", index, observed)
    assert sorted(map(tuple, found.tolist())) == sorted(map(tuple, members.tolist()))


def test_a_mixture_draws_one_part_for_each_motif(index, observed):
    sampler = make_negatives("shuffle+swap")
    rng = np.random.default_rng(0)
    kinds = [found.corrupted for _ in range(50) for found in sampler.sample(index, NODES, observed, rng)]
    assert sampler.corrupted
    assert 25 < sum(kinds) < 75


@given(st.integers(2, 30), st.integers(0, 2**32))
def test_a_derangement_moves_everything(size, seed):
    permutation = derangement(size, np.random.default_rng(seed))
    assert sorted(permutation.tolist()) == list(range(size))
    assert (permutation != np.arange(size)).all()


@pytest.mark.parametrize("size", [0, 1])
def test_where_there_is_no_derangement_the_identity_comes(size):
    assert derangement(size, np.random.default_rng(0)).tolist() == list(range(size))


def test_derangements_are_uniform():
    rng = np.random.default_rng(0)
    count = Counter(tuple(derangement(4, rng).tolist()) for _ in range(9000))
    assert len(count) == 9
    chi_square = sum((seen - 1000) ** 2 / 1000 for seen in count.values())
    assert chi_square < 26.1  # 0.1 % of 8 degrees of freedom


@pytest.mark.parametrize("name", ["swapp", "shuffle+swapp", "", "shuffle+"])
def test_unknown_negatives_are_refused(name):
    with pytest.raises(InputError, match="unknown negatives"):
        make_negatives(name)


def edges_inside(graph):
    """Return how many edges nodes have among themselves."""
    indptr, indices, _ = graph.undirected
    edges = {(v, int(u)) for v in range(graph.num_nodes) for u in indices[indptr[v] : indptr[v + 1]]}
    return lambda row: sum((a, b) in edges for a in row.tolist() for b in row.tolist()) // 2


def _rows(instances):
    for i, v in enumerate(NODES):
        yield v, instances.members[instances.indptr[i] : instances.indptr[i + 1]].tolist()


# Permuted attributes of real instances


def small_index(motifs, directed):
    rng = np.random.default_rng(3)
    source, target = rng.integers(0, 24, (2, 150 if directed else 60))
    keep = source != target
    return MotifIndex(Graph.from_edges(source[keep], target[keep], num_nodes=24, directed=directed), motifs)


FOUR_NODES = ["a->b, b->c, c->d, d->a", "a->b, a->c, d->a, d->c"]


@pytest.mark.parametrize(
    ("motifs", "directed"),
    [("directed", True), ("undirected", False), ("graphlets4", False), (FOUR_NODES, True)],
)
def test_what_members_show_is_real_exactly_if_it_is_an_instance(motifs, directed):
    index = small_index(motifs, directed)
    shown = np.random.default_rng(0).permutation(24)
    found = []
    for t, motif in enumerate(index.motifs):
        real = {frozenset(row) for v in range(24) for row in index.instances(v, motif).tolist()}
        rng = np.random.default_rng(t)
        members = np.array([rng.choice(24, motif.size, replace=False) for _ in range(4000)])
        expected = [frozenset(shown[row].tolist()) in real for row in members]
        np.testing.assert_array_equal(shows_real(index, t, members, shown), expected)
        found.append(any(expected))
    assert any(found)


def rejected(index, seed):
    nodes = np.arange(index.graph.num_nodes)
    observed = index.sample(nodes, 6, np.random.default_rng(seed))
    shown = derangement(len(nodes), np.random.default_rng(seed + 1))
    negatives = make_negatives("unseen").sample(index, nodes, observed, np.random.default_rng(0))
    return observed, shown, reject_real(index, negatives, shown)


def test_no_negative_is_left_that_shows_a_real_instance():
    index = small_index("undirected", False)
    observed, shown, found = rejected(index, 0)
    assert shows_real(index, 0, observed[0].members, shown).any()
    for t, (instances, corrupted) in enumerate(found):
        assert corrupted
        assert not shows_real(index, t, instances.members, shown).any()
        np.testing.assert_array_equal(instances.indptr, observed[t].indptr)


def test_a_rejected_negative_becomes_another_of_its_owner_where_there_is_one():
    index = small_index("undirected", False)
    observed, shown, found = rejected(index, 0)
    for t, (instances, _) in enumerate(found):
        real = shows_real(index, t, observed[t].members, shown)
        np.testing.assert_array_equal(instances.members[~real], observed[t].members[~real])
        for a, b in zip(instances.indptr[:-1], instances.indptr[1:], strict=True):
            if not real[a:b].all():
                of_owner = {tuple(row) for row in observed[t].members[a:b].tolist()}
                assert {tuple(row) for row in instances.members[a:b].tolist()} <= of_owner


def test_negatives_without_a_real_instance_stay_the_same_object(index):
    observed = index.sample(NODES, 1, np.random.default_rng(0))
    apart = [Negatives(Instances(np.array([0, 1]), part.members[:1]), corrupted=True) for part in observed]
    shown = np.arange(120)
    # Three nodes far from each other are no instance.
    shown[apart[0].instances.members[0]] = shown[apart[1].instances.members[0]] = [0, 0, 0]
    for before, after in zip(apart, reject_real(index, apart, shown), strict=True):
        assert after is before


def test_in_a_complete_graph_every_triangle_is_real_and_stays():
    source, target = np.triu_indices(6, 1)
    index = MotifIndex(Graph.from_edges(source, target, num_nodes=6, directed=False), ["M7"])
    observed, _, found = rejected(index, 0)
    assert found[0].instances is observed[0]


def test_the_loss_with_unseen_negatives_needs_the_permutation(index):
    regularizer = MotifRegularizer(4, index, negatives="unseen")
    h, permutation = torch.rand(120, 4), derangement(120, np.random.default_rng(0))
    with pytest.raises(InputError, match="need the permutation"):
        regularizer.loss(h, h[permutation], index)
    assert torch.isfinite(regularizer.loss(h, h[permutation], index, permutation=permutation))
