"""The embedding methods: CPU seconds and peak memory of each, and node2vec's walks next to plain Python.

    python benchmarks/baselines.py                          # pubmed, all embeddings, half an hour
    python benchmarks/baselines.py --dataset cora           # another dataset, or ba-NODES-EDGES
    python benchmarks/baselines.py --methods graphwave      # only these; "walks" means the walks alone
    python benchmarks/baselines.py --json out.json          # the same figures as JSON

Each figure comes from a separate process with one thread, which has loaded the graph and compiled its kernels on
karate. Memory is the peak of the whole process. The walks are compared with pure Python in the manner of the published
code, written here: networkx, an alias table for every directed edge, one step after the other. It makes one walk per
node, and its tables are timed separately.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

ONE_THREAD = {name: "1" for name in ("INFOMOTIF_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
WALKS = ("walks, kernel", "walks, plain Python")
P, Q, LENGTH = 0.25, 4.0, 80


def peak_memory() -> float:
    """Return the peak of resident memory in MB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


def alias_table(weights: list[float]) -> tuple[list[float], list[int]]:
    """Prepare draws by weight in constant time (Walker's method)."""
    n, total = len(weights), sum(weights)
    share, other = [w * n / total for w in weights], [0] * len(weights)
    small, large = [i for i in range(n) if share[i] < 1], [i for i in range(n) if share[i] >= 1]
    while small and large:
        low, high = small.pop(), large.pop()
        other[low] = high
        share[high] += share[low] - 1
        (small if share[high] < 1 else large).append(high)
    return share, other


def draw(table: tuple[list[float], list[int]]) -> int:
    share, other = table
    i = random.randrange(len(share))
    return i if random.random() < share[i] else other[i]


def plain_python_walks(graph) -> dict[str, float]:
    """Time pure Python: a table for each directed edge, then one walk from every node."""
    joined = graph.to_networkx().to_undirected()
    started = time.process_time()
    neighbours = {v: sorted(joined[v]) for v in joined}
    tables = {}
    for before, v in ((a, b) for edge in joined.edges for a, b in (edge, edge[::-1])):
        weights = [1 / P if x == before else 1.0 if joined.has_edge(x, before) else 1 / Q for x in neighbours[v]]
        tables[before, v] = alias_table(weights)
    prepared = time.process_time()
    for start in joined:
        walk = [start]
        while len(walk) < LENGTH and neighbours[walk[-1]]:
            row = neighbours[walk[-1]]
            following = draw(tables[walk[-2], walk[-1]]) if len(walk) > 1 else random.randrange(len(row))
            walk.append(row[following])
    return {"prepare_s": prepared - started, "cpu_s": time.process_time() - prepared}


def kernel_walks(graph) -> dict[str, float]:
    import numpy as np

    from infomotif_bench.methods.embeddings.walks import biased_walks

    starts = np.arange(graph.num_nodes)
    started = time.process_time()
    biased_walks(graph.undirected, starts, LENGTH, p=P, q=Q, generator=np.random.default_rng(0))
    return {"prepare_s": 0.0, "cpu_s": time.process_time() - started}


def work(name: str, dataset: str) -> dict[str, float]:
    from infomotif_bench.experiments.graphs import bench_graph
    from infomotif_bench.methods import get_method

    graph, small = (bench_graph(which).replace(y=None, class_names=()) for which in (dataset, "karate"))
    if name in WALKS:
        call = kernel_walks if name == WALKS[0] else plain_python_walks
        call(small)
        return {**call(graph), "peak_mb": peak_memory()}
    method = get_method(name)
    method.embed(small, method.defaults(), 0)
    started, wall = time.process_time(), time.perf_counter()
    method.embed(graph, method.defaults(), 0)
    used = {"cpu_s": time.process_time() - started, "wall_s": time.perf_counter() - wall}
    return {**used, "peak_mb": peak_memory()}


def measure(name: str, dataset: str) -> dict:
    command = [sys.executable, __file__, "--work", name, "--dataset", dataset]
    done = subprocess.run(command, env={**os.environ, **ONE_THREAD}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def embeddings() -> list[str]:
    """Every embedding method of the registry that has settings."""
    from infomotif_bench.methods import METHODS, EmbeddingMethod

    return [name for name, method in METHODS.items() if isinstance(method, EmbeddingMethod) and method.defaults()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="pubmed", help="a dataset, or ba-NODES-EDGES")
    parser.add_argument("--methods", help="comma-separated names; all embeddings and the walks by default")
    parser.add_argument("--json", type=Path, help="also write the figures as JSON")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        print(json.dumps(work(options.work, options.dataset)))
        return
    chosen = options.methods.split(",") if options.methods else ["walks", *embeddings()]
    rows = {}
    print(f"| {options.dataset} | CPU s | peak MB |\n|---|---|---|")
    for name in [part for one in chosen for part in (WALKS if one == "walks" else (one,))]:
        rows[name] = measured = measure(name, options.dataset)
        tables = f" (and {measured['prepare_s']:.3g} for tables)" if measured.get("prepare_s") else ""
        print(f"| {name} | {measured['cpu_s']:.3g}{tables} | {measured['peak_mb']:.0f} |", flush=True)
    if set(WALKS) <= rows.keys():
        kernel, plain = (rows[name]["cpu_s"] for name in WALKS)
        print(f"\nThe kernel walks {plain / kernel:.0f} times as fast as plain Python, without the tables.")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
