"""Readouts by name: how a node's instances of a motif become one summary."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn

from infomotif.errors import unknown_name
from infomotif.nn.regularizer.loss import motif_summary
from infomotif.nn.regularizer.pairs import PairPlan

STEPS = 3
"""How often Set2Set looks at the whole set."""


class Readout(nn.Module):
    """Motif-level summary: s_v = sigmoid(mean of e over the node's sampled instances)."""

    def forward(self, plan: PairPlan, g: Tensor, weights: Tensor) -> Tensor:
        """Return the summaries of the plan's owners, [B, D]."""
        return torch.sigmoid(motif_summary(plan, g, weights))


class BatchReadout(nn.Module):
    """One summary for all nodes of a batch, the sigmoid of the mean of their means, as in the authors' code."""

    def forward(self, plan: PairPlan, g: Tensor, weights: Tensor) -> Tensor:
        """Return the same summary for all of the plan's owners, [B, D]."""
        mean = motif_summary(plan, g, weights).mean(dim=0, keepdim=True)
        return torch.sigmoid(mean).expand(len(plan.owners), -1)


class Set2Set(nn.Module):
    """Attention over a node's instances by an LSTM, in three steps (Vinyals et al., Order matters, ICLR 2016).

    In each step the LSTM makes a query from what it read last, and reads the mean of the instances weighted by
    softmax(e . query). A linear layer brings the last query and what it read, 2 D numbers, to width D; s_v is the
    sigmoid of that.

    Args:
        dim: Width D.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.query = nn.LSTMCell(2 * dim, dim)
        self.out = nn.Linear(2 * dim, dim)

    def forward(self, plan: PairPlan, g: Tensor, weights: Tensor) -> Tensor:
        """Return the summaries of the plan's owners, [B, D]."""
        instances, padding = _by_owner(plan, g, weights)
        owners, dim = len(instances), g.shape[1]
        read = g.new_zeros(owners, 2 * dim)
        state = (g.new_zeros(owners, dim), g.new_zeros(owners, dim))
        for _ in range(STEPS):
            state = self.query(read, state)
            scores = torch.bmm(instances, state[0].unsqueeze(2)).squeeze(2)
            attention = scores.masked_fill(padding, -torch.inf).softmax(dim=1)
            read = torch.cat([state[0], torch.bmm(attention.unsqueeze(1), instances).squeeze(1)], dim=1)
        return torch.sigmoid(self.out(read))


def _by_owner(plan: PairPlan, g: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
    """Return the instances of each owner, [B, Q, D], and which of them only fill up the rows, [B, Q]."""
    members = plan.member_rows(g.device)
    encoded = weights[:, :1] * g[members[:, 0]]
    for k in range(1, members.shape[1]):
        encoded = torch.addcmul(encoded, weights[:, k : k + 1], g[members[:, k]])
    count = np.diff(plan.inst_ptr)[:, None]
    position = np.arange(count.max())[None, :]
    instance = np.minimum(plan.inst_ptr[:-1, None] + position, plan.num_instances - 1)
    rows, padding = (torch.from_numpy(array).to(g.device) for array in (instance.astype(np.int64), position >= count))
    return encoded[rows], padding


READOUTS: dict[str, Callable[[int], nn.Module]] = {
    "mean": lambda dim: Readout(),
    "set2set": Set2Set,
    "batch": lambda dim: BatchReadout(),
}


def make_readout(name: str, dim: int) -> nn.Module:
    """Return the readout with this name.

    Example:
        >>> type(make_readout("set2set", 8)).__name__
        'Set2Set'
    """
    if name not in READOUTS:
        raise unknown_name("readout", name, READOUTS)
    return READOUTS[name](dim)
