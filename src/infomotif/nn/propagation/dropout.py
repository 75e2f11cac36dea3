"""Dropout: a compiled loop on the CPU, seeded by torch; torch's own elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from infomotif.nn import kernels
from infomotif.nn.propagation.sparse import SparseMatrix, run


def dropout(x: Tensor, rate: float, training: bool) -> Tensor:
    """Set entries of ``x`` to 0 with a chance of ``rate`` and scale up the rest, while training.

    Example:
        >>> dropout(torch.ones(2, 3), 0.5, training=False).sum().item()
        6.0
    """
    if not training or not 0 < rate < 1 or x.device.type != "cpu" or x.dtype not in (torch.float32, torch.float64):
        return torch.dropout(x, rate, training)
    return _hashed_dropout(x, rate, int(torch.randint(2**62, ())))


def drop_inputs(x: Tensor | SparseMatrix, rate: float, training: bool) -> Tensor | SparseMatrix:
    """Apply dropout to input features; of sparse ones the entries that are stored."""
    if not isinstance(x, SparseMatrix):
        return dropout(x, rate, training)
    return SparseMatrix(x.pattern, dropout(x.values, rate, training)) if training and rate else x


def _dropped(x: Tensor, rate: float, seed: int) -> Tensor:
    x = x.detach().contiguous()
    out = torch.empty_like(x)
    flat = x.view(-1).numpy()
    threshold = np.uint32(min(round(rate * 2**32), 2**32 - 1))
    blocks = -(-len(flat) // kernels.DROP_BLOCK)
    scale = flat.dtype.type(1 / (1 - rate))
    run(kernels.drop_entries, blocks, np.uint64(seed), threshold, scale, flat, out.view(-1).numpy())
    return out


class _HashedDropout(torch.autograd.Function):
    """Dropout by the compiled loop; the seed drops the gradient likewise, so that no mask is kept."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, rate: float, seed: int) -> Tensor:
        ctx.rate, ctx.seed = rate, seed
        return _dropped(x, rate, seed)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None]:
        return _hashed_dropout(grads[0], ctx.rate, ctx.seed), None, None


_hashed_dropout: Callable[..., Tensor] = _HashedDropout.apply
