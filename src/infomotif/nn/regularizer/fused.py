"""The InfoMax loss on the CPU: loss and gradients together in compiled loops, one motif at a time.

Only the units that any node uses are looked at (:mod:`.units`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from infomotif.nn import kernels
from infomotif.nn.propagation.sparse import run
from infomotif.nn.regularizer.loss import PARAMETERS_PER_MOTIF, LossTerms, MotifTerm
from infomotif.nn.regularizer.pairs import PairPlan
from infomotif.nn.regularizer.units import Units
from infomotif.typing import Array

MAX_SPREAD = 60.0
"""Scores at most this far apart have exponentials that float32 holds at full precision."""


class Workspace:
    """Buffers that steps reuse: fresh pages would cost as much as the sums written to them."""

    def __init__(self) -> None:
        self._buffers: dict[tuple[str, torch.dtype], Tensor] = {}

    def take(self, name: str, rows: int, width: int, dtype: torch.dtype) -> Tensor:
        """Return an uninitialised [rows, width] view of the buffer ``name``."""
        buffer = self._buffers.get((name, dtype))
        if buffer is None or buffer.numel() < rows * width:
            buffer = torch.empty(rows * width, dtype=dtype)
            self._buffers[name, dtype] = buffer
        return buffer[: rows * width].view(rows, width)


class FusedLoss(torch.autograd.Function):
    """The value of :func:`.composed_loss`; a scalar, so its gradients are computed in forward already."""

    @staticmethod
    def forward(
        ctx: Any, terms: LossTerms, workspace: Workspace, h: Tensor, corrupted: Tensor, *parameters: Tensor
    ) -> Tensor:
        """Compute the loss and keep the gradients of h, h~ and all parameters."""
        whole = (h.contiguous(), corrupted.contiguous())
        units = Units.used(*whole) if terms.rectified else Units(h.shape[1])
        sources = tuple(units.take(source) for source in whole)
        d_sources = tuple(torch.zeros_like(source) for source in sources)
        gradients: list[Tensor] = []
        total = 0.0
        for t, term in enumerate(terms.motifs):
            of_motif = parameters[PARAMETERS_PER_MOTIF * t : PARAMETERS_PER_MOTIF * (t + 1)]
            if term.observed.num_instances == 0:
                gradients += [torch.zeros_like(p) for p in of_motif]
                continue
            negative = int(term.corrupted)
            step = _MotifStep(term, terms.additive, workspace, (sources[0], sources[negative]), units, of_motif)
            total += step.forward()
            gradients += step.backward((d_sources[0], d_sources[negative]))
        ctx.gradients = [*(units.put(d_source) for d_source in d_sources), *gradients]
        return h.new_tensor(total)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Scale the gradients of forward; they stay unchanged, so that backward can be called again."""
        if float(grads[0]) == 1:
            return (None, None, *ctx.gradients)
        return (None, None, *(g * grads[0] for g in ctx.gradients))


fused_loss: Callable[..., Tensor] = FusedLoss.apply


class _Side:
    """The observed or the negative instances of one motif: gated rows, attention, and their gradients."""

    def __init__(self, plan: PairPlan, gated: Tensor, d_gated: Tensor, score: Array, a: Tensor, additive: bool) -> None:
        self.plan, self.gated, self.d_gated = plan, gated, d_gated
        self.score, self.a, self.additive = score, a, additive
        self.layout = (plan.inst_ptr, plan.slots, plan.pairs.indptr, plan.pairs.indices)
        width, pairs = gated.shape[1], len(plan.pairs.indices)
        self.member_a, self.owner_a = a[:width].contiguous(), a[width:]
        owners = len(plan.owners)
        self.owner_score = (gated[self._owner_rows()] @ self.owner_a).numpy() if additive else self._flat(owners)
        self.weight = np.empty(plan.slots.shape, dtype=score.dtype)
        self.mean, self.dot, self.d_pair = (self._flat(pairs) for _ in range(3))
        self.d_logit, self.d_owner = self._flat(plan.num_instances), self._flat(owners)
        self.d_score = self._flat(len(score))
        if additive or score.max(initial=-np.inf) - score.min(initial=np.inf) > MAX_SPREAD:
            arrays = (score, self.owner_score, additive, self.weight, self.mean)
            run(kernels.attend, plan.inst_ptr, *self.layout, *arrays)
        else:
            power = np.exp(score - score.max(initial=-np.inf))
            run(kernels.attend_by_exponentials, plan.inst_ptr, *self.layout, power, self.weight, self.mean)

    def summarise(self, out: Tensor) -> None:
        """Write the mean instance representation of each owner."""
        pairs = self.plan.pairs
        run(kernels.summarise, pairs.indptr, pairs.indptr, pairs.indices, self.mean, self.gated.numpy(), out.numpy())

    def discriminate(self, sign: float, scale: Tensor, q: Tensor, d_q: Tensor, loss: Array) -> None:
        """Add the loss of the instances and its gradient by q; keep those by logit and by pair."""
        arrays = (self.weight, scale.numpy(), sign, self.gated.numpy(), q.numpy(), d_q.numpy())
        results = (self.dot, self.d_logit, self.d_pair, loss)
        run(kernels.discriminate, self.plan.pairs.indptr, *self.layout, *arrays, *results)

    def backward(self, q: Tensor, d_summary: Tensor, with_readout: bool) -> Tensor:
        """Write the gradients of the gated rows and return that of the attention vector ``a``."""
        pairs = self.plan.pairs
        d_pair_score, d_mean = self._flat(len(pairs.indices)), self._flat(len(pairs.indices))
        arrays: tuple[Any, ...] = (
            self.score,
            self.owner_score,
            self.additive,
            self.weight,
            self.dot,
            self.d_logit,
            with_readout,
        )
        arrays += (self.gated.numpy(), d_summary.numpy(), d_mean, d_pair_score, self.d_owner)
        run(kernels.attend_backward, pairs.indptr, *self.layout, *arrays)
        arrays = (self.d_pair, q.numpy(), with_readout, self.mean, d_summary.numpy(), d_pair_score)
        arrays += (self.member_a.numpy(), self.d_gated.numpy(), self.d_score)
        run(kernels.scatter_pairs, pairs.transposed[0], *pairs.transposed, *arrays)
        d_a = torch.zeros_like(self.a)
        d_a[: len(self.member_a)] = self.gated.t() @ torch.from_numpy(self.d_score)
        if self.additive:
            rows, d_owner = self._owner_rows(), torch.from_numpy(self.d_owner)
            d_a[len(self.member_a) :] = self.gated[rows].t() @ d_owner
            self.d_gated.index_add_(0, rows, torch.outer(d_owner, self.owner_a))
        return d_a

    def _owner_rows(self) -> Tensor:
        return self.plan.index("owner_rows", self.gated.device)

    def _flat(self, length: int) -> Array:
        return np.empty(length, dtype=self.score.dtype)


class _MotifStep:
    """Loss and gradients of one motif; the gate runs once over the rows of both sides."""

    def __init__(
        self,
        term: MotifTerm,
        additive: bool,
        workspace: Workspace,
        sources: tuple[Tensor, Tensor],
        units: Units,
        parameters: tuple[Tensor, ...],
    ) -> None:
        self.term, self.workspace, self.units = term, workspace, units
        weight, bias, a, scorer = (p.detach() for p in parameters)
        self.weight, self.bias, self.scorer = units.matrix(weight), units.vector(bias), units.matrix(scorer)
        self.idle_scores, a = units.idle_scores(scorer), units.vector(a)
        self.width, self.dtype = sources[0].shape[1], sources[0].dtype
        self.plans = (term.observed, term.negative)
        self.first, self.owners = len(term.observed.rows), len(term.observed.owners)
        size = self.first + len(term.negative.rows)
        self.rows, self.gated, self.d_gated = (self._buffer(name, size) for name in ("rows", "gated", "d_gated"))
        for span, source, plan in zip(self._spans(), sources, self.plans, strict=True):
            torch.index_select(source, 0, plan.index("rows", source.device), out=self.rows[span])
        self.sigma = self._gate_input(self._buffer("sigma", size)).sigmoid_()
        score = np.empty(size, dtype=self.rows.numpy().dtype)
        member_a = a[: self.width].contiguous().numpy()
        run(kernels.gate_apply, size, self.rows.numpy(), self.sigma.numpy(), member_a, self.gated.numpy(), score)
        self.sides = [
            _Side(plan, self.gated[span], self.d_gated[span], score[span], a, additive)
            for span, plan in zip(self._spans(), self.plans, strict=True)
        ]

    def forward(self) -> float:
        """Return the loss; keep its gradients by q and by pair."""
        self.summary, self.q = self._buffer("summary", self.owners), self._buffer("q", self.owners)
        self.sides[0].summarise(self.summary)
        self.summary.sigmoid_()
        if self.idle_scores is None:
            torch.mm(self.summary, self.scorer.t(), out=self.q)
        else:
            torch.addmm(self.idle_scores, self.summary, self.scorer.t(), out=self.q)
        self.d_q = self._buffer("d_q", self.owners).zero_()
        loss = np.zeros(self.owners)
        for sign, side in zip((1.0, -1.0), self.sides, strict=True):
            side.discriminate(sign, self.term.scale, self.q, self.d_q, loss)
        return float(loss.sum())

    def backward(self, d_sources: tuple[Tensor, Tensor]) -> list[Tensor]:
        """Add the gradients of the representations; return those of gate, bias, attention and discriminator."""
        d_scorer = self.units.put_scorer(self.d_q.t() @ self.summary, self.d_q.sum(dim=0))
        d_summary = torch.mm(self.d_q, self.scorer, out=self._buffer("d_summary", self.owners))
        d_summary.mul_(self.summary).mul_(self.summary.neg_().add_(1))
        d_a = self.sides[0].backward(self.q, d_summary, with_readout=True)
        d_a += self.sides[1].backward(self.q, d_summary, with_readout=False)
        arrays = (self.rows.numpy(), self.sigma.numpy(), self.gated.numpy(), self.d_gated.numpy())
        run(kernels.gate_backward, len(self.rows), *arrays)
        d_bias, d_weight = self.units.put_vector(self.sigma.sum(dim=0)), self.units.put_matrix(self._gate_backward())
        for span, plan, d_source in zip(self._spans(), self.plans, d_sources, strict=True):
            run(kernels.add_rows, len(plan.rows), plan.rows, self.d_gated[span].numpy(), d_source.numpy())
        return [d_weight, d_bias, self.units.put_vector(d_a), d_scorer]

    def _gate_input(self, out: Tensor) -> Tensor:
        if self.weight.dim() == 2:
            return torch.addmm(self.bias, self.rows, self.weight.t(), out=out)
        return torch.addcmul(self.bias, self.rows, self.weight, out=out)

    def _gate_backward(self) -> Tensor:
        """Add the gradient through the gate to that of the rows; return the gradient of its weight."""
        if self.weight.dim() == 2:
            self.d_gated.addmm_(self.sigma, self.weight)
            return self.sigma.t() @ self.rows
        self.d_gated.addcmul_(self.sigma, self.weight)
        return self.rows.mul_(self.sigma).sum(dim=0)

    def _spans(self) -> tuple[slice, slice]:
        return slice(0, self.first), slice(self.first, None)

    def _buffer(self, name: str, rows: int) -> Tensor:
        return self.workspace.take(name, rows, self.width, self.dtype)
