"""The structure of the source in figures, of one tree or of two side by side.

    python benchmarks/structure.py [SRC [SRC]] [--python PYTHON ...] [--engine VENV ...] [--all VENV ...] [--names]

SRC is the folder that holds the package, by default ``src`` of this repository. ``--python`` names the interpreter of
each tree, ``--engine`` and ``--all`` the environments that hold the core alone and every extra, whose size is measured.
``--names`` lists what is behind the counts.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("infomotif", "infomotif_bench")
REPEATS = 5
# A kernel is named as the module that calls it, a command as the room whose work it does.
TWIN_FOLDERS = ("kernels", "cli")
COMMON_NAMES = ("__init__", "__main__", "base", "registry", "catalog")

WITHOUT_TORCH = """
import importlib, json, sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
sys.meta_path.insert(0, Blocker())
failed = []
for name in json.load(sys.stdin):
    try:
        importlib.import_module(name)
    except ImportError:
        failed.append(name)
sys.stdout.write(json.dumps(failed))
"""


class Tree:
    """The Python files of a source folder."""

    def __init__(self, src: Path, python: str) -> None:
        self.src, self.python = src.resolve(), python
        self.files = sorted(path for package in PACKAGES for path in (self.src / package).rglob("*.py"))
        if not self.files:
            raise SystemExit(f"{src}: holds no package '{PACKAGES[0]}'")
        self.trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in self.files}

    def module(self, path: Path) -> str:
        parts = path.relative_to(self.src).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def root_files(self) -> tuple[int, list[str]]:
        names = [path.name for path in self.files if path.parent == self.src / PACKAGES[0]]
        return len(names), names

    def largest_folder(self) -> tuple[int, list[str]]:
        folder, count = Counter(path.parent for path in self.files).most_common(1)[0]
        return count, [str(folder.relative_to(self.src))]

    def most_parameters(self) -> tuple[int, list[str]]:
        found = []
        for path, tree in self.trees.items():
            for name, function in functions(tree):
                taken = function.args
                every = [*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg]
                found.append((sum(argument is not None for argument in every), f"{self.module(path)}.{name}"))
        count, name = max(found)
        return count, [name]

    def class_names(self) -> tuple[int, list[str]]:
        homes = defaultdict(set)
        for path, tree in self.trees.items():
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes[node.name].add(self.module(path))
        return repeated(homes)

    def basenames(self) -> tuple[int, list[str]]:
        homes = defaultdict(set)
        for path in self.files:
            if path.stem not in COMMON_NAMES and not set(path.parts) & set(TWIN_FOLDERS):
                homes[path.stem].add(self.module(path))
        return repeated(homes)

    def without_torch(self) -> tuple[str, list[str]]:
        names = [self.module(path) for path in self.files if path.stem != "__main__"]
        done = self.run(["-c", WITHOUT_TORCH], input=json.dumps(names))
        failed = json.loads(done.stdout)
        return f"{len(names) - len(failed)} of {len(names)}", [name for name in names if name not in failed]

    def dependencies(self) -> tuple[int, list[str]]:
        project = tomllib.loads((self.src.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        return len(project["dependencies"]), project["dependencies"]

    def lines(self) -> tuple[str, list[str]]:
        return f"{sum(len(path.read_text(encoding='utf-8').splitlines()) for path in self.files):,}", []

    def seconds(self, *arguments: str) -> tuple[str, list[str]]:
        """Return the least CPU seconds of a few calls."""
        self.run([*arguments])
        return f"{min(self.cpu(arguments) for _ in range(REPEATS)):.2f}", []

    def cpu(self, arguments: tuple[str, ...]) -> float:
        before = os.times()
        self.run([*arguments])
        after = os.times()
        return after.children_user - before.children_user + after.children_system - before.children_system

    def run(self, arguments: list[str], **options: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(self.src)}
        return subprocess.run(
            [self.python, *arguments], env=environment, capture_output=True, text=True, check=True, **options
        )


def functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield every function below a node, with the classes and functions that it is in."""
    for child in ast.iter_child_nodes(node):
        named = isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + child.name, child
        yield from functions(child, f"{prefix}{child.name}." if named else prefix)


def repeated(homes: dict[str, set[str]]) -> tuple[int, list[str]]:
    found = {name: sorted(places) for name, places in sorted(homes.items()) if len(places) > 1}
    return len(found), [f"{name}: {', '.join(places)}" for name, places in found.items()]


def megabytes(environment: str | None) -> tuple[str, list[str]]:
    """Return the size of what an environment has installed, without pip and setuptools."""
    if environment is None:
        return "", []
    total = 0
    for packages in Path(environment).rglob("site-packages"):
        for path in packages.rglob("*"):
            tool = path.relative_to(packages).parts[0].partition("-")[0] in ("pip", "setuptools", "_distutils_hack")
            if path.is_file() and not path.is_symlink() and not tool:
                total += path.stat().st_size
    return f"{total / 1e6:,.0f}", []


def rows(tree: Tree, engine: str | None, everything: str | None) -> dict[str, tuple[object, list[str]]]:
    return {
        "files at the package's root": tree.root_files(),
        "files in the largest folder": tree.largest_folder(),
        "most parameters of a function": tree.most_parameters(),
        "class names with two meanings": tree.class_names(),
        "basenames with two meanings": tree.basenames(),
        "modules that import without torch": tree.without_torch(),
        "core dependencies": tree.dependencies(),
        "installed MB, engine": megabytes(engine),
        "installed MB, all": megabytes(everything),
        "CPU seconds, infomotif --help": tree.seconds("-m", "infomotif", "--help"),
        "CPU seconds, infomotif --version": tree.seconds("-m", "infomotif", "--version"),
        "CPU seconds, import infomotif": tree.seconds("-c", "import infomotif"),
        "lines of source": tree.lines(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("src", nargs="*", type=Path, default=[Path(__file__).parents[1] / "src"])
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--engine", action="append", default=[])
    parser.add_argument("--all", action="append", default=[], dest="everything")
    parser.add_argument("--names", action="store_true")
    given = parser.parse_args()
    columns = []
    for i, src in enumerate(given.src):
        python, engine, everything = (
            (values[i] if i < len(values) else None) for values in (given.python, given.engine, given.everything)
        )
        columns.append(rows(Tree(src, python or sys.executable), engine, everything))
    heads = ["before", "after"] if len(columns) == 2 else [str(src) for src in given.src]
    print(f"| | {' | '.join(heads)} |\n|---|{'--:|' * len(columns)}")
    for name in columns[0]:
        print(f"| {name} | {' | '.join(str(column[name][0]) for column in columns)} |")
    if given.names:
        for head, column in zip(heads, columns, strict=True):
            for name, (_, listed) in column.items():
                print(f"\n{head}, {name}:", *listed, sep="\n    ") if listed else None


if __name__ == "__main__":
    main()
