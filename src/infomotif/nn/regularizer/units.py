"""Units: the columns of the representations that the loss has to look at.

After a few steps many units of a ReLU are 0 for every node. Nothing flows back through them, so the loss is computed
without their columns, with the same value and the same gradients of all parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

LANES = 16
"""Numbers of a vector register; the width is a multiple of it, where possible."""


_ROUTES = frozenset({"IndexBackward0", "IndexSelectBackward0", "SliceBackward0", "StackBackward0", "AmaxBackward0"})
"""Operations that pass the gradient of an entry on to where the entry came from; at a maximum of 0 that is a 0."""


def is_rectified(x: Tensor) -> bool:
    """Return whether gradients at the zeros of ``x`` are never used, because it is the result of a ReLU.

    Rows of such results and the maximum of several are so, too.

    An autograd function that ends in a ReLU says so in its forward by ``ctx.rectifies = True``.

    Example:
        >>> x = torch.randn(3, 2, requires_grad=True)
        >>> is_rectified(torch.relu(x)), is_rectified(x), is_rectified(torch.tanh(x))
        (True, False, False)
    """
    return _rectifies(x.grad_fn)


def _rectifies(node: Any) -> bool:
    if node is None:
        return False
    if node.name() in _ROUTES:
        # Indices have no source.
        return all(_rectifies(source) for source, _ in node.next_functions if source is not None)
    return node.name() == "ReluBackward0" or bool(getattr(node, "rectifies", False))


@dataclass(frozen=True)
class Units:
    """Columns of the representations, and the parameters and gradients that belong to them.

    Attributes:
        width: Number of all columns D.
        columns: The columns that are looked at, ascending, [d]; None stands for all of them.
    """

    width: int
    columns: Tensor | None = None

    @classmethod
    def used(cls, *sources: Tensor) -> Units:
        """Return the columns in which any of the non-negative ``sources`` [n, D] has a positive number.

        Example:
            >>> x = torch.zeros(2, 64)
            >>> x[1, [3, 40]] = 1.0
            >>> len(Units.used(x).columns)
            16
        """
        width = sources[0].shape[1]
        if any(len(source) == 0 for source in sources):
            return cls(width)
        tops = torch.stack([source.detach().amax(dim=0) for source in sources]).amax(dim=0)
        # Not "above 0": a column with a number that is not finite must stay.
        idle = tops <= 0
        count = width - int(idle.sum())
        padded = max(1, -(-count // LANES)) * LANES
        if padded >= width:
            return cls(width)
        # Idle columns fill the last register; they change nothing.
        order = torch.argsort(idle.to(torch.uint8), stable=True)
        return cls(width, order[:padded].sort().values)

    def take(self, source: Tensor) -> Tensor:
        """Return the columns of ``source`` [n, D], contiguous."""
        return source if self.columns is None else source.index_select(1, self.columns)

    def put(self, gradient: Tensor) -> Tensor:
        """Return the gradient [n, D] of a source from that of its columns; 0 elsewhere."""
        if self.columns is None:
            return gradient
        return gradient.new_zeros(len(gradient), self.width).index_copy_(1, self.columns, gradient)

    def vector(self, v: Tensor) -> Tensor:
        """Return the columns' entries of a vector, or of each of several joined ones, [m D] to [m d]."""
        return v if self.columns is None else v.view(-1, self.width).index_select(1, self.columns).flatten()

    def put_vector(self, gradient: Tensor) -> Tensor:
        """Return the gradient that belongs to :meth:`vector`."""
        if self.columns is None:
            return gradient
        return self.put(gradient.view(-1, len(self.columns))).flatten()

    def matrix(self, m: Tensor) -> Tensor:
        """Return the columns' rows and columns of a matrix [D, D]; of a diagonal one, their entries."""
        if self.columns is None:
            return m
        if m.dim() == 1:
            return self.vector(m)
        return m.index_select(0, self.columns).index_select(1, self.columns)

    def put_matrix(self, gradient: Tensor) -> Tensor:
        """Return the gradient that belongs to :meth:`matrix`."""
        if self.columns is None or gradient.dim() == 1:
            return self.put_vector(gradient)
        whole = gradient.new_zeros(self.width, self.width)
        return whole.index_copy_(0, self.columns, self.put(gradient))

    def idle_scores(self, scorer: Tensor) -> Tensor | None:
        """Return what summaries of idle columns, all sigmoid(0) = 1/2, add to the columns of W_d s, [d]."""
        if self.columns is None:
            return None
        return 0.5 * scorer.index_select(0, self.columns).index_select(1, self._others).sum(dim=1)

    def put_scorer(self, gradient: Tensor, total: Tensor) -> Tensor:
        """Return the gradient of W_d from that of its columns and from the sum over owners of that of W_d s."""
        whole = self.put_matrix(gradient)
        if self.columns is not None:
            whole[self.columns.unsqueeze(1), self._others] = 0.5 * total.unsqueeze(1)
        return whole

    @cached_property
    def _others(self) -> Tensor:
        keep = torch.ones(self.width, dtype=torch.bool)
        if self.columns is not None:
            keep[self.columns] = False
        return keep.nonzero().squeeze(1)
