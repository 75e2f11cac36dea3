"""Novelty weights: training nodes with uncommon motif weights count more."""

from __future__ import annotations

import torch
from torch import Tensor


def novelty_weights(alpha: Tensor) -> Tensor:
    """Return beta_v = |V_L| softmax_v(||alpha_v - mu||^2) with mu the mean of alpha over V_L.

    The factor |V_L| makes beta average 1, as at the start of Algorithm 1.

    Args:
        alpha: Motif weights of the training nodes, [L, T].

    Returns:
        Weights of the training nodes, [L].

    Example:
        >>> novelty_weights(torch.tensor([[0.5, 0.5], [0.5, 0.5]])).tolist()
        [1.0, 1.0]
    """
    distance = (alpha - alpha.mean(dim=0)).square().sum(dim=1)
    return torch.softmax(distance, dim=0) * len(alpha)
