"""Dynamic time warping of degree sequences: exact where they are short, FastDTW where they are long."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif._core.parallel import kernel

EXACT = 64
"""Sequences up to this length are compared exactly."""

RADIUS = 4
"""How far FastDTW searches around the path of the coarser level."""


@kernel
def degree_cost(a: Any, b: Any, count_a: Any, count_b: Any) -> Any:
    """Return max / min - 1 of two degrees, as often as the more frequent of them occurs; degree 0 counts as 1/2."""
    a, b = max(a, 0.5), max(b, 0.5)
    return (max(a, b) / min(a, b) - 1.0) * max(count_a, count_b)


@kernel
def exact_dtw(x: Any, count_x: Any, y: Any, count_y: Any) -> Any:
    """Return the lowest cost of matching all of x to all of y in order, keeping one row of costs."""
    row = np.full(y.shape[0] + 1, np.inf)
    row[0] = 0.0
    for i in range(x.shape[0]):
        diagonal = row[0]
        row[0] = np.inf
        for j in range(y.shape[0]):
            lowest = min(diagonal, min(row[j], row[j + 1]))
            diagonal = row[j + 1]
            row[j + 1] = lowest + degree_cost(x[i], y[j], count_x[i], count_y[j])
    return row[y.shape[0]]


@kernel
def entry(table: Any, low: Any, high: Any, offsets: Any, i: Any, j: Any) -> Any:
    """Return the cost up to (i, j), infinite outside the window."""
    if i < 0 or j < low[i] or j >= high[i]:
        return np.inf
    return table[offsets[i] + j - low[i]]


@kernel
def window_dtw(x: Any, count_x: Any, y: Any, count_y: Any, low: Any, high: Any) -> Any:
    """Match within columns low..high - 1 of each row; return all costs and where each row of them begins."""
    offsets = np.zeros(x.shape[0] + 1, np.int64)
    for i in range(x.shape[0]):
        offsets[i + 1] = offsets[i] + high[i] - low[i]
    table = np.empty(offsets[x.shape[0]])
    for i in range(x.shape[0]):
        left = np.inf
        for j in range(low[i], high[i]):
            lowest = 0.0
            if i > 0 or j > 0:
                above = entry(table, low, high, offsets, i - 1, j)
                lowest = min(left, min(above, entry(table, low, high, offsets, i - 1, j - 1)))
            left = lowest + degree_cost(x[i], y[j], count_x[i], count_y[j])
            table[offsets[i] + j - low[i]] = left
    return table, offsets


@kernel
def finer_window(table: Any, offsets: Any, low: Any, high: Any, nx: Any, ny: Any) -> Any:
    """Follow the best path back and return the window around it in sequences of twice the length."""
    finer_low, finer_high = np.full(nx, ny, np.int64), np.zeros(nx, np.int64)
    i = low.shape[0] - 1
    j = high[i] - 1
    while True:
        first, last = max(2 * (j - RADIUS), 0), min(2 * (j + RADIUS) + 2, ny)
        for row in range(max(2 * (i - RADIUS), 0), min(2 * (i + RADIUS) + 2, nx)):
            finer_low[row] = min(finer_low[row], first)
            finer_high[row] = max(finer_high[row], last)
        if i == 0 and j == 0:
            return finer_low, finer_high
        diagonal = entry(table, low, high, offsets, i - 1, j - 1)
        above = entry(table, low, high, offsets, i - 1, j)
        left = entry(table, low, high, offsets, i, j - 1)
        if diagonal <= min(above, left):
            i, j = i - 1, j - 1
        elif above <= left:
            i -= 1
        else:
            j -= 1


@kernel
def halved(values: Any) -> Any:
    """Return the means of neighbours two by two; an odd last value is dropped."""
    half = np.empty(values.shape[0] // 2)
    for i in range(half.shape[0]):
        half[i] = (values[2 * i] + values[2 * i + 1]) / 2
    return half


@kernel
def sequence_distance(x: Any, count_x: Any, y: Any, count_y: Any) -> Any:
    """Return the DTW distance of two degree sequences; long ones by FastDTW, from coarse to fine."""
    if max(x.shape[0], y.shape[0]) <= EXACT or min(x.shape[0], y.shape[0]) < 2 * RADIUS:
        return exact_dtw(x, count_x, y, count_y)
    xs, count_xs, ys, count_ys = [x * 1.0], [count_x * 1.0], [y * 1.0], [count_y * 1.0]
    while min(xs[-1].shape[0], ys[-1].shape[0]) >= 2 * RADIUS:
        xs.append(halved(xs[-1]))
        count_xs.append(halved(count_xs[-1]))
        ys.append(halved(ys[-1]))
        count_ys.append(halved(count_ys[-1]))
    level = len(xs) - 1
    low, high = np.zeros(xs[level].shape[0], np.int64), np.full(xs[level].shape[0], ys[level].shape[0], np.int64)
    while True:
        table, offsets = window_dtw(xs[level], count_xs[level], ys[level], count_ys[level], low, high)
        if level == 0:
            return table[-1]
        level -= 1
        low, high = finer_window(table, offsets, low, high, xs[level].shape[0], ys[level].shape[0])


@kernel
def pair_distances(
    start: Any, stop: Any, first: Any, second: Any, rings_of: Any, ends: Any, degrees: Any, counts: Any, distances: Any
) -> None:
    """Write f_k of each pair: the distances of its rings 0..k added up, infinite where one of the two has no ring k."""
    for pair in range(start, stop):
        u, v = rings_of[first[pair]], rings_of[second[pair]]
        both = min(rings_of[first[pair] + 1] - u, rings_of[second[pair] + 1] - v)
        total = 0.0
        for k in range(distances.shape[0]):
            if k >= both:
                distances[k, pair] = np.inf
                continue
            a, b = slice(ends[u + k], ends[u + k + 1]), slice(ends[v + k], ends[v + k + 1])
            total += sequence_distance(degrees[a], counts[a], degrees[b], counts[b])
            distances[k, pair] = total
