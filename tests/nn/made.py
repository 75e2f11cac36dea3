"""Encoders as several tests want them."""

from __future__ import annotations

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
