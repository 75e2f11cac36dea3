"""Encoders as several tests want them."""

from __future__ import annotations

import numpy as np
import torch

from infomotif.nn import make_encoder


def build(name, in_dim, hidden=8, **options):
    """An encoder by name with biases that matter."""
    torch.manual_seed(0)
    encoder = make_encoder(name, in_dim, hidden, **options)
    with torch.no_grad():
        for parameter in encoder.parameters():
            if parameter.dim() < 2:
                parameter.copy_(torch.randn_like(parameter))
    return encoder


def mean_of_samples(sampler, operator, x, count):
    """What node 0 gets from an operator on average over ``count`` sampled neighbourhoods of one hop."""
    total = torch.zeros(x.shape[1])
    for seed in range(count):
        blocks = sampler.sample(np.array([0]), seed=seed)
        total += (getattr(blocks.layer(0, 1), operator) @ x[torch.from_numpy(blocks.nodes)])[0]
    return total / count
