"""The compiled per-instance work of the InfoMax loss.

A *pair* is a node together with one member of its sampled instances; ``ptr`` [B + 1] and ``col`` [P] hold the pairs of
each owner, ``inst_ptr`` [B + 1] its instances and ``slots`` [I, k] the pair of each member of an instance.
"""

from __future__ import annotations

import math

import numpy as np

from infomotif._core.parallel import kernel
from infomotif.typing import Array

LEAK = 0.2


@kernel
def pair_counts(indptr: Array, members: Array, local: Array, num_rows: int) -> Array:
    """Count the distinct members over each owner's instances [B]."""
    seen = np.full(num_rows, -1, dtype=np.int64)
    count = np.zeros(len(indptr) - 1, dtype=np.int64)
    for b in range(len(indptr) - 1):
        for i in range(indptr[b], indptr[b + 1]):
            for m in range(members.shape[1]):
                u = local[members[i, m]]
                if seen[u] != b:
                    seen[u] = b
                    count[b] += 1
    return count


@kernel
def pair_slots(
    indptr: Array, members: Array, local: Array, num_rows: int, ptr: Array, col: Array, slots: Array
) -> None:
    """Write the member of each pair and the pair of each instance member."""
    seen = np.full(num_rows, -1, dtype=np.int64)
    where = np.empty(num_rows, dtype=np.int64)
    for b in range(len(indptr) - 1):
        fill = ptr[b]
        for i in range(indptr[b], indptr[b + 1]):
            for m in range(members.shape[1]):
                u = local[members[i, m]]
                if seen[u] != b:
                    seen[u] = b
                    where[u] = fill
                    col[fill] = u
                    fill += 1
                slots[i, m] = where[u]


@kernel
def gate_apply(lo: int, hi: int, h: Array, sig: Array, a: Array, g: Array, score: Array) -> None:
    """Write gated rows ``g = h * sig`` and their attention scores ``a . g``."""
    width = h.shape[1]
    for v in range(lo, hi):
        total = h[v, 0] * sig[v, 0] * a[0]
        g[v, 0] = h[v, 0] * sig[v, 0]
        for j in range(1, width):
            g[v, j] = h[v, j] * sig[v, j]
            total += g[v, j] * a[j]
        score[v] = total


@kernel
def gate_backward(lo: int, hi: int, h: Array, sig: Array, g: Array, dg: Array) -> None:
    """Turn ``dg`` into ``dh`` (through the product) and ``sig`` into the gradient of its pre-activation."""
    width = h.shape[1]
    for v in range(lo, hi):
        for j in range(width):
            through = dg[v, j] * sig[v, j]
            sig[v, j] = through * (h[v, j] - g[v, j])
            dg[v, j] = through


@kernel
def attend(
    lo: int,
    hi: int,
    inst_ptr: Array,
    slots: Array,
    ptr: Array,
    col: Array,
    score: Array,
    owner_score: Array,
    additive: bool,
    weight: Array,
    mean: Array,
) -> None:
    """Write the softmax weight of each instance member and their mean by pair (the readout's weights)."""
    size = slots.shape[1]
    for b in range(lo, hi):
        for p in range(ptr[b], ptr[b + 1]):
            mean[p] = 0
        share = 1.0 / max(1, inst_ptr[b + 1] - inst_ptr[b])
        for i in range(inst_ptr[b], inst_ptr[b + 1]):
            top = -np.inf
            for m in range(size):
                x = score[col[slots[i, m]]]
                if additive:
                    x += owner_score[b]
                    x = x if x > 0 else LEAK * x
                weight[i, m] = x
                top = max(top, x)
            total = 0.0
            for m in range(size):
                e = math.exp(weight[i, m] - top)
                weight[i, m] = e
                total += e
            for m in range(size):
                weight[i, m] /= total
                mean[slots[i, m]] += weight[i, m] * share


@kernel
def discriminate(
    lo: int,
    hi: int,
    inst_ptr: Array,
    slots: Array,
    ptr: Array,
    col: Array,
    weight: Array,
    scale: Array,
    sign: float,
    g: Array,
    q: Array,
    dq: Array,
    dot: Array,
    dlogit: Array,
    dpair: Array,
    loss: Array,
) -> None:
    """Score instances, add their loss, and write the gradients by logit, by pair and (added) by ``q``.

    ``sign`` is 1 for observed instances and -1 for negative ones; ``scale`` is the weight of each owner's mean loss.
    """
    width = g.shape[1]
    size = slots.shape[1]
    for b in range(lo, hi):
        count = inst_ptr[b + 1] - inst_ptr[b]
        if count == 0:
            continue
        for p in range(ptr[b], ptr[b + 1]):
            u = col[p]
            total = g[u, 0] * q[b, 0]
            for j in range(1, width):
                total += g[u, j] * q[b, j]
            dot[p] = total
            dpair[p] = 0
        factor = scale[b] / (2.0 * count)
        for i in range(inst_ptr[b], inst_ptr[b + 1]):
            logit = 0.0
            for m in range(size):
                logit += weight[i, m] * dot[slots[i, m]]
            x = -sign * logit
            e = math.exp(-abs(x))
            loss[b] += factor * (max(x, 0.0) + math.log1p(e))
            slope = 1.0 / (1.0 + e) if x >= 0 else e / (1.0 + e)
            dlogit[i] = -sign * factor * slope
            for m in range(size):
                dpair[slots[i, m]] += dlogit[i] * weight[i, m]
        for p in range(ptr[b], ptr[b + 1]):
            w = dpair[p]
            u = col[p]
            for j in range(width):
                dq[b, j] += w * g[u, j]


@kernel
def attend_backward(
    lo: int,
    hi: int,
    inst_ptr: Array,
    slots: Array,
    ptr: Array,
    col: Array,
    score: Array,
    owner_score: Array,
    additive: bool,
    weight: Array,
    dot: Array,
    dlogit: Array,
    with_readout: bool,
    g: Array,
    dreadout: Array,
    dmean: Array,
    dscore: Array,
    d_owner: Array,
) -> None:
    """Write the gradients of the attention scores by pair, and of the owner's score if additive."""
    width = g.shape[1]
    size = slots.shape[1]
    for b in range(lo, hi):
        d_owner[b] = 0
        for p in range(ptr[b], ptr[b + 1]):
            dscore[p] = 0
            if with_readout:
                u = col[p]
                total = g[u, 0] * dreadout[b, 0]
                for j in range(1, width):
                    total += g[u, j] * dreadout[b, j]
                dmean[p] = total
            else:
                dmean[p] = 0
        share = 1.0 / max(1, inst_ptr[b + 1] - inst_ptr[b])
        for i in range(inst_ptr[b], inst_ptr[b + 1]):
            centre = 0.0
            for m in range(size):
                p = slots[i, m]
                centre += weight[i, m] * (dmean[p] * share + dlogit[i] * dot[p])
            for m in range(size):
                p = slots[i, m]
                d = weight[i, m] * (dmean[p] * share + dlogit[i] * dot[p] - centre)
                if additive:
                    if score[col[p]] + owner_score[b] <= 0:
                        d *= LEAK
                    d_owner[b] += d
                dscore[p] += d


@kernel
def scatter_pairs(
    lo: int,
    hi: int,
    t_ptr: Array,
    t_row: Array,
    t_entry: Array,
    dpair: Array,
    q: Array,
    with_readout: bool,
    mean: Array,
    dreadout: Array,
    dscore: Array,
    a: Array,
    dg: Array,
    dtotal: Array,
) -> None:
    """Write the gradients of the gated rows, summed over the pairs that each row is a member of."""
    width = q.shape[1]
    for u in range(lo, hi):
        total = 0.0
        for e in range(t_ptr[u], t_ptr[u + 1]):
            total += dscore[t_entry[e]]
        dtotal[u] = total
        for j in range(width):
            dg[u, j] = total * a[j]
        for e in range(t_ptr[u], t_ptr[u + 1]):
            p = t_entry[e]
            b = t_row[e]
            w = dpair[p]
            if with_readout:
                r = mean[p]
                for j in range(width):
                    dg[u, j] += w * q[b, j] + r * dreadout[b, j]
            else:
                for j in range(width):
                    dg[u, j] += w * q[b, j]
