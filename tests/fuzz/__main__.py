"""``python -m tests.fuzz --cases 50000``: many cases in processes with a memory cap; counts, and every failure."""

from __future__ import annotations

import argparse
import sys

from tests.fuzz.processes import run, table

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="number of the first case, to repeat one")
    options = parser.parse_args()
    counts, failures, cpu = run(options.seed, options.cases, start=options.start)
    sys.stderr.write("".join(f"{failure}\n" for failure in failures[:40]))
    total = f"{sum(counts.values()):,} cases, {len(failures):,} failures, {cpu:,.0f} CPU seconds, seed {options.seed}"
    sys.stdout.write(f"{table(counts)}\n{total}\n")
    sys.exit(1 if failures else 0)
