"""The environment of a run: versions, machine, commit."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess  # noqa: S404
from functools import cache
from pathlib import Path
from typing import Any

import infomotif
from infomotif._core.versions import LIBRARIES, installed


@cache
def environment() -> dict[str, Any]:
    """Return versions, machine and commit, without anything that names the machine or its user.

    Example:
        >>> sorted(environment())[:4]
        ['commit', 'cores', 'infomotif', 'libraries']
    """
    return {
        "infomotif": infomotif.__version__,
        "commit": commit(),
        "python": platform.python_version(),
        "libraries": installed((*LIBRARIES, "gensim")),
        "system": platform.system(),
        "machine": _processor(),
        "cores": os.cpu_count(),
    }


def commit() -> str | None:
    """Return the commit that the package runs from, with ``+`` if its code was changed since; None outside git."""
    package = Path(infomotif.__file__).parent
    hash_ = _git(package, "rev-parse", "--short=12", "HEAD")
    # A package inside somebody else's repository, such as in a virtual environment there, has no commit.
    if not hash_ or not _git(package, "ls-files", "__init__.py"):
        return None
    return hash_ + ("+" if _git(package, "status", "--porcelain", "--untracked-files=no", ".") else "")


def _git(folder: Path, *arguments: str) -> str:
    git = shutil.which("git")
    if git is None:
        return ""
    try:
        done = subprocess.run(  # noqa: S603
            [git, *arguments], cwd=folder, capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
