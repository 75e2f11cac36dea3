"""The speed table of the README: five tasks, each beside the tools that people use for it, in one run.

    python benchmarks/speed.py                      # about five minutes
    pip install orbit-count                         # the peer of the third row (ORCA; GPL, so not among ours)

CPU seconds of one thread, the least of three runs (one where a run is slow). Every figure comes from a process of its
own that has loaded the graph into the tool's own form and compiled what there is to compile.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import loading
import mining
import training

TRIANGLES = {
    "infomotif": "triangles",
    "networkit": "nk_triangles",
    "igraph": "ig_triangles",
    "NetworkX": "nx_triangles",
}
CENSUS = {"infomotif": "triads", "igraph": "ig_triads", "NetworkX": "nx_triads"}
READING = {"infomotif": "read_ours", "pandas + SciPy": "read_scipy", "pandas + NetworkX": "read_networkx"}
STEP = {"infomotif": "gcn_ours", "PyG": "gcn_sparse", "PyG with dense attributes": "gcn_dense"}
ROWS = [
    ("triangles per node, 700,000 edges", "heavy", TRIANGLES),
    ("triad census, 77,000 directed edges", "small-directed", CENSUS),
    ("4-node orbits from a NetworkX graph, 39,936 edges", "ba-5k", {"infomotif": "orbits", "ORCA": "orca"}),
    ("two CSV files to a graph, 1,000,000 edges", "files", READING),
    (
        "one training step of a GCN, Cora",
        "cora",
        {"infomotif": "gcn_ours", "PyG": "gcn_sparse", "PyG, dense": "gcn_dense"},
    ),
]


def graph_file(name: str, folder: Path) -> Path:
    """Return where the data of a row are."""
    return folder if name == "files" else mining.make_graph(name, folder)


def networkx_graph(path: Path):
    """Return the graph of the third row, which both sides take from NetworkX."""
    import networkx as nx

    data = np.load(path)
    return nx.Graph(zip(data["source"].tolist(), data["target"].tolist(), strict=True))


def orbits(path: Path) -> Callable[[], object]:
    """Return our call for the third row."""
    from infomotif.motifs import MotifIndex

    graph = networkx_graph(path)
    return lambda: MotifIndex(graph, "graphlets4").orbit_counts


def orca(path: Path) -> Callable[[], object]:
    """Return ORCA's call for the third row."""
    import orbit_count

    graph = networkx_graph(path)
    return lambda: orbit_count.node_orbit_counts(graph, graphlet_size=4)


def gcn_ours() -> Callable[[], object]:
    """Return one training step of our GCN on Cora."""
    import torch
    import torch.nn.functional as F

    from infomotif.nn import GCN, Adjacency, MotifNetwork
    from infomotif.training import FeatureMap
    from infomotif.training.optim import Adam

    graph = training.load("cora")
    x = FeatureMap.fit(graph, None, normalize="none").apply(graph, None)
    network = MotifNetwork(GCN().build(x.shape[1], training.WIDTH), None, training.WIDTH, graph.num_classes, 0.5)
    optimiser, adjacency = Adam(network.parameters(), lr=0.01), Adjacency.from_graph(graph)
    y, train = labels(graph)

    def step() -> None:
        optimiser.zero_grad()
        F.cross_entropy(network(x, adjacency, nodes=train).logits, y[train]).backward()
        optimiser.step()

    torch.manual_seed(0)
    return step


def gcn_pyg(*, sparse: bool) -> Callable[[], object]:
    """Return the same step with PyG: two convolutions of the same width, the adjacency cached, and a linear layer.

    Args:
        sparse: Whether attributes are a sparse matrix, or dense, as PyG's loaders give them.
    """
    import torch
    import torch.nn.functional as F
    from torch_geometric.nn import GCNConv

    graph = training.load("cora")
    data = graph.to_pyg()
    edges = torch.cat([data.edge_index, data.edge_index.flip(0)], dim=1).unique(dim=1)
    y, train = labels(graph)
    x = data.x.to_sparse().coalesce() if sparse else data.x

    def dropped() -> torch.Tensor:
        if not sparse:
            return F.dropout(x, 0.5)
        return torch.sparse_coo_tensor(x.indices(), F.dropout(x.values(), 0.5), x.shape, is_coalesced=True)

    class Network(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = GCNConv(x.shape[1], training.WIDTH, cached=True)
            self.second = GCNConv(training.WIDTH, training.WIDTH, cached=True)
            self.last = torch.nn.Linear(training.WIDTH, graph.num_classes)

        def forward(self) -> torch.Tensor:
            h = self.first(dropped(), edges).relu()
            h = self.second(F.dropout(h, 0.5), edges).relu()
            return self.last(F.dropout(h, 0.5))

    torch.manual_seed(0)
    network = Network()
    optimiser = torch.optim.Adam(network.parameters(), lr=0.01)

    def step() -> None:
        optimiser.zero_grad()
        F.cross_entropy(network()[train], y[train]).backward()
        optimiser.step()

    return step


def labels(graph):
    """Return the labels and a fifth of the nodes to train on."""
    import torch

    n = graph.num_nodes
    return torch.from_numpy(np.array(graph.y)), torch.from_numpy(np.random.default_rng(0).permutation(n)[: n // 5])


def work(task: str, path: Path) -> float:
    """Return CPU seconds of a task."""
    readers = {
        "read_ours": loading.ours("csv"),
        "read_scipy": loading.pandas_scipy,
        "read_networkx": loading.pandas_networkx,
    }
    if task.startswith("gcn_"):
        import torch

        torch.set_num_threads(1)
        return training.cpu_of(gcn_ours() if task == "gcn_ours" else gcn_pyg(sparse=task == "gcn_sparse"))
    if task in readers:
        call, repeats = readers[task](path), 2
    elif task in ("orbits", "orca"):
        call, repeats = (orbits if task == "orbits" else orca)(path), 4
    else:
        return mining.work(task, path, 1 if task.startswith("nx_") else 3)["cpu_s"]
    times = []
    for _ in range(repeats):
        before = time.process_time()
        call()
        times.append(time.process_time() - before)
    return min(times)


def measure(task: str, path: Path) -> float:
    """Return CPU seconds of a task in a process of its own with one thread."""
    environment = os.environ | mining.ONE_THREAD | {"MKL_NUM_THREADS": "1"}
    command = [sys.executable, __file__, "--work", task, str(path)]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return float(json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Print the table, one row at a time."""
    if sys.argv[1:2] == ["--work"]:
        print(json.dumps(work(sys.argv[2], Path(sys.argv[3]))))
        return
    print("| task | infomotif | others |\n|---|--:|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        loading.make_files(folder, 1_000_000, 100_000)
        for what, graph, tasks in ROWS:
            path = graph_file(graph, folder)
            if "orca" in tasks.values() and find_spec("orbit_count") is None:
                tasks = {tool: task for tool, task in tasks.items() if task != "orca"}
            seconds = {tool: measure(task, path) for tool, task in tasks.items()}
            ours = seconds.pop("infomotif")
            others = ", ".join(f"{tool} {s:.2g} s ({s / ours:.3g}x)" for tool, s in seconds.items())
            print(f"| {what} | {ours:.2g} s | {others} |", flush=True)


if __name__ == "__main__":
    main()
