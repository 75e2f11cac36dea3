"""How much CPU time and memory reading a large graph takes, side by side with what else one would use.

    python benchmarks/loading.py                       10 million edges, 1 million nodes
    python benchmarks/loading.py --edges 1e6 --nodes 1e5 --json loading.json
    python benchmarks/loading.py --peers --edges 1e6 --nodes 1e5

Each reader runs in a process of its own; CPU seconds count all threads, imports excluded.

--peers compares with polars and pyarrow, each followed by the building of the same graph: unknown ids refused, self
loops and repeated edges dropped, sorted compressed rows, attributes with one-hot categories, classes, names. All
readers must give the same graph, which is checked. Least of three calls in one warm process, with one thread and with
all; the ratio is our time divided by the peer's.
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
import zlib
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


def finished(source: Any, target: Any, x: np.ndarray, y: np.ndarray, names: Any) -> tuple[int, int, int]:
    """Build the graph from node numbers as one would with scipy; return its size and a checksum."""
    import scipy.sparse as sp

    n, kept = len(y), source != target
    ones = np.ones(int(kept.sum()), dtype=np.float32)
    matrix = sp.coo_array((ones, (source[kept], target[kept])), shape=(n, n)).tocsr()
    matrix.sum_duplicates()
    return n, matrix.nnz, checksum(matrix.indptr, matrix.indices, x, y, names)


def checksum(indptr: np.ndarray, indices: np.ndarray, x: np.ndarray, y: np.ndarray, names: Any) -> int:
    if not CHECK:
        return len(names)
    arrays = (indptr.astype(np.int64), indices.astype(np.int64), x.astype(np.float32), y.astype(np.int64))
    total = zlib.crc32("\n".join(map(str, names)).encode())
    for array in arrays:
        total = zlib.crc32(np.ascontiguousarray(array).tobytes(), total)
    return total


def ours_checked(kind: str) -> Callable[[Path], Callable[[], tuple[int, int, int]]]:
    def prepare(folder: Path) -> Callable[[], tuple[int, int, int]]:
        from infomotif.io import read_csv

        def read() -> tuple[int, int, int]:
            graph = read_csv(folder / f"edges.{kind}", folder / f"nodes.{kind}", label="label")
            return (graph.num_nodes, graph.num_edges, checksum(*graph.csr[:2], graph.x, graph.y, graph.names))

        return read

    return prepare


def arrow_scipy(kind: str) -> Callable[[Path], Callable[[], tuple[int, int, int]]]:
    def prepare(folder: Path) -> Callable[[], tuple[int, int, int]]:
        import pyarrow as pa
        import pyarrow.compute as pc
        import pyarrow.parquet as pq
        from pyarrow import csv

        def table(name: str) -> Any:
            if kind == "parquet":
                return pq.read_table(folder / f"{name}.parquet")
            types = {"source": pa.string(), "target": pa.string(), "id": pa.string()}
            convert = csv.ConvertOptions(column_types=types, strings_can_be_null=True)
            return csv.read_csv(folder / f"{name}.csv", convert_options=convert)

        def codes(column: Any) -> tuple[np.ndarray, list[str]]:
            encoded = column.combine_chunks().dictionary_encode()
            order = pc.sort_indices(encoded.dictionary).to_numpy()
            rank = np.empty(len(order) + 1, dtype=np.int64)
            rank[order], rank[-1] = np.arange(len(order)), -1
            return rank[pc.fill_null(encoded.indices, -1).to_numpy()], encoded.dictionary.to_pylist()

        def read() -> tuple[int, int, int]:
            nodes, edges = table("nodes"), table("edges")
            ids = nodes["id"].combine_chunks()
            if pc.count_distinct(ids).as_py() != len(ids):
                raise ValueError("an id occurs twice")
            ends = [pc.index_in(edges[name], value_set=ids) for name in ("source", "target")]
            if any(end.null_count for end in ends):
                raise ValueError("an edge names an unknown node")
            city, names = codes(nodes["city"])
            x = np.zeros((len(ids), 2 + len(names)), dtype=np.float32)
            x[:, 0], x[:, 1] = nodes["age"].to_numpy(), nodes["score"].to_numpy()
            x[np.arange(len(ids)), 2 + city] = 1
            y, _ = codes(nodes["label"])
            return finished(*(end.to_numpy() for end in ends), x, y, ids.to_pylist())

        return read

    return prepare


def polars_scipy(kind: str) -> Callable[[Path], Callable[[], tuple[int, int, int]]]:
    def prepare(folder: Path) -> Callable[[], tuple[int, int, int]]:
        import polars as pl

        def table(name: str) -> Any:
            if kind == "parquet":
                return pl.read_parquet(folder / f"{name}.parquet")
            names = ("source", "target") if name == "edges" else ("id",)
            return pl.read_csv(folder / f"{name}.csv", schema_overrides=dict.fromkeys(names, pl.String))

        def codes(column: Any) -> np.ndarray:
            kinds = pl.Enum(column.drop_nulls().unique().sort())
            return column.cast(kinds).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()

        def read() -> tuple[int, int, int]:
            nodes, edges = table("nodes"), table("edges")
            # An Enum refuses repeated ids, and edges that name an unknown one.
            kind_of = pl.Enum(nodes["id"])
            ends = [edges[name].cast(kind_of).to_physical().to_numpy() for name in ("source", "target")]
            dummies = nodes["city"].to_dummies()
            wide = [nodes["age"], nodes["score"], *(dummies[name] for name in sorted(dummies.columns))]
            x = np.column_stack([column.to_numpy() for column in wide]).astype(np.float32)
            return finished(*ends, x, codes(nodes["label"]), nodes["id"].to_list())

        return read

    return prepare


PEERS: dict[str, tuple[str, Callable[[Path], Callable[[], tuple[int, int, int]]]]] = {
    f"{tool} {kind}": (tool, make(kind))
    for kind in ("csv", "parquet")
    for tool, make in (("infomotif", ours_checked), ("pyarrow + scipy", arrow_scipy), ("polars + scipy", polars_scipy))
}
ONE_THREAD = {
    name: "1" for name in ("INFOMOTIF_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS", "OPENBLAS_NUM_THREADS")
}
CHECK = False
"""Whether readers compute the checksum of the graph, which is no part of their time."""


def measure_peer(name: str, folder: Path, one_thread: bool, repeats: int = 3) -> dict[str, Any]:
    """Call one reader several times here; return its least times and the checksum of its graph."""
    global CHECK
    import pyarrow as pa

    if one_thread:
        pa.set_cpu_count(1)
        pa.set_io_thread_count(1)
    read = PEERS[name][1](folder)
    CHECK = True
    graph = read()
    CHECK = False
    cpu, wall = [], []
    for _ in range(repeats):
        started, used = time.perf_counter(), time.process_time()
        read()
        cpu.append(time.process_time() - used)
        wall.append(time.perf_counter() - started)
    return {"reader": name, "graph": list(graph), "cpu_seconds": min(cpu), "wall_seconds": min(wall)}


def compare(edges: int, nodes: int) -> list[dict[str, Any]]:
    """Print our times beside those of the peers, with their ratio."""
    rows: list[dict[str, Any]] = []
    titles = ("file", "threads", "reader", "CPU s", "wall s", "ours / peer, CPU", "ours / peer, wall")
    print(f"| {' | '.join(titles)} |\n{'|---' * 3}{'|--:' * 4}|")
    with tempfile.TemporaryDirectory() as folder:
        made = [sys.executable, __file__, "--make", "--folder", folder, "--edges", str(edges), "--nodes", str(nodes)]
        subprocess.run(made, check=True)
        for kind in ("csv", "parquet"):
            for threads in ("1", "all"):
                own: dict[str, Any] = {}
                for name in (name for name in PEERS if name.endswith(f" {kind}")):
                    command = [sys.executable, __file__, "--peer", name, threads, "--folder", folder]
                    environment = {**os.environ, **(ONE_THREAD if threads == "1" else {})}
                    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
                    row = {"kind": kind, "threads": threads, **json.loads(done.stdout.splitlines()[-1])}
                    own = own or row
                    if row["graph"] != own["graph"]:
                        raise RuntimeError(f"{name} gives another graph: {row['graph']}, not {own['graph']}")
                    ratios = [f"{own[key] / row[key]:.2f}" for key in ("cpu_seconds", "wall_seconds")]
                    times = f"{row['cpu_seconds']:.3f} | {row['wall_seconds']:.3f} | {' | '.join(ratios)}"
                    print(f"| {kind} | {threads} | {PEERS[name][0]} | {times} |", flush=True)
                    rows.append(row)
    return rows


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
    parser.add_argument("--peers", action="store_true", help="compare with polars and pyarrow, the same graph built")
    parser.add_argument("--peer", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--make", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(measure(options.child, options.folder)))
        return
    if options.make:
        make_files(options.folder, int(options.edges), int(options.nodes))
        return
    if options.peer:
        print(json.dumps(measure_peer(options.peer[0], options.folder, options.peer[1] == "1")))
        return
    if options.peers:
        rows = compare(int(options.edges), int(options.nodes))
        if options.json:
            options.json.write_text(json.dumps(rows, indent=2) + "\n")
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
