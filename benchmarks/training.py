"""Cost of InfoMotif's training beside the plain GCN's: CPU seconds, ratios, peak memory, 1 and 2 threads.

    python benchmarks/training.py                    # the table
    python benchmarks/training.py --json out.json    # the same for machines
    python benchmarks/training.py --only steps       # steps, trainings, batches, peers or curve
    python benchmarks/training.py --only fast --runs fast.jsonl    # preset fast beside joint; goes on where it stopped

One InfoMax step is: draw the instances and the corruption, both GNN passes, the loss over all nodes, backward, Adam.
The ratio is (InfoMax step + GCN step) / GCN step. Its limit is that of a step which does nothing but the two GNN
passes, forward and backward, and the matrix products of the units in use. Steps are measured in turns, in the state
that 20 steps of the joint schedule lead to. Every figure comes from a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np

WIDTH, Q = 256, 20
GRAPHS = ("cora", "pubmed", "ba-10", "ba-20", "ba-40", "ba-80")
TARGETS = {"cora": 5.5, "pubmed": 4.2, "ba-10": 4.5, "ba-20": 4.5, "ba-40": 4.5, "ba-80": 4.5}
WARM_UP = 20
"""Steps of the joint schedule before anything is measured: at the start of a training all units are in use."""


def load(name: str):
    from infomotif import Graph, load_dataset

    if not name.startswith("ba-"):
        return load_dataset(name)
    import igraph

    igraph.set_random_number_generator(__import__("random").Random(0))
    made = igraph.Graph.Barabasi(5000, int(name[3:]) // 2)
    source, target = np.array(made.get_edgelist()).T
    y = np.random.default_rng(0).integers(0, 5, 5000)
    return Graph.from_edges(source, target, num_nodes=5000, directed=False, y=y, name=name)


def cpu_of(step, seconds: float = 6.0, least: int = 3) -> float:
    """Median CPU seconds of a step, after one that is not counted."""
    step()
    times, start = [], time.perf_counter()
    while len(times) < least or (time.perf_counter() - start < seconds and len(times) < 30):
        before = time.process_time()
        step()
        times.append(time.process_time() - before)
    return float(np.median(times))


def in_turns(steps, restore, seconds: float = 12.0, least: int = 3) -> dict[str, float]:
    """Median CPU seconds of several steps, taken in turns, each from the state that ``restore`` brings back."""
    times: dict[str, list[float]] = {what: [] for what in steps}
    start = None
    while (
        start is None or len(times["gcn"]) < least or time.perf_counter() - start < seconds and len(times["gcn"]) < 25
    ):
        for what, step in steps.items():
            restore()
            before = time.process_time()
            step()
            times[what].append(time.process_time() - before)
        if start is None:
            # The first turn compiles.
            start, times = time.perf_counter(), {what: [] for what in steps}
    return {what: float(np.median(found)) for what, found in times.items()}


def measure_steps(name: str, threads: int, naive: bool) -> dict[str, float]:
    import torch
    import torch.nn.functional as F

    from infomotif import MotifIndex
    from infomotif.nn import GCN, Adjacency, MotifNetwork, MotifRegularizer, derangement
    from infomotif.nn.encoders import encode_with_corruption
    from infomotif.training import FeatureMap
    from infomotif.training.optim import Adam
    from infomotif.training.presets import PRESETS

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    graph = load(name)
    x = FeatureMap.fit(graph, None, normalize="none").apply(graph, None)
    adjacency, index = Adjacency.from_graph(graph), MotifIndex(graph)
    n, rng = graph.num_nodes, np.random.default_rng(0)
    y, train = torch.from_numpy(np.array(graph.y)), torch.from_numpy(rng.permutation(n)[: n // 5])

    def network(regularizer):
        made = MotifNetwork(GCN().build(x.shape[1], WIDTH), regularizer, WIDTH, graph.num_classes, 0.5)
        return made, Adam(made.parameters(), lr=0.01)

    plain, adam = network(None)

    def gcn_step():
        adam.zero_grad()
        F.cross_entropy(plain(x, adjacency, nodes=train).logits, y[train]).backward()
        adam.step()

    motif, motif_adam = network(MotifRegularizer(WIDTH, index, q=Q))
    alpha = torch.full((n, len(index.motifs)), 1 / len(index.motifs))

    motifs = len(index.motifs)

    def encode():
        permutation = torch.from_numpy(derangement(n, rng))
        return encode_with_corruption(motif.encoder, x, adjacency, permutation)

    def infomax_step():
        motif_adam.zero_grad()
        motif.regularizer.loss(*encode(), index, alpha=alpha, generator=rng).backward()
        motif_adam.step()

    def joint_step(nodes=None):
        motif_adam.zero_grad()
        h, corrupted = encode()
        supervised = F.cross_entropy(motif.head(h, index, train).logits, y[train])
        infomax = motif.regularizer.loss(h, corrupted, index, nodes, alpha=alpha * motifs, generator=rng)
        (supervised + infomax).backward()
        motif_adam.step()

    def with_fast(step):
        """The step with the instances and nodes of preset ``fast``."""

        def fast_step():
            motif.regularizer.q = PRESETS["fast"]["q"]
            step(np.sort(rng.permutation(n)[: round(PRESETS["fast"]["mi_share"] * n)]))
            motif.regularizer.q = Q

        return fast_step

    def fast_infomax(nodes):
        motif_adam.zero_grad()
        motif.regularizer.loss(*encode(), index, nodes, alpha=alpha, generator=rng).backward()
        motif_adam.step()

    def naive_step():
        motif_adam.zero_grad()
        permutation = torch.from_numpy(derangement(n, rng))
        h, corrupted = encode_with_corruption(motif.encoder, x, adjacency, permutation)
        naive_loss(motif.regularizer, index, h, corrupted, alpha, rng).backward()
        motif_adam.step()

    for _ in range(WARM_UP):
        joint_step()
    state = {key: value.clone() for key, value in motif.state_dict().items()}
    with torch.no_grad():
        h, corrupted = encode()
    used = int(((h > 0).any(dim=0) | (corrupted > 0).any(dim=0)).sum())
    rows = [int((index.counts[:, t] > 0).sum()) for t in range(motifs)]

    def products(width):
        weight, inputs = torch.randn(width, width), [torch.randn(2 * r, width) for r in rows]
        summaries = [torch.randn(r, width) for r in rows]

        def step():
            for h, s in zip(inputs, summaries, strict=True):
                h @ weight, h @ weight, h.t() @ h
                s @ weight, s @ weight, s.t() @ s

        return step

    gradient = torch.randn(n, WIDTH)

    def passes_step():
        motif.encoder.zero_grad()
        torch.autograd.backward(encode(), (gradient, gradient))

    steps = {"gcn": gcn_step, "infomax": infomax_step, "passes": passes_step, "products": products(used)}
    steps |= {"all products": products(WIDTH), "joint": joint_step}
    steps |= {"fast": with_fast(fast_infomax), "joint, fast": with_fast(joint_step)}
    figures = in_turns(steps, lambda: motif.load_state_dict(state))
    figures |= {"used": used / WIDTH, "density": float((h > 0).double().mean())}
    figures["peak_mb"] = peak_mb()
    figures["sampling"] = cpu_of(lambda: index.sample(None, Q, rng))
    if naive:
        figures["naive"] = cpu_of(naive_step, seconds=0, least=1)
    return figures


def naive_loss(regularizer, index, h, corrupted, alpha, rng):
    """The peer: every instance of every node gathered into one [n, Q, k, D] tensor, with replacement up to Q."""
    import torch
    import torch.nn.functional as F

    total, n = 0, len(h)
    for t, drawn in enumerate(index.sample(None, Q, rng)):
        count = np.diff(drawn.indptr)
        owners = np.flatnonzero(count)
        if len(owners) == 0:
            continue
        pick = drawn.indptr[owners][:, None] + rng.integers(0, 2**62, (len(owners), Q)) % count[owners][:, None]
        members = torch.from_numpy(drawn.members[pick].astype(np.int64))
        head = regularizer.heads[t]
        a = head.encoder.weight[0, :WIDTH]
        logits = []
        for state in (h, corrupted):
            g = head.gate(state)[members]
            e = (torch.softmax(g @ a, dim=2).unsqueeze(-1) * g).sum(dim=2)
            if not logits:
                q = torch.sigmoid(e.mean(dim=1)) @ head.discriminator.weight.t()
            logits.append((e * q.unsqueeze(1)).sum(-1))
        terms = F.softplus(-logits[0]).mean(1) + F.softplus(logits[1]).mean(1)
        total = total + (alpha[owners, t] * terms).sum() / (2 * n * alpha.shape[1])
    return total


def measure_training(name: str, ratio: float, preset: str, keep: bool) -> dict[str, float]:
    from infomotif import InfoMotif, Training
    from infomotif._core.malloc import keep_freed_memory
    from infomotif.training import random_split

    if keep and not keep_freed_memory():
        raise SystemExit("this system gives freed memory back")
    graph = load(name)
    split = random_split(graph.y, ratio)
    InfoMotif(preset=preset, training=Training(epochs=1), progress=False).fit(graph, split.train, split.val)
    start = time.process_time()
    model = InfoMotif(preset=preset, progress=False).fit(graph, split.train, split.val)
    return {"cpu_seconds": time.process_time() - start, "accuracy": model.score(), "peak_mb": peak_mb()}


def measure_accuracy(name: str, ratio: float, splits: int, settings: dict[str, object]) -> dict[str, object]:
    from infomotif import InfoMotif
    from infomotif.training import random_split
    from infomotif.training.config import estimator_options

    graph = load(name)
    start, accuracies = time.process_time(), []
    preset = settings.pop("preset")
    for seed in range(splits):
        split = random_split(graph.y, ratio, seed=seed)
        options = estimator_options("gcn", settings)
        model = InfoMotif(preset=preset, **options, random_state=seed, progress=False, threads=1)
        model.fit(graph, split.train, split.val)
        accuracies.append(model.score())
    return {"cpu_seconds": (time.process_time() - start) / splits, "accuracies": accuracies}


def measure_split(name: str, ratio: float, seed: int, preset: str) -> dict[str, float]:
    """Train one preset on one split; splits and seeds are the same for all presets."""
    from infomotif import InfoMotif
    from infomotif.training import random_split

    graph = load(name)
    split = random_split(graph.y, ratio, seed=seed)
    start = time.process_time()
    model = InfoMotif(preset=preset, random_state=seed, progress=False, threads=1).fit(graph, split.train, split.val)
    seconds = time.process_time() - start
    validation = max(record["val_accuracy"] for record in model.history_)
    return {"cpu_seconds": seconds, "validation": validation, "accuracy": model.score()}


def measure_batches(name: str, epochs: int) -> dict[str, float]:
    """Epochs over all nodes at once and in batches of 256, in turn; and evaluations beside inferences of all nodes."""
    import torch

    from infomotif import MotifIndex
    from infomotif.training import make_settings, random_split
    from infomotif.training.distributed import World
    from infomotif.training.session import Session

    torch.set_num_threads(1)
    graph = load(name)
    index, split = MotifIndex(graph), random_split(graph.y, 0.2)

    def loop_of(**changes):
        settings = make_settings("paper", hidden=WIDTH, **changes)
        session = Session(graph, settings.encoder, index, 0, torch.device("cpu"), World())
        return session.training(settings, split).loop

    def cpu(call) -> float:
        before = time.process_time()
        call()
        return time.process_time() - before

    loops = {
        "full": loop_of(batch_size=None),
        "near": loop_of(),
        "random": loop_of(batch_order="random"),
        "base": loop_of(regularize=False, batch_size=None),
        "base in batches": loop_of(regularize=False),
    }
    for loop in loops.values():
        loop.advance(1)
    times = {kind: [] for kind in loops}
    for epoch in range(2, epochs + 2):
        for kind, loop in loops.items():
            times[kind].append(cpu(partial(loop.advance, epoch)))
    figures = {kind: min(found) for kind, found in times.items()}
    for kind in ("full", "base"):
        loop = loops[kind]
        evaluate = partial(loop.view.evaluate, loop.data.val, weights=loop.objective.needs_weights)
        pairs = [(cpu(loop.view.infer), cpu(evaluate)) for _ in range(max(5, epochs))]
        figures[f"{kind} inference"], figures[f"{kind} evaluation"] = (min(found) for found in zip(*pairs, strict=True))
    return figures


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def child(task: str, *arguments: object, **environment: str) -> dict[str, float]:
    command = [sys.executable, __file__, "--child", task, json.dumps(arguments)]
    out = subprocess.run(command, env=os.environ | environment, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(out.stdout.splitlines()[-1])


def steps(console, results):
    from rich.table import Table

    table = Table(title="One InfoMax step over all nodes, D = 256, Q = 20 (CPU seconds)", title_justify="left")
    columns = "graph, threads, units in use, GCN step, InfoMax step, ratio, target, limit, two passes, products, "
    columns += "products of all units, joint epoch, fast, fast joint epoch, naive ratio, peak MB"
    for column in columns.split(", "):
        table.add_column(column, justify="right")
    for threads in (1, 2):
        for name in GRAPHS:
            naive = threads == 1 and name in ("cora", "pubmed")
            environment = {"OMP_NUM_THREADS": str(threads), "INFOMOTIF_THREADS": str(threads)}
            found = child("steps", name, threads, naive, **environment)
            gcn = found["gcn"]
            ratio = 1 + found["infomax"] / gcn
            limit = 1 + (found["passes"] + found["products"]) / gcn
            results.append({"what": "step", "graph": name, "threads": threads, "ratio": ratio, "limit": limit, **found})
            table.add_row(
                name, str(threads), f"{100 * found['used']:.0f} %", f"{gcn:.3f}", f"{found['infomax']:.3f}",
                f"{ratio:.1f}", f"{TARGETS[name]:.1f}", f"{limit:.1f}", f"{found['passes']:.3f}",
                f"{found['products']:.3f}", f"{found['all products']:.3f}", f"{found['joint'] / gcn:.1f}",
                f"{1 + found['fast'] / gcn:.1f}", f"{found['joint, fast'] / gcn:.1f}",
                f"{1 + found['naive'] / gcn:.0f}" if naive else "", f"{found['peak_mb']:.0f}",
            )  # fmt: skip
            console.print(f"{name}, {threads} thread(s): ratio {ratio:.2f}, limit {limit:.2f}")
    console.print(table)


def trainings(console, results):
    from rich.table import Table

    table = Table(title="Whole trainings, 100 epochs, one thread (CPU seconds)", title_justify="left")
    columns = "graph, preset, CPU seconds, target, freed memory given back, test accuracy (% in 1 split), peak MB"
    for column in columns.split(", "):
        table.add_column(column, justify="right")
    jobs = (("brazil", 0.2, "base", ""), ("brazil", 0.2, "paper", "3"), ("cora", 0.2, "base", "5"),
            ("cora", 0.2, "paper", "40"), ("cora", 0.2, "joint", ""), ("roles", 0.01, "paper", ""))  # fmt: skip
    for name, ratio, preset, target in jobs:
        one_thread = {"OMP_NUM_THREADS": "1", "INFOMOTIF_THREADS": "1"}
        found, plain = (child("training", name, ratio, preset, keep, **one_thread) for keep in (True, False))
        results.append({"what": "training", "graph": name, "preset": preset, **found, "given_back": plain})
        table.add_row(name, preset, f"{found['cpu_seconds']:.1f}", target, f"{plain['cpu_seconds']:.1f}",
                      f"{100 * found['accuracy']:.1f}", f"{found['peak_mb']:.0f}")  # fmt: skip
    console.print(table)


def batches(console, results):
    from rich.table import Table

    title = "Epochs of preset paper at 20 % labels, D = 256: batches of 256 nodes against one of all (CPU seconds)"
    table = Table(title=title, title_justify="left")
    columns = (
        "graph, full batch, batches, ratio, target, drawn one by one, ratio, base, base in batches, evaluation of all"
    )
    for column in (*columns.split(", "), "as needed", "base: of all", "as needed"):
        table.add_column(column, justify="right")
    for name, epochs in (("cora", 6), ("usa", 12), ("pubmed", 2)):
        evaluations = ("full inference", "full evaluation", "base inference", "base evaluation")
        found = child("batches", name, epochs, OMP_NUM_THREADS="1", INFOMOTIF_THREADS="1")
        results.append({"what": "batches", "graph": name, **found})
        table.add_row(
            name, f"{found['full']:.3f}", f"{found['near']:.3f}", f"{found['near'] / found['full']:.1f}",
            "3" if name == "cora" else "", f"{found['random']:.3f}", f"{found['random'] / found['full']:.1f}",
            f"{found['base']:.4f}", f"{found['base in batches']:.4f}",
            *(f"{1000 * found[what]:.1f} ms" for what in evaluations),
        )  # fmt: skip
    console.print(table)


CURVE = (
    {"preset": "base"},
    {"preset": "paper"},
    {"preset": "paper", "q": 5},
    {"preset": "paper", "mi_share": 0.5},
    {"preset": "paper", "mi_share": 0.25},
    {"preset": "paper", "gate": "diagonal"},
    {"preset": "paper", "gate": "diagonal", "mi_share": 0.25, "q": 5},
    {"preset": "joint"},
    {"preset": "joint", "mi_share": 0.25},
    {"preset": "joint", "gate": "diagonal"},
    {"preset": "joint", "gate": "diagonal", "mi_share": 0.25, "q": 5},
)


def curve(console, results):
    from rich.table import Table

    from infomotif._core.statistics import paired_difference, spread

    table = Table(title="Accuracy against cost: what makes InfoMax cheaper", title_justify="left")
    for column in ("graph", "labels", "settings", "CPU seconds a training", "test accuracy, %", "against the full one"):
        table.add_column(column)
    for name, ratio, splits in (("roles", 0.01, 5), ("cora", 0.01, 5)):
        full: dict[str, list[float]] = {}
        for settings in CURVE:
            found = child("accuracy", name, ratio, splits, settings, OMP_NUM_THREADS="1", INFOMOTIF_THREADS="1")
            full.setdefault(settings["preset"], found["accuracies"])
            difference = paired_difference(found["accuracies"], full[settings["preset"]])
            shown = ", ".join(f"{k}={v}" for k, v in settings.items())
            reduced = str(difference) if len(settings) > 1 else ""
            row = (
                name,
                f"{100 * ratio:g} %",
                shown,
                f"{found['cpu_seconds']:.1f}",
                str(spread(found["accuracies"])),
                reduced,
            )
            console.print(" | ".join(row))
            table.add_row(*row)
            results.append({"what": "curve", "graph": name, "ratio": ratio, "settings": settings, **found})
    console.print(table)


PEERS = (
    ("GCN", "GCN, CSR by hand", 0.6),
    ("GCN, all nodes", "GCN, CSR by hand", 0.6),
    ("GCN", "GCN, CSR by hand, tuned", None),
    ("GCN", "GCN, PyG, sparse x", None),
    ("GCN", "GCN, PyG, dense x", None),
    ("APPNP", "APPNP, classes by hand", 1.0),
    ("APPNP", "APPNP, PyG", None),
    ("InfoMax", "DGI, PyG", None),
    ("InfoMax", "GRAND, 4 views", None),
    ("SAGE epoch", "SAGE epoch, PyG", None),
)


def measure_peers(name: str) -> dict[str, float]:
    import peers as steps_of_peers

    return steps_of_peers.measure_peers(name)


def peers(console, results):
    from rich.table import Table

    table = Table(title="A step of ours and of others, D = 256, one thread (CPU seconds)", title_justify="left")
    for column in ("graph", "ours", "CPU seconds", "peer", "CPU seconds", "ours / peer", "target"):
        table.add_column(column, justify="right")
    for name in ("cora", "pubmed"):
        found = child("peers", name, OMP_NUM_THREADS="1", INFOMOTIF_THREADS="1")
        results.append({"what": "peers", "graph": name, **found})
        for ours, peer, target in PEERS:
            ratio = f"{found[ours] / found[peer]:.2f}"
            row = (ours, f"{found[ours]:.4f}", peer, f"{found[peer]:.4f}", ratio, "" if target is None else str(target))
            table.add_row(name, *row)
    console.print(table)


FAST_CELLS = [(name, ratio) for name in ("roles", "cora", "citeseer") for ratio in (0.01, 0.05)]
FAST_SPLITS = 10


def fast(console, results, runs: Path, shown_only: bool) -> None:
    """Compare preset ``fast`` with ``joint`` split by split; what ``runs`` has already is not repeated."""
    from rich.table import Table

    from infomotif._core.statistics import paired_difference, spread

    done = [json.loads(line) for line in runs.read_text().splitlines()] if runs.exists() else []
    known = {(run["graph"], run["ratio"], run["seed"], run["preset"]): run for run in done}
    keys = [(*cell, seed, preset) for cell in FAST_CELLS for seed in range(FAST_SPLITS) for preset in ("joint", "fast")]
    for key in keys:
        if key not in known and not shown_only:
            run = dict(zip(("graph", "ratio", "seed", "preset"), key, strict=True))
            known[key] = run | measure_split(*key)
            with runs.open("a") as file:
                file.write(json.dumps(known[key]) + "\n")
    table = Table(title="Preset fast beside joint, paired splits", title_justify="left")
    for column in ("graph", "labels", "splits", "joint, %", "fast, %", "difference", "CPU s, joint", "CPU s, fast"):
        table.add_column(column, justify="right")
    for name, ratio in FAST_CELLS:
        seeds = [s for s in range(FAST_SPLITS) if all((name, ratio, s, p) in known for p in ("joint", "fast"))]
        if len(seeds) < 2:
            continue
        of = {preset: [known[name, ratio, s, preset] for s in seeds] for preset in ("joint", "fast")}
        accuracy = {preset: [run["accuracy"] for run in runs_of] for preset, runs_of in of.items()}
        seconds = {preset: float(np.median([run["cpu_seconds"] for run in runs_of])) for preset, runs_of in of.items()}
        difference = paired_difference(accuracy["fast"], accuracy["joint"])
        shown = [str(spread(accuracy[preset])) for preset in ("joint", "fast")]
        shown += [str(difference), *(f"{seconds[preset]:.1f}" for preset in ("joint", "fast"))]
        table.add_row(name, f"{100 * ratio:g} %", str(len(seeds)), *shown)
        results.append({"what": "fast", "graph": name, "ratio": ratio, "seconds": seconds, **accuracy})
    console.print(table)


TABLES = {
    "steps": steps,
    "trainings": trainings,
    "batches": batches,
    "peers": peers,
    "curve": curve,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument("--only", choices=(*TABLES, "fast"), help="one of the tables")
    parser.add_argument("--runs", type=Path, default=Path("fast.jsonl"), help="where --only fast keeps its runs")
    parser.add_argument("--shown-only", action="store_true", help="--only fast: make no more runs")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        task, arguments = given.child[0], json.loads(given.child[1])
        tasks = {
            "steps": measure_steps,
            "training": measure_training,
            "batches": measure_batches,
            "accuracy": measure_accuracy,
            "peers": measure_peers,
        }
        print(json.dumps(tasks[task](*arguments)))
        return
    from rich.console import Console

    console, results = Console(width=190), []
    for name, table in TABLES.items():
        if given.only in (None, name):
            table(console, results)
    if given.only == "fast":
        fast(console, results, given.runs, given.shown_only)
    if given.json:
        given.json.write_text(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
