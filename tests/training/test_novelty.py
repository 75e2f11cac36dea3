"""Novelty weights: the printed softmax of squared distances, averaging 1."""

from __future__ import annotations

import math

import torch

from infomotif.training import novelty_weights


def test_beta_is_the_printed_formula_times_the_number_of_labelled_nodes():
    alpha = torch.rand(7, 3, dtype=torch.float64).softmax(dim=1)
    mu = [sum(float(alpha[u, t]) for u in range(7)) / 7 for t in range(3)]
    score = [math.exp(sum((float(alpha[v, t]) - mu[t]) ** 2 for t in range(3))) for v in range(7)]
    expected = torch.tensor([7 * s / sum(score) for s in score], dtype=torch.float64)
    torch.testing.assert_close(novelty_weights(alpha), expected)


def test_beta_averages_one_and_is_positive():
    beta = novelty_weights(torch.rand(50, 5).softmax(dim=1))
    torch.testing.assert_close(beta.mean(), torch.tensor(1.0))
    assert (beta > 0).all()


def test_the_uncommon_node_counts_most():
    alpha = torch.tensor([[0.9, 0.1]] * 9 + [[0.1, 0.9]])
    beta = novelty_weights(alpha)
    assert beta.argmax() == 9
    assert torch.equal(beta[:9], beta[:1].expand(9))


def test_one_labelled_node_has_weight_one():
    assert novelty_weights(torch.tensor([[0.2, 0.8]])).tolist() == [1.0]
