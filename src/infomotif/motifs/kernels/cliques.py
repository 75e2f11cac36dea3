"""Kernels that list triangles and 4-cliques; in the degree-ordered orientation each is found once."""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.members import member_order, write_four
from infomotif.typing import Array


@kernel
def list_cliques(
    indptr: Array,
    indices: Array,
    codes: Array,
    order: Array,
    fptr: Array,
    findex: Array,
    directed: bool,
    orders: Array,
    order_of: Array,
    listed: Array,
    cursor: Array,
    members: Array,
) -> None:
    """Write the 4-cliques of every listed node to its rows; cursor[v] is where the next one goes."""
    n = fptr.shape[0] - 1
    mark = np.zeros(n, np.uint8)
    common = np.full(n, -1, np.int64)
    third = np.empty(n, findex.dtype)
    four = np.empty(4, np.int64)
    every = order_of[-1]
    for u in range(n):
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = 1
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            found = 0
            for f in range(fptr[v], fptr[v + 1]):
                if mark[findex[f]]:
                    common[findex[f]] = e
                    third[found] = findex[f]
                    found += 1
            for j in range(found):
                w = third[j]
                wanted = listed[order[u]] or listed[order[v]] or listed[order[w]]
                for g in range(fptr[w], fptr[w + 1]):
                    x = findex[g]
                    if common[x] == e and (wanted or listed[order[x]]):
                        four[0], four[1], four[2], four[3] = order[u], order[v], order[w], order[x]
                        number = every
                        if directed:
                            number = member_order(four, indptr, indices, codes, order_of)
                        else:
                            four.sort()
                        if number >= 0:
                            for node in four:
                                if listed[node]:
                                    write_four(four, orders[number], members, cursor[node])
                                    cursor[node] += 1
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = 0
