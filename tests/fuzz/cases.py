"""One case: a sample, edits, the reader, and what became of it."""

from __future__ import annotations

import contextlib
import gzip
import random
import shutil
import signal
import tempfile
import traceback
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from infomotif.errors import InputError
from tests.fuzz.edits import Edit, drawn
from tests.fuzz.targets import TARGETS, Target

SECONDS = 20
MAX_LINE = 1100
"""Longest message: 1,000 characters and what escapes add."""


class Hang(BaseException):
    """The reader did not end in time."""


@cache
def whole_sample(name: str) -> Path:
    """Return the folder of a whole sample, made once per process."""
    folder = Path(tempfile.mkdtemp(prefix="infomotif-fuzz-"))
    TARGETS[name].make(folder)
    TARGETS[name].read(folder)
    return folder


def files_of(name: str) -> list[Path]:
    """Return the files of a sample that may be edited, relative to its folder."""
    folder = whole_sample(name)
    return sorted(
        path.relative_to(folder)
        for path in folder.rglob("*")
        if path.is_file() and path.name not in TARGETS[name].fixed
    )


def change(path: Path, edits: Sequence[Edit], *, inside: bool) -> bool:
    """Edit a file, or what is packed in it; return whether it changed."""
    before = data = path.read_bytes()
    unpack = inside and path.suffix == ".gz"
    data = gzip.decompress(data) if unpack else data
    for edit in edits:
        data = edit.apply(data)
    data = gzip.compress(data, mtime=0) if unpack else data
    path.write_bytes(data)
    return data != before


@contextlib.contextmanager
def limited_time(seconds: int) -> Iterator[None]:
    """Raise :class:`Hang` in the block after some seconds."""

    def stop(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def outcome(target: Target, folder: Path, *, must_notice: bool) -> str:
    """Read a folder; return ``read``, ``refused``, or the failure with its traceback."""
    try:
        with warnings.catch_warnings(), limited_time(SECONDS):
            warnings.simplefilter("ignore")
            target.read(folder)
    except InputError as error:
        line = str(error)
        if "\n" in line or len(line) > MAX_LINE or not line:
            return f"not one short line: {line[:200]!r}"
        return "refused"
    except Hang:
        return f"hang: more than {SECONDS} s"
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"{type(error).__name__}\n{traceback.format_exc()}"
    return "unseen change" if must_notice else "read"


def try_edits(name: str, file: Path, edits: Sequence[Edit], *, inside: bool, reseal: bool) -> str:
    """Edit one file of a copy of a sample and read it; see :func:`outcome`."""
    target = TARGETS[name]
    with tempfile.TemporaryDirectory(prefix="infomotif-fuzz-") as place:
        folder = Path(place) / "case"
        shutil.copytree(whole_sample(name), folder)
        changed = change(folder / file, edits, inside=inside)
        if reseal:
            # A file that can no longer be parsed cannot be sealed again either.
            with contextlib.suppress(Exception):
                target.reseal(folder)
        return outcome(target, folder, must_notice=target.sealed and changed and not reseal)


def run_case(seed: int, number: int) -> tuple[str, str]:
    """Return the target and the outcome of a case."""
    rng = random.Random(f"{seed}-{number}")
    name = rng.choice([name for name, target in TARGETS.items() for _ in range(target.share)])
    file, inside, reseal = rng.choice(files_of(name)), rng.random() < 0.7, rng.random() < 0.7
    return name, try_edits(name, file, drawn(rng), inside=inside, reseal=reseal)
