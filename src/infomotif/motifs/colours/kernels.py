"""Kernels for colours: classes of typed edges, coloured triangles and wedges, and which rows have wanted types.

The class of an entry of the rows is a number for the types of both nodes and of the edges between them, as seen from
the node of the row. A triangle u, v, w is of the kind (row[class uv] + local[class uw]) * dyads + dyad[class vw].
"""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import inlined, kernel
from infomotif.typing import Array, Int


@kernel
def entry_keys(
    start: int,
    stop: int,
    indptr: Array,
    indices: Array,
    types: Array,
    out: Array,
    back: Array,
    edge_number: Array,
    kinds: int,
    relations: int,
    keys: Array,
) -> None:
    """Write the types around each entry as one number: those of both nodes, and of the edge there and back."""
    for v in range(start, stop):
        first = np.int64(types[v]) * kinds
        for e in range(indptr[v], indptr[v + 1]):
            there = np.int64(edge_number[out[e]])
            keys[e] = ((first + types[indices[e]]) * relations + there) * relations + edge_number[back[e]]


@kernel
def mark_present(keys: Array, present: Array) -> None:
    """Set ``present`` where a key occurs."""
    for e in range(keys.shape[0]):
        present[keys[e]] = 1


@kernel
def number_entries(start: int, stop: int, indptr: Array, keys: Array, number: Array, classes: Array) -> None:
    """Write the class of each entry, the number of its key."""
    for e in range(indptr[start], indptr[stop]):
        classes[e] = number[keys[e]]


@kernel
def class_triangles(
    start: int,
    stop: int,
    fptr: Array,
    findex: Array,
    frow: Array,
    flocal: Array,
    fdyad: Array,
    dyads: int,
    totals: Array,
) -> Int:
    """Count the triangles of each kind; what is returned has no meaning.

    ``frow``, ``flocal`` and ``fdyad`` have row[class], local[class] + 1 and dyad[class] of each forward edge.
    """
    mark = np.zeros(fptr.shape[0] - 1, flocal.dtype)
    touched = np.int64(0)
    for u in range(start, stop):
        if fptr[u + 1] - fptr[u] < 2:
            continue
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            mark[v] = flocal[e]
            # Reading both ends of every row here lets the processor prefetch the rows.
            touched += findex[fptr[v] - 1] + findex[fptr[v + 1] - 1]
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            first = frow[e] - 1
            for f in range(fptr[v], fptr[v + 1]):
                other = mark[findex[f]]
                if other:
                    totals[(first + other) * dyads + fdyad[f]] += 1
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = 0
    return touched


@kernel
def coloured_triangles(
    start: int,
    stop: int,
    fptr: Array,
    findex: Array,
    frow: Array,
    flocal: Array,
    fdyad: Array,
    dyads: int,
    order: Array,
    first: Array,
    member: Array,
    column: Array,
    weight: Array,
    counts: Array,
) -> Int:
    """Add what each triangle means to the counts of its three nodes, counts[v, column].

    For each kind of triangle the entries from first[kind] on say to which of the nodes u, v, w, to which column and how
    much to add. What is returned has no meaning.
    """
    mark = np.zeros(fptr.shape[0] - 1, flocal.dtype)
    touched = np.int64(0)
    for u in range(start, stop):
        if fptr[u + 1] - fptr[u] < 2:
            continue
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            mark[v] = flocal[e]
            touched += findex[fptr[v] - 1] + findex[fptr[v + 1] - 1]
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            base = frow[e] - 1
            for f in range(fptr[v], fptr[v + 1]):
                w = findex[f]
                other = mark[w]
                if other:
                    kind = (base + other) * dyads + fdyad[f]
                    for i in range(first[kind], first[kind + 1]):
                        node = u if member[i] == 0 else v if member[i] == 1 else w
                        counts[order[node], column[i]] += weight[i]
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = 0
    return touched


@kernel
def class_pairs(start: int, stop: int, indptr: Array, classes: Array, row: Array, local: Array, totals: Array) -> None:
    """Count the pairs of neighbours of each two classes, joined or not, totals[row[low] + local[high]]."""
    degree = np.zeros(row.shape[0], np.int64)
    seen = np.empty(row.shape[0], np.int64)
    for v in range(start, stop):
        size = 0
        for e in range(indptr[v], indptr[v + 1]):
            c = classes[e]
            if degree[c] == 0:
                seen[size] = c
                size += 1
            degree[c] += 1
        for i in range(size):
            a = seen[i]
            totals[row[a] + local[a]] += degree[a] * (degree[a] - 1) // 2
            for j in range(i):
                b = seen[j]
                totals[row[min(a, b)] + local[max(a, b)]] += degree[a] * degree[b]
        for i in range(size):
            degree[seen[i]] = 0


@kernel
def slot_degrees(
    start: int, stop: int, indptr: Array, classes: Array, first: Array, slots: Array, degrees: Array
) -> None:
    """Count the neighbours of each node that fit each slot, degrees[v, slot]; a class fits slots[first : ...]."""
    for v in range(start, stop):
        for e in range(indptr[v], indptr[v + 1]):
            c = classes[e]
            for i in range(first[c], first[c + 1]):
                degrees[v, slots[i]] += 1


@kernel
def coloured_wedges(
    start: int,
    stop: int,
    indptr: Array,
    indices: Array,
    classes: Array,
    flipped: Array,
    degrees: Array,
    centres: Array,
    first: Array,
    ends: Array,
    counts: Array,
) -> None:
    """Write how many wedges, closed or not, have each node as their centre or end, counts[v, column].

    A row of ``centres`` has the slots of both ends, the slot that fits both (-1 for none), what to divide by, and the
    column. A node that its centre sees as class c is an end in the rows ends[first[c] : first[c + 1]]: the slot of the
    other end, whether the node fits that slot too, and the column.
    """
    for v in range(start, stop):
        for i in range(centres.shape[0]):
            one = np.int64(degrees[v, centres[i, 0]])
            both = np.int64(0) if centres[i, 2] < 0 else np.int64(degrees[v, centres[i, 2]])
            counts[v, centres[i, 4]] += (one * degrees[v, centres[i, 1]] - both) // centres[i, 3]
        for e in range(indptr[v], indptr[v + 1]):
            x = indices[e]
            seen_as = flipped[classes[e]]
            for i in range(first[seen_as], first[seen_as + 1]):
                counts[v, ends[i, 2]] += degrees[x, ends[i, 0]] - ends[i, 1]


@inlined
def type_between(indptr: Array, indices: Array, out: Array, back: Array, x: Int, y: Int, reverse: bool) -> Int:
    """Return 1 + the type of the edge from x to y, or with ``reverse`` from y to x; 0 if there is none."""
    turned = indptr[x + 1] - indptr[x] > indptr[y + 1] - indptr[y]
    if turned:
        x, y = y, x
    low = indptr[x]
    high = indptr[x + 1]
    while low < high:
        middle = (low + high) >> 1
        if indices[middle] < y:
            low = middle + 1
        else:
            high = middle
    if low == indptr[x + 1] or indices[low] != y:
        return 0
    found: Int = back[low] + 0 if turned != reverse else out[low] + 0
    return found


@kernel
def match_types(
    start: int,
    stop: int,
    members: Array,
    indptr: Array,
    indices: Array,
    types: Array,
    out: Array,
    back: Array,
    orders: Array,
    wanted: Array,
    edges: Array,
    matches: Array,
) -> None:
    """Write whether the members of each row, in each order, have the wanted types, matches[row, order].

    ``wanted`` has the type of the node in each position, -1 for any; ``edges`` 1 + the type of the edge from one
    position to another, 0 for any.
    """
    k = members.shape[1]
    found = np.zeros((k, k), np.int64)
    any_edge = False
    for i in range(k):
        for j in range(k):
            any_edge = any_edge or edges[i, j] > 0
    for row in range(start, stop):
        if any_edge:
            for i in range(k):
                for j in range(i + 1, k):
                    x, y = members[row, i], members[row, j]
                    found[i, j] = type_between(indptr, indices, out, back, x, y, False)
                    found[j, i] = type_between(indptr, indices, out, back, x, y, True)
        for p in range(orders.shape[0]):
            fits = True
            for i in range(k):
                if wanted[i] >= 0 and types[members[row, orders[p, i]]] != wanted[i]:
                    fits = False
                    break
            if fits and any_edge:
                for i in range(k):
                    for j in range(k):
                        if edges[i, j] > 0 and found[orders[p, i], orders[p, j]] != edges[i, j]:
                            fits = False
            matches[row, p] = fits
