"""``infomotif motifs``: census, coverage and significance of a graph's motifs."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infomotif.cli import console
from infomotif.cli.graph_options import GraphSource, graph_options
from infomotif.errors import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from infomotif.motifs import MotifIndex, Significance

_ROWS = 1 << 16

MotifsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--motifs",
        "-m",
        metavar="MOTIF",
        help="A set (auto, directed, undirected, triads, graphlets4), a name (M4, 030T, paw) or a pattern "
        "('a->b, b->c, a->c'); may be given several times. Default: auto.",
        show_default=False,
    ),
]
RandomOption = Annotated[
    int,
    typer.Option(
        "--random-graphs",
        metavar="N",
        min=0,
        help="Compare with N random graphs of the same in, out and reciprocal degrees; 0 leaves z-scores out.",
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of the random graphs.")]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="FILE", help="Write the counts of every node as .csv or .parquet.", show_default=False
    ),
]
DaskOption = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS",
        help="Count on the Dask cluster with its scheduler at ADDRESS; needs a graph store that all workers can open.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


@graph_options(without=("label", "fill", "weight", "ignore", "categorical"))
def motifs(
    graph: GraphSource,
    motifs: MotifsOption = None,
    random_graphs: RandomOption = 20,
    seed: SeedOption = 0,
    out: OutOption = None,
    dask: DaskOption = None,
    json: JsonOption = False,
) -> None:
    """Count the motifs of a graph: how many, at how many nodes, and whether that is more than chance.

    An instance is a set of nodes whose induced subgraph is the motif. The z-score compares the total with random
    graphs in which every node keeps its in, out and reciprocal degree.

    Examples: infomotif motifs cora; infomotif motifs usa -m graphlets4 --random-graphs 0;
    infomotif motifs cora -m 'a->b, b->c, a->c'; infomotif motifs --edges edges.csv --out counts.csv;
    infomotif motifs /shared/store --dask tcp://scheduler:8786 --random-graphs 0
    """
    if out is not None and out.suffix.lower() not in (".csv", ".parquet"):
        raise InputError(f"--out must end in .csv or .parquet (got '{out}')")
    if dask is not None and not graph.is_store:
        raise InputError("--dask needs the folder of a graph store that all workers can open; see 'infomotif convert'")
    # Motifs do not look at attributes, so missing ones need not stop them.
    data = graph.read(fill="zero")
    from infomotif.motifs import MotifIndex, significance

    index = MotifIndex(data, motifs or "auto") if dask is None else _mined(graph.dataset, dask, motifs)
    chance = significance(data, index.motifs, samples=random_graphs, random_state=seed) if random_graphs else None
    rows = _rows(index, chance)
    if out is not None:
        _write_counts(index, out)
    if json:
        kind = {"directed": data.directed, "nodes": data.num_nodes, "edges": data.num_edges}
        settings = {"random_graphs": random_graphs, "seed": seed}
        console.print_json({"graph": data.name, **kind, **settings, "motifs": rows})
        return
    console.out().print(_table(index, rows))
    if out is not None:
        console.err().print(f"counts of {data.num_nodes:,} nodes written to {out}", markup=False)


def _mined(folder: str | None, address: str, motifs: list[str] | None) -> MotifIndex:
    from infomotif.motifs.cluster import ClusterMiner, cluster_client

    with cluster_client(address) as client:
        return ClusterMiner(folder or "", client, motifs or "auto").index()


def _rows(index: MotifIndex, chance: Significance | None) -> list[dict[str, Any]]:
    rows = []
    for t, motif in enumerate(index.motifs):
        counts = index.counts[:, t]
        row: dict[str, Any] = {
            "name": motif.name,
            "title": motif.title,
            "pattern": motif.pattern,
            "total": int(index.totals[t]),
            "nodes_covered": int((counts > 0).sum()),
            "coverage": float(index.coverage[t]),
            "largest_per_node": int(counts.max(initial=0)),
        }
        if chance is not None:
            row |= {
                "random_mean": float(chance.mean[t]),
                "random_std": float(chance.std[t]),
                "z": None if math.isnan(chance.z[t]) else float(chance.z[t]),
                "p_more": float(chance.p_more[t]),
                "p_fewer": float(chance.p_fewer[t]),
            }
        rows.append(row)
    return rows


def _table(index: MotifIndex, rows: list[dict[str, Any]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    graph = index.graph
    title = Text(f"{graph.name}: {graph.num_nodes:,} nodes, {graph.num_edges:,} edges")
    table = Table(title=title, title_justify="left", show_lines=True)
    table.add_column("motif", min_width=12)
    table.add_column("picture", no_wrap=True)
    for name in ("total", "nodes covered", "largest per node"):
        table.add_column(name, justify="right")
    compared = "z" in rows[0]
    if compared:
        table.add_column("by chance", justify="right")
        table.add_column("z-score", justify="right")
    for motif, row in zip(index.motifs, rows, strict=True):
        heading = f"{motif.name}\n{motif.title}" + ("" if motif.name == motif.pattern else f"\n{motif.pattern}")
        cells = [
            Text(heading),
            Text(motif.ascii),
            Text(f"{row['total']:,}"),
            Text(f"{row['nodes_covered']:,}\n{100 * row['coverage']:.1f} %"),
            Text(f"{row['largest_per_node']:,}"),
        ]
        if compared:
            cells.append(Text(f"{row['random_mean']:,.1f}\n± {row['random_std']:,.1f}"))
            cells.append(Text("-" if row["z"] is None else f"{row['z']:+.1f}"))
        table.add_row(*cells)
    return table


def _write_counts(index: MotifIndex, path: Path) -> None:
    """Write one row per node: its name, and how many instances of each motif it is in."""
    from infomotif._core.files import whole_file

    with whole_file(path) as aside:
        (_write_parquet if path.suffix.lower() == ".parquet" else _write_csv)(index, aside)


def _write_parquet(index: MotifIndex, path: Path) -> None:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    graph = index.graph
    # Numbers need not become text to be written.
    nodes = np.arange(graph.num_nodes) if graph.numbered else pa.array(graph.names.tolist(), type=pa.string())
    counts = {motif.name: index.counts[:, t] for t, motif in enumerate(index.motifs)}
    pq.write_table(pa.table({"node": nodes, **counts}), str(path))


def _write_csv(index: MotifIndex, path: Path) -> None:
    import csv

    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["node", *(motif.name for motif in index.motifs)])
        for start in range(0, index.graph.num_nodes, _ROWS):
            nodes = range(start, min(start + _ROWS, index.graph.num_nodes))
            names = index.graph.names_of(nodes).tolist()
            counts = index.counts[nodes.start : nodes.stop].tolist()
            writer.writerows([name, *row] for name, row in zip(names, counts, strict=True))
