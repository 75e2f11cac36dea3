"""The paper's formulas as printed: loops over nodes, instances and members; nothing shared, nothing factored out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

LEAK = 0.2


def gate(h_v: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """h^t_v = h_v * sigmoid(W_g h_v + b_g); a vector stands for a diagonal W_g."""
    matrix = weight if weight.dim() == 2 else torch.diag(weight)
    return h_v * torch.sigmoid(matrix @ h_v + bias)


def member_weights(gated: Sequence[Tensor], instance: Sequence[int], v: int, a: Tensor, additive: bool) -> Tensor:
    """alpha_u = softmax over the members of a . [h^t_u || h^t_v]; additive puts a LeakyReLU around the score."""
    scores = []
    for u in instance:
        score = a @ torch.cat([gated[u], gated[v]])
        scores.append(torch.where(score > 0, score, LEAK * score) if additive else score)
    exponentials = [torch.exp(score) for score in scores]
    return torch.stack(exponentials) / sum(exponentials)


def encode_instance(gated: Sequence[Tensor], instance: Sequence[int], v: int, a: Tensor, additive: bool) -> Tensor:
    """e_{v, I} = sum_u alpha_u h^t_u."""
    weights = member_weights(gated, instance, v, a, additive)
    total = torch.zeros_like(gated[v])
    for weight, u in zip(weights, instance, strict=True):
        total = total + weight * gated[u]
    return total


def readout(encoded: Sequence[Tensor]) -> Tensor:
    """s_{v, t} = sigmoid(sum_I e_{v, I} / |I_v|)."""
    total = torch.zeros_like(encoded[0])
    for e in encoded:
        total = total + e / len(encoded)
    return torch.sigmoid(total)


def probability(e: Tensor, s: Tensor, scorer: Tensor) -> Tensor:
    """D(e, s) = sigmoid(e . W_d s)."""
    return torch.sigmoid(e @ (scorer @ s))


def motif_attention(gated: Sequence[Tensor], p: Tensor) -> tuple[Tensor, Tensor]:
    """z_v = sum_t alpha_vt h^t_v with alpha_vt = softmax_t(p . h^t_v), from the T gated vectors of one node."""
    exponentials = [torch.exp(p @ g) for g in gated]
    alpha = torch.stack(exponentials) / sum(exponentials)
    z = torch.zeros_like(gated[0])
    for t, g in enumerate(gated):
        z = z + alpha[t] * g
    return z, alpha


def node_loss(
    v: int,
    observed: Sequence[Sequence[int]],
    negative: Sequence[Sequence[int]],
    gated: Sequence[Tensor],
    gated_negative: Sequence[Tensor],
    parameters: Sequence[Tensor],
    additive: bool,
) -> Tensor:
    """L^t(v) = -1/(2 Q) sum_i [log D(e_i, s_v) + log(1 - D(e~_i, s_v))]."""
    _, _, a, scorer = parameters
    encoded = [encode_instance(gated, instance, v, a, additive) for instance in observed]
    fakes = [encode_instance(gated_negative, instance, v, a, additive) for instance in negative]
    s = readout(encoded)
    total = torch.zeros((), dtype=s.dtype)
    for e, fake in zip(encoded, fakes, strict=True):
        total = total + torch.log(probability(e, s, scorer)) + torch.log(1 - probability(fake, s, scorer))
    return -total / (2 * len(encoded))


def loss(
    h: Tensor,
    corrupted: Tensor,
    nodes: Sequence[int],
    observed: Sequence[Any],
    negative: Sequence[Any],
    heads: Sequence[Sequence[Tensor]],
    alpha: Tensor,
    *,
    from_corrupted: bool,
    additive: bool,
) -> Tensor:
    """L_MI = 1/(n T) sum_t sum_v alpha_vt L^t(v); a node without instances of M_t adds nothing.

    Args:
        h: Representations [n, D].
        corrupted: Representations with permuted attributes [n, D].
        nodes: The nodes of the sum.
        observed: The sampled instances of each motif, by node.
        negative: The negative instances of each motif, by node.
        heads: W_g, b_g, a, W_d of each motif.
        alpha: Weights of nodes and motifs [n, T].
        from_corrupted: Whether negative members are represented by ``corrupted``.
        additive: Whether the score has a LeakyReLU.
    """
    total = torch.zeros((), dtype=h.dtype)
    for t, parameters in enumerate(heads):
        gated = [gate(row, parameters[0], parameters[1]) for row in h]
        fakes = [gate(row, parameters[0], parameters[1]) for row in corrupted] if from_corrupted else gated
        for i, v in enumerate(nodes):
            own = slice(int(observed[t].indptr[i]), int(observed[t].indptr[i + 1]))
            instances, others = observed[t].members[own].tolist(), negative[t].members[own].tolist()
            if instances:
                total = total + alpha[v, t] * node_loss(v, instances, others, gated, fakes, parameters, additive)
    return total / (len(nodes) * len(heads))
