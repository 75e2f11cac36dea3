"""Cores and memory that this process may use, of the machine and within the limits of its container."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any


def usable_cores() -> int:
    """Return the number of cores that this process may use.

    Example:
        >>> usable_cores() >= 1
        True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def available_memory(root: Path = Path("/")) -> int:
    """Return the bytes of memory that this process may use; where nobody knows, ``sys.maxsize``.

    Args:
        root: Folder that holds ``proc`` and ``sys``.

    Example:
        >>> 0 < available_memory() <= sys.maxsize
        True
    """
    return min(machine_memory() or sys.maxsize, *container_limits(root), sys.maxsize)


def machine_memory(platform: str = sys.platform, kernel32: Any = None) -> int | None:
    """Return the bytes of memory that the machine has, or None if the system does not say.

    Args:
        platform: As ``sys.platform`` names it.
        kernel32: Windows' library of that name; by default the one of this process.
    """
    if platform == "win32":
        library = kernel32 or getattr(getattr(ctypes, "windll", None), "kernel32", None)
        status = _MemoryStatus(length=ctypes.sizeof(_MemoryStatus))
        told = library is not None and library.GlobalMemoryStatusEx(ctypes.byref(status))
        return int(status.total_physical) if told else None
    try:
        pages = os.sysconf("SC_PHYS_PAGES")
        return pages * os.sysconf("SC_PAGE_SIZE") if pages > 0 else None
    except (AttributeError, ValueError, OSError):
        return None


def container_limits(root: Path = Path("/")) -> Iterator[int]:
    """Yield the memory limits of this process's control groups, of version 1 and 2, from its own group up to the root.

    Args:
        root: Folder that holds ``proc`` and ``sys``.
    """
    mount = root / "sys" / "fs" / "cgroup"
    for line in _text(root / "proc" / "self" / "cgroup").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        if not controllers:
            yield from _limits((mount, mount / "unified"), group, "memory.max")
        elif "memory" in controllers.split(","):
            yield from _limits((mount / "memory", mount / controllers), group, "memory.limit_in_bytes")


def _limits(mounts: tuple[Path, ...], group: str, name: str) -> Iterator[int]:
    # A container may see its group as the root while /proc names the path outside, so folders may be missing.
    names = [part for part in PurePosixPath(group).parts if part not in ("/", "..")]
    for mount in dict.fromkeys(mounts):
        for depth in range(len(names), -1, -1):
            limit = _text(mount.joinpath(*names[:depth], name)).strip()
            if limit.isdecimal() and int(limit) > 0:
                yield int(limit)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


class _MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX of the Windows API."""

    _fields_ = [
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("total_physical", ctypes.c_uint64),
        ("free_physical", ctypes.c_uint64),
        ("total_page_file", ctypes.c_uint64),
        ("free_page_file", ctypes.c_uint64),
        ("total_virtual", ctypes.c_uint64),
        ("free_virtual", ctypes.c_uint64),
        ("free_extended_virtual", ctypes.c_uint64),
    ]
