"""Walks have exactly the distribution that p, q and the weights ask for; skip-gram learns what shares contexts."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from infomotif._core.parallel import limited_threads
from infomotif.graph import Graph
from infomotif.graph.csr import CSR
from infomotif_bench.methods.embeddings.walks import biased_walks, shuffled_starts, skip_gram

SETTINGS = {"dimension": 8, "window": 2, "epochs": 1, "negatives": 5}


def dense_rows(matrix):
    """CSR with weights of a small matrix."""
    rows, columns = np.nonzero(matrix)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(matrix)))])
    return CSR(indptr, columns, matrix[rows, columns])


def second_order(matrix, before, v, p, q):
    """The distribution of the step from v, having come from ``before``, straight from its definition."""
    chance = np.zeros(len(matrix))
    for x in np.flatnonzero(matrix[v]):
        chance[x] = matrix[v, x] * (1 / p if x == before else 1.0 if matrix[before, x] else 1 / q)
    return chance / chance.sum()


def small_matrix(weighted):
    matrix = np.zeros((6, 6))
    for number, (a, b) in enumerate([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (2, 4), (4, 5), (1, 4)]):
        matrix[a, b] = matrix[b, a] = 1 + 2 * number if weighted else 1
    return matrix


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("p", "q"), [(1.0, 1.0), (0.25, 4.0), (4.0, 0.5), (200.0, 100.0)])
def test_steps_have_the_distribution_of_p_q_and_weights(weighted, p, q):
    matrix = small_matrix(weighted)
    rows = dense_rows(matrix)
    if not weighted:
        rows = CSR(rows.indptr, rows.indices)
    generator = np.random.default_rng(7)
    walks = biased_walks(rows, np.repeat(np.arange(6), 500), 40, p=p, q=q, generator=generator)
    triples = np.stack([walks[:, :-2], walks[:, 1:-1], walks[:, 2:]], axis=-1).reshape(-1, 3)
    worst = 1.0
    for before in range(6):
        for v in np.flatnonzero(matrix[before]):
            taken = triples[(triples[:, 0] == before) & (triples[:, 1] == v), 2]
            chance = second_order(matrix, before, v, p, q)
            seen = np.bincount(taken, minlength=6)
            assert not seen[chance == 0].any()
            if (chance > 0).sum() > 1:
                worst = min(worst, chisquare(seen[chance > 0], len(taken) * chance[chance > 0]).pvalue)
    assert worst > 1e-4


def test_first_steps_go_by_weight():
    matrix = small_matrix(True)
    walks = biased_walks(dense_rows(matrix), np.full(20_000, 2), 2, p=0.1, q=9.0, generator=np.random.default_rng(0))
    chance = matrix[2] / matrix[2].sum()
    seen = np.bincount(walks[:, 1], minlength=6)
    assert chisquare(seen[chance > 0], 20_000 * chance[chance > 0]).pvalue > 1e-4


def test_threads_change_nothing():
    graph = Graph.from_edges(*np.random.default_rng(0).integers(0, 500, (2, 2000)), num_nodes=500, directed=False)
    starts = shuffled_starts(500, 50, np.random.default_rng(1))
    found = []
    for threads in (1, 3):
        with limited_threads(threads):
            generator = np.random.default_rng(5)
            found.append(biased_walks(graph.undirected, starts, 20, p=0.5, q=2.0, generator=generator))
    np.testing.assert_array_equal(*found)


def test_a_walk_from_an_isolated_node_stands_still():
    rows = CSR(np.array([0, 0, 1, 2]), np.array([2, 1]))
    walks = biased_walks(rows, np.array([0, 1]), 3, p=1.0, q=2.0, generator=np.random.default_rng(0))
    assert walks.tolist() == [[0, -1, -1], [1, 2, 1]]


def test_nodes_without_context_have_zeros():
    walks = np.array([[0, 1, 0], [2, -1, -1]])
    found = skip_gram(walks, 4, SETTINGS, 1)
    assert found.shape == (4, 8)
    assert found.any(axis=1).tolist() == [True, True, False, False]


@pytest.mark.parametrize("negatives", [0, 5])
def test_words_that_share_contexts_are_near(negatives):
    # 0 and 1 appear between 2 and 3 only, 4 and 5 between 6 and 7 only.
    rng = np.random.default_rng(0)
    first = np.stack([np.full(4000, 2), rng.integers(0, 2, 4000), np.full(4000, 3)], axis=1)
    walks = rng.permutation(np.concatenate([first, first + 4]))
    found = skip_gram(walks, 8, {**SETTINGS, "epochs": 5, "negatives": negatives}, 1)
    unit = found / np.linalg.norm(found, axis=1, keepdims=True)
    assert min(unit[0] @ unit[1], unit[4] @ unit[5]) > max(unit[0] @ unit[4], unit[1] @ unit[5]) + 0.3
