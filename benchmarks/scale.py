"""From files to samples on graphs of 10^5 to 10^8 edges: time and peak memory of each step, one process a figure.

    python benchmarks/scale.py                                  # 10^5, 10^6 and 10^7 edges, 128 attributes
    python benchmarks/scale.py --edges 1e7 --kind csv           # the same from CSV
    python benchmarks/scale.py --edges 1e8 --attributes 0 --steps generate,convert,open,census,sample
    python benchmarks/scale.py --edges 1e6 --steps generate,convert,train
    python benchmarks/scale.py --edges 1 --steps limit          # how fast this machine's memory is

"limit" measures what bounds all other steps once a graph is larger than the cache: GB per CPU second of one thread and
GB per second of all, reading 256 MB in order, and reading rows of 256 and 512 bytes of it in random order: a node, and
a node with its corruption, at width 64.

"train" is one epoch on sampled neighbourhoods, supervised (20 % of the nodes) and InfoMax over all nodes, width 64,
Q = 5, two motifs, batches and fan-out as by default, with the mining before it and two inferences of all nodes.

Graphs are those of `infomotif.datasets.write_roles` with 10 edges a node. Kernels are compiled before the clock starts.
CPU seconds count all threads. Two peaks are shown: resident memory, in which mapped pages of files count although the
system may drop them at any time, and anonymous memory, which is what the process itself needs.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

STEPS = ("generate", "convert", "open", "census", "sample", "train")
LIMIT = "limit"
SAMPLES = 20
LABEL = "role"


def in_use(key: str) -> float:
    """Return a figure of /proc/self/status in MB, such as VmHWM or RssAnon."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) / 1024
    return 0.0


class Peak(threading.Thread):
    """Watches anonymous memory every 10 ms, as the system keeps no peak of it."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most, self.done = 0.0, threading.Event()

    def run(self) -> None:
        while not self.done.wait(0.01):
            self.most = max(self.most, in_use("RssAnon"))


def generate(folder: Path, options: argparse.Namespace) -> Callable[[], dict]:
    from infomotif.datasets import write_roles

    edges, attributes, kind = int(float(options.edges)), options.attributes, options.kind
    return lambda: {
        "files": len(write_roles(folder / "files", edges, num_attributes=attributes, kind=kind, show=False))
    }


def convert(folder: Path, options: argparse.Namespace) -> Callable[[], dict]:
    from infomotif.datasets import write_roles
    from infomotif.io import convert_csv

    with tempfile.TemporaryDirectory() as small:
        convert_csv(*write_roles(Path(small, "files"), 1000, num_attributes=4), Path(small, "store"), label=LABEL)
    files = [folder / "files" / f"{name}.{options.kind}" for name in ("edges", "nodes")]

    def run() -> dict:
        graph = convert_csv(*files, folder / "store", label=LABEL, memory=options.memory, show=False)
        return {"edges": graph.num_edges, "nodes": graph.num_nodes}

    return run


def open_it(folder: Path, options: argparse.Namespace) -> Callable[[], dict]:
    from infomotif.io import open_store

    return lambda: {"edges": open_store(folder / "store").num_edges}


def census(folder: Path, options: argparse.Namespace) -> Callable[[], dict]:
    from infomotif.io import open_store
    from infomotif.motifs import MotifIndex

    warm_up()
    graph = open_store(folder / "store")
    return lambda: {"totals": MotifIndex(graph).totals.tolist()}


def sample(folder: Path, options: argparse.Namespace) -> Callable[[], dict]:
    from infomotif.io import open_store
    from infomotif.motifs import MotifIndex

    warm_up()
    graph = open_store(folder / "store")

    def run() -> dict:
        index = MotifIndex(graph)
        rng, drawn = np.random.default_rng(0), 0
        step = options.nodes
        # In ranges, as training draws them; the samples of all nodes at once would outgrow the graph.
        for start in range(0, graph.num_nodes, step):
            nodes = np.arange(start, min(graph.num_nodes, start + step))
            drawn += sum(len(found.members) for found in index.sample(nodes, SAMPLES, rng))
        return {"instances": drawn}

    return run


def train(folder: Path, options: argparse.Namespace) -> Callable[[], dict]:
    """One epoch of InfoMotif (supervised, then InfoMax over all nodes), with mining before and inference twice."""
    import infomotif as im
    from infomotif.training import random_split

    graph = im.open_store(folder / "store")
    model = im.InfoMotif(
        im.GCN(hidden=64),
        preset="paper",
        motifs=["M6", "M7"],
        regularizer=im.Regularizer(q=5),
        training=im.Training(epochs=1, sampling="neighbours"),
        progress=False,
    )
    model.fit(im.datasets.make_roles(300, 2))
    split = random_split(graph.y, 0.2)

    def run() -> dict:
        records: list[dict] = []
        model.fit(graph, split.train, split.val, on_epoch=records.append)
        started = time.perf_counter()
        model.predict(graph)
        inference = time.perf_counter() - started
        return {"epoch_s": records[0]["seconds"], "inference_s": inference, "accuracy": model.score()}

    return run


def warm_up() -> None:
    from infomotif.graph import Graph
    from infomotif.motifs import MotifIndex

    ends = np.random.default_rng(0).integers(0, 300, (2, 3000))
    small = Graph.from_edges(ends[0], ends[1], num_nodes=300, directed=True)
    for listing in (0, 1 << 20):
        for q in (1, SAMPLES):
            MotifIndex(small, listing_bytes=listing).sample(None, q, np.random.default_rng(0))


def limit(folder: Path, options: argparse.Namespace) -> Callable[[], dict]:
    """Memory bandwidth: in order, and rows in random order."""
    from infomotif._core.parallel import kernel, parallel_ranges

    @kernel
    def add_rows(lo: int, hi: int, order: np.ndarray, x: np.ndarray) -> float:
        total = x[0, 0]
        for i in range(lo, hi):
            row = order[i]
            for j in range(x.shape[1]):
                total += x[row, j]
        return total

    def speed(width: int, shuffled: bool, threads: int) -> float:
        rows = (1 << 26) // width
        x, order = np.ones((rows, width), np.float32), np.arange(rows, dtype=np.int32)
        if shuffled:
            np.random.default_rng(0).shuffle(order)
        clock = time.process_time if threads == 1 else time.perf_counter
        taken = []
        for _ in range(3):
            started = clock()
            parallel_ranges(add_rows, rows, order, x, threads=threads)
            taken.append(clock() - started)
        return round(x.nbytes / 1e9 / min(taken), 2)

    add_rows(0, 1, np.zeros(1, np.int32), np.ones((1, 64), np.float32))
    cases = {"in order": (128, False), "256 bytes, random": (64, True), "512 bytes, random": (128, True)}
    return lambda: {
        f"{name}, {threads} thread{'s' * (threads > 1)}": speed(*case, threads)
        for name, case in cases.items()
        for threads in sorted({1, os.cpu_count() or 1})
    }


WORK = dict(zip((*STEPS, LIMIT), (generate, convert, open_it, census, sample, train, limit), strict=True))


def work(step: str, folder: Path, options: argparse.Namespace) -> dict:
    call = WORK[step](folder, options)
    Path("/proc/self/clear_refs").write_text("5")
    watch = Peak()
    watch.start()
    started, used = time.perf_counter(), time.process_time()
    found = call()
    wall, cpu = time.perf_counter() - started, time.process_time() - used
    watch.done.set()
    watch.join()
    anonymous = max(watch.most, in_use("RssAnon"))
    return {"wall_s": wall, "cpu_s": cpu, "peak_mb": in_use("VmHWM"), "anonymous_mb": anonymous, "found": found}


def measure(step: str, folder: Path, edges: str, options: argparse.Namespace) -> dict:
    command = [sys.executable, __file__, "--work", step, str(folder), "--edges", edges, "--kind", options.kind]
    command += ["--attributes", str(options.attributes), "--memory", str(options.memory), "--nodes", str(options.nodes)]
    done = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", default="1e5,1e6,1e7", help="numbers of edges, separated by commas")
    parser.add_argument("--attributes", type=int, default=128, help="attributes a node")
    parser.add_argument("--kind", default="parquet", help="parquet or csv")
    parser.add_argument("--steps", default=",".join(STEPS), help=f"some of {', '.join((*STEPS, LIMIT))}")
    parser.add_argument("--memory", type=int, default=2 << 30, help="bytes that convert may use")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="nodes to draw samples for at a time")
    parser.add_argument("--folder", type=Path, help="where to work; what is made there is deleted afterwards")
    parser.add_argument("--json", type=Path, help="also write the figures as JSON")
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        print(json.dumps(work(options.work[0], Path(options.work[1]), options)))
        return
    rows = []
    print("| edges | step | wall s | CPU s | peak RSS MB | peak anonymous MB |\n|---|---|---|---|---|---|")
    for edges in options.edges.split(","):
        folder = Path(tempfile.mkdtemp(prefix="scale-", dir=options.folder))
        try:
            for step in options.steps.split(","):
                row = {"edges": float(edges), "step": step, **measure(step, folder, edges, options)}
                rows.append(row)
                times = f"{row['wall_s']:.3g} | {row['cpu_s']:.3g}"
                print(f"| {edges} | {step} | {times} | {row['peak_mb']:.0f} | {row['anonymous_mb']:.0f} |", flush=True)
                if step in ("train", LIMIT):
                    print(f"of which: {row['found']}", flush=True)
        finally:
            shutil.rmtree(folder)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
