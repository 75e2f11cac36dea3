"""Dropout: torch's, or for large tensors on the CPU a compiled loop, several times as fast and seeded by torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from infomotif.nn import kernels
from infomotif.nn.propagation.sparse import SparseMatrix, run

MIN_SIZE = 1 << 22
"""Tensors with at least this many entries are dropped by the compiled loop."""


def dropout(x: Tensor, rate: float, training: bool, *, min_size: int = MIN_SIZE) -> Tensor:
    """Set entries of ``x`` [n, ...] to 0 with a chance of ``rate`` and scale up the rest, while training.

    Args:
        x: The tensor.
        rate: Chance of an entry to be dropped.
        training: Whether anything is dropped.
        min_size: Tensors on the CPU with at least this many entries go through the compiled loop.

    Example:
        >>> dropout(torch.ones(2, 3), 0.5, training=False).sum().item()
        6.0
    """
    compiled = x.numel() >= min_size and x.device.type == "cpu" and x.dtype in (torch.float32, torch.float64)
    if not compiled or not training or not 0 < rate < 1:
        return torch.dropout(x, rate, training)
    return _large_dropout(x, rate, int(torch.randint(2**62, ())))


def drop_inputs(x: Tensor | SparseMatrix, rate: float, training: bool) -> Tensor | SparseMatrix:
    """Apply dropout to input features, which may be sparse."""
    return x.dropout(rate, training) if isinstance(x, SparseMatrix) else dropout(x, rate, training)


def _dropped(x: Tensor, rate: float, seed: int) -> Tensor:
    x = x.detach().contiguous()
    out = torch.empty_like(x)
    rows = (len(x), -1)
    arrays = (x.view(rows).numpy(), out.view(rows).numpy())
    run(kernels.drop_entries, len(x), np.uint64(seed), np.uint64(round(rate * 65536)), 1 / (1 - rate), *arrays)
    return out


class _LargeDropout(torch.autograd.Function):
    """Dropout of large tensors; the seed drops the gradient likewise, so that no mask is kept."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, rate: float, seed: int) -> Tensor:
        ctx.rate, ctx.seed = rate, seed
        return _dropped(x, rate, seed)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None]:
        return _large_dropout(grads[0], ctx.rate, ctx.seed), None, None


_large_dropout: Callable[..., Tensor] = _LargeDropout.apply
