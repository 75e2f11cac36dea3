"""What a process has freed, it keeps."""

import os
import subprocess
import sys

from infomotif._core import malloc as memory

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


def test_freed_pages_are_not_cleared_anew():
    kept = faults("keep_freed_memory() or exit('this system keeps nothing')")
    assert 5 * kept < faults("")


def test_elsewhere_nothing_is_done(monkeypatch):
    monkeypatch.setattr(memory.sys, "platform", "win32")
    assert not memory.keep_freed_memory()
