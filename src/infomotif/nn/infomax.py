"""The motif InfoMax loss: one formula, computed two ways.

For motif t, owner v with sampled instances I (Q_v of them) and weight alpha_vt:

    g = h * sigmoid(W_g h + b)                          gate
    w_u = softmax_u(a . [g_u || g_v]), e_I = sum w_u g_u  instance encoder
    s_v = sigmoid(mean_I e_I)                           readout
    D(e, s) = e . W_d s                                 discriminator, as a logit
    L = 1/(n T) sum_v alpha_vt 1/(2 Q_v) sum_I [softplus(-D(e_I, s_v)) + softplus(D(e~_I, s_v))]

:func:`composed_loss` writes this with differentiable sparse operations and runs on any device.
:class:`FusedLoss` computes loss and gradients together in compiled loops, one motif at a time, on the CPU.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import once_differentiable

from infomotif.nn import kernels
from infomotif.nn.pairs import PairPlan
from infomotif.nn.sparse import pair_dots, run, weighted_sum

PARAMETERS_A_MOTIF = 4


class Workspace:
    """Buffers that one step leaves for the next: fresh pages would cost as much as the sums written to them."""

    def __init__(self) -> None:
        self._buffers: dict[tuple[str, torch.dtype], Tensor] = {}

    def take(self, name: str, rows: int, width: int, dtype: torch.dtype) -> Tensor:
        """Return an uninitialised [rows, width] view of the buffer ``name``."""
        buffer = self._buffers.get((name, dtype))
        if buffer is None or buffer.numel() < rows * width:
            buffer = torch.empty(rows * width, dtype=dtype)
            self._buffers[name, dtype] = buffer
        return buffer[: rows * width].view(rows, width)


@dataclass(frozen=True)
class MotifTerm:
    """What one motif contributes to the loss.

    Attributes:
        observed: The sampled instances.
        negative: The negative instances, for the same owners in the same order.
        corrupted: Whether the negatives' members are taken from the corrupted representations h~ (else from h).
        scale: Weight of each owner's mean loss, alpha_vt / (n T), [B].
    """

    observed: PairPlan
    negative: PairPlan
    corrupted: bool
    scale: Tensor


@dataclass(frozen=True)
class LossTerms:
    """All motifs' terms, and how instance members are attended to."""

    motifs: tuple[MotifTerm, ...]
    additive: bool = False
    workspace: Workspace = field(default_factory=Workspace)


def gate_input(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """Return W x + b; a one-dimensional ``weight`` is the diagonal of W."""
    return F.linear(x, weight, bias) if weight.dim() == 2 else torch.addcmul(bias, x, weight)


def attention_weights(plan: PairPlan, g: Tensor, a: Tensor, additive: bool) -> Tensor:
    """Return the weight of each member in each instance, softmax over members, [I, k].

    As written in the paper the part of ``a`` that meets g_v adds the same to every member and cancels out.
    """
    _, members = plan.pairs.rows_and_columns(g.device)
    slots = plan.index("slots", g.device)
    width = g.shape[1]
    score = (g @ a[:width])[members][slots]
    if additive:
        owner, _ = plan.pairs.rows_and_columns(g.device)
        own = (g[plan.index("owner_rows", g.device)] @ a[width:])[owner][slots]
        score = F.leaky_relu(score + own, kernels.LEAK)
    return score.softmax(dim=1)


def motif_summary(plan: PairPlan, g: Tensor, weights: Tensor) -> Tensor:
    """Return the mean instance representation of each owner, before the sigmoid, [B, D]."""
    count = torch.from_numpy(np.diff(plan.inst_ptr).astype(np.int64)).to(g.device)
    share = (1.0 / count.to(g.dtype)).repeat_interleave(count)
    mean = g.new_zeros(len(plan.pairs.indices))
    slots = plan.index("slots", g.device).flatten()
    mean = mean.index_add(0, slots, (weights * share.unsqueeze(1)).flatten())
    return weighted_sum(plan.pairs, mean.unsqueeze(1), g.unsqueeze(1)).squeeze(1)


def instance_logits(plan: PairPlan, g: Tensor, weights: Tensor, q: Tensor) -> Tensor:
    """Return the discriminator's logit of each instance, e_I . q_owner, [I]."""
    dots = pair_dots(plan.pairs, q.unsqueeze(1), g.unsqueeze(1)).squeeze(1)
    return (weights * dots[plan.index("slots", g.device)]).sum(dim=1)


def composed_loss(terms: LossTerms, h: Tensor, corrupted: Tensor, parameters: list[Tensor]) -> Tensor:
    """Return the loss by differentiable sparse operations; never builds instances x members x D."""
    total = h.new_zeros(())
    for t, term in enumerate(terms.motifs):
        weight, bias, a, scorer = parameters[PARAMETERS_A_MOTIF * t : PARAMETERS_A_MOTIF * (t + 1)]
        if term.observed.num_instances == 0:
            continue
        rows = h[term.observed.index("rows", h.device)]
        source = corrupted if term.corrupted else h
        others = source[term.negative.index("rows", h.device)]
        g, g_negative = (x * torch.sigmoid(gate_input(x, weight, bias)) for x in (rows, others))
        weights = attention_weights(term.observed, g, a, terms.additive)
        weights_negative = attention_weights(term.negative, g_negative, a, terms.additive)
        s = torch.sigmoid(motif_summary(term.observed, g, weights))
        q = F.linear(s, scorer)
        for plan, x, w, sign in (
            (term.observed, g, weights, -1),
            (term.negative, g_negative, weights_negative, 1),
        ):
            count = torch.from_numpy(np.diff(plan.inst_ptr).astype(np.int64)).to(h.device)
            factor = (term.scale / (2 * count.to(h.dtype))).repeat_interleave(count)
            x_logit = sign * instance_logits(plan, x, w, q)
            total = total + (factor * (x_logit.clamp(min=0) + torch.log1p(torch.exp(-x_logit.abs())))).sum()
    return total


class FusedLoss(torch.autograd.Function):
    """The same loss on the CPU; because it is a scalar, its gradients are computed in the forward pass."""

    @staticmethod
    def forward(ctx: Any, terms: LossTerms, h: Tensor, corrupted: Tensor, *parameters: Tensor) -> Tensor:
        """Compute the loss and keep the gradients of h, h~ and all parameters."""
        h, corrupted = h.contiguous(), corrupted.contiguous()
        d_h, d_corrupted = torch.zeros_like(h), torch.zeros_like(corrupted)
        gradients: list[Tensor] = []
        total = 0.0
        for t, term in enumerate(terms.motifs):
            own = parameters[PARAMETERS_A_MOTIF * t : PARAMETERS_A_MOTIF * (t + 1)]
            if term.observed.num_instances == 0:
                gradients += [torch.zeros_like(p) for p in own]
                continue
            source, d_source = (corrupted, d_corrupted) if term.corrupted else (h, d_h)
            loss, d_own = _fused_motif(terms, term, h, source, d_h, d_source, own)
            total += loss
            gradients += d_own
        ctx.gradients = [d_h, d_corrupted, *gradients]
        return h.new_tensor(total)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        """Scale the gradients that forward computed; they stay as they are, should backward be called again."""
        return (None, *(g * grads[0] for g in ctx.gradients))


fused_loss: Callable[..., Tensor] = FusedLoss.apply


def _fused_motif(
    terms: LossTerms,
    term: MotifTerm,
    h: Tensor,
    source: Tensor,
    d_h: Tensor,
    d_source: Tensor,
    parameters: tuple[Tensor, ...],
) -> tuple[float, list[Tensor]]:
    """Return one motif's loss and its parameters' gradients; add those of the representations in place."""
    weight, bias, a, scorer = (p.detach() for p in parameters)
    width, dtype, additive = h.shape[1], h.dtype, terms.additive
    plans = (term.observed, term.negative)
    first = len(plans[0].rows)
    size, owners = first + len(plans[1].rows), len(plans[0].owners)

    def buffer(name: str, rows: int) -> Tensor:
        return terms.workspace.take(name, rows, width, dtype)

    def flat(length: int) -> Any:
        return np.empty(length, dtype=h.numpy().dtype)

    members = buffer("members", size)
    torch.index_select(h, 0, plans[0].index("rows", h.device), out=members[:first])
    torch.index_select(source, 0, plans[1].index("rows", h.device), out=members[first:])
    sigma = buffer("sigma", size)
    if weight.dim() == 2:
        torch.addmm(bias, members, weight.t(), out=sigma).sigmoid_()
    else:
        torch.addcmul(bias, members, weight, out=sigma).sigmoid_()
    gated, d_gated, score = buffer("gated", size), buffer("d_gated", size), flat(size)
    run(kernels.gate_apply, size, members.numpy(), sigma.numpy(), a[:width].contiguous().numpy(), gated.numpy(), score)
    parts = [gated[:first], gated[first:]]
    scores = [score[:first], score[first:]]
    own = [
        (part[plan.index("owner_rows", h.device)] @ a[width:]).numpy() if additive else flat(owners)
        for part, plan in zip(parts, plans, strict=True)
    ]
    weights, means = [], []
    for i, plan in enumerate(plans):
        weights.append(np.empty(plan.slots.shape, dtype=score.dtype))
        means.append(flat(len(plan.pairs.indices)))
        pattern = (plan.inst_ptr, plan.slots, plan.pairs.indptr, plan.pairs.indices)
        run(kernels.attend, plan.inst_ptr, *pattern, scores[i], own[i], additive, weights[i], means[i])

    summary = buffer("summary", owners)
    observed = plans[0].pairs
    run(kernels.spmm, observed.indptr, observed.indptr, observed.indices, means[0], parts[0].numpy(), summary.numpy())
    summary.sigmoid_()
    q = torch.mm(summary, scorer.t(), out=buffer("q", owners))
    d_q = buffer("d_q", owners).zero_()
    loss = np.zeros(owners)
    dots, d_logits, d_pairs = [], [], []
    for i, plan in enumerate(plans):
        dots.append(flat(len(plan.pairs.indices)))
        d_pairs.append(flat(len(plan.pairs.indices)))
        d_logits.append(flat(plan.num_instances))
        pattern = (plan.inst_ptr, plan.slots, plan.pairs.indptr, plan.pairs.indices)
        arrays: tuple[Any, ...] = (
            weights[i],
            term.scale.numpy(),
            1.0 - 2.0 * i,
            parts[i].numpy(),
            q.numpy(),
            d_q.numpy(),
        )
        run(kernels.discriminate, plan.pairs.indptr, *pattern, *arrays, dots[i], d_logits[i], d_pairs[i], loss)

    d_scorer = d_q.t() @ summary
    d_summary = torch.mm(d_q, scorer, out=buffer("d_summary", owners))
    d_summary.mul_(summary).mul_(summary.neg_().add_(1))
    d_own, d_total = [], flat(size)
    for i, plan in enumerate(plans):
        d_score, d_mean = flat(len(plan.pairs.indices)), flat(len(plan.pairs.indices))
        d_own.append(flat(owners))
        pattern = (plan.inst_ptr, plan.slots, plan.pairs.indptr, plan.pairs.indices)
        arrays = (scores[i], own[i], additive, weights[i], dots[i], d_logits[i], i == 0, parts[i].numpy())
        run(kernels.attend_backward, plan.pairs.indptr, *pattern, *arrays, d_summary.numpy(), d_mean, d_score, d_own[i])
        t_ptr, t_row, t_entry = plan.pairs.transposed
        span = slice(0, first) if i == 0 else slice(first, size)
        arrays = (d_pairs[i], q.numpy(), i == 0, means[i], d_summary.numpy(), d_score, a[:width].contiguous().numpy())
        run(kernels.scatter_pairs, t_ptr, t_ptr, t_row, t_entry, *arrays, d_gated[span].numpy(), d_total[span])
    d_a = torch.zeros_like(a)
    d_a[:width] = gated.t() @ torch.from_numpy(d_total)
    if additive:
        for i, plan in enumerate(plans):
            index, d = plan.index("owner_rows", h.device), torch.from_numpy(d_own[i])
            d_a[width:] += parts[i][index].t() @ d
            (d_gated[:first] if i == 0 else d_gated[first:]).index_add_(0, index, torch.outer(d, a[width:]))

    run(kernels.gate_backward, size, members.numpy(), sigma.numpy(), gated.numpy(), d_gated.numpy())
    d_bias = sigma.sum(dim=0)
    if weight.dim() == 2:
        d_weight = sigma.t() @ members
        d_gated.addmm_(sigma, weight)
    else:
        d_weight = members.mul_(sigma).sum(dim=0)
        d_gated.addcmul_(sigma, weight)
    run(kernels.add_rows, first, plans[0].rows, d_gated[:first].numpy(), d_h.numpy())
    run(kernels.add_rows, size - first, plans[1].rows, d_gated[first:].numpy(), d_source.numpy())
    return float(loss.sum()), [d_weight, d_bias, d_a, d_scorer]
