"""Kernels for converting and checking: counts of rows, the union of rows, and whether rows are whole."""

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


@kernel
def is_union(
    start: Any, stop: Any, a_indptr: Any, a_indices: Any, b_indptr: Any, b_indices: Any, indptr: Any, indices: Any
) -> Any:
    """Return whether each row holds exactly the entries of two other sets of rows; all rows ascend."""
    for v in range(start, stop):
        i = a_indptr[v]
        j = b_indptr[v]
        for at in range(indptr[v], indptr[v + 1]):
            in_a = i < a_indptr[v + 1] and a_indices[i] == indices[at]
            in_b = j < b_indptr[v + 1] and b_indices[j] == indices[at]
            if not (in_a or in_b):
                return False
            i += in_a
            j += in_b
        if i < a_indptr[v + 1] or j < b_indptr[v + 1]:
            return False
    return True


@kernel
def first_falling_pointer(indptr: Any, entries: Any) -> Any:
    """Return the first row that does not lie within 0..entries, or the number of rows if all do."""
    for v in range(indptr.shape[0] - 1):
        if indptr[v] < 0 or indptr[v + 1] < indptr[v] or indptr[v + 1] > entries:
            return v
    return indptr.shape[0] - 1


@kernel
def worst_entry(start: Any, stop: Any, indptr: Any, indices: Any, most: Any) -> Any:
    """Return 0 if the entries of all rows ascend within 0..most - 1, 1 if some do not ascend, 2 if one lies outside."""
    outside = False
    falling = False
    for v in range(start, stop):
        before = -1
        for i in range(indptr[v], indptr[v + 1]):
            u = indices[i]
            outside |= (u < 0) | (u >= most)
            falling |= u <= before
            before = u
    return 2 if outside else 1 if falling else 0
