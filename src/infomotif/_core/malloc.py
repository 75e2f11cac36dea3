"""Letting the process keep freed memory, which the next training step uses again."""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT = 1 << 30
_MAX_BLOCK, _MAX_BLOCK_OF_OLD_GLIBC = 128 << 20, 32 << 20


def keep_freed_memory(platform: str = sys.platform) -> bool:
    """Let this process keep up to 1 GB that it has freed; return whether it will.

    A training step allocates and frees tensors of some megabytes. By default glibc returns them to the system, which
    clears every page again. The gain depends on the tensors: none to a tenth of the time on Cora, a sixth on PubMed
    (docs/benchmarks.md). Tensors of more than 128 MB (32 in older versions of glibc) are still returned at once.
    Results stay the same to the bit. The setting concerns the whole process: commands make it themselves, a program
    that uses the package may.

    Args:
        platform: As ``sys.platform`` names it; only Linux has the setting.

    Example:
        >>> keep_freed_memory() in (True, False)
        True
    """
    if platform != "linux":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    accepted = mallopt(_MMAP_THRESHOLD, _MAX_BLOCK) or mallopt(_MMAP_THRESHOLD, _MAX_BLOCK_OF_OLD_GLIBC)
    return bool(accepted and mallopt(_TRIM_THRESHOLD, _KEPT))
