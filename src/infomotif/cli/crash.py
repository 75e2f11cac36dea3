"""Faults of the package: one line for the user, and a log file with the traceback for the report."""

from __future__ import annotations

import os
import shlex
import sys
import time
import traceback
from pathlib import Path

from infomotif import __version__
from infomotif._core.versions import installed
from infomotif.cli import console

KEPT_LOGS = 20
_MAX_REASON = 200
_verbose = False


def show_tracebacks(wanted: bool) -> None:
    """Set whether :func:`crash_line` also prints the traceback, as ``--verbose`` asks."""
    global _verbose
    _verbose = wanted


def log_folder() -> Path:
    """Return the folder of log files, in the user's folder for the state of programs."""
    import platformdirs

    return Path(platformdirs.user_state_dir("infomotif", appauthor=False)) / "log"


def crash_line(error: BaseException) -> str:
    """Write the log of an unexpected error and return the line that says where it is."""
    text = "".join(traceback.format_exception(error))
    if _verbose:
        console.err().print(text, markup=False, soft_wrap=True)
    reason = " ".join(f"{type(error).__name__}: {str(error)[:_MAX_REASON]}".split())
    line = f"a fault of infomotif, not of your input ({reason})"
    try:
        path = _write_log(text)
    except OSError as problem:
        return f"{line}; repeat it with 'infomotif -v' to see the traceback (no log: {problem.strerror or problem})"
    return f"{line}; please report it with {path}"


def _write_log(text: str) -> Path:
    folder = log_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for old in sorted(folder.glob("fault-*.log"))[: -KEPT_LOGS + 1]:
        old.unlink(missing_ok=True)
    path = folder / f"fault-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
    versions = "".join(f"{name} {version}\n" for name, version in installed().items())
    path.write_text(
        f"infomotif {__version__}, Python {sys.version.split()[0]}, {sys.platform}\n{versions}\n"
        f"$ {shlex.join(['infomotif', *sys.argv[1:]])}\n\n{text}",
        encoding="utf-8",
        errors="backslashreplace",
    )
    return path
