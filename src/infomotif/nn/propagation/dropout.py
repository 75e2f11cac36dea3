"""Dropout: a compiled loop on the CPU, seeded by torch; torch's own elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from infomotif.nn import kernels
from infomotif.nn.propagation.sparse import SparseMatrix, run
from infomotif.typing import Array


def dropout(x: Tensor, rate: float, training: bool, numbers: Array | None = None) -> Tensor:
    """Set entries of ``x`` to 0 with a chance of ``rate`` and scale up the rest, while training.

    Args:
        x: The values, of any shape.
        rate: The chance.
        training: Whether to drop at all.
        numbers: Which rows of a larger matrix the rows of ``x`` are, [len(x)]: then the same entries are dropped as
            there. By default x is the whole.

    Example:
        >>> dropout(torch.ones(2, 3), 0.5, training=False).sum().item()
        6.0
    """
    if not _hashed(x, rate, training):
        return torch.dropout(x, rate, training)
    return _hashed_dropout(x, rate, _seed(), None if numbers is None else _row_places(x, numbers))


def rectified_dropout(x: Tensor, rate: float, training: bool, numbers: Array | None = None) -> Tensor:
    """Return the :func:`dropout` of max(x, 0), in one pass; the arguments are the same.

    Example:
        >>> rectified_dropout(torch.tensor([-1.0, 2.0]), 0.5, training=False).tolist()
        [0.0, 2.0]
    """
    if not _hashed(x, rate, training):
        return torch.dropout(F.relu(x), rate, training)
    return _rectified_dropout(x, rate, _seed(), None if numbers is None else _row_places(x, numbers))


def drop_inputs(
    x: Tensor | SparseMatrix, rate: float, training: bool, numbers: Array | None = None
) -> Tensor | SparseMatrix:
    """Apply dropout to input features; of sparse ones the entries that are stored.

    ``numbers`` is that of :func:`dropout`; a sparse matrix knows itself what it is a part of.
    """
    if not isinstance(x, SparseMatrix):
        return dropout(x, rate, training, numbers)
    if not training or not rate:
        return x
    if x.places is None or not _hashed(x.values, rate, training):
        return SparseMatrix(x.pattern, dropout(x.values, rate, training))
    return SparseMatrix(x.pattern, _hashed_dropout(x.values, rate, _seed(), (x.pattern.indptr, x.places)))


_Places = tuple[Array, Array]
"""Where runs of entries start, with the end of the last, and where in the larger matrix they start."""


def _hashed(x: Tensor, rate: float, training: bool) -> bool:
    return training and 0 < rate < 1 and x.device.type == "cpu" and x.dtype in (torch.float32, torch.float64)


def _seed() -> int:
    return int(torch.randint(2**62, ()))


def _row_places(x: Tensor, numbers: Array) -> _Places:
    width = x[0].numel() if len(x) else 0
    return np.arange(len(x) + 1) * width, numbers.astype(np.int64) * width


def _dropped(x: Tensor, rate: float, seed: int, places: _Places | None, rectify: bool = False) -> Tensor:
    x = x.detach().contiguous()
    out = torch.empty_like(x)
    flat = x.view(-1).numpy()
    if places is None:
        ptr = np.arange(0, len(flat) + kernels.DROP_BLOCK, kernels.DROP_BLOCK).clip(max=len(flat))
        places = ptr, ptr[:-1]
    threshold = np.uint32(min(round(rate * 2**32), 2**32 - 1))
    scale = flat.dtype.type(1 / (1 - rate))
    arrays = (*places, flat, out.view(-1).numpy(), rectify)
    run(kernels.drop_runs, len(places[1]), np.uint64(seed), threshold, scale, *arrays)
    return out


class _HashedDropout(torch.autograd.Function):
    """Dropout by the compiled loop; the seed drops the gradient likewise, so that no mask is kept."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, rate: float, seed: int, places: _Places | None) -> Tensor:
        ctx.how = rate, seed, places
        return _dropped(x, rate, seed, places)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None, None]:
        return _hashed_dropout(grads[0], *ctx.how), None, None, None


class _RectifiedDropout(torch.autograd.Function):
    """Dropout of max(x, 0); the result shows which gradients pass."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, rate: float, seed: int, places: _Places | None) -> Tensor:
        out = _dropped(x, rate, seed, places, rectify=True)
        ctx.rate = rate
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None, None]:
        (out,) = ctx.saved_tensors
        return _passed_gradient(grads[0], out, ctx.rate), None, None, None


class _PassedGradient(torch.autograd.Function):
    """A gradient scaled up where ``out`` is not 0, and 0 elsewhere: its own gradient passes likewise."""

    @staticmethod
    def forward(ctx: Any, grad: Tensor, out: Tensor, rate: float) -> Tensor:
        ctx.rate = rate
        ctx.save_for_backward(out)
        grad = grad.detach().contiguous()
        d_x = torch.empty_like(grad)
        arrays = (part.detach().view(-1).numpy() for part in (out, grad, d_x))
        blocks = -(-grad.numel() // kernels.DROP_BLOCK)
        run(kernels.rectify_backward, blocks, d_x.numpy().dtype.type(1 / (1 - rate)), *arrays)
        return d_x

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None]:
        (out,) = ctx.saved_tensors
        return _passed_gradient(grads[0], out, ctx.rate), None, None


_hashed_dropout: Callable[..., Tensor] = _HashedDropout.apply
_rectified_dropout: Callable[..., Tensor] = _RectifiedDropout.apply
_passed_gradient: Callable[..., Tensor] = _PassedGradient.apply
