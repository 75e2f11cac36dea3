"""Random walks over compressed rows: by weight, and with node2vec's memory of the previous node."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif._core.counter_rng import below, first_above, stream_of
from infomotif._core.parallel import kernel

_REJECTIONS = 32


@kernel
def uniform(stream: Any, draw: Any) -> Any:
    """Return number ``draw`` of the stream, uniform in [0, 1)."""
    return below(stream, draw, np.int64(1) << np.int64(53)) * 2.0**-53


@kernel
def draw_entry(stream: Any, draw: Any, low: Any, high: Any, cumulated: Any) -> Any:
    """Return a position in low..high - 1, drawn by weight; without cumulated weights all are equal."""
    if cumulated.shape[0] == 0:
        return low + below(stream, draw, high - low)
    goal = uniform(stream, draw) * cumulated[high - 1]
    return min(low + first_above(cumulated[low:high], high - low, goal), high - 1)


@kernel
def position_of(v: Any, u: Any, indptr: Any, indices: Any) -> Any:
    """Return the position that u has, or would have, in the ascending row of v."""
    low, high = indptr[v], indptr[v + 1]
    while low < high:
        middle = (low + high) >> 1
        if indices[middle] < u:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def is_neighbour(v: Any, u: Any, indptr: Any, indices: Any) -> Any:
    """Return whether u is in the row of v."""
    position = position_of(v, u, indptr, indices)
    return position < indptr[v + 1] and indices[position] == u


@kernel
def weight_at(e: Any, low: Any, cumulated: Any) -> Any:
    """Return the weight of entry e of the row that begins at ``low``."""
    if cumulated.shape[0] == 0:
        return 1.0
    return cumulated[e] - (cumulated[e - 1] if e > low else 0.0)


@kernel
def bias(before: Any, x: Any, indptr: Any, indices: Any, back: Any, far: Any) -> Any:
    """Return node2vec's factor of a step to x: 1/p back, 1 to a neighbour of the previous node, 1/q further away."""
    if x == before:
        return back
    return 1.0 if is_neighbour(before, x, indptr, indices) else far


@kernel
def scanned_entry(
    goal: Any, before: Any, low: Any, high: Any, indptr: Any, indices: Any, cumulated: Any, back: Any, far: Any
) -> Any:
    """Return the position at share ``goal`` of the row's biased weights, by scanning all of them."""
    total = 0.0
    for turn in range(2):
        reached = 0.0
        for e in range(low, high):
            reached += weight_at(e, low, cumulated) * bias(before, indices[e], indptr, indices, back, far)
            if turn == 1 and reached > goal * total:
                return e
        total = reached
    return high - 1


@kernel
def second_order_walks(
    start: Any, stop: Any, starts: Any, indptr: Any, indices: Any, cumulated: Any, p: Any, q: Any, seed: Any, walks: Any
) -> None:
    """Walk from each start; a step is proposed by weight and accepted by its bias, so no table of pairs is needed.

    The extra weight of the step back is drawn separately, so that a small p costs no rejections. After many
    rejections in a row the step is drawn from the whole row, which does not change its distribution.
    """
    back, far = 1.0 / p, 1.0 / q
    largest = max(1.0, far)
    even = back == 1.0 and far == 1.0
    for i in range(start, stop):
        stream = stream_of(seed, i)
        draw = 0
        before, v = -1, starts[i]
        walks[i, 0] = v
        for step in range(1, walks.shape[1]):
            low, high = indptr[v], indptr[v + 1]
            if low == high:
                walks[i, step] = -1
                continue
            e = home = draw_entry(stream, draw, low, high, cumulated)
            draw += 1
            if before >= 0 and not even and high - low > 1:
                tries = 0
                extra, total = 0.0, 1.0
                if back > largest:
                    home = position_of(v, before, indptr, indices)
                    extra = (back - largest) * weight_at(home, low, cumulated)
                    total = largest * (cumulated[high - 1] if cumulated.shape[0] > 0 else high - low) + extra
                while True:
                    if extra > 0.0:
                        if uniform(stream, draw) * total < extra:
                            e = home
                            break
                        draw += 1
                    if uniform(stream, draw) * largest < bias(before, indices[e], indptr, indices, back, far):
                        break
                    tries += 1
                    if tries == _REJECTIONS:
                        goal = uniform(stream, draw + 1)
                        e = scanned_entry(goal, before, low, high, indptr, indices, cumulated, back, far)
                        draw += 1
                        break
                    e = draw_entry(stream, draw + 1, low, high, cumulated)
                    draw += 2
                draw += 1
            before, v = v, indices[e]
            walks[i, step] = v


@kernel
def layer_walks(
    start: Any, stop: Any, starts: Any, n: Any, indptr: Any, indices: Any, cumulated: Any, up: Any, stay: Any,
    seed: Any, walks: Any,
) -> None:  # fmt: skip
    """Walk through layers of the same n nodes; row k * n + v holds the neighbours of v in layer k.

    Before every step the walk stays in its layer with probability ``stay``, or moves to the same node one layer up
    (with the probability of ``up``, one value per row) or down, and decides again. Only steps between
    nodes are written.
    """
    for i in range(start, stop):
        stream = stream_of(seed, i)
        draw, layer, v = 0, 0, starts[i]
        walks[i, 0] = v
        for step in range(1, walks.shape[1]):
            while uniform(stream, draw) >= stay:
                if uniform(stream, draw + 1) < up[layer * n + v]:
                    layer += 1
                elif layer > 0:
                    layer -= 1
                draw += 2
            low, high = indptr[layer * n + v], indptr[layer * n + v + 1]
            if low == high:
                walks[i, step] = -1
                continue
            v = indices[draw_entry(stream, draw + 1, low, high, cumulated)]
            draw += 2
            walks[i, step] = v
