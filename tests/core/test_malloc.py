"""Memory that a process has freed stays with it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from infomotif._core.malloc import keep_freed_memory

COUNT_FAULTS = """
import resource
import numpy as np
from infomotif._core.malloc import keep_freed_memory
{call}
np.ones(10 << 20, np.uint8)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    # Of two arrays one is freed at the end of the heap, where freed memory goes back.
    first, second = np.ones(10 << 20, np.uint8), np.ones(10 << 20, np.uint8)
    del first, second
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def faults(call):
    # Pages of 2 MB, where the system offers them, would hide most faults.
    small_pages = os.environ | {"NUMPY_MADVISE_HUGEPAGE": "0"}
    command = [sys.executable, "-c", COUNT_FAULTS.format(call=call)]
    return int(subprocess.check_output(command, env=small_pages))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep nothing")
def test_freed_pages_are_not_cleared_again():
    kept = faults("keep_freed_memory() or exit('this system keeps nothing')")
    assert 5 * kept < faults("")


def test_other_systems_are_left_alone():
    assert not keep_freed_memory(platform="win32")
