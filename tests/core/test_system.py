"""Memory: what the machine has, and what a container leaves of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from infomotif._core.system import available_memory, container_limits, machine_memory

MB = 1 << 20


def made(root: Path, groups: str, **limits: str) -> Path:
    """Write /proc/self/cgroup and limit files, named by path with ``__`` for ``/`` and ``_`` for ``.``."""
    (root / "proc" / "self").mkdir(parents=True)
    (root / "proc" / "self" / "cgroup").write_text(groups)
    for name, text in limits.items():
        path = root / "sys" / "fs" / "cgroup" / Path(*name.split("__"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return root


def test_the_second_version_names_the_limit_in_the_group(tmp_path):
    root = made(tmp_path, "0::/job\n", **{"job__memory.max": str(64 * MB)})
    assert list(container_limits(root)) == [64 * MB]
    assert available_memory(root) == 64 * MB


def test_limits_of_outer_groups_count_too(tmp_path):
    root = made(tmp_path, "0::/a/b\n", **{"a__b__memory.max": "max", "a__memory.max": "4096", "memory.max": "8192"})
    assert list(container_limits(root)) == [4096, 8192]


def test_the_first_version_has_a_tree_per_controller(tmp_path):
    groups = "5:cpu,cpuacct:/x\n4:memory:/job\n0::/\n"
    root = made(tmp_path, groups, **{"memory__job__memory.limit_in_bytes": "4096", "cpu,cpuacct__x__memory.max": "1"})
    assert list(container_limits(root)) == [4096]


def test_a_tree_may_be_shared_by_controllers(tmp_path):
    root = made(tmp_path, "4:hugetlb,memory:/\n", **{"hugetlb,memory__memory.limit_in_bytes": "4096"})
    assert list(container_limits(root)) == [4096]


def test_a_container_that_sees_its_group_as_the_root_is_understood(tmp_path):
    root = made(tmp_path, "4:memory:/docker/1234\n", **{"memory__memory.limit_in_bytes": "4096"})
    assert list(container_limits(root)) == [4096]


@pytest.mark.parametrize("text", ["max", "", "-1", "0", "many", "9223372036854771712"])
def test_no_limit_leaves_the_memory_of_the_machine(tmp_path, text):
    root = made(tmp_path, "0::/\n", **{"memory.max": text})
    assert available_memory(root) == available_memory(tmp_path / "nothing") == (machine_memory() or sys.maxsize)


@pytest.mark.parametrize("groups", ["", "\n", "nonsense", "0::/../../etc\n", "4:memory\n"])
def test_strange_groups_are_no_limit(tmp_path, groups):
    assert list(container_limits(made(tmp_path, groups))) == []


def test_a_group_outside_is_not_followed(tmp_path):
    root = made(tmp_path, "0::/../../../secret\n")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "memory.max").write_text("1")
    assert list(container_limits(root)) == []


def test_this_machine_has_memory():
    assert machine_memory() > 64 * MB


def test_windows_says_how_much_it_has():
    class Kernel32:
        def GlobalMemoryStatusEx(self, status):  # noqa: N802
            assert status._obj.length == 64
            status._obj.total_physical = 3 << 40
            return 1

    assert machine_memory("win32", Kernel32()) == 3 << 40


def test_windows_that_does_not_answer_is_unknown():
    class Kernel32:
        def GlobalMemoryStatusEx(self, status):  # noqa: N802
            return 0

    assert machine_memory("win32", Kernel32()) is None
    assert sys.platform == "win32" or machine_memory("win32") is None


def test_a_system_without_sysconf_is_unknown(monkeypatch):
    monkeypatch.delattr(os, "sysconf", raising=False)
    assert machine_memory("plan9") is None
