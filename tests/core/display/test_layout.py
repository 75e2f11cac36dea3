"""Layouts are the same every time, within the frame, and no two nodes coincide."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif._core.display.layout import spring_layout

RNG = np.random.default_rng(3)
GRAPHS = {
    "one node": (1, np.empty((0, 2), int)),
    "no edges": (7, np.empty((0, 2), int)),
    "path": (5, np.array([[0, 1], [1, 2], [2, 3], [3, 4]])),
    "star": (41, np.stack([np.zeros(40, int), np.arange(1, 41)], axis=1)),
    "clique": (12, np.array([(i, j) for i in range(12) for j in range(i)])),
    "several components": (60, np.array([(i, j) for i, j in RNG.integers(0, 60, (40, 2)) if i != j])),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_nodes_are_apart_and_within_the_frame(name):
    n, edges = GRAPHS[name]
    points = spring_layout(n, edges)
    assert points.shape == (n, 2)
    assert np.isfinite(points).all()
    assert np.abs(points).max() <= 1 + 1e-9
    distance = np.linalg.norm(points[:, None] - points[None], axis=2)[np.triu_indices(n, 1)]
    assert distance.min(initial=1) > 0.25 / np.sqrt(n)


@pytest.mark.parametrize("name", GRAPHS)
def test_the_same_graph_gives_the_same_picture(name):
    n, edges = GRAPHS[name]
    assert np.array_equal(spring_layout(n, edges), spring_layout(n, edges))


def test_another_seed_gives_another_picture():
    assert not np.allclose(spring_layout(*GRAPHS["clique"]), spring_layout(*GRAPHS["clique"], seed=1))


def test_two_communities_are_told_apart():
    first = [(i, j) for i in range(8) for j in range(i)]
    edges = np.array([*first, *((i + 8, j + 8) for i, j in first), (0, 8)])
    points = spring_layout(16, edges)
    assert np.linalg.norm(points[:8].mean(axis=0) - points[8:].mean(axis=0)) > 2 * points[:8].std()
