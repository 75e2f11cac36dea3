"""What the checks of a graph store cost: writing, the first opening, later openings, and a full verification.

python benchmarks/store_opening.py --edges 10_000_000
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from infomotif.graph import Graph
from infomotif.io import open_store, save_store


def timed(what: str, act: Callable[[], object], repeats: int = 1) -> None:
    """Print the least wall and CPU seconds of several calls."""
    walls, cpus = [], []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        act()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    print(f"{what:<40} {min(walls):9.4f} s {min(cpus):9.4f} CPU s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=10_000_000)
    parser.add_argument("--attributes", type=int, default=128)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    n = options.edges // 10
    ends = rng.integers(0, n, (2, options.edges), dtype=np.int32)
    x = rng.random((n, options.attributes), dtype=np.float32)
    graph = Graph.from_edges(*ends, num_nodes=n, directed=True, x=x, y=np.arange(n) % 8)
    small = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=True, x=np.ones((3, 2)), y=[0, 1, 1])
    with tempfile.TemporaryDirectory() as folder:
        # Kernels are compiled, and modules imported, before anything is measured.
        save_store(small, Path(folder, "small"))
        open_store(Path(folder, "small"), verify=True)
        store = Path(folder, "store")
        timed("write", lambda: save_store(graph, store))
        size = sum(path.stat().st_size for path in store.iterdir())
        print(f"{'bytes':<40} {size / 1e6:9.1f} MB")
        time.sleep(0.2)

        def first() -> None:
            (store / ".checked").unlink(missing_ok=True)
            open_store(store)

        timed("first opening (files in memory)", first, 3)
        timed("later openings", lambda: open_store(store), 20)
        timed("open_store(verify=True)", lambda: open_store(store, verify=True))
        shutil.rmtree(store)


if __name__ == "__main__":
    main()
