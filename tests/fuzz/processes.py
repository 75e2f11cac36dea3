"""Cases in processes of their own: memory is capped, and crashes and hangs are counted as well."""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
import time
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path

MEMORY = 2 << 30
"""How much a worker may take beyond what the libraries do."""
PATIENCE = 90
REPORT_EVERY = 1000


def limit_memory() -> None:
    """Let this process take :data:`MEMORY` more than now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def work(pipe: Connection, seed: int, numbers: range) -> None:
    """Run cases and send each outcome."""
    os.environ["INFOMOTIF_THREADS"] = "1"
    from tests.fuzz.cases import run_case, whole_sample
    from tests.fuzz.targets import TARGETS

    for name in TARGETS:
        whole_sample(name)
    limit_memory()
    pipe.send(None)
    for number in numbers:
        pipe.send((number, *run_case(seed, number), time.process_time()))


def run(seed: int, cases: int, *, start: int = 0) -> tuple[Counter[tuple[str, str]], list[str], float]:
    """Run cases; return counts by target and outcome, failures in full, and CPU seconds."""
    counts: Counter[tuple[str, str]] = Counter()
    failures: list[str] = []
    cpu, number = 0.0, start
    context = multiprocessing.get_context("spawn")
    while number < start + cases:
        pipe, theirs = context.Pipe(duplex=False)
        worker = context.Process(target=work, args=(theirs, seed, range(number, start + cases)))
        worker.start()
        theirs.close()
        spent, ready = 0.0, False
        try:
            while number < start + cases:
                if not pipe.poll(PATIENCE if ready else 10 * PATIENCE):
                    raise TimeoutError
                message = pipe.recv()
                if message is None:
                    ready = True
                    continue
                number, name, outcome, spent = message
                kind = outcome.partition("\n")[0].partition(":")[0]
                counts[name, kind] += 1
                if kind not in ("read", "refused"):
                    failures.append(f"case {number} ({name}): {outcome}")
                number += 1
                if (number - start) % REPORT_EVERY == 0:
                    sys.stderr.write(f"{number - start:,} cases, {len(failures):,} failures\n")
        except (EOFError, TimeoutError) as error:
            if not ready:
                worker.kill()
                raise RuntimeError("a worker could not make the whole samples") from None
            kind = "hang" if isinstance(error, TimeoutError) else "crash"
            counts["?", kind] += 1
            failures.append(f"case {number}: {kind} of the process")
            number += 1
            worker.kill()
        worker.join()
        cpu += spent
    return counts, failures, cpu


def table(counts: Counter[tuple[str, str]]) -> str:
    """Return the counts as text: one line per target, one column per outcome."""
    kinds = sorted({kind for _, kind in counts})
    lines = [f"{'':16}" + "".join(f"{kind:>16}" for kind in kinds)]
    for name in sorted({name for name, _ in counts}):
        lines.append(f"{name:16}" + "".join(f"{counts[name, kind]:16,}" for kind in kinds))
    return "\n".join(lines)
