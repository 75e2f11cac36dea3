"""What is fuzzed: for every format a whole sample, and the reader that must refuse in one line or read it."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from infomotif._core.checksums import BLANK, describe_files, sealed, sealed_json
from infomotif.datasets import load_dataset
from infomotif.graph import Graph
from infomotif.io import (
    convert_csv,
    open_store,
    read_csv,
    read_edge_list,
    read_graphml,
    save_store,
    write_csv,
    write_edge_list,
    write_graphml,
    write_parquet,
)
from infomotif.motifs import MotifIndex

Act = Callable[[Path], None]


def nothing(folder: Path) -> None:
    """Do nothing more."""


@dataclass(frozen=True)
class Target:
    """A format.

    Attributes:
        make: Writes a whole sample into a folder.
        read: Reads it as users and commands do.
        reseal: Makes the checksums right after a change, as somebody hostile would.
        sealed: Whether every change must be noticed, unless the checksums were made right.
        fixed: Names of files that stay as they are.
        share: How often it is chosen.
    """

    make: Act
    read: Act
    reseal: Act = nothing
    sealed: bool = False
    fixed: tuple[str, ...] = ()
    share: int = 1


def sample() -> Graph:
    """Return a small graph with weights, labels, names and attributes of several kinds."""
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 12, (2, 30))
    return Graph.from_edges(
        *ends, num_nodes=12, directed=True, weights=rng.random(30), x=rng.random((12, 3)).round(3),
        y=rng.integers(-1, 3, 12), class_names=["a", "b", "c d"], names=[f"n{v}é" for v in range(12)],
        attribute_names=["age", "size", "x y"],
    )  # fmt: skip


def _pair(write: Callable[[Graph, Path, Path], None], *names: str) -> Act:
    return lambda folder: write(sample(), folder / names[0], folder / names[1])


def _table(folder: Path) -> None:
    (folder / "edges.csv").write_text(
        "source,target,weight\n" + "".join(f"n{v},n{v * 3 % 9},{v}.5\n" for v in range(9))
    )
    rows = "".join(f'n{v},{"xyz"[v % 3]},{v},{v % 2 == 0},"te""xt, {v % 4}"\n' for v in range(9))
    (folder / "nodes.csv").write_text("id,label,age,flag,note\n" + rows)


def _packed(folder: Path) -> None:
    _table(folder)
    for path in list(folder.iterdir()):
        (folder / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()


def _read_tables(folder: Path, **options: object) -> None:
    edges, nodes = sorted(folder.iterdir())[:2]
    for fill in (None, "mean"):
        graph = read_csv(edges, nodes, fill=fill, ignore=options.get("ignore", ()))
        MotifIndex(graph)


def _convert(folder: Path) -> None:
    store = folder.with_name(f"{folder.name}-store")
    shutil.rmtree(store, ignore_errors=True)
    convert_csv(folder / "edges.csv", folder / "nodes.csv", store, fill=0, show=False)
    MotifIndex(open_store(store, verify=True))


def _edge_list(folder: Path) -> None:
    graph = sample().replace(x=None, attribute_names=None, class_names=("a", "b", "c"))
    write_edge_list(graph, folder / "e.txt", labels=folder / "labels.txt")


def _read_edge_list(folder: Path) -> None:
    MotifIndex(read_edge_list(folder / "e.txt", labels=folder / "labels.txt"))


def _graphml(folder: Path) -> None:
    write_graphml(sample(), folder / "g.graphml")


def _read_graphml(folder: Path) -> None:
    MotifIndex(read_graphml(folder / "g.graphml"))


def _store(folder: Path) -> None:
    save_store(sample(), folder / "store")


def _open_store(folder: Path) -> None:
    MotifIndex(open_store(folder / "store"))
    open_store(folder / "store", verify=True)


def _reseal_store(folder: Path) -> None:
    path = folder / "store" / "graph.json"
    about = json.loads(path.read_bytes())
    about.pop("checksum", None)
    path.write_text(sealed_json(about | {"files": describe_files(path.parent, about["files"])}))


def _model(folder: Path) -> None:
    from infomotif import InfoMotif, Training

    options = Training(epochs=1)
    InfoMotif(preset="joint", training=options).fit(load_dataset("karate"), [0, 33, 1, 32]).save(folder / "model")


def _load_model(folder: Path) -> None:
    from infomotif.model.saving import load

    load(folder / "model").predict(load_dataset("karate"))


def _reseal_model(folder: Path) -> None:
    path = folder / "model" / "model.json"
    about = json.loads(path.read_bytes())
    about.pop("checksum", None)
    weights = describe_files(path.parent, ["model.safetensors"])["model.safetensors"]["sha256"]
    about["weights"]["sha256"] = weights
    path.write_text(sealed_json(about))


def _run(folder: Path) -> None:
    from infomotif.runs import RunPlan, train_run

    plan = RunPlan(source={"dataset": "karate"}, preset="paper", settings={"epochs": 1, "hidden": 4}, ratio=0.3)
    train_run(plan, load_dataset("karate"), folder / "run", progress=False)
    for name in ("report.html", "parts.json"):
        (folder / "run" / name).unlink(missing_ok=True)


def _open_run(folder: Path) -> None:
    from infomotif.cli.run_argument import opened
    from infomotif.runs import read_result

    run = opened(folder / "run")
    run.metrics()
    read_result(folder / "run")


def _reseal_run(folder: Path) -> None:
    from tests.runs.plans import reseal

    reseal(folder / "run")


def _config(folder: Path) -> None:
    from infomotif.runs.opened import config_text

    about = {
        "source": {"dataset": "karate"},
        "encoder": "gat",
        "settings": {"epochs": 3, "lr": 0.1},
        "motifs": ["M1", "M2"],
    }
    (folder / "config.yaml").write_text(config_text(about | {"ratio": 0.2, "val": 0.2, "splits": 1, "seed": 0}))


def _merge_config(folder: Path) -> None:
    from infomotif.cli.train import merge_config
    from infomotif.runs.opened import read_config

    options = (
        "dataset",
        "edges",
        "nodes",
        "encoder",
        "preset",
        "ratio",
        "val",
        "splits",
        "seed",
        "motifs",
        "device",
        "threads",
    )
    merge_config(folder / "config.yaml", dict.fromkeys(options), set())
    read_config(folder)


def _reseal_config(folder: Path) -> None:
    text = (folder / "config.yaml").read_bytes().partition(b"\n")[2]
    (folder / "config.yaml").write_bytes(sealed(f"# checksum: {BLANK}\n".encode() + text))


def _bench(folder: Path, *, packed: bool) -> None:
    from infomotif_bench import Store
    from tests.bench.made import made_record
    from tests.bench.running.test_run_store import run

    store = Store(folder / "store")
    for split in range(3):
        store.add_run(made_record(run(split=split)), {"cores": 1})
    if packed:
        Store(folder / "store").pack()
    shutil.rmtree(folder / "store" / ".locks", ignore_errors=True)


def _open_bench(folder: Path) -> None:
    from infomotif_bench import Store

    list(Store(folder / "store").runs("table3"))


def _experiment(folder: Path) -> None:
    from importlib.resources import files

    text = (files("infomotif_bench") / "experiments" / "data" / "sensitivity.yaml").read_text(encoding="utf-8")
    (folder / "mine.yaml").write_text(text)


def _read_experiment(folder: Path) -> None:
    from infomotif_bench.experiments.catalog import load_experiment

    load_experiment(str(folder / "mine.yaml"))


def _checkpoint(folder: Path) -> None:
    import torch

    from infomotif.training.checkpoint import Checkpoint

    Checkpoint(folder / "c.safetensors", {"seed": 0}, every=0).save({"w": torch.arange(8.0)}, {"epoch": 3})


def _load_checkpoint(folder: Path) -> None:
    from infomotif.training.checkpoint import Checkpoint

    Checkpoint(folder / "c.safetensors", {"seed": 0}).load()


TARGETS: dict[str, Target] = {
    "csv": Target(_table, _read_tables, share=4),
    "csv.gz": Target(_packed, _read_tables),
    "csv, written": Target(_pair(write_csv, "edges.csv", "nodes.csv"), _read_tables),
    "csv to store": Target(_table, _convert),
    "parquet": Target(_pair(write_parquet, "edges.parquet", "nodes.parquet"), _read_tables, share=2),
    "edge list": Target(_edge_list, _read_edge_list, share=2),
    "graphml": Target(_graphml, _read_graphml, share=3),
    "graph store": Target(_store, _open_store, _reseal_store, sealed=True, fixed=(".checked",), share=4),
    "model": Target(_model, _load_model, _reseal_model, sealed=True, share=3),
    "run folder": Target(_run, _open_run, _reseal_run, sealed=True, share=2),
    "config": Target(_config, _merge_config, _reseal_config, share=2),
    "checkpoint": Target(_checkpoint, _load_checkpoint, sealed=True),
    "bench store": Target(lambda f: _bench(f, packed=False), _open_bench, share=2),
    "bench archive": Target(lambda f: _bench(f, packed=True), _open_bench),
    "experiment": Target(_experiment, _read_experiment, share=2),
}  # fmt: skip
