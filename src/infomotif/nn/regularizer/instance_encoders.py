"""Instance encoders by name: how the members of an instance become one representation."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor, nn

from infomotif.errors import unknown_name
from infomotif.nn.regularizer.loss import attention_weights
from infomotif.nn.regularizer.pairs import PairPlan

ATTENTIONS = ("concat", "additive")


class Encoded(NamedTuple):
    """Instances whose representations are weighted sums of rows: e_I = sum_u w_u g_u.

    Attributes:
        plan: Which rows belong to which instance, and instances to owners.
        g: The rows, [R, D].
        weights: The weight of each row in each instance, [I, k].
    """

    plan: PairPlan
    g: Tensor
    weights: Tensor


class InstanceEncoder(nn.Module):
    """Attention over an instance's members: e = sum_u w_u h^t_u, w = softmax_u(a . [h^t_u || h^t_v]).

    As written, the part of ``a`` that meets h^t_v is the same for all members and cancels out of the softmax, so it is
    not computed and gets no gradient. With ``attention="additive"`` a LeakyReLU inside keeps v in.
    """

    weighted: ClassVar[bool] = True
    """Whether the representation is a weighted sum of the members', by weights that :meth:`vector` decides."""

    def __init__(self, dim: int, attention: str = "concat") -> None:
        super().__init__()
        if attention not in ATTENTIONS:
            raise unknown_name("attention", attention, ATTENTIONS)
        self.additive = attention == "additive"
        self.weight = nn.Parameter(torch.empty(1, 2 * dim))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, plan: PairPlan, g: Tensor) -> Tensor:
        """Return the weight of each member of each instance, [I, k], from gated rows [R, D]."""
        return attention_weights(plan, g, self.weight[0], self.additive)

    def encode(self, plan: PairPlan, g: Tensor) -> Encoded:
        """Return the representations of the instances of a plan, from gated rows [R, D]."""
        return Encoded(plan, g, self(plan, g))

    def vector(self) -> Tensor:
        """Return the vector ``a`` [2 D] that weighs the members."""
        return self.weight[0]


class MeanInstanceEncoder(nn.Module):
    """The mean of an instance's members: e = 1/k sum_u h^t_u. It has no parameters."""

    weighted: ClassVar[bool] = True
    additive = False

    def __init__(self, dim: int) -> None:
        super().__init__()
        # Attention by a vector of zeros is the mean; not a part of a saved model.
        self.register_buffer("_zeros", torch.zeros(2 * dim), persistent=False)

    def forward(self, plan: PairPlan, g: Tensor) -> Tensor:
        """Return the weight of each member of each instance, 1/k, [I, k]."""
        count, size = plan.slots.shape
        return g.new_full((count, size), 1 / size)

    def encode(self, plan: PairPlan, g: Tensor) -> Encoded:
        """Return the representations of the instances of a plan, from gated rows [R, D]."""
        return Encoded(plan, g, self(plan, g))

    def vector(self) -> Tensor:
        """Return a vector that weighs all members alike, [2 D]."""
        return self.get_buffer("_zeros")


class MaxInstanceEncoder(nn.Module):
    """The largest value of each unit over an instance's members: e_d = max_u h^t_ud. It has no parameters."""

    weighted: ClassVar[bool] = False
    additive = False

    def __init__(self, dim: int) -> None:
        super().__init__()

    @torch.no_grad()
    def forward(self, plan: PairPlan, g: Tensor) -> Tensor:
        """Return the share of the units in which each member is the largest, [I, k]; it carries no gradient."""
        members = plan.member_rows(g.device)
        largest = self._largest(members, g)
        wins = torch.stack([(g[column] == largest).to(g.dtype) for column in members.T], dim=1)
        return (wins / wins.sum(dim=1, keepdim=True)).mean(dim=2)

    def encode(self, plan: PairPlan, g: Tensor) -> Encoded:
        """Return the representations of the instances of a plan, from gated rows [R, D]."""
        largest = self._largest(plan.member_rows(g.device), g)
        return Encoded(plan.of_instances(), largest, g.new_ones(plan.num_instances, 1))

    def vector(self) -> Tensor:
        """Refuse: no vector weighs the members."""
        raise NotImplementedError

    @staticmethod
    def _largest(members: Tensor, g: Tensor) -> Tensor:
        # One member after the other, so that no array grows with instances x members x D.
        largest = g[members[:, 0]]
        for column in members.T[1:]:
            largest = torch.maximum(largest, g[column])
        return largest


AnyInstanceEncoder = InstanceEncoder | MeanInstanceEncoder | MaxInstanceEncoder

INSTANCE_ENCODERS: dict[str, Callable[[int, str], AnyInstanceEncoder]] = {
    "attention": InstanceEncoder,
    "mean": lambda dim, attention: MeanInstanceEncoder(dim),
    "max": lambda dim, attention: MaxInstanceEncoder(dim),
}


def make_instance_encoder(name: str, dim: int, attention: str = "concat") -> AnyInstanceEncoder:
    """Return the instance encoder with this name; ``attention`` is the kind of attention, if it has any.

    Example:
        >>> sum(p.numel() for p in make_instance_encoder("mean", 8).parameters())
        0
    """
    if name not in INSTANCE_ENCODERS:
        raise unknown_name("instance_encoder", name, INSTANCE_ENCODERS)
    return INSTANCE_ENCODERS[name](dim, attention)
