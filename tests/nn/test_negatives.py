"""Negative instances: what stays and what is random, and permutations without fixed points."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infomotif import MotifIndex, make_roles
from infomotif.errors import InputError
from infomotif.nn import NEGATIVES, derangement
from infomotif.nn.negatives import make_negatives


@pytest.fixture(scope="module")
def observed():
    graph = make_roles(num_nodes=120)
    nodes = np.arange(0, 120, 2)
    return nodes, MotifIndex(graph).sample(nodes, 4, np.random.default_rng(0))[1]


def test_shuffled_attributes_keep_the_instances(observed):
    nodes, instances = observed
    sampler = make_negatives("shuffle")
    assert sampler.corrupted
    assert sampler.sample(nodes, instances, 120, np.random.default_rng(0)) is instances


def test_swapped_members_keep_the_owner_in_its_place(observed):
    nodes, instances = observed
    swapped = make_negatives("swap").sample(nodes, instances, 120, np.random.default_rng(0))
    owner = np.repeat(nodes, np.diff(instances.indptr))[:, None]
    place = instances.members == owner
    assert (place.sum(axis=1) == 1).all()
    assert (swapped.members[place] == instances.members[place]).all()
    np.testing.assert_array_equal(swapped.indptr, instances.indptr)
    assert swapped.members.dtype == instances.members.dtype


def test_swapped_members_come_from_the_whole_graph_and_anew_each_time(observed):
    nodes, instances = observed
    rng, sampler = np.random.default_rng(0), make_negatives("swap")
    draws = [sampler.sample(nodes, instances, 120, rng).members for _ in range(20)]
    assert not np.array_equal(draws[0], draws[1])
    assert set(np.concatenate(draws).ravel().tolist()) == set(range(120))


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


def test_unknown_negatives_are_answered_with_the_nearest():
    with pytest.raises(InputError, match="did you mean 'swap'"):
        make_negatives("swapp")
    assert sorted(NEGATIVES) == ["shuffle", "swap"]
