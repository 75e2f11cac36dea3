"""Kernels for converting: where records end, numbers of ids, and the union of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif._core.parallel import kernel

_NEWLINE, _RETURN, _QUOTE = 10, 13, 34


@kernel
def record_ends(text: Any, delimiter: Any) -> Any:
    """Return where the first and the last whole record end; a quote opens only at the start of a field."""
    first = 0
    last = 0
    quoted = False
    fresh = True
    skip = False
    for i in range(text.shape[0]):
        c = text[i]
        if skip:
            skip = False
        elif quoted:
            if c == _QUOTE:
                if i + 1 < text.shape[0] and text[i + 1] == _QUOTE:
                    skip = True
                else:
                    quoted = False
        elif c == _QUOTE and fresh:
            quoted = True
            fresh = False
        elif c == _NEWLINE or c == _RETURN:
            fresh = True
            last = i + 1
            if first == 0:
                first = i + 1
        else:
            fresh = c == delimiter
    return first, last


@kernel
def follow_quotes(text: Any, delimiter: Any, place: Any) -> Any:
    """Go on through text from a place; return the line of a quote that spans lines and closes amid a field, or 0.

    The place, which is changed, is the state (0 at the start of a field, 1 within a plain one, 2 within quotes, 3 just
    after them), the line, and the line on which the last quote opened, lines counted from 0.
    """
    state = place[0]
    line = place[1]
    opened = place[2]
    wrong = 0
    for i in range(text.shape[0]):
        c = text[i]
        if c == _NEWLINE:
            line += 1
        if state == 2:
            if c == _QUOTE:
                state = 3
        elif c == _QUOTE and state == 3:
            state = 2
        elif c == _QUOTE and state == 0:
            state = 2
            opened = line
        elif c == delimiter or c == _NEWLINE or c == _RETURN:
            state = 0
        else:
            if state == 3 and line > opened:
                wrong = line + 1
                break
            state = 1
    place[0] = state
    place[1] = line
    place[2] = opened
    return wrong


@kernel
def hash_text(data: Any, start: Any, stop: Any) -> Any:
    """Return a 64-bit hash (FNV-1a, its high bits mixed into the low ones) of some bytes."""
    h = np.uint64(14695981039346656037)
    for i in range(start, stop):
        h = (h ^ np.uint64(data[i])) * np.uint64(1099511628211)
    return h ^ (h >> np.uint64(29))


@kernel
def same_text(a: Any, start: Any, stop: Any, b: Any, other: Any) -> Any:
    """Return whether ``stop - start`` bytes are the same from ``start`` in a and from ``other`` in b."""
    for i in range(stop - start):
        if a[start + i] != b[other + i]:
            return False
    return True


@kernel
def find_ids(offsets: Any, data: Any, known: Any, known_data: Any, table: Any, out: Any) -> None:
    """Write the number of each text among the known ones, -1 where it is none of them."""
    mask = np.uint64(table.shape[0] - 1)
    for row in range(offsets.shape[0] - 1):
        start = offsets[row]
        stop = offsets[row + 1]
        place = hash_text(data, start, stop) & mask
        out[row] = -1
        while table[place] >= 0:
            v = table[place]
            if known[v + 1] - known[v] == stop - start and same_text(data, start, stop, known_data, known[v]):
                out[row] = v
                break
            place = (place + np.uint64(1)) & mask


@kernel
def enter_ids(known: Any, known_data: Any, table: Any) -> Any:
    """Put every text into the table; return the first row that repeats an earlier one, with that, or -1."""
    mask = np.uint64(table.shape[0] - 1)
    for row in range(known.shape[0] - 1):
        start = known[row]
        stop = known[row + 1]
        place = hash_text(known_data, start, stop) & mask
        while table[place] >= 0:
            v = table[place]
            if known[v + 1] - known[v] == stop - start and same_text(known_data, start, stop, known_data, known[v]):
                return row, v
            place = (place + np.uint64(1)) & mask
        table[place] = row
    return -1, -1


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
        found = 0
        while i < a_indptr[v + 1] and j < b_indptr[v + 1]:
            x = a_indices[i]
            y = b_indices[j]
            i += x <= y
            j += y <= x
            found += 1
        out[v] = found + a_indptr[v + 1] - i + b_indptr[v + 1] - j


@kernel
def fill_union(
    start: Any, stop: Any, a_indptr: Any, a_indices: Any, b_indptr: Any, b_indices: Any, indptr: Any, base: Any,
    a_place: Any, out: Any,
) -> None:  # fmt: skip
    """Write the union of each row, and for each entry where it stood in a, or -1 - where it stood in b."""
    for v in range(start, stop):
        i = a_indptr[v]
        j = b_indptr[v]
        for at in range(indptr[v] - base, indptr[v + 1] - base):
            from_b = i == a_indptr[v + 1] or (j < b_indptr[v + 1] and b_indices[j] < a_indices[i])
            if from_b:
                out[at] = b_indices[j]
                a_place[at] = -1 - j
                j += 1
            else:
                if j < b_indptr[v + 1] and b_indices[j] == a_indices[i]:
                    j += 1
                out[at] = a_indices[i]
                a_place[at] = i
                i += 1
