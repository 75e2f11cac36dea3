"""``infomotif datasets``: list, fetch, verify."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infomotif.cli import console
from infomotif.errors import InputError

if TYPE_CHECKING:
    from rich.console import Group

    from infomotif.datasets import DatasetSpec

app = typer.Typer(
    help="List the datasets, fetch them, verify their files.",
    epilog="Examples: infomotif datasets, infomotif datasets fetch cora, infomotif datasets verify cora --json, "
    "infomotif datasets verify stores/mine",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="A dataset, or 'all'.")]
NameOrStore = Annotated[
    str, typer.Argument(metavar="NAME|FOLDER", help="A dataset, 'all', or the folder of a graph store.")
]


@app.callback()
def _list_by_default(ctx: typer.Context, json: JsonOption = False) -> None:
    if ctx.invoked_subcommand is None:
        list_datasets(json)


@app.command("list")
def list_datasets(json: JsonOption = False) -> None:
    """List the datasets with size, source, licence note and state."""
    from infomotif.datasets import DATASETS

    rows = [_described(spec) for spec in DATASETS.values()]
    if json:
        console.print_json(rows)
    else:
        console.out().print(_table(rows))


@app.command("fetch")
def fetch_dataset(name: NameArgument, json: JsonOption = False) -> None:
    """Fetch the files of a dataset, unless they are on this machine, and check their sums."""
    rows = []
    for spec in _named(name):
        paths = spec.fetch()
        rows.append({"name": spec.name, "state": spec.state(), "files": [str(path) for path in paths]})
    if json:
        console.print_json(rows)
        return
    for row in rows:
        where = ", ".join(row["files"]) or "needs no files"
        console.out().print(f"{row['name']}: {row['state']}, {where}", markup=False)


@app.command("verify")
def verify_dataset(name: NameOrStore, json: JsonOption = False) -> None:
    """Check the sha256 of each file of a dataset or graph store, and that its graph is as it should be."""
    from infomotif.cli.graph_options import names_a_store
    from infomotif.datasets import load_dataset

    rows: list[dict[str, Any]] = []
    is_store = name != "all" and names_a_store(name)
    if is_store:
        rows.append(_verified_store(name))
    for spec in () if is_store else _named(name):
        for path, problem in spec.verify():
            if problem is not None:
                raise InputError(f"{path}: {problem}; delete the file, then 'infomotif datasets fetch {spec.name}'")
        graph = load_dataset(spec.name)
        counts = (graph.num_nodes, graph.num_edges, graph.num_attributes, graph.num_classes)
        expected = (spec.nodes, spec.edges, spec.attributes, spec.classes)
        if counts != expected:
            raise InputError(f"{spec.name}: expected (nodes, edges, attributes, classes) {expected}, got {counts}")
        rows.append({"name": spec.name, "files": len(spec.files), "graph": repr(graph), "sha256": graph.fingerprint()})
    if json:
        console.print_json(rows)
        return
    for row in rows:
        console.out().print(f"{row['name']}: {row['files']} files as expected, {row['graph']}", markup=False)


def _verified_store(folder: str) -> dict[str, Any]:
    from infomotif.io import open_store
    from infomotif.io.store.description import read_description

    graph, files = open_store(folder, verify=True), read_description(Path(folder)).file_names()
    return {"name": folder, "files": len(files), "graph": repr(graph), "sha256": graph.fingerprint()}


def _named(name: str) -> list[DatasetSpec]:
    from infomotif.datasets import DATASETS, dataset_spec

    return list(DATASETS.values()) if name == "all" else [dataset_spec(name)]


def _described(spec: DatasetSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "title": spec.title,
        "nodes": spec.nodes,
        "edges": spec.edges,
        "directed": spec.directed,
        "attributes": spec.attributes,
        "classes": spec.classes,
        "source": spec.source,
        "licence": spec.licence,
        "state": spec.state(),
        "settings": dict(spec.settings),
    }


def _table(rows: list[dict[str, Any]]) -> Group:
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for title in ("name", "nodes", "edges", "attributes", "classes", "source", "state"):
        table.add_column(
            title,
            justify="right" if title in ("nodes", "edges", "attributes", "classes") else "left",
            no_wrap=title == "name",
        )
    for row in rows:
        table.add_row(
            row["name"],
            f"{row['nodes']:,}",
            f"{row['edges']:,} {'→' if row['directed'] else '–'}",
            f"{row['attributes']:,}" if row["attributes"] else "none",
            str(row["classes"] or "none"),
            row["source"],
            row["state"].removeprefix("needs "),
        )
    notes = dict.fromkeys(f"{row['source']}: {row['licence']}" for row in rows)
    about = "\nCounts are of the largest component; → directed, – undirected."
    return Group(table, Text("\n".join([about, *notes])))
