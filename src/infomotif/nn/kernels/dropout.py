"""The compiled loops of dropout."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif._core.counter_rng import stream_of
from infomotif._core.parallel import kernel
from infomotif.typing import Array

# Loops fill vector registers if they run over slices from 0 (no index can be negative) and read before they choose.
DROP_BLOCK = 256
"""Entries that share a stream of random numbers."""
_U32 = np.uint32


@kernel
def stream_bits(seed: Any, block: int) -> Any:
    """Return where the stream of a block of entries starts, in 32 bits."""
    return _U32(stream_of(seed, block) & np.uint64(0xFFFFFFFF))


@kernel
def entry_bits(stream: Any, j: int) -> Any:
    """Return the random number of entry ``j`` of a block: a hash of its stream and its place.

    All of it is in 32 bits, so that a loop does 16 entries at a time in one register, 40 times as fast as torch's
    generator.
    """
    bits = _U32(stream + _U32(_U32(j) * _U32(0x9E3779B1)))
    bits = _U32(_U32(bits ^ _U32(bits >> _U32(16))) * _U32(0x7FEB352D))
    bits = _U32(_U32(bits ^ _U32(bits >> _U32(15))) * _U32(0x846CA68B))
    return _U32(bits ^ _U32(bits >> _U32(16)))


@kernel
def drop_block(stream: Any, offset: int, threshold: Any, scale: Any, x: Array, out: Array) -> None:
    """Write entries of a block from the one at ``offset`` on, scaled up or set to 0."""
    for j in range(len(x)):
        scaled = x[j] * scale
        out[j] = scaled if entry_bits(stream, offset + j) >= threshold else x.dtype.type(0)


@kernel
def rectify_block(stream: Any, offset: int, threshold: Any, scale: Any, x: Array, out: Array) -> None:
    """Write what :func:`drop_block` makes of max(x, 0); a NaN stays one."""
    for j in range(len(x)):
        scaled = x[j] * scale
        kept = (entry_bits(stream, offset + j) >= threshold) & (not scaled <= 0)
        out[j] = scaled if kept else x.dtype.type(0)


@kernel
def drop_runs(
    lo: int,
    hi: int,
    seed: Any,
    threshold: Any,
    scale: Any,
    ptr: Array,
    places: Array,
    x: Array,
    out: Array,
    rectify: bool,
) -> None:
    """Write runs of entries of ``x`` [size] scaled up, or set to 0 with a chance of ``threshold`` in 2^32.

    Run i has the entries ``ptr[i]`` to ``ptr[i + 1]`` and the random numbers of as many entries from ``places[i]`` on.
    With ``rectify`` it is max(x, 0) that is dropped.
    """
    for i in range(lo, hi):
        p, shift = ptr[i], places[i] - ptr[i]
        while p < ptr[i + 1]:
            block = (p + shift) // DROP_BLOCK
            first = block * DROP_BLOCK - shift
            end = min(ptr[i + 1], first + DROP_BLOCK)
            stream = stream_bits(seed, block)
            if rectify:
                rectify_block(stream, p - first, threshold, scale, x[p:end], out[p:end])
            else:
                drop_block(stream, p - first, threshold, scale, x[p:end], out[p:end])
            p = end


@kernel
def rectify_backward(lo: int, hi: int, scale: Any, out: Array, grad: Array, d_x: Array) -> None:
    """Write the gradient of rectified dropout for blocks of entries; its result ``out`` shows what was kept."""
    here = slice(lo * DROP_BLOCK, hi * DROP_BLOCK)
    out, grad, d_x = out[here], grad[here], d_x[here]
    for p in range(len(out)):
        scaled = grad[p] * scale
        d_x[p] = scaled if out[p] != 0 else grad.dtype.type(0)
