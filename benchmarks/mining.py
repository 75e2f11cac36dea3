"""Motif mining side by side with networkit, igraph, networkx, ORCA, grandiso and graph-tool: CPU seconds, peak memory.

One process per figure. ORCA needs ``pip install orbit-count``, which is GPL and therefore not among our dependencies,
and grandiso ``pip install grandiso``. graph-tool cannot be installed by pip. A peer that is not installed has no row.

    python benchmarks/mining.py                 # all graphs, about ten minutes
    python benchmarks/mining.py --skip-large    # without 1M nodes and 10M edges
    python benchmarks/mining.py --json out.json # the same figures for machines
    python benchmarks/mining.py --graph e.csv   # a real graph: a file of edges, as 'infomotif motifs --edges' takes it

Each figure is the least of three runs (one for slow tools) in a fresh process that has loaded the graph into the
tool's own form and compiled what there is to compile. Memory is the peak above that state. A tool is stopped after
two minutes.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

LIMIT = 120
PEERS = ("networkit", "igraph", "networkx", "orbit_count", "grandiso", "graph_tool")
RANDOM_GRAPH = "random graph of the same degrees, 10 switches per edge"
ONE_THREAD = {name: "1" for name in ("INFOMOTIF_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}

FIVE_PATH = "a->b, b->c, c->d, d->e"

TASKS = [
    ("triangles of each node", "ba", "infomotif", "triangles", 3),
    ("triangles of each node", "ba", "networkit", "nk_triangles", 3),
    ("triangles of each node", "ba", "igraph", "ig_triangles", 3),
    ("triangles of each node", "heavy", "infomotif", "triangles", 3),
    ("triangles of each node", "heavy", "networkit", "nk_triangles", 3),
    ("triangles of each node", "heavy", "igraph", "ig_triangles", 3),
    ("triangles of each node", "heavy", "networkx", "nx_triangles", 1),
    ("13 triads of each node", "heavy-directed", "infomotif", "triads", 3),
    ("13 triads, totals only", "heavy-directed", "igraph", "ig_triads", 1),
    ("13 triads of each node", "small-directed", "infomotif", "triads", 3),
    ("13 triads, totals only", "small-directed", "igraph", "ig_triads", 1),
    ("13 triads, totals only", "small-directed", "networkx", "nx_triads", 1),
    ("nx.triadic_census, from a NetworkX graph", "100k-edges", "networkx", "nx_triads", 1),
    ("nx.triadic_census, from a NetworkX graph", "100k-edges", "infomotif", "nx_triads_backend", 3),
    ("nx.transitivity, from a NetworkX graph", "100k-edges", "networkx", "nx_transitivity", 1),
    ("nx.transitivity, from a NetworkX graph", "100k-edges", "infomotif", "nx_transitivity_backend", 3),
    ("nx.clustering, from a NetworkX graph", "100k-edges", "networkx", "nx_clustering", 1),
    ("nx.clustering, from a NetworkX graph", "100k-edges", "infomotif", "nx_clustering_backend", 3),
    ("nx.square_clustering, from a NetworkX graph", "100k-edges", "networkx", "nx_squares", 1),
    ("nx.square_clustering, from a NetworkX graph", "100k-edges", "infomotif", "nx_squares_backend", 3),
    ("14 orbits of 1,000 PyG graphs, one by one", "25-nodes-each", "infomotif", "pyg_single", 3),
    ("14 orbits of 1,000 PyG graphs, as a list", "25-nodes-each", "infomotif", "pyg_list", 3),
    ("AddRandomWalkPE(16) of 1,000 PyG graphs", "25-nodes-each", "pyg", "pyg_walks", 1),
    ("wedges and triangles of each node", "heavy", "infomotif", "census_undirected", 3),
    ("the same with 10 node types: 30 typed motifs, given", "heavy", "infomotif", "coloured_undirected_given", 3),
    ("the same, found in the graph: the set typed", "heavy", "infomotif", "coloured_undirected_found", 3),
    (
        "13 triads with 10 node types: 30 typed motifs, given",
        "heavy-directed",
        "infomotif",
        "coloured_directed_given",
        3,
    ),
    ("the same, found in the graph: the set typed", "heavy-directed", "infomotif", "coloured_directed_found", 3),
    ("index and 20 samples a node, M6 M7", "heavy", "infomotif", "index_undirected", 3),
    ("index and 20 samples a node, M1 to M5", "heavy-directed", "infomotif", "index_directed", 3),
    ("index and 20 samples a node, 13 triads", "heavy-directed", "infomotif", "index_triads", 3),
    *[
        (f"index and 20 samples per node, {motif}", "heavy", "infomotif", f"index_{motif}", 1)
        for motif in ("path4", "star4", "cycle4", "paw", "diamond", "clique4")
    ],
    ("six 4-node graphlets of each node", "heavy", "infomotif", "graphlets", 1),
    ("directed 4-path of each node", "vote-directed", "infomotif", "digraph_D328", 3),
    ("199 digraphs of each node", "vote-directed", "infomotif", "digraph_digraphs4", 3),
    ("199 digraphs, totals only", "vote-directed", "igraph", "ig_motifs", 1),
    ("directed 4-path of each node", "heavy-directed", "infomotif", "digraph_D328", 1),
    ("199 digraphs of each node", "heavy-directed", "infomotif", "digraph_digraphs4", 1),
    ("199 digraphs of each node", "tiny-directed", "infomotif", "digraph_digraphs4", 3),
    ("199 digraphs, totals only", "tiny-directed", "igraph", "ig_motifs", 1),
    ("directed 5-path of each node", "tiny-directed", "infomotif", f"digraph_{FIVE_PATH}", 3),
    ("directed 5-paths listed", "tiny-directed", "infomotif", f"list_{FIVE_PATH}", 3),
    ("directed 5-paths listed", "tiny-directed", "networkx", "match_nx", 1),
    ("directed 5-paths listed", "tiny-directed", "grandiso", "match_grandiso", 1),
    *[
        (f"index and 20 samples per node, {motif}", "heavy-directed", "infomotif", f"index_{motif}", 1)
        for motif in ("D328", "D14", "D4740", "D204", "D92", "D206", "D2254")
    ],
    ("73 orbits of each node", "ba-5k", "infomotif", "orbits5", 3),
    ("73 orbits of each node", "ba-5k", "orbit-count (ORCA)", "orca_5", 1),
    ("73 orbits of each node", "core", "infomotif", "orbits5", 3),
    ("12 orbits of each edge", "core", "infomotif", "edge_orbits", 3),
    ("12 orbits of each edge", "core", "orbit-count (ORCA)", "orca_edges", 1),
    ("list of triangles", "core", "infomotif", "list_M7", 3),
    ("list of triangles", "core", "igraph", "ig_triangles", 3),
    ("list of 4-cliques", "core", "infomotif", "list_clique4", 3),
    ("list of 4-cliques", "core", "igraph", "ig_cliques", 3),
    ("nx.all_triangles, from a NetworkX graph", "100k-edges", "networkx", "nx_list", 1),
    ("nx.all_triangles, from a NetworkX graph", "100k-edges", "infomotif", "nx_list_backend", 3),
    ("list of triangles", "small", "infomotif", "list_M7", 3),
    ("list of triangles", "small", "grandiso", "grandiso", 1),
    ("graphlet correlation matrix", "core", "infomotif", "gcm", 3),
    ("graphlet correlation matrix", "core", "orbit-count (ORCA)", "orca_gcm", 1),
    ("closure of each edge", "core", "infomotif", "closure", 3),
    ("closure of each edge", "core", "igraph", "ig_closure", 3),
    (RANDOM_GRAPH, "core", "infomotif", "null_degrees", 3),
    (RANDOM_GRAPH, "core", "igraph", "ig_rewire", 1),
    (RANDOM_GRAPH, "core", "networkit", "nk_rewire", 1),
    (RANDOM_GRAPH, "core", "graph-tool", "gt_rewire", 1),
    ("random graph of the same joint degrees", "core", "infomotif", "null_joint-degrees", 3),
    ("random graph of the same number of edges", "core", "infomotif", "null_erdos-renyi", 3),
    ("random digraph, in-, out- and reciprocal degrees", "100k-edges", "infomotif", "null_reciprocal-degrees", 3),
    ("random digraph, in- and out-degrees", "100k-edges", "infomotif", "null_degrees", 3),
    ("triad profile, 20 random graphs", "small-directed", "infomotif", "profile", 1),
    ("13 triads of each node", "1M-edges", "infomotif", "triads", 3),
    ("13 triads of each node", "10M-edges", "infomotif", "triads", 3),
    ("triangles of each node", "1M-edges", "infomotif", "triangles", 3),
    ("triangles of each node", "1M-edges", "networkit", "nk_triangles", 3),
    ("triangles of each node", "10M-edges", "infomotif", "triangles", 3),
    ("triangles of each node", "10M-edges", "networkit", "nk_triangles", 1),
    ("M1 to M5 mined and indexed", "cora", "infomotif", "index_only", 10),
]

REAL = [
    ("triangles of each node", "infomotif", "triangles", 3),
    ("triangles of each node", "networkit", "nk_triangles", 3),
    ("triangles of each node", "igraph", "ig_triangles", 3),
    ("triangles of each node", "networkx", "nx_triangles", 1),
    ("13 triads of each node", "infomotif", "triads", 3),
    ("13 triads, totals only", "igraph", "ig_triads", 1),
    ("six 4-node graphlets of each node", "infomotif", "graphlets", 3),
    ("12 orbits of each edge", "infomotif", "edge_orbits", 3),
    ("12 orbits of each edge", "orbit-count (ORCA)", "orca_edges", 1),
    ("73 orbits of each node", "infomotif", "orbits5", 1),
    ("73 orbits of each node", "orbit-count (ORCA)", "orca_5", 1),
    ("graphlet correlation matrix", "infomotif", "gcm", 3),
    ("closure of each edge", "infomotif", "closure", 3),
    (RANDOM_GRAPH, "infomotif", "null_degrees", 3),
    (RANDOM_GRAPH, "igraph", "ig_rewire", 1),
]
"""The tasks of a graph that is given by its path."""


def chung_lu(nodes: int, edges: int, alpha: float, shift: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw edges between nodes with expected degrees in proportion to (i + shift) ** -alpha."""
    rng = np.random.default_rng(seed)
    weights = np.cumsum((np.arange(nodes) + shift) ** -alpha)
    found = np.empty(0, np.int64)
    while len(found) < edges:
        ends = np.searchsorted(weights, rng.random((2, edges)) * weights[-1])
        low, high = ends.min(axis=0), ends.max(axis=0)
        found = np.unique(np.concatenate([found, (low * nodes + high)[low != high]]))
    found = rng.permutation(found)[:edges]
    return found // nodes, found % nodes


def directed_version(source: np.ndarray, target: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Give each edge a random direction, and one in ten both."""
    rng = np.random.default_rng(seed)
    turned, both = rng.random(len(source)) < 0.5, rng.random(len(source)) < 0.1
    start, end = np.where(turned, target, source), np.where(turned, source, target)
    return np.concatenate([start, end[both]]), np.concatenate([end, start[both]])


def make_graph(name: str, folder: Path) -> Path:
    path = folder / f"{name}.npz"
    if path.exists():
        return path
    if name.startswith("ba"):
        import random

        import igraph

        random.seed(1)
        nodes = 5_000 if name == "ba-5k" else 100_000
        source, target = np.array(igraph.Graph.Barabasi(nodes, 8).get_edgelist()).T
    elif name == "25-nodes-each":
        rng, nodes = np.random.default_rng(1), 25_000
        ends = np.triu_indices(25, 1)
        chosen = [np.flatnonzero(rng.random(300) < 0.12) for _ in range(1000)]
        source = np.concatenate([25 * g + ends[0][kept] for g, kept in enumerate(chosen)])
        target = np.concatenate([25 * g + ends[1][kept] for g, kept in enumerate(chosen)])
    elif name == "cora":
        from infomotif.datasets import load_dataset

        graph = load_dataset("cora")
        (source, target), nodes = graph.edges(), graph.num_nodes
    else:
        nodes, edges, alpha, shift = {
            "heavy": (100_000, 700_000, 1.05, 18),
            "heavy-directed": (100_000, 700_000, 1.05, 18),
            "small-directed": (10_000, 70_000, 0.8, 18),
            "vote-directed": (7_115, 94_000, 0.9, 12),
            "tiny-directed": (2_000, 6_000, 0.6, 18),
            "100k-edges": (20_000, 100_000, 0.6, 18),
            "core": (7_000, 100_000, 0.9, 12),
            "small": (2_000, 10_000, 0.6, 12),
            "1M-edges": (100_000, 1_000_000, 0.5, 10),
            "10M-edges": (1_000_000, 10_000_000, 0.5, 10),
        }[name]
        source, target = chung_lu(nodes, edges, alpha, shift, seed=1)
        if name not in ("heavy", "core", "small"):
            source, target = directed_version(source, target, seed=2)
    np.savez(path, source=source, target=target, nodes=nodes)
    return path


def read_graph(source: Path, folder: Path) -> Path:
    """Keep the edges of a file in the form that the tasks read."""
    from infomotif.io import read_graph as read

    graph = read(source)
    path = folder / f"{source.stem}.npz"
    rows, columns = graph.edges()
    np.savez(path, source=rows, target=columns, nodes=graph.num_nodes)
    return path


def peak_memory() -> float:
    """Return the peak of resident memory in MB since :func:`reset_peak`."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


def reset_peak() -> float:
    """Forget the peak so far; return what is in use, in MB."""
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    return peak_memory()


def prepare(task: str, path: Path):
    """Load the graph into the tool's own form, warm up, and return the call to measure."""
    data = np.load(path)
    source, target, nodes = data["source"], data["target"], int(data["nodes"])
    if task.startswith("nk_"):
        import networkit as nk

        pairs = np.unique(np.minimum(source, target) * nodes + np.maximum(source, target))
        graph = nk.GraphFromCoo((pairs // nodes, pairs % nodes), n=nodes, directed=False)

        if task == "nk_rewire":
            return lambda: nk.randomization.EdgeSwitching(graph, 10).run()

        def count_triangles():
            algorithm = nk.centrality.LocalClusteringCoefficient(graph, turbo=True)
            algorithm.run()
            return algorithm.scores()

        return count_triangles
    if task.startswith("ig_"):
        import igraph

        directed = task in ("ig_triads", "ig_motifs")
        graph = igraph.Graph(n=nodes, edges=np.stack([source, target], axis=1), directed=directed)
        if task in ("ig_closure", "ig_rewire"):
            graph.simplify()
            pairs = graph.get_edgelist()
            if task == "ig_closure":
                return lambda: graph.similarity_jaccard(pairs=pairs)
            return lambda: graph.rewire(n=10 * len(pairs))
        calls = {"ig_triads": graph.triad_census, "ig_triangles": graph.list_triangles}
        calls["ig_motifs"] = lambda: graph.motifs_randesu(4)
        return calls.get(task, lambda: graph.cliques(4, 4))
    if task.startswith("orca_"):
        import networkx as nx
        import orbit_count

        graph = nx.Graph(list(zip(source.tolist(), target.tolist(), strict=True)))
        if task == "orca_edges":
            return lambda: orbit_count.edge_orbit_counts(graph, 4)
        if task == "orca_gcm":
            from scipy.stats import spearmanr

            kept = [0, 2, 5, 7, 8, 10, 11, 6, 9, 4, 1]
            return lambda: spearmanr(np.vstack([orbit_count.node_orbit_counts(graph, 4)[:, kept], np.ones(11)]))
        return lambda: orbit_count.node_orbit_counts(graph, 5)
    if task.startswith("nx_"):
        import networkx as nx

        return prepare_networkx(nx, task, source, target, nodes)
    if task == "grandiso":
        import grandiso
        import networkx as nx

        graph = nx.Graph(list(zip(source.tolist(), target.tolist(), strict=True)))
        return lambda: grandiso.find_motifs(nx.complete_graph(3), graph)
    if task == "gt_rewire":
        import graph_tool
        from graph_tool.generation import random_rewire

        graph = graph_tool.Graph(np.stack([source, target], axis=1), directed=False)
        return lambda: random_rewire(graph, model="configuration", n_iter=10)
    if task.startswith("null_") or task in ("gcm", "closure", "profile"):
        return prepare_comparison(task, source, target, nodes)
    if task.startswith("match_"):
        return prepare_matching(task, source, target)
    if task.startswith("pyg_"):
        return prepare_pyg(task, source, target, nodes)
    if task.startswith(("census_", "coloured_")):
        return prepare_census(task, source, target, nodes)
    return prepare_infomotif(task, source, target, nodes)


def prepare_census(task: str, source: np.ndarray, target: np.ndarray, nodes: int):
    """Return a census without types, or one of nodes with ten random types."""
    from infomotif.graph import Graph
    from infomotif.motifs import MotifIndex, motifs_for

    directed, rng = "undirected" not in task, np.random.default_rng(0)
    ends = rng.integers(0, 300, (2, 3000))
    calls = []
    for start, end, n in ((ends[0], ends[1], 300), (source, target, nodes)):
        types = rng.integers(0, 10, n) if task.startswith("coloured_") else None
        graph = Graph.from_edges(start, end, num_nodes=n, directed=directed, node_types=types)
        motifs = ("triads" if directed else "undirected") if types is None else "typed"
        chosen = motifs_for(graph, motifs) if task.endswith("_given") else motifs
        calls.append(lambda graph=graph, chosen=chosen: MotifIndex(graph, chosen))
    calls[0]()
    return calls[1]


def prepare_networkx(nx, task: str, source: np.ndarray, target: np.ndarray, nodes: int):
    """Return a call of NetworkX, by its own code or by our backend with the conversion of the graph."""
    functions = {
        "triads": nx.triadic_census,
        "triangles": nx.triangles,
        "transitivity": nx.transitivity,
        "clustering": nx.clustering,
        "squares": nx.square_clustering,
        "list": lambda graph, **options: list(nx.all_triangles(graph, **options)),
    }
    what = task.split("_")[1]
    function = functions[what]
    graph = nx.DiGraph() if what == "triads" else nx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(zip(source.tolist(), target.tolist(), strict=True))
    if not task.endswith("_backend"):
        return lambda: function(graph)
    nx.config.cache_converted_graphs = False
    function(nx.gnp_random_graph(50, 0.2, directed=what == "triads"), backend="infomotif")
    return lambda: function(graph, backend="infomotif")


def prepare_comparison(task: str, source: np.ndarray, target: np.ndarray, nodes: int):
    """Return a call that compares networks, or that makes a random graph of a null model."""
    from infomotif.graph import Graph
    from infomotif.motifs import closure_weights, graphlet_correlation_matrix, random_graph, triad_profile

    ends = np.random.default_rng(0).integers(0, 300, (2, 3000))
    pairs = np.unique(np.minimum(source, target) * nodes + np.maximum(source, target))
    directed = len(pairs) < len(source) or task == "profile"
    graphs = [
        Graph.from_edges(ends[0], ends[1], num_nodes=300, directed=directed),
        Graph.from_edges(source, target, num_nodes=nodes, directed=directed),
    ]
    if task.startswith("null_"):
        null = task.removeprefix("null_")
        calls = [lambda graph=graph: random_graph(graph, 1, null=null) for graph in graphs]
    elif task == "profile":
        calls = [lambda graph=graph: triad_profile(graph, samples=20) for graph in graphs]
    else:
        function = graphlet_correlation_matrix if task == "gcm" else closure_weights
        calls = [lambda graph=graph: function(graph) for graph in graphs]
    calls[0]()
    return calls[1]


def prepare_matching(task: str, source: np.ndarray, target: np.ndarray):
    """Return a search of all directed 5-paths that are induced, by NetworkX or grandiso."""
    import networkx as nx

    path, graph = nx.path_graph(5, nx.DiGraph), nx.DiGraph(list(zip(source.tolist(), target.tolist(), strict=True)))
    if task == "match_nx":
        return lambda: list(nx.algorithms.isomorphism.DiGraphMatcher(graph, path).subgraph_isomorphisms_iter())
    import grandiso

    return lambda: grandiso.find_motifs(path, graph, isomorphisms_only=True)


def prepare_pyg(task: str, source: np.ndarray, target: np.ndarray, nodes: int):
    """Return a transform of many graphs of 25 nodes each."""
    import torch
    from torch_geometric.data import Data
    from torch_geometric.transforms import AddRandomWalkPE

    from infomotif.pyg import AddOrbitCounts

    graphs = []
    for g in range(nodes // 25):
        once = np.stack([source[source // 25 == g], target[source // 25 == g]]) - 25 * g
        graphs.append(Data(edge_index=torch.from_numpy(np.hstack([once, once[::-1]])), num_nodes=25))
    transform = AddRandomWalkPE(16) if task == "pyg_walks" else AddOrbitCounts()
    transform(graphs[0])
    if task == "pyg_list":
        transform(graphs[:3])
        return lambda: transform(graphs)
    return lambda: [transform(graph) for graph in graphs]


def prepare_infomotif(task: str, source: np.ndarray, target: np.ndarray, nodes: int):
    from infomotif.graph import Graph
    from infomotif.motifs import MotifIndex
    from infomotif.motifs.counting.census import triangles
    from infomotif.motifs.counting.dyads import DyadGraph
    from infomotif.motifs.counting.edge_orbits import edge_orbit_counts
    from infomotif.motifs.counting.five_nodes import orbit_counts5

    directed = task in ("triads", "index_directed", "index_triads", "index_only") or any(
        mark in task for mark in ("digraph", "_D", "->")
    )
    sets = {"index_undirected": "undirected", "index_directed": "directed", "index_only": "directed"}
    motifs = sets.get(task, task.removeprefix("index_").removeprefix("list_").removeprefix("digraph_"))
    counted: dict[Graph, MotifIndex] = {}

    def run(graph: Graph):
        if task == "triangles":
            return triangles(DyadGraph(graph, directed=False))
        if task == "orbits5":
            return orbit_counts5(graph)
        if task == "edge_orbits":
            return edge_orbit_counts(graph)
        if task == "graphlets":
            return MotifIndex(graph, "graphlets4")
        if task.startswith("list_"):
            return list(counted[graph].iter_instances(motifs))
        index = MotifIndex(graph, motifs)
        if task == "triads" or task.startswith("digraph_"):
            return index
        if task == "index_only":
            return index.sample([], 20, np.random.default_rng(0))
        return index, index.sample(None, 20, np.random.default_rng(0))

    rng = np.random.default_rng(0)
    ends = rng.integers(0, 300, (2, 3000))
    warm = Graph.from_edges(ends[0], ends[1], num_nodes=300, directed=directed)
    if task.startswith("list_"):
        counted[warm] = MotifIndex(warm, motifs)
    run(warm)
    if "index" in task:
        # Small lists, so that every way of drawing is compiled.
        for q in (1, 20):
            MotifIndex(warm, motifs, listing_bytes=0).sample(None, q, rng)
    graph = Graph.from_edges(source, target, num_nodes=nodes, directed=directed)
    _ = graph.undirected
    if task.startswith("list_"):
        counted[graph] = MotifIndex(graph, motifs)
    return lambda: run(graph)


def work(task: str, path: Path, repeats: int) -> dict[str, float]:
    call = prepare(task, path)
    before = reset_peak()
    cpu, wall = [], []
    for _ in range(repeats):
        started, used = time.perf_counter(), time.process_time()
        result = call()
        cpu.append(time.process_time() - used)
        wall.append(time.perf_counter() - started)
        del result
    return {"cpu_s": min(cpu), "wall_s": min(wall), "peak_mb": peak_memory() - before, "graph_mb": before}


def measure(task: str, path: Path, repeats: int, threads: int) -> dict | None:
    environment = {**os.environ, **(ONE_THREAD if threads == 1 else {})}
    command = [sys.executable, __file__, "--work", task, str(path), str(repeats)]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return {"cpu_s": float(LIMIT), "wall_s": float(LIMIT), "peak_mb": 0.0, "graph_mb": 0.0, "stopped": True}
    if done.returncode and any(f"ModuleNotFoundError: No module named '{name}'" in done.stderr for name in PEERS):
        return None
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="also write the figures as JSON")
    parser.add_argument("--skip-large", action="store_true", help="leave out the graph of 10M edges")
    parser.add_argument("--only", help="only tasks whose graph or name contains this text")
    parser.add_argument("--graph", type=Path, action="append", help="a file of edges to measure instead")
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        print(json.dumps(work(options.work[0], Path(options.work[1]), int(options.work[2]))))
        return
    rows = []
    print("| what | graph | tool | CPU s, 1 thread | wall s, all threads | peak MB |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        real = {path.stem: read_graph(path, Path(folder)) for path in options.graph or ()}
        tasks = [(what, name, *rest) for name in real for what, *rest in REAL] if real else TASKS
        for what, name, tool, task, repeats in tasks:
            if (options.skip_large and name == "10M-edges") or (options.only and options.only not in f"{what} {name}"):
                continue
            path = real[name] if real else make_graph(name, Path(folder))
            one = measure(task, path, repeats, 1)
            if one is None:
                continue
            threaded = tool in ("infomotif", "networkit")
            every = measure(task, path, repeats, os.cpu_count() or 1) if threaded else one
            rows.append({"what": what, "graph": name, "tool": tool, "one_thread": one, "all_threads": every})
            peak = max(one["peak_mb"], every["peak_mb"])
            if one.get("stopped"):
                print(f"| {what} | {name} | {tool} | stopped after {LIMIT} | - | - |", flush=True)
                continue
            print(f"| {what} | {name} | {tool} | {one['cpu_s']:.3g} | {every['wall_s']:.3g} | {peak:.0f} |", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
