"""Splits: shares, strata, fixed sets; a node is in at most one part."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.training import fixed_split, per_class_split, random_split
from infomotif.training.splits import node_numbers, region_split

Y = np.array([0, 1, 2, 0, 1, 2, -1, 0, 0, 1, 2, -1] * 5)


def parts(split):
    return split.train, split.val, split.test


@given(
    y=st.lists(st.integers(-1, 3), min_size=1, max_size=60).filter(lambda y: max(y) >= 0),
    ratio=st.floats(0.01, 1),
    seed=st.integers(0, 2**31),
    stratify=st.booleans(),
)
def test_parts_are_disjoint_and_cover_the_labelled_nodes(y, ratio, seed, stratify):
    y = np.array(y)
    split = random_split(y, ratio, val=min(0.2, 1 - ratio), seed=seed, stratify=stratify)
    assert sorted(np.concatenate(parts(split)).tolist()) == np.flatnonzero(y >= 0).tolist()
    assert len(split.train) > 0
    assert all((np.diff(part) > 0).all() for part in parts(split))


def test_shares_are_those_asked_for():
    split = random_split(np.zeros(1000, dtype=int), 0.6, val=0.1)
    assert [len(part) for part in parts(split)] == [600, 100, 300]


def test_the_seed_decides():
    one, again, other = (random_split(Y, 0.3, seed=s) for s in (1, 1, 2))
    assert one.fingerprint() == again.fingerprint() != other.fingerprint()


def test_stratified_splits_take_the_same_share_of_every_class():
    y = np.repeat([0, 1, 2], [100, 50, 10])
    split = random_split(y, 0.2, val=0.2, stratify=True)
    assert np.bincount(y[split.train]).tolist() == [20, 10, 2]
    assert np.bincount(y[split.val]).tolist() == [20, 10, 2]


def test_every_labelled_node_may_train():
    split = random_split(Y, 1.0, val=0.0)
    assert [len(part) for part in parts(split)] == [50, 0, 0]


@pytest.mark.parametrize(
    ("ratio", "val", "message"),
    [
        (0, 0.2, r"ratio must be above 0 and at most 1 \(got 0\)"),
        (-0.1, 0.2, "ratio must be above 0"),
        (1.1, 0.0, "ratio must be above 0 and at most 1"),
        (float("nan"), 0.2, "ratio must be above 0"),
        (0.9, 0.2, r"0.9 \+ 0.2 must not exceed 1"),
        (0.5, -0.1, "val must be at least 0 and below 1"),
        (0.5, float("nan"), "val must be at least 0 and below 1"),
    ],
)
def test_shares_that_cannot_be_are_refused(ratio, val, message):
    with pytest.raises(InputError, match=message):
        random_split(Y, ratio, val=val)


def test_a_graph_without_labels_cannot_be_split():
    with pytest.raises(InputError, match="no labels to split"):
        random_split(np.full(4, -1), 0.5)


def test_per_class_takes_as_many_of_each_class():
    split = per_class_split(Y, 3, val=10)
    assert np.bincount(Y[split.train]).tolist() == [3, 3, 3]
    assert len(split.val) == 10
    assert sorted(np.concatenate(parts(split)).tolist()) == np.flatnonzero(Y >= 0).tolist()


@pytest.mark.parametrize(
    ("count", "val", "message"),
    [(0, 0.2, "per_class must be from 1 to"), (99, 0.2, "the size of class"), (2, 45, "val must leave a test set")],
)
def test_per_class_counts_that_cannot_be_are_refused(count, val, message):
    with pytest.raises(InputError, match=message):
        per_class_split(Y, count, val=val)


def test_as_many_may_validate_as_train():
    assert [len(part) for part in parts(random_split(Y, 0.01, val="train"))] == [1, 1, 48]
    assert [len(part) for part in parts(per_class_split(Y, 4, val="train"))] == [12, 12, 26]
    with pytest.raises(InputError, match="must not exceed 1"):
        random_split(Y, 0.6, val="train")


def test_a_small_class_gives_fewer_if_some_must_be_spared():
    y = np.repeat([0, 1], [300, 9])
    split = per_class_split(y, 20, val="train", spare=1 / 3)
    assert np.bincount(y[split.train]).tolist() == [20, 3]
    assert len(split.val) == 23
    assert np.bincount(y[per_class_split(y, 20, spare=1 / 3).train]).tolist() == [20, 4]
    assert np.bincount(y[per_class_split(y, 20, val=100, spare=1 / 3).train]).tolist() == [20, 3]
    with pytest.raises(InputError, match="the size of class 1"):
        per_class_split(y, 20)


def ring(n: int = 60, classes: int = 3, unlabelled: int = 0) -> Graph:
    y = np.arange(n) % classes
    y[:unlabelled] = -1
    return Graph.from_edges(np.arange(n), (np.arange(n) + 1) % n, num_nodes=n, directed=True, y=y)


@pytest.mark.parametrize("unlabelled", [0, 7])
def test_a_region_holds_all_training_and_validation_nodes(unlabelled):
    graph = ring(unlabelled=unlabelled)
    for seed in range(5):
        split = region_split(graph, 0.1, region=0.2, seed=seed)
        inside = np.union1d(split.train, split.val)
        assert len(split.train) == len(split.val) == round(0.1 * (60 - unlabelled))
        assert len(split.test) == 60 - unlabelled - round(0.2 * (60 - unlabelled))
        assert not np.intersect1d(inside, split.test).size
        assert (graph.y[np.concatenate(parts(split))] >= 0).all()
        # On a ring the nodes outside are one arc, so the distance between any two nodes inside is small.
        gaps = np.diff(np.append(inside, inside[0] + 60))
        assert gaps.max() >= 60 - 0.2 * 60 - unlabelled


def test_a_region_is_its_seeds():
    one, again, other = (region_split(ring(), 0.1, seed=s) for s in (1, 1, 2))
    assert one.fingerprint() == again.fingerprint() != other.fingerprint()


def test_a_region_with_every_class_is_preferred():
    n = 200
    y = np.where((np.arange(n) >= 150) & (np.arange(n) < 170), 1, 0)
    path = Graph.from_edges(np.arange(n - 1), np.arange(1, n), num_nodes=n, directed=False, y=y)
    for seed in range(5):
        outside = region_split(path, 0.05, region=0.2, least=10, seed=seed).test
        assert (y == 1).sum() - (y[outside] == 1).sum() >= 10


def test_a_region_takes_the_nearest_where_no_start_has_every_class():
    n = 100
    y = np.repeat([0, 1, 2], [48, 4, 48])
    path = Graph.from_edges(np.arange(n - 1), np.arange(1, n), num_nodes=n, directed=False, y=y)
    outside = region_split(path, 0.1, region=0.2, least=10).test
    found = np.bincount(y) - np.bincount(y[outside], minlength=3)
    assert found.min() == 4


@pytest.mark.parametrize(
    ("graph", "options", "message"),
    [
        (ring(), {"ratio": 0.2, "region": 0.2}, r"hold the share that trains twice \(got 0.2 and 0.2\)"),
        (ring(), {"ratio": 0.2, "region": 1.0}, "region must be below 1"),
        (ring(), {"ratio": 0.0}, "region must be below 1"),
        (ring(unlabelled=60), {"ratio": 0.1}, "no labels to split"),
        (ring().replace(y=None, class_names=()), {"ratio": 0.1}, "no labels to split"),
        (
            Graph.from_edges([0], [1], num_nodes=40, directed=False, y=[0, 1] * 20),
            {"ratio": 0.1},
            "no region of the graph holds 8 labelled nodes",
        ),
    ],
)
def test_regions_that_cannot_be_are_refused(graph, options, message):
    with pytest.raises(InputError, match=message):
        region_split(graph, **options)


def test_masks_numbers_and_tensors_name_the_same_nodes():
    mask = np.zeros(len(Y), dtype=bool)
    mask[[3, 0, 7]] = True
    for train in (mask, torch.from_numpy(mask), [7, 3, 0], np.array([0, 3, 7]), torch.tensor([0, 3, 7])):
        split = fixed_split(Y, train, val=[1])
        assert split.train.tolist() == [0, 3, 7]
        assert split.test.tolist() == [v for v in np.flatnonzero(Y >= 0) if v not in (0, 1, 3, 7)]


@pytest.mark.parametrize(
    ("train", "val", "test", "message"),
    [
        ([0, 6], None, None, "train names 1 nodes without a label"),
        ([0], [6, 11], None, "val names 2 nodes without a label"),
        ([], None, None, "train is empty"),
        ([0, 1], [1], None, "must not share nodes"),
        ([0], [1], [0], "must not share nodes"),
        ([0], [1], [1], "must not share nodes"),
        ([0, 0], None, None, "train names a node twice"),
        ([0, 60], None, None, r"train must lie in 0..59 \(got 60\)"),
        ([-1], None, None, r"train must lie in 0..59 \(got -1\)"),
        ([0.5], None, None, "train must be a mask or node numbers"),
        (["a"], None, None, "train must be a mask or node numbers"),
        ([[0, 1]], None, None, r"of shape \(1, 2\)"),
        (np.zeros(3, dtype=bool), None, None, r"train mask must have 60 entries \(got shape \(3,\)\)"),
    ],
)
def test_sets_that_cannot_be_are_explained(train, val, test, message):
    with pytest.raises(InputError, match=message):
        fixed_split(Y, train, val, test)


def test_node_numbers_of_nothing_are_none():
    assert node_numbers([], 5, "train").tolist() == []
