"""Kernels for converting: counts of rows, and the union of rows."""

from __future__ import annotations

from typing import Any

from infomotif._core.parallel import kernel


@kernel
def count_entries(rows: Any, counts: Any) -> None:
    """Add how often each row occurs."""
    for i in range(rows.shape[0]):
        counts[rows[i]] += 1


@kernel
def count_union(start: Any, stop: Any, a_indptr: Any, a_indices: Any, b_indptr: Any, b_indices: Any, out: Any) -> None:
    """Count the distinct entries of each row in two sets of ascending rows."""
    for v in range(start, stop):
        i = a_indptr[v]
        j = b_indptr[v]
        count = 0
        while i < a_indptr[v + 1] and j < b_indptr[v + 1]:
            x = a_indices[i]
            y = b_indices[j]
            i += x <= y
            j += y <= x
            count += 1
        out[v] = count + a_indptr[v + 1] - i + b_indptr[v + 1] - j


@kernel
def fill_union(
    start: Any, stop: Any, a_indptr: Any, a_indices: Any, b_indptr: Any, b_indices: Any, indptr: Any, base: Any,
    origin: Any, out: Any,
) -> None:  # fmt: skip
    """Write the union of each row, and for each entry its position in a, or -1 - its position in b."""
    for v in range(start, stop):
        i = a_indptr[v]
        j = b_indptr[v]
        for at in range(indptr[v] - base, indptr[v + 1] - base):
            from_b = i == a_indptr[v + 1] or (j < b_indptr[v + 1] and b_indices[j] < a_indices[i])
            if from_b:
                out[at] = b_indices[j]
                origin[at] = -1 - j
                j += 1
            else:
                if j < b_indptr[v + 1] and b_indices[j] == a_indices[i]:
                    j += 1
                out[at] = a_indices[i]
                origin[at] = i
                i += 1
