"""How long the first answer takes: imports, commands, the first index and the first fit, warm and after installation.

    python benchmarks/startup.py                    # the table, about three minutes
    python benchmarks/startup.py --json out.json    # the same for machines
    python benchmarks/startup.py --kernels          # what each kernel of the first fit takes to compile

CPU seconds (user and system) of a whole process, the least of ``--repeats``; imports without the start of Python
itself. Warm processes find bytecode and compiled kernels on disk. Cold ones find no kernel, as after installation.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

INDEX = "import infomotif as im; im.MotifIndex(im.load_dataset('karate'))"
FIT = "import infomotif as im; im.InfoMotif(preset='paper', progress=False).fit(im.load_dataset('karate'))"
COMMAND = "from infomotif.cli.main import run; run(['{}'])"
ROWS = [
    ("import infomotif", "import infomotif", 0.03),
    ("infomotif --help", COMMAND.format("--help"), 0.25),
    ("infomotif --version", COMMAND.format("--version"), 0.25),
    ("MotifIndex of karate", INDEX, 0.8),
    ("first fit on karate", FIT, 3.0),
]
PEERS = ("numpy", "scipy.sparse", "networkx", "igraph", "numba", "torch", "torch_geometric")
COUNT = """
import json, sys, time
from numba.core import event

class Compilations(event.Listener):
    def __init__(self):
        self.open, self.kernels = [], []

    def on_start(self, event):
        self.open.append([time.process_time(), 0.0])

    def on_end(self, event):
        start, inner = self.open.pop()
        seconds = time.process_time() - start
        if self.open:
            self.open[-1][1] += seconds
        function = event.data["dispatcher"].py_func
        self.kernels.append((f"{function.__module__}.{function.__name__}", seconds - inner))

listener = Compilations()
event.register("numba:compile", listener)
exec(sys.argv[1])
print(json.dumps(listener.kernels))
"""


def cpu_seconds(code: str, environment: dict[str, str]) -> float:
    """Return user and system seconds of a process that runs the code."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, **silent)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compilations(code: str) -> list[tuple[str, float]]:
    """Return every function that the code compiles without any kernel on disk, and the CPU seconds that it takes."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-c", COUNT, code]
        done = subprocess.run(
            command, env=_environment(cache), check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
    return [(name, seconds) for name, seconds in json.loads(done.stdout.splitlines()[-1])]


def _environment(cache: str) -> dict[str, str]:
    """Return the environment of a process that uses one thread and keeps bytecode and kernels."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"NUMBA_CACHE_DIR": cache, "OMP_NUM_THREADS": "1", "INFOMOTIF_THREADS": "1"}


def measure(repeats: int) -> list[dict[str, object]]:
    """Return one record per row of the table."""
    records: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as cache:
        warm = _environment(cache)
        python = min(cpu_seconds("pass", warm) for _ in range(2 * repeats))
        for what, code, target in ROWS:
            cpu_seconds(code, warm)
            seconds = min(cpu_seconds(code, warm) for _ in range(repeats))
            if what.startswith("import"):
                seconds -= python
            records.append({"what": what, "state": "warm", "cpu_s": seconds, "target": target})
        for name in PEERS:
            if find_spec(name.partition(".")[0]) is not None:
                code = f"import {name}"
                cpu_seconds(code, warm)
                seconds = min(cpu_seconds(code, warm) for _ in range(repeats)) - python
                records.append({"what": code, "state": "peer", "cpu_s": seconds, "target": None})
    for what, code, _ in ROWS[3:]:
        colds = []
        for _ in range(2):
            with tempfile.TemporaryDirectory() as cache:
                colds.append(cpu_seconds(code, _environment(cache)))
        compiled = compilations(code)
        spent = sum(seconds for _, seconds in compiled)
        record = {"what": what, "state": "cold", "cpu_s": min(colds), "target": 4.8 if code == FIT else None}
        records.append(record | {"compilations": len(compiled), "compile_s": spent})
    return records


def show(records: list[dict[str, object]]) -> None:
    """Print the records as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Start-up (CPU seconds of one process)", title_justify="left")
    for column in ("what", "kernels on disk", "CPU s", "target", "compilations", "of that compiling"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for record in records:
        target = "" if record["target"] is None else f"{record['target']:g}"
        disk = {"warm": "yes", "cold": "no", "peer": ""}[str(record["state"])]
        compiling = f"{record['compile_s']:.1f}" if "compile_s" in record else ""
        count = str(record.get("compilations", ""))
        table.add_row(str(record["what"]), disk, f"{record['cpu_s']:.3f}", target, count, compiling)
    Console(width=110).print(table)


def main() -> None:
    """Print the table, or the kernels."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each process [default: 3]")
    parser.add_argument("--kernels", action="store_true", help="list the compilations of the first fit")
    given = parser.parse_args()
    if given.kernels:
        for name, seconds in sorted(compilations(FIT), key=lambda row: -row[1]):
            print(f"{seconds:.3f} {name}")
        return
    records = measure(given.repeats)
    show(records)
    if given.json:
        given.json.write_text(json.dumps(records, indent=2))


if __name__ == "__main__":
    main()
