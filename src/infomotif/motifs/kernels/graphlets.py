"""Kernels for four nodes: cycles, cliques and diamonds by counting, any pattern by random spanning trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif.motifs.kernels.draws import below, first_above, stream_of
from infomotif.motifs.kernels.dyads import code_between
from infomotif.parallel import kernel


@kernel
def node_four_cycles(start: Any, stop: Any, indptr: Any, indices: Any, order: Any, rank: Any) -> Any:
    """Count the 4-cycles of each node, with or without chords; each is met once, at its node of highest rank."""
    n = indptr.shape[0] - 1
    counts = np.zeros(n, np.int64)
    paths = np.zeros(n, np.int64)
    for at in range(start, stop):
        u = order[at]
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if rank[v] < at:
                for f in range(indptr[v], indptr[v + 1]):
                    if rank[indices[f]] < at:
                        paths[indices[f]] += 1
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if rank[v] < at:
                for f in range(indptr[v], indptr[v + 1]):
                    w = indices[f]
                    if rank[w] < at:
                        counts[v] += paths[w] - 1
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if rank[v] < at:
                for f in range(indptr[v], indptr[v + 1]):
                    w = indices[f]
                    if rank[w] < at and paths[w]:
                        cycles = paths[w] * (paths[w] - 1) // 2
                        counts[u] += cycles
                        counts[w] += cycles
                        paths[w] = 0
    return counts


@kernel
def cliques_and_diamonds(start: Any, stop: Any, fptr: Any, findex: Any, triangles: Any) -> Any:
    """Count, for each ranked node, the 4-cliques, and the pairs of triangles on an edge of which it is one tip."""
    n = fptr.shape[0] - 1
    cliques = np.zeros(n, np.int64)
    tips = np.zeros(n, np.int64)
    mark = np.zeros(n, fptr.dtype)
    common = np.full(n, -1, np.int64)
    for u in range(start, stop):
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = e + 1
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            for f in range(fptr[v], fptr[v + 1]):
                w = findex[f]
                third = mark[w] - 1
                if third >= 0:
                    common[w] = e
                    tips[u] += triangles[f] - 1
                    tips[v] += triangles[third] - 1
                    tips[w] += triangles[e] - 1
            for f in range(fptr[v], fptr[v + 1]):
                w = findex[f]
                if common[w] == e:
                    for g in range(fptr[w], fptr[w + 1]):
                        x = findex[g]
                        if common[x] == e:
                            cliques[u] += 1
                            cliques[v] += 1
                            cliques[w] += 1
                            cliques[x] += 1
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = 0
    return np.stack((cliques, tips))


@kernel
def another(stream: Any, draw: Any, indptr: Any, indices: Any, node: Any, first: Any, second: Any) -> Any:
    """Draw a neighbour of ``node`` other than two given nodes; return it and the next draw's number."""
    size = indptr[node + 1] - indptr[node]
    while True:
        x = np.int64(indices[indptr[node] + below(stream, draw, size)])
        draw += 1
        if x != first and x != second:
            return x, draw


@kernel
def tree_weights(v: Any, indptr: Any, indices: Any, ahead: Any, leaf: Any, end: Any, middle: Any) -> Any:
    """Fill cumulative numbers of 3-edge trees over a node's neighbours, by the node's place in the tree."""
    first = indptr[v]
    degree = np.int64(indptr[v + 1] - first)
    as_leaf = np.int64(0)
    as_end = np.int64(0)
    as_middle = np.int64(0)
    for j in range(degree):
        a = indices[first + j]
        more = np.int64(indptr[a + 1] - indptr[a] - 1)
        as_leaf += more * (more - 1) // 2
        as_end += ahead[indptr[a + 1]] - ahead[indptr[a]] - (degree - 1)
        as_middle += (degree - 1) * more
        leaf[j] = as_leaf
        end[j] = as_end
        middle[j] = as_middle
    return degree * (degree - 1) * (degree - 2) // 6, as_leaf, as_end, as_middle


@kernel
def count_trees(start: Any, stop: Any, indptr: Any, indices: Any, ahead: Any, counts: Any) -> None:
    """Count the proposals that :func:`draw_by_trees` chooses from at each node."""
    longest = 1
    for v in range(start, stop):
        longest = max(longest, indptr[v + 1] - indptr[v])
    scratch = np.empty((3, longest), np.int64)
    for v in range(start, stop):
        star, leaf, end, middle = tree_weights(v, indptr, indices, ahead, scratch[0], scratch[1], scratch[2])
        counts[v] = star + leaf + end + middle


@kernel
def draw_by_trees(
    start: Any,
    stop: Any,
    nodes: Any,
    route: Any,
    mine: Any,
    graph_indptr: Any,
    graph_indices: Any,
    codes: Any,
    ahead: Any,
    orders: Any,
    order_of: Any,
    seed: Any,
    indptr: Any,
    out: Any,
) -> None:
    """Draw instances of one 4-node pattern: propose any 3-edge tree of the node uniformly, keep the right subgraphs.

    Every instance has the same number of spanning trees, whatever the node's role, so every one has the same chance.
    ``ahead`` accumulates the further neighbours of each entry; ``order_of`` maps the six codes of four ascending nodes
    to the row of ``orders`` that puts them in pattern order, or to -1.
    """
    longest = 1
    for i in range(start, stop):
        if route[i] == mine:
            longest = max(longest, graph_indptr[nodes[i] + 1] - graph_indptr[nodes[i]])
    weights = np.empty((3, longest), np.int64)
    four = np.empty(4, np.int64)
    for i in range(start, stop):
        if route[i] != mine:
            continue
        v = nodes[i]
        stream = stream_of(seed, v)
        star, leaf, end, middle = tree_weights(
            v, graph_indptr, graph_indices, ahead, weights[0], weights[1], weights[2]
        )
        first = graph_indptr[v]
        degree = graph_indptr[v + 1] - first
        draw = 0
        row = indptr[i]
        while row < indptr[i + 1]:
            pick = below(stream, draw, star + leaf + end + middle)
            draw += 1
            four[0] = v
            if pick < star:
                four[1], draw = another(stream, draw, graph_indptr, graph_indices, v, v, v)
                four[2], draw = another(stream, draw, graph_indptr, graph_indices, v, four[1], v)
                four[3], draw = another(stream, draw, graph_indptr, graph_indices, v, four[1], four[2])
            elif pick < star + leaf:
                a = graph_indices[first + first_above(weights[0], degree, pick - star)]
                four[1] = a
                four[2], draw = another(stream, draw, graph_indptr, graph_indices, a, v, v)
                four[3], draw = another(stream, draw, graph_indptr, graph_indices, a, v, four[2])
            elif pick < star + leaf + end:
                a = graph_indices[first + first_above(weights[1], degree, pick - star - leaf)]
                four[1] = a
                four[2] = v
                while four[2] == v:
                    low = ahead[graph_indptr[a]]
                    goal = low + below(stream, draw, ahead[graph_indptr[a + 1]] - low)
                    draw += 1
                    width = graph_indptr[a + 1] - graph_indptr[a]
                    four[2] = graph_indices[graph_indptr[a] + first_above(ahead[graph_indptr[a] + 1 :], width, goal)]
                four[3], draw = another(stream, draw, graph_indptr, graph_indices, four[2], a, a)
            else:
                a = graph_indices[first + first_above(weights[2], degree, pick - star - leaf - end)]
                four[1] = a
                four[2], draw = another(stream, draw, graph_indptr, graph_indices, v, a, a)
                four[3], draw = another(stream, draw, graph_indptr, graph_indices, a, v, v)
            four.sort()
            if four[0] == four[1] or four[1] == four[2] or four[2] == four[3]:
                continue
            config = 0
            for p in range(4):
                for r in range(p + 1, 4):
                    config = 4 * config + code_between(graph_indptr, graph_indices, codes, four[p], four[r])
            if order_of[config] < 0:
                continue
            new = True
            for earlier in range(indptr[i], row):
                same = True
                for p in range(4):
                    same = same and out[earlier, p] == four[orders[order_of[config], p]]
                if same:
                    new = False
                    break
            if new:
                for p in range(4):
                    out[row, p] = four[orders[order_of[config], p]]
                row += 1
