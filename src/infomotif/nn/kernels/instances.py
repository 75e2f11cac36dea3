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
MAX_PRODUCT = 1e300


@kernel
def pair_slots(indptr: Array, members: Array, local: Array, num_rows: int, ptr: Array, col: Array, slots: Array) -> int:
    """Write the pairs of each owner, the member of each pair and the pair of each instance member.

    Returns the number of pairs; ``col`` has room for one per instance member.
    """
    seen = np.full(num_rows, -1, dtype=np.int64)
    where = np.empty(num_rows, dtype=np.int64)
    fill = 0
    for b in range(len(indptr) - 1):
        ptr[b] = fill
        for i in range(indptr[b], indptr[b + 1]):
            for m in range(members.shape[1]):
                u = local[members[i, m]]
                if seen[u] != b:
                    seen[u] = b
                    where[u] = fill
                    col[fill] = u
                    fill += 1
                slots[i, m] = where[u]
    ptr[len(indptr) - 1] = fill
    return fill


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
def add_rows_of_pairs(first: int, last: int, col: Array, val: Array, x: Array, b: int, out: Array) -> None:
    """Add ``sum_p val[p] x[col[p]]`` over pairs ``first`` to ``last`` to row ``b`` of ``out``.

    Four rows at a time, so that the sum is loaded and stored a quarter as often.
    """
    width = x.shape[1]
    p = first
    while p + 4 <= last:
        w0, w1, w2, w3 = val[p], val[p + 1], val[p + 2], val[p + 3]
        u0, u1, u2, u3 = col[p], col[p + 1], col[p + 2], col[p + 3]
        for j in range(width):
            out[b, j] += w0 * x[u0, j] + w1 * x[u1, j] + w2 * x[u2, j] + w3 * x[u3, j]
        p += 4
    while p < last:
        w0 = val[p]
        u0 = col[p]
        for j in range(width):
            out[b, j] += w0 * x[u0, j]
        p += 1


@kernel
def dot_rows_of_pairs(first: int, last: int, col: Array, x: Array, y: Array, b: int, out: Array) -> None:
    """Write ``out[p] = x[col[p]] . y[b]`` for pairs ``first`` to ``last``, four at a time."""
    width = x.shape[1]
    p = first
    while p + 4 <= last:
        u0, u1, u2, u3 = col[p], col[p + 1], col[p + 2], col[p + 3]
        t0, t1, t2, t3 = x[u0, 0] * y[b, 0], x[u1, 0] * y[b, 0], x[u2, 0] * y[b, 0], x[u3, 0] * y[b, 0]
        for j in range(1, width):
            t0 += x[u0, j] * y[b, j]
            t1 += x[u1, j] * y[b, j]
            t2 += x[u2, j] * y[b, j]
            t3 += x[u3, j] * y[b, j]
        out[p], out[p + 1], out[p + 2], out[p + 3] = t0, t1, t2, t3
        p += 4
    while p < last:
        u0 = col[p]
        t0 = x[u0, 0] * y[b, 0]
        for j in range(1, width):
            t0 += x[u0, j] * y[b, j]
        out[p] = t0
        p += 1


@kernel
def summarise(lo: int, hi: int, ptr: Array, col: Array, mean: Array, g: Array, out: Array) -> None:
    """Write the sum of each owner's members with weights by pair, ``out[b] = sum_p mean[p] g[col[p]]``."""
    for b in range(lo, hi):
        for j in range(g.shape[1]):
            out[b, j] = 0
        add_rows_of_pairs(ptr[b], ptr[b + 1], col, mean, g, b, out)


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
def attend_by_exponentials(
    lo: int, hi: int, inst_ptr: Array, slots: Array, ptr: Array, col: Array, power: Array, weight: Array, mean: Array
) -> None:
    """Write the same as :func:`attend` without the owner's part, from the exponential of each row's score."""
    size = slots.shape[1]
    for b in range(lo, hi):
        for p in range(ptr[b], ptr[b + 1]):
            mean[p] = 0
        share = 1.0 / max(1, inst_ptr[b + 1] - inst_ptr[b])
        for i in range(inst_ptr[b], inst_ptr[b + 1]):
            total = 0.0
            for m in range(size):
                total += power[col[slots[i, m]]]
            scale = 1.0 / total
            for m in range(size):
                p = slots[i, m]
                weight[i, m] = power[col[p]] * scale
                mean[p] += weight[i, m] * share


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
    size = slots.shape[1]
    for b in range(lo, hi):
        count = inst_ptr[b + 1] - inst_ptr[b]
        if count == 0:
            continue
        dot_rows_of_pairs(ptr[b], ptr[b + 1], col, g, q, b, dot)
        for p in range(ptr[b], ptr[b + 1]):
            dpair[p] = 0
        factor = scale[b] / (2.0 * count)
        total, product = 0.0, 1.0
        for i in range(inst_ptr[b], inst_ptr[b + 1]):
            logit = 0.0
            for m in range(size):
                logit += weight[i, m] * dot[slots[i, m]]
            x = -sign * logit
            e = math.exp(-abs(x))
            total += max(x, 0.0)
            # One logarithm of a product instead of one per instance; every factor is at most 2.
            product *= 1.0 + e
            if product > MAX_PRODUCT:
                total += math.log(product)
                product = 1.0
            slope = (1.0 if x >= 0 else e) / (1.0 + e)
            dlogit[i] = -sign * factor * slope
            for m in range(size):
                dpair[slots[i, m]] += dlogit[i] * weight[i, m]
        loss[b] += factor * (total + math.log(product))
        add_rows_of_pairs(ptr[b], ptr[b + 1], col, dpair, g, b, dq)


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
    size = slots.shape[1]
    for b in range(lo, hi):
        d_owner[b] = 0
        for p in range(ptr[b], ptr[b + 1]):
            dscore[p] = 0
            dmean[p] = 0
        if with_readout:
            dot_rows_of_pairs(ptr[b], ptr[b + 1], col, g, dreadout, b, dmean)
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
        # In the type of the arrays, as wider numbers would halve the speed of the loop.
        w = dtotal[u]
        for j in range(width):
            dg[u, j] = w * a[j]
        e, last = t_ptr[u], t_ptr[u + 1]
        while e + 2 <= last:
            p0, p1, b0, b1 = t_entry[e], t_entry[e + 1], t_row[e], t_row[e + 1]
            w0, w1 = dpair[p0], dpair[p1]
            if with_readout:
                r0, r1 = mean[p0], mean[p1]
                for j in range(width):
                    dg[u, j] += w0 * q[b0, j] + r0 * dreadout[b0, j] + w1 * q[b1, j] + r1 * dreadout[b1, j]
            else:
                for j in range(width):
                    dg[u, j] += w0 * q[b0, j] + w1 * q[b1, j]
            e += 2
        if e < last:
            p0, b0 = t_entry[e], t_row[e]
            w0 = dpair[p0]
            if with_readout:
                r0 = mean[p0]
                for j in range(width):
                    dg[u, j] += w0 * q[b0, j] + r0 * dreadout[b0, j]
            else:
                for j in range(width):
                    dg[u, j] += w0 * q[b0, j]
