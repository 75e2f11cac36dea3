"""Kernels for reading tables: where records end, whether quotes are closed, and the numbers of ids."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif._core.parallel import kernel

_NEWLINE, _RETURN, _QUOTE = 10, 13, 34
_ONE, _EIGHT = np.uint64(1), np.uint64(8)


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
def follow_quotes(text: Any, delimiter: Any, position: Any) -> Any:
    """Continue through text; return the line of a quote that spans lines and closes inside a field, or 0.

    The position, which is changed, is the state (0 at the start of a field, 1 within a plain one, 2 within quotes, 3
    just after them), the line, and the line on which the last quote opened, lines counted from 0.
    """
    state = position[0]
    line = position[1]
    opened = position[2]
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
    position[0] = state
    position[1] = line
    position[2] = opened
    return wrong


@kernel
def word(data: Any, i: Any) -> Any:
    """Return eight bytes as one number; compiled to a single load."""
    low = np.uint64(data[i]) | np.uint64(data[i + np.uint64(1)]) << np.uint64(8)
    low |= np.uint64(data[i + np.uint64(2)]) << np.uint64(16) | np.uint64(data[i + np.uint64(3)]) << np.uint64(24)
    high = np.uint64(data[i + np.uint64(4)]) << np.uint64(32) | np.uint64(data[i + np.uint64(5)]) << np.uint64(40)
    high |= np.uint64(data[i + np.uint64(6)]) << np.uint64(48) | np.uint64(data[i + np.uint64(7)]) << np.uint64(56)
    return low | high


@kernel
def hash_text(data: Any, start: Any, size: Any) -> Any:
    """Return a 64-bit hash of ``size`` bytes: words multiplied and mixed, the last bytes one by one (FNV-1a)."""
    h = np.uint64(14695981039346656037) ^ size
    i, stop = start, start + size
    while i + _EIGHT <= stop:
        h = (h ^ word(data, i)) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(32)
        i += _EIGHT
    while i < stop:
        h = (h ^ np.uint64(data[i])) * np.uint64(1099511628211)
        i += _ONE
    return h ^ (h >> np.uint64(29))


@kernel
def same_text(a: Any, start: Any, size: Any, b: Any, other: Any) -> Any:
    """Return whether ``size`` bytes are the same from ``start`` in a and from ``other`` in b."""
    i = np.uint64(0)
    while i + _EIGHT <= size:
        if word(a, start + i) != word(b, other + i):
            return False
        i += _EIGHT
    while i < size:
        if a[start + i] != b[other + i]:
            return False
        i += _ONE
    return True


@kernel
def find_ids(offsets: Any, data: Any, known: Any, known_data: Any, table: Any, out: Any) -> None:
    """Write the number of each text among the known ones, -1 where it is not among them."""
    # Unsigned numbers index arrays without a check for negative ones.
    mask = np.uint64(table.shape[0] - 1)
    for row in range(np.uint64(offsets.shape[0] - 1)):
        start = np.uint64(offsets[row])
        size = np.uint64(offsets[row + _ONE]) - start
        slot = hash_text(data, start, size) & mask
        out[row] = -1
        while table[slot] >= 0:
            v = np.uint64(table[slot])
            first = np.uint64(known[v])
            if np.uint64(known[v + _ONE]) - first == size and same_text(data, start, size, known_data, first):
                out[row] = table[slot]
                break
            slot = (slot + _ONE) & mask


@kernel
def enter_ids(known: Any, known_data: Any, table: Any) -> Any:
    """Put every text into the table; return the first row that repeats an earlier one, with that, or -1."""
    mask = np.uint64(table.shape[0] - 1)
    for row in range(np.uint64(known.shape[0] - 1)):
        start = np.uint64(known[row])
        size = np.uint64(known[row + _ONE]) - start
        slot = hash_text(known_data, start, size) & mask
        while table[slot] >= 0:
            v = np.uint64(table[slot])
            first = np.uint64(known[v])
            if np.uint64(known[v + _ONE]) - first == size and same_text(known_data, start, size, known_data, first):
                return np.int64(row), np.int64(v)
            slot = (slot + _ONE) & mask
        table[slot] = row
    return np.int64(-1), np.int64(-1)


@kernel
def short_word(data: Any, start: Any, size: Any) -> Any:
    """Return a text of up to eight bytes as one number, filled up with zeros."""
    if start + _EIGHT <= np.uint64(data.shape[0]):
        # One load and a mask; the bytes behind the text belong to the next one.
        return word(data, start) & (np.uint64(0xFFFFFFFFFFFFFFFF) >> (np.uint64(8) * (_EIGHT - size)))
    value = np.uint64(0)
    for i in range(size):
        value |= np.uint64(data[start + np.uint64(i)]) << (np.uint64(8) * np.uint64(i))
    return value


@kernel
def hash_word(value: Any) -> Any:
    """Return a 64-bit hash of a number."""
    value = (value ^ (value >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    return value ^ (value >> np.uint64(29))


@kernel
def short_words(offsets: Any, data: Any, words: Any) -> Any:
    """Write each text as a number; return whether that is exact: 1 to 8 bytes each, the last one not zero."""
    for row in range(np.uint64(offsets.shape[0] - 1)):
        start = np.uint64(offsets[row])
        size = np.uint64(offsets[row + _ONE]) - start
        if size == np.uint64(0) or size > _EIGHT or data[start + size - _ONE] == 0:
            return False
        words[row] = short_word(data, start, size)
    return True


@kernel
def enter_words(words: Any, table: Any) -> Any:
    """Put every number into the table; return the first row that repeats an earlier one, with that, or -1."""
    mask = np.uint64(table.shape[0] - 1)
    for row in range(np.uint64(words.shape[0])):
        slot = hash_word(words[row]) & mask
        while table[slot] >= 0:
            v = np.uint64(table[slot])
            if words[v] == words[row]:
                return np.int64(row), np.int64(v)
            slot = (slot + _ONE) & mask
        table[slot] = row
    return np.int64(-1), np.int64(-1)


@kernel
def find_words(offsets: Any, data: Any, words: Any, table: Any, out: Any) -> None:
    """Write the number of each text among the known ones, which are short, -1 where it is not among them."""
    mask = np.uint64(table.shape[0] - 1)
    for row in range(np.uint64(offsets.shape[0] - 1)):
        start = np.uint64(offsets[row])
        size = np.uint64(offsets[row + _ONE]) - start
        out[row] = -1
        if size == np.uint64(0) or size > _EIGHT or data[start + size - _ONE] == 0:
            continue
        value = short_word(data, start, size)
        slot = hash_word(value) & mask
        while table[slot] >= 0:
            if words[np.uint64(table[slot])] == value:
                out[row] = table[slot]
                break
            slot = (slot + _ONE) & mask
