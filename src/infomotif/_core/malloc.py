"""Memory that the process keeps: what one training step frees, the next one takes again."""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT = 1 << 30
_LARGEST, _LARGEST_OF_OLD = 128 << 20, 32 << 20


def keep_freed_memory(platform: str = sys.platform) -> bool:
    """Let this process keep up to 1 GB that it has freed; return whether it will.

    A training step makes and frees tensors of some megabytes. By default glibc gives them back to the system, which
    clears every page anew. How much keeping them gains depends on the tensors: nothing that shows in some trainings on
    Cora, a tenth in others, a sixth on PubMed (docs/benchmarks.md). Tensors of more than 128 MB (32 in older versions)
    still go back at once. Results stay the same to the bit. It holds for the whole process, so commands call it for
    themselves, and a program that uses the package may.

    Example:
        >>> keep_freed_memory() in (True, False)
        True
    """
    if platform != "linux":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    taken = mallopt(_MMAP_THRESHOLD, _LARGEST) or mallopt(_MMAP_THRESHOLD, _LARGEST_OF_OLD)
    return bool(taken and mallopt(_TRIM_THRESHOLD, _KEPT))
