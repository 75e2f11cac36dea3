"""The motif InfoMax loss, term by term.

For motif t, owner v with sampled instances I (Q_v of them) and weight alpha_vt:

    g = h * sigmoid(W_g h + b)                          gate
    w_u = softmax_u(a . [g_u || g_v]), e_I = sum w_u g_u  instance encoder
    s_v = sigmoid(mean_I e_I)                           readout
    D(e, s) = e . W_d s                                 discriminator, as a logit
    L = 1/(n T) sum_v alpha_vt 1/(2 Q_v) sum_I [softplus(-D(e_I, s_v)) + softplus(D(e~_I, s_v))]

:func:`composed_loss` writes this with differentiable sparse operations and runs on any device and with any instance
encoder and readout; on the CPU :mod:`infomotif.nn.regularizer.fused` computes the above faster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from infomotif.nn import kernels
from infomotif.nn.propagation.sparse import pair_dots, weighted_sum
from infomotif.nn.regularizer.pairs import PairPlan

if TYPE_CHECKING:
    from infomotif.nn.regularizer.regularizer import MotifHead

PARAMETERS_PER_MOTIF = 4
"""W_g, b, a and W_d."""


@dataclass(frozen=True)
class MotifTerm:
    """The part of one motif in the loss.

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
    """The terms of all motifs.

    Attributes:
        motifs: One term per motif.
        additive: Whether the attention over members is additive.
        rectified: Whether h and h~ are results of a ReLU, so that gradients at their zeros are not used.
    """

    motifs: tuple[MotifTerm, ...]
    additive: bool = False
    rectified: bool = False


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
        owner_score = (g[plan.index("owner_rows", g.device)] @ a[width:])[owner][slots]
        score = F.leaky_relu(score + owner_score, kernels.LEAK)
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


def composed_loss(terms: LossTerms, h: Tensor, corrupted: Tensor, heads: Sequence[MotifHead]) -> Tensor:
    """Return the loss by differentiable operations of the motifs' parts; never builds instances x members x D."""
    total = h.new_zeros(())
    for term, head in zip(terms.motifs, heads, strict=True):
        if term.observed.num_instances == 0:
            continue
        source = corrupted if term.corrupted else h
        gated = head.gate(h[term.observed.index("rows", h.device)])
        gated_negative = head.gate(source[term.negative.index("rows", h.device)])
        observed = head.encoder.encode(term.observed, gated)
        negative = head.encoder.encode(term.negative, gated_negative)
        summaries = head.readout(*observed)
        for encoded, sign in ((observed, -1), (negative, 1)):
            count = torch.from_numpy(np.diff(encoded.plan.inst_ptr).astype(np.int64)).to(h.device)
            factor = (term.scale / (2 * count.to(h.dtype))).repeat_interleave(count)
            x_logit = sign * head.discriminator(*encoded, summaries)
            total = total + (factor * (x_logit.clamp(min=0) + torch.log1p(torch.exp(-x_logit.abs())))).sum()
    return total
