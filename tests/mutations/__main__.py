"""``python -m tests.mutations``: the mutations by hand; ``--sample 60``: mutants of ``_core``, saving and stores."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.mutations.by_hand import MUTATIONS
from tests.mutations.operators import mutants

ROOT = Path(__file__).parents[2]
SECONDS = 900
ROOMS: dict[str, tuple[str, ...]] = {
    "_core/files.py": ("tests/core/test_files.py", "tests/fault_injection/test_files.py"),
    "_core/checksums.py": ("tests/core/test_checksums.py",),
    "_core/locks.py": ("tests/core/test_locks.py",),
    "_core/spreadsheet.py": ("tests/core/test_spreadsheet.py",),
    "_core/validate.py": ("tests/core/test_validate.py",),
    "_core/statistics.py": ("tests/core/test_statistics.py",),
    "_core/parallel.py": ("tests/core/test_parallel.py",),
    "_core/reading/documents.py": ("tests/core/reading", "tests/io/test_bombs.py"),
    "_core/reading/limits.py": ("tests/core/reading", "tests/io/test_bombs.py"),
    "_core/reading/problems.py": ("tests/core/reading",),
    "_core/reading/yaml.py": ("tests/core/reading",),
    "model/saving.py": ("tests/model/test_saving.py",),
    "io/store/arrays.py": ("tests/io/store/test_store.py",),
    "io/store/check.py": ("tests/io/store/test_store.py",),
    "io/store/description.py": ("tests/io/store/test_store.py",),
    "io/store/replace.py": ("tests/io/store/test_store.py", "tests/fault_injection/test_store.py"),
    "io/store/stamp.py": ("tests/io/store/test_store.py",),
    "io/store/store.py": ("tests/io/store/test_store.py",),
    "io/store/verify.py": ("tests/io/store/test_store.py",),
}
"""The files that mutants are made of, below ``src/infomotif``, and the tests of each."""


def noticed(copy: Path, tests: tuple[str, ...]) -> str:
    """Run tests on a copy of the source; return the test that failed first, or nothing."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "NUMBA_CACHE_DIR": str(copy / "cache")}
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header", *tests]
    try:
        done = subprocess.run(
            words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return "(no end)"
    failed = [line.split()[1] for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    return "" if done.returncode == 0 else (failed or ["(tests do not start)"])[0].partition("::")[2] or "(at import)"


def by_hand() -> int:
    """Print a table of the mutations by hand; return how many nobody noticed."""
    missed = 0
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "src"
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        for mutation in MUTATIONS:
            path = copy / mutation.file
            whole = path.read_text()
            if whole.count(mutation.old) != 1:
                raise SystemExit(f"{mutation.title}: the place in {mutation.file} is not there once")
            path.write_text(whole.replace(mutation.old, mutation.new))
            test = noticed(copy, mutation.tests)
            path.write_text(whole)
            missed += not test
            show(f"| {mutation.title} | {test or 'MISSED'} |")
    show(f"{len(MUTATIONS)} mutations by hand, {missed} missed")
    return missed


def sampled(count: int, seed: int) -> int:
    """Print the mutants of a sample that nobody noticed, and the score; return how many they are."""
    drawn = [(file, *mutant) for file in ROOMS for mutant in mutants((ROOT / "src" / "infomotif" / file).read_text())]
    total = len(drawn)
    drawn = random.Random(seed).sample(drawn, min(count, total))
    tried: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "src"
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        for file, line, kind, text in drawn:
            path = copy / "infomotif" / file
            whole = path.read_text()
            path.write_text(text)
            tried[file] += 1
            if not noticed(copy, ROOMS[file]):
                missed[file] += 1
                show(f"survived: {file} line {line}, {kind}")
            path.write_text(whole)
    for file, number in sorted(tried.items()):
        show(f"| {file} | {number} | {number - missed[file]} |")
    caught = len(drawn) - missed.total()
    show(f"{len(drawn)} of {total:,} mutants, {caught} noticed: {100 * caught / max(1, len(drawn)):.0f} %, seed {seed}")
    return missed.total()


def show(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("--sample", type=int, help="how many mutants of the operators to try instead")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.sample is None:
        sys.exit(1 if by_hand() else 0)
    sampled(options.sample, options.seed)
