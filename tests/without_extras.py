"""What must work, and what must be refused in one line, where no extra is installed: a script without pytest.

``python without_extras.py FOLDER`` writes into FOLDER; with ``--block`` it hides the packages of all extras first.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import pkgutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from infomotif._core.extras import EXTRAS

ENGINE = ("_core", "cli", "datasets", "doctor", "errors", "graph", "io", "motifs", "typing")
EDGES = "source,target\na,b\nb,c\nc,a\nc,d\n"
NODES = "id,topic,age\na,x,1\nb,y,2\nc,x,3\nd,y,4\n"

WORKS = {
    "--help": "Usage",
    "--version": "torch",
    "datasets": "cora",
    "motifs karate": "393",
    "motifs --edges edges.csv --directed": "M",
    "doctor --edges edges.csv --nodes nodes.csv --label topic": "",
    "convert --edges edges.csv --nodes nodes.csv --label topic store": "",
    "motifs store": "",
    "train --help": "--encoder",
}
LEARN = "this command needs PyTorch: pip install 'infomotif[learn]'"
BENCH = (
    "infomotif bench needs torch, safetensors, sklearn, matplotlib, networkx, gensim, joblib, threadpoolctl: "
    "pip install 'infomotif[bench]'"
)
REFUSED = {
    "train karate --out run": LEARN,
    "train --edges edges.csv --nodes nodes.csv --label topic --out run": LEARN,
    "predict run": LEARN,
    "explain run a": LEARN,
    "report run": LEARN,
    "bench": BENCH,
    "bench table3": BENCH,
    "motifs store --dask localhost:1": "--dask needs Dask: pip install 'infomotif[distributed]'",
}


class Blocker:
    """A finder of modules that does not find the packages of extras."""

    def __init__(self, finder: Any) -> None:
        self.finder = finder

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        return None if name.partition(".")[0] in EXTRAS else self.finder.find_spec(name, path, target)


def answer(arguments: str) -> tuple[int, str, str]:
    """Run a command; return its exit code, its output and its errors."""
    from infomotif.cli import console, main

    for make in (console.out, console.err):
        make.cache_clear()
    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main.run(arguments.split())
        except SystemExit as stop:
            code = int(stop.code or 0)
    return code, out.getvalue(), err.getvalue()


def check_imports() -> None:
    import infomotif

    names = [f"infomotif.{name}" for name in ENGINE]
    for package in [importlib.import_module(name) for name in names]:
        if hasattr(package, "__path__"):
            names += [found.name for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    for name in [*names, "infomotif.training", "infomotif.training.splits"]:
        importlib.import_module(name)
    assert len(names) > 60, names
    split = infomotif.training.random_split(infomotif.load_dataset("karate").y, 0.5)
    assert len(split.train) == 17


def check_attributes() -> None:
    import infomotif

    def get(path: str) -> object:
        value: object = infomotif
        for name in path.split("."):
            value = getattr(value, name)
        return value

    for path in ("InfoMotif", "load", "explain", "nn.MotifRegularizer", "training.FeatureMap"):
        refused(ImportError, LEARN.replace("this command", f"infomotif.{path}"), lambda path=path: get(path))
    graph = infomotif.load_dataset("karate")
    refused(ImportError, LEARN.replace("this command", "to_pyg"), graph.to_pyg)
    refused(ImportError, "to_networkx needs NetworkX: pip install 'infomotif[networkx]'", graph.to_networkx)
    index = infomotif.MotifIndex(graph)
    for draw in (graph.plot, index.plot, lambda: index.plot_instance(0), infomotif.motifs.significance(graph).plot):
        refused(ImportError, "plot needs Matplotlib: pip install 'infomotif[plot]'", draw)
    assert index.to_frame(kind="arrow").num_rows == 34
    assert infomotif.motif_encodings(graph).values.shape == (34, 18)
    assert "<svg" in index._repr_html_()
    refused(infomotif.InputError, LEARN.replace("this command", "from_pyg"), lambda: infomotif.from_pyg(object()))


def refused(kind: type[BaseException], message: str, call: Callable[[], object]) -> None:
    told = "nothing was refused"
    try:
        call()
    except kind as error:
        told = str(error)
    assert told == message


def check_commands() -> None:
    Path("edges.csv").write_text(EDGES)
    Path("nodes.csv").write_text(NODES)
    for arguments, shown in WORKS.items():
        code, out, err = answer(arguments)
        assert code == 0, (arguments, code, out, err)
        assert shown in out, (arguments, out, err)
    for arguments, line in REFUSED.items():
        assert answer(arguments) == (2, "", f"error: {line}\n"), (arguments, answer(arguments))
    assert not Path("run").exists()


if __name__ == "__main__":
    if "--block" in sys.argv:
        sys.meta_path[:] = [Blocker(finder) for finder in sys.meta_path]
    os.chdir(sys.argv[1])
    check_imports()
    check_attributes()
    check_commands()
    assert not set(EXTRAS) & set(sys.modules)
