"""``infomotif convert``: a graph of any size into a graph store."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from infomotif.cli import console
from infomotif.cli.graph_options import GraphSource, graph_options
from infomotif.errors import InputError

if TYPE_CHECKING:
    from infomotif.graph import Graph

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}
_EXAMPLES = """Convert a graph to a graph store: a folder of memory-mapped arrays that every command opens at once.

CSV and parquet files are read in blocks and sorted on disk, so that they may be larger than memory. Edge lists,
GraphML and datasets by name are read as a whole. The folder is written whole or not at all.

Examples:

  infomotif convert --edges edges.csv --nodes nodes.csv --label topic stores/mine

  infomotif convert --edges edges.parquet --nodes nodes.parquet --float16 --memory 4GB stores/large

  infomotif convert cora stores/cora

  infomotif train stores/mine
"""


@graph_options(dataset=False)
def convert(
    places: Annotated[
        list[str], typer.Argument(metavar="[DATASET] FOLDER", help="The folder to make; before it a dataset, if any.")
    ],
    graph: GraphSource,
    float16: Annotated[
        bool, typer.Option("--float16", help="Keep dense attributes with 16 bits each: half the size, three digits.")
    ] = False,
    memory: Annotated[
        str, typer.Option("--memory", metavar="SIZE", help="Memory for reading and sorting, such as 500MB or 2GB.")
    ] = "2GB",
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a graph store that is there already.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Convert a graph to a graph store."""
    if len(places) != (1 if graph.edges is not None else 2):
        raise InputError(
            "give a dataset and a folder (infomotif convert cora stores/cora), or your files and a folder "
            "(infomotif convert --edges edges.csv stores/mine)"
        )
    folder, budget = Path(places[-1]), size(memory)
    started = time.perf_counter()
    if graph.format is not None and graph.edges is not None:
        graph.check_source()
        stored = graph.format.to_store(
            graph.edges, graph.nodes, folder, graph.options(), float16=float16, memory=budget, overwrite=overwrite
        )
    else:
        from infomotif.io import open_store, save_store

        named = graph.replace(dataset=places[0])
        save_store(named.read(), folder, float16=float16, overwrite=overwrite)
        stored = open_store(folder)
    _show(stored, folder, time.perf_counter() - started, as_json)


convert.__doc__ = _EXAMPLES


def size(text: str) -> int:
    """Return a number of bytes from text such as ``2GB`` or ``500 MiB``.

    Example:
        >>> size("2GB"), size("1.5 MiB")
        (2000000000, 1572864)
    """
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmg]?i?)b?\s*", text, re.IGNORECASE)
    unit = match[2].lower() if match else "i"
    if match is None or unit not in _UNITS:
        raise InputError(f"--memory must be a size such as 500MB or 2GB (got '{text}')")
    return int(float(match[1]) * _UNITS[unit])


def _show(graph: Graph, folder: Path, seconds: float, as_json: bool) -> None:
    stored = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    if as_json:
        console.print_json(
            {
                "folder": str(folder),
                "name": graph.name,
                "nodes": graph.num_nodes,
                "edges": graph.num_edges,
                "directed": graph.directed,
                "attributes": graph.num_attributes,
                "classes": graph.num_classes,
                "notes": dict(graph.notes),
                "fingerprint": graph.fingerprint(),
                "bytes": stored,
                "seconds": round(seconds, 3),
            }
        )
        return
    console.out().print(graph)
    console.out().print(f"graph store: {folder} ({stored / 1e6:,.1f} MB, {seconds:.1f} s)", markup=False)
