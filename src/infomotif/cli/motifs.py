"""``infomotif motifs``: census, coverage and significance of a graph's motifs; comparison with other graphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infomotif._core.extras import needed_for
from infomotif.cli import console
from infomotif.cli.graph_options import READING, GraphSource, graph_options
from infomotif.errors import InputError, unknown_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.table import Table
    from rich.text import Text

    from infomotif.graph import Graph
    from infomotif.motifs import Balance, EdgeOrbits, MotifIndex, NetworkComparison, Profile, Significance

TABLES = ("counts", "orbits", "gdv", "gdv5", "edges", "significance", "comparison")
"""What ``--out`` can write."""

MotifsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--motifs",
        "-m",
        metavar="MOTIF",
        help="A set (auto, directed, undirected, triads, graphlets4, digraphs4, typed, signed), a name (M4, 030T, "
        "paw) or a pattern ('a->b, b->c, a->c', 'a:author->p:paper, b:author->p', 'a-[+]-b, b-[-]-c'); may be given "
        "several times. Default: auto.",
        show_default=False,
    ),
]
RandomOption = Annotated[
    int,
    typer.Option(
        "--random-graphs", metavar="N", min=0, help="Compare with N random graphs; 0 leaves z-scores and profiles out."
    ),
]
NullOption = Annotated[
    str,
    typer.Option(
        "--null",
        metavar="NAME",
        help="What random graphs keep: reciprocal-degrees (in-, out- and reciprocal degree of every node), degrees "
        "(in- and out-degrees), joint-degrees (also the edges between nodes of each two degrees) or erdos-renyi (the "
        "numbers of single and mutual edges).",
    ),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of the random graphs.")]
ProfileOption = Annotated[
    bool, typer.Option("--profile", help="Show the significance profile with error bars, and plot it with --plot.")
]
EdgeOption = Annotated[
    bool, typer.Option("--per-edge", help="Show the graphlets that contain each edge, per edge orbit, and closure.")
]
CompareOption = Annotated[
    list[str] | None,
    typer.Option(
        "--compare",
        metavar="GRAPH",
        help="Compare with another graph by graphlet correlation distance and significance profile: a dataset, a "
        "graph store or a file of edges; may be given several times.",
        show_default=False,
    ),
]
PlotOption = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        help="Draw the census, the profile (--profile) or the comparison (--compare) as .svg, .png or .pdf.",
        show_default=False,
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Write a table as .csv or .parquet.", show_default=False),
]
RawIdsOption = Annotated[
    bool,
    typer.Option(
        "--raw-ids", help="Write ids to CSV as they are, also those that a spreadsheet would run as formulas."
    ),
]
TableOption = Annotated[
    str,
    typer.Option(
        "--table",
        metavar="TABLE",
        help="What --out writes: counts or orbits (one row per node), gdv or gdv5 (graphlet degree vectors in the "
        "order of ORCA, 15 or 73 orbits), edges (edge orbits and closure, one row per edge), significance (one row per "
        "motif) or comparison (one row per pair of graphs).",
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
StepsOption = Annotated[
    float,
    typer.Option(
        "--max-steps",
        metavar="N",
        min=1,
        help="Steps that the search of a motif of five or six nodes may take; above 1e10 needs --random-graphs 0.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


@graph_options(without=("label", "fill", "weight", "ignore", "categorical", "numeric"))
def motifs(
    graph: GraphSource,
    motifs: MotifsOption = None,
    random_graphs: RandomOption = 20,
    null: NullOption = "reciprocal-degrees",
    seed: SeedOption = 0,
    profile: ProfileOption = False,
    per_edge: EdgeOption = False,
    compare: CompareOption = None,
    plot: PlotOption = None,
    out: OutOption = None,
    raw_ids: RawIdsOption = False,
    table: TableOption = "counts",
    dask: DaskOption = None,
    max_steps: StepsOption = 1e10,
    json: JsonOption = False,
) -> None:
    """Count the motifs of a graph: how many, at how many nodes, and whether that is more than chance.

    An instance is a set of nodes whose induced subgraph is the motif. The z-score compares the total with random
    graphs in which every node keeps its in-, out- and reciprocal degree, or what --null says.

    Examples: infomotif motifs cora; infomotif motifs usa -m graphlets4 --random-graphs 0;
    infomotif motifs cora -m 'a->b, b->c, a->c'; infomotif motifs --edges edges.csv --out counts.csv;
    infomotif motifs cora -m triads --profile --plot profile.svg; infomotif motifs usa --compare europe;
    infomotif motifs usa --table edges --out edges.parquet; infomotif motifs usa --table gdv5 --out gdv.csv;
    infomotif motifs imdb -m typed; infomotif motifs bitcoin-otc -m signed;
    infomotif motifs /shared/store --dask tcp://scheduler:8786 --random-graphs 0
    """
    from infomotif._core.display.files import FIGURES, check_ending, save_figure, write_table
    from infomotif._core.display.files import TABLES as ENDINGS

    if out is not None:
        check_ending("--out", out, ENDINGS)
    if plot is not None:
        check_ending("--plot", plot, FIGURES)
        with needed_for("--plot"):
            import matplotlib  # noqa: F401
    _check_table(table, out, random_graphs, compare)
    if profile and not random_graphs:
        raise InputError("--profile needs random graphs; leave --random-graphs 0 out")
    if dask is not None and not graph.is_store:
        raise InputError("--dask needs the folder of a graph store that all workers can open; see 'infomotif convert'")
    from infomotif.motifs import MotifIndex, compare_networks, significance
    from infomotif.motifs.null_models import get_null_model

    get_null_model(null)
    others = [_other(name, graph) for name in compare or ()]
    # Motifs do not look at attributes, so missing ones need not stop them.
    data = graph.read(fill="zero")
    chosen = motifs or "auto"
    index = MotifIndex(data, chosen, max_steps=max_steps) if dask is None else _mined(graph.dataset, dask, motifs)
    options: dict[str, Any] = {"samples": random_graphs, "null": null, "random_state": seed, "show_progress": True}
    chance = significance(data, index.motifs, **options) if random_graphs else None
    found = Findings(
        index,
        chance,
        chance.profile() if chance is not None and profile else None,
        index.edge_orbits() if per_edge or table == "edges" else None,
        compare_networks([data, *others], motifs=motifs or "auto", **options) if others else None,
        _balance(data, random_graphs, null, seed) if "signed" in (motifs or ()) else None,
    )
    if out is not None:
        write_table(found.frame(table), out, what="--out", raw=raw_ids)
    if plot is not None:
        save_figure(found.figure(), plot, what="--plot")
    if json:
        settings = {"random_graphs": random_graphs, "null": null, "seed": seed}
        console.print_json(found.figures(settings, per_edge))
    else:
        for shown in found.tables(per_edge):
            console.out().print(shown)
        for what, path in ((table, out), ("plot", plot)):
            if path is not None:
                console.err().print(f"{what} written to {path}", markup=False)


@dataclass(frozen=True)
class Findings:
    """What was counted, and how it is shown."""

    index: MotifIndex
    chance: Significance | None
    profile: Profile | None
    edges: EdgeOrbits | None
    comparison: NetworkComparison | None
    balance: Balance | None = None

    def frame(self, table: str) -> Any:
        """Return a table for ``--out``."""
        if table == "edges" and self.edges is not None:
            return self.edges.to_frame(self.index.graph, kind="arrow")
        if table == "comparison" and self.comparison is not None:
            return self.comparison.to_frame(kind="arrow")
        if table == "significance" and self.chance is not None:
            shown = self.chance.to_frame(kind="arrow")
            if self.profile is None:
                return shown
            extra = self.profile.to_frame(kind="arrow")
            for column, name in (("profile", "profile"), ("low", "profile_low"), ("high", "profile_high")):
                shown = shown.append_column(name, extra[column])
            return shown
        gdv = {"gdv": 4, "gdv5": 5}.get(table)
        return self.index.to_frame(orbits=table == "orbits", gdv=gdv, kind="arrow")

    def figure(self) -> Figure:
        """Return the figure for ``--plot``."""
        from matplotlib.figure import Figure

        from infomotif.motifs.compare.plots import overview_size
        from infomotif.motifs.motif_plot import motif_axes_size

        if self.comparison is not None:
            figure = Figure(overview_size(self.comparison), layout="constrained")
            self.comparison.plot_overview(figure=figure)
            return figure
        figure = Figure(motif_axes_size(len(self.index.motifs)), layout="constrained")
        if self.profile is not None:
            self.profile.plot(ax=figure.subplots())
        else:
            self.index.plot(self.chance, ax=figure.subplots())
        return figure

    def figures(self, settings: dict[str, Any], per_edge: bool) -> dict[str, Any]:
        """Return everything for machines."""
        from infomotif.cli import motif_tables

        data = self.index.graph
        kind = {"directed": data.directed, "nodes": data.num_nodes, "edges": data.num_edges}
        rows = motif_tables.motif_rows(self.index, self.chance, self.profile)
        shown = {"graph": data.name, **kind, **settings, "motifs": rows}
        if per_edge and self.edges is not None:
            shown["edge_orbits"] = motif_tables.edge_rows(self.edges)
            shown["mean_closure"] = _mean(self.edges)
        if self.balance is not None:
            shown["balance"] = motif_tables.balance_figures(self.balance)
        if self.comparison is not None:
            shown["comparison"] = motif_tables.comparison_figures(self.comparison)
        return shown

    def tables(self, per_edge: bool) -> Iterator[Table | Text]:
        """Yield the tables for a terminal, and the balance of a signed graph."""
        from infomotif.cli import motif_tables

        yield motif_tables.motif_table(self.index, motif_tables.motif_rows(self.index, self.chance, self.profile))
        if self.balance is not None:
            yield motif_tables.balance_line(self.balance)
        if per_edge and self.edges is not None:
            rows = motif_tables.edge_rows(self.edges)
            yield motif_tables.edge_table(rows, len(self.edges.edges), _mean(self.edges))
        if self.comparison is not None:
            yield from motif_tables.comparison_tables(self.comparison)


def _balance(graph: Graph, random_graphs: int, null: str, seed: int) -> Balance:
    from infomotif.motifs import balance

    return balance(graph, random_graphs=random_graphs, null=null, random_state=seed)


def _mean(edges: EdgeOrbits) -> float:
    return float(edges.closure.mean()) if len(edges.edges) else 0.0


def _check_table(table: str, out: Path | None, random_graphs: int, compare: list[str] | None) -> None:
    if table not in TABLES:
        raise unknown_name("table", table, TABLES)
    if table != "counts" and out is None:
        raise InputError(f"--table {table} needs --out FILE to write to")
    if table == "significance" and not random_graphs:
        raise InputError("--table significance needs random graphs; leave --random-graphs 0 out")
    if table == "comparison" and not compare:
        raise InputError("--table comparison needs --compare GRAPH")


def _other(name: str, like: GraphSource) -> Graph:
    """Read another graph: a file as the first graph's files are read, or a dataset or graph store.

    Raises:
        InputError: If there is none of this name.
    """
    path = Path(name)
    if path.is_file():
        source = GraphSource(edges=path)
        taken = {key: value for key, value in like.values().items() if key in source.takes and key in READING}
        return GraphSource(edges=path, **taken).read(fill="zero")
    if path.suffix and not path.exists():
        raise InputError(f"--compare: there is no file '{name}'")
    return GraphSource(dataset=name, component=like.component).read()


def _mined(folder: str | None, address: str, motifs: list[str] | None) -> MotifIndex:
    from infomotif.motifs.cluster import ClusterMiner, cluster_client

    with cluster_client(address) as client:
        return ClusterMiner(folder or "", client, motifs or "auto").index()
