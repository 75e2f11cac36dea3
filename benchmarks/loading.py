"""How much CPU time and memory reading a large graph takes, side by side with what else one would use.

    python benchmarks/loading.py                       10 million edges, 1 million nodes
    python benchmarks/loading.py --edges 1e6 --nodes 1e5 --json loading.json

Each reader runs in a process of its own; CPU seconds count all threads, imports excluded.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

PEER_LIMIT = 1_000_000


def make_files(folder: Path, edges: int, nodes: int) -> None:
    """Write a random graph with text ids, three attribute columns and labels as CSV, gz and parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import csv

    rng = np.random.default_rng(0)
    ids = pa.array([f"n{v:07d}" for v in range(nodes)])
    ends = {key: ids.take(pa.array(rng.integers(0, nodes, edges))) for key in ("source", "target")}
    cities = pa.array(["Bonn", "Ulm", "Rom", "Oslo"])
    columns = {
        "id": ids,
        "label": pa.array(["a", "b", "c", None]).take(pa.array(rng.integers(0, 4, nodes))),
        "age": pa.array(rng.integers(0, 90, nodes)),
        "score": pa.array(rng.normal(size=nodes)),
        "city": cities.take(pa.array(rng.integers(0, 4, nodes))),
    }
    for name, table in (("edges", pa.table(ends)), ("nodes", pa.table(columns))):
        csv.write_csv(table, folder / f"{name}.csv")
        pq.write_table(table, folder / f"{name}.parquet")
        with pa.CompressedOutputStream(str(folder / f"{name}.csv.gz"), "gzip") as stream:
            csv.write_csv(table, stream)


def ours(kind: str) -> Callable[[Path], Callable[[], tuple[int, int]]]:
    def prepare(folder: Path) -> Callable[[], tuple[int, int]]:
        import pyarrow.compute  # noqa: F401
        import pyarrow.csv
        import pyarrow.parquet  # noqa: F401

        from infomotif.io import read_csv

        def read() -> tuple[int, int]:
            graph = read_csv(folder / f"edges.{kind}", folder / f"nodes.{kind}", label="label")
            return graph.num_nodes, graph.num_edges

        return read

    return prepare


def pandas_scipy(folder: Path) -> Callable[[], tuple[int, int]]:
    import pandas as pd
    import scipy.sparse as sp

    def read() -> tuple[int, int]:
        nodes = pd.read_csv(folder / "nodes.csv", dtype={"id": str})
        edges = pd.read_csv(folder / "edges.csv", dtype=str)
        index = pd.Index(nodes["id"])
        source, target = index.get_indexer(edges["source"]), index.get_indexer(edges["target"])
        pd.get_dummies(nodes[["age", "score", "city"]]).to_numpy(dtype=np.float32)
        n = len(nodes)
        matrix = sp.coo_array((np.ones(len(source), dtype=np.float32), (source, target)), shape=(n, n)).tocsr()
        return n, matrix.nnz

    return read


def pandas_networkx(folder: Path) -> Callable[[], tuple[int, int]]:
    import networkx as nx
    import pandas as pd

    def read() -> tuple[int, int]:
        nodes = pd.read_csv(folder / "nodes.csv", dtype={"id": str})
        edges = pd.read_csv(folder / "edges.csv", dtype=str)
        graph = nx.from_pandas_edgelist(edges, create_using=nx.DiGraph)
        graph.add_nodes_from(nodes["id"])
        return len(graph), graph.number_of_edges()

    return read


def igraph_frame(folder: Path) -> Callable[[], tuple[int, int]]:
    import igraph
    import pandas as pd

    def read() -> tuple[int, int]:
        nodes = pd.read_csv(folder / "nodes.csv", dtype={"id": str})
        edges = pd.read_csv(folder / "edges.csv", dtype=str)
        graph = igraph.Graph.DataFrame(edges, vertices=nodes, use_vids=False)
        return graph.vcount(), graph.ecount()

    return read


READERS: dict[str, tuple[Callable[[Path], Callable[[], tuple[int, int]]], bool]] = {
    "infomotif CSV": (ours("csv"), True),
    "infomotif CSV gz": (ours("csv.gz"), True),
    "infomotif parquet": (ours("parquet"), True),
    "pandas + scipy CSV": (pandas_scipy, True),
    "pandas + igraph CSV": (igraph_frame, False),
    "pandas + networkx CSV": (pandas_networkx, False),
}


def measure(name: str, folder: Path) -> dict[str, Any]:
    """Run one reader here and say what it took."""
    read = READERS[name][0](folder)
    cpu, wall = time.process_time(), time.perf_counter()
    nodes, edges = read()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "reader": name,
        "nodes": nodes,
        "edges": edges,
        "cpu_seconds": round(time.process_time() - cpu, 2),
        "wall_seconds": round(time.perf_counter() - wall, 2),
        "peak_mb": round(peak / (1024 * 1024 if sys.platform == "darwin" else 1024)),
    }


def run(edges: int, nodes: int) -> list[dict[str, Any]]:
    """Make the files and run every reader in a child process; slow peers get fewer edges."""
    rows = []
    sizes = {True: (edges, nodes), False: (min(edges, PEER_LIMIT), min(nodes, PEER_LIMIT // 10))}
    for large in (True, False):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            # In a process of its own, as a child's peak starts from its parent's.
            made = [sys.executable, __file__, "--make", "--folder", str(folder)]
            subprocess.run([*made, "--edges", str(sizes[large][0]), "--nodes", str(sizes[large][1])], check=True)
            names = [name for name, (_, fits) in READERS.items() if fits == large or (not large and "gz" not in name)]
            for name in names:
                command = [sys.executable, __file__, "--child", name, "--folder", str(folder)]
                done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ.copy())
                rows.append({"edges_in_file": sizes[large][0], **json.loads(done.stdout)})
                print(f"  {name}, {sizes[large][0]:,} edges: {rows[-1]['cpu_seconds']} CPU s", file=sys.stderr)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=float, default=1e7)
    parser.add_argument("--nodes", type=float, default=1e6)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument("--child", choices=READERS, help=argparse.SUPPRESS)
    parser.add_argument("--make", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measure(options.child, options.folder)))
        return
    if options.make:
        make_files(options.folder, int(options.edges), int(options.nodes))
        return
    from rich.console import Console
    from rich.table import Table

    rows = run(int(options.edges), int(options.nodes))
    table = Table(title=f"reading a graph, {platform.machine()}, {os.cpu_count()} cores", title_justify="left")
    for title in ("reader", "edges in file", "CPU s", "wall s", "peak MB"):
        table.add_column(title, justify="left" if title == "reader" else "right")
    for row in rows:
        figures = (f"{row['edges_in_file']:,}", row["cpu_seconds"], row["wall_seconds"], f"{row['peak_mb']:,}")
        table.add_row(row["reader"], *map(str, figures))
    Console().print(table)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
