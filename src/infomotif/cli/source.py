"""Which graph a command works on: a dataset by name, a graph store, or the user's own files; one place for all."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infomotif.errors import InputError

if TYPE_CHECKING:
    from infomotif.graph import Graph
    from infomotif.schema import Schema

_FILES = "Own files"
_OWN_DATA_RATIO = 0.6
_PAPER_RATIO = 0.2
_DEFAULTS = {
    "label": None, "directed": True, "fill": None, "source": "source", "target": "target", "weight": None,
    "node_id": "id", "ignore": None, "categorical": None, "unknown": "error", "component": "largest",
}  # fmt: skip
_NAMES = {"node_id": "id", "directed": "undirected"}
_TAKES = {
    "dataset": {"component"},
    "store": set(),
    "csv": _DEFAULTS.keys() - {"component"},
    "graphml": {"label", "weight", "fill", "ignore"},
    "edge list": {"directed"},
}
"""What each kind of source can be told."""

DatasetArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[DATASET|FOLDER]",
        help="A dataset ('infomotif datasets' lists them), or the folder of a graph store ('infomotif convert').",
        show_default=False,
    ),
]
EdgesOption = Annotated[
    Path | None,
    typer.Option(
        "--edges",
        metavar="FILE",
        help="Edges: CSV or parquet with the columns source, target and optionally weight; also a plain edge list "
        "(.edgelist, .txt, .edges) or GraphML (.graphml), each also as .gz.",
        rich_help_panel=_FILES,
        show_default=False,
    ),
]
NodesOption = Annotated[
    Path | None,
    typer.Option(
        "--nodes",
        metavar="FILE",
        help="Nodes: CSV or parquet with the column id, optionally a label, and attribute columns.",
        rich_help_panel=_FILES,
        show_default=False,
    ),
]
LabelOption = Annotated[
    str | None,
    typer.Option(
        "--label",
        metavar="COLUMN",
        help="The column of the label; nodes where it is empty are the ones to predict. Default: 'label' if present.",
        rich_help_panel=_FILES,
        show_default=False,
    ),
]
DirectedOption = Annotated[
    bool,
    typer.Option("--directed/--undirected", help="Whether the edges have a direction.", rich_help_panel=_FILES),
]
FillOption = Annotated[
    str | None,
    typer.Option(
        "--fill",
        metavar="VALUE",
        help="Fill missing attribute values: 'mean', 'zero' or a number. Default: refuse them.",
        rich_help_panel=_FILES,
        show_default=False,
    ),
]
SourceOption = Annotated[
    str,
    typer.Option("--source", metavar="COLUMN", help="The column of an edge's start.", rich_help_panel=_FILES),
]
TargetOption = Annotated[
    str,
    typer.Option("--target", metavar="COLUMN", help="The column of an edge's end.", rich_help_panel=_FILES),
]
WeightOption = Annotated[
    str | None,
    typer.Option(
        "--weight",
        metavar="COLUMN",
        help="The column of an edge's weight. Default: 'weight' if present.",
        rich_help_panel=_FILES,
        show_default=False,
    ),
]
NodeIdOption = Annotated[
    str,
    typer.Option("--id", metavar="COLUMN", help="The column of a node's id.", rich_help_panel=_FILES),
]
IgnoreOption = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="COLUMN",
        help="A column of the nodes file that is no attribute; may be given several times.",
        rich_help_panel=_FILES,
        show_default=False,
    ),
]
CategoricalOption = Annotated[
    list[str] | None,
    typer.Option(
        "--categorical",
        metavar="COLUMN",
        help="A column of numbers that are codes, so that it becomes one-hot; may be given several times.",
        rich_help_panel=_FILES,
        show_default=False,
    ),
]
UnknownOption = Annotated[
    str,
    typer.Option(
        "--unknown",
        metavar="error|drop",
        help="What to do with edges that name a node without a row.",
        rich_help_panel=_FILES,
    ),
]
ComponentOption = Annotated[
    str,
    typer.Option("--component", metavar="largest|all", help="For datasets: the largest component or the whole graph."),
]


def graph_from_options(
    dataset: str | None = None,
    *,
    edges: Path | None = None,
    nodes: Path | None = None,
    label: str | None = None,
    directed: bool = True,
    fill: str | None = None,
    source: str = "source",
    target: str = "target",
    weight: str | None = None,
    node_id: str = "id",
    ignore: list[str] | None = None,
    categorical: list[str] | None = None,
    unknown: str = "error",
    component: str = "largest",
    schema: Schema | None = None,
    need_labels: bool = False,
    default: str | None = None,
) -> Graph:
    """Return the graph that a command's options name.

    Args:
        dataset: A registered dataset, the folder of a graph store, or None.
        edges: The user's edges file, or None.
        nodes: The user's nodes file, or None.
        label: The label column of the nodes file; None takes ``label`` where there is one.
        directed: Whether the user's edges have a direction.
        fill: How missing attribute values are filled; None refuses them.
        source: The column of an edge's start.
        target: The column of an edge's end.
        weight: The column of an edge's weight; None takes ``weight`` where there is one.
        node_id: The column of a node's id.
        ignore: Columns of the nodes file that are no attributes.
        categorical: Columns of numbers that become one-hot.
        unknown: ``error`` or ``drop``, for edges that name a node without a row.
        component: ``largest`` or ``all``, for datasets.
        schema: The columns a model was trained on, for prediction on new files.
        need_labels: Whether the command cannot work without two classes.
        default: The dataset to take when no source is given.

    Raises:
        InputError: If no source or two sources are given, or the source cannot be used.
    """
    if dataset is not None and (edges is not None or nodes is not None):
        raise InputError(f"give a dataset or graph store ('{dataset}') or own files (--edges, --nodes), not both")
    if edges is None and nodes is not None:
        raise InputError("--nodes needs --edges: name the file of the edges too")
    check_options(
        dataset, edges, nodes, label=label, directed=directed, fill=fill, source=source, target=target, weight=weight,
        node_id=node_id, ignore=ignore, categorical=categorical, unknown=unknown, component=component,
    )  # fmt: skip
    if edges is not None:
        graph = _from_files(
            edges, nodes, label=label, directed=directed, fill=fill, source=source, target=target, weight=weight,
            node_id=node_id, ignore=ignore, categorical=categorical, unknown=unknown, schema=schema,
        )  # fmt: skip
    elif dataset is not None and names_a_store(dataset):
        from infomotif.io import open_store

        graph = open_store(dataset)
    elif dataset is not None or default is not None:
        from infomotif.datasets import load_dataset

        graph = load_dataset(dataset or default or "", component=component)
    else:
        raise InputError(
            "name a dataset ('infomotif datasets' lists them), a graph store or own files (--edges FILE --nodes FILE)"
        )
    if need_labels:
        from infomotif.io import require_labels

        require_labels(graph, str(nodes or edges or dataset or default))
    return graph


def check_options(dataset: str | None, edges: Path | None, nodes: Path | None, **options: Any) -> None:
    """Refuse options that the source cannot be told, rather than ignore them.

    Raises:
        InputError: If an option is not as by default and the source does not take it.
    """
    kind = source_kind(dataset, edges, nodes)
    for option, value in options.items():
        if option not in options_of(kind) and value not in (_DEFAULTS[option], []):
            name = f"--{_NAMES.get(option, option)}"
            if option == "component":
                raise InputError(f"{name} is for datasets; own files and graph stores are taken whole")
            if edges is None:
                raise InputError(f"{name} is for own files (--edges); datasets and graph stores are read already")
            holds = "which names its own parts" if kind == "graphml" else "which holds nothing but edges"
            raise InputError(f"{name} is for CSV and parquet, not for {kind} ({edges}), {holds}; leave it out")


def options_of(kind: str) -> Set[str]:
    """Return the options of :func:`graph_from_options` that a kind of source takes."""
    return _TAKES[kind]


def source_kind(dataset: str | None, edges: Path | None, nodes: Path | None) -> str:
    """Return what the graph is read from: ``dataset``, ``store``, ``csv``, ``graphml`` or ``edge list``."""
    if edges is not None:
        return file_kind(edges, nodes)
    return "store" if dataset is not None and names_a_store(dataset) else "dataset"


def names_a_store(dataset: str) -> bool:
    """Return whether a DATASET argument means a folder: a path, or a store that is here under no dataset's name."""
    from infomotif.datasets import DATASETS
    from infomotif.io import is_store

    return "/" in dataset or "\\" in dataset or (dataset.lower() not in DATASETS and is_store(dataset))


def usual_ratio(dataset: str | None) -> float:
    """Return the share of labels that trains unless told otherwise: a dataset's own, the paper's, for own data more."""
    if dataset is None or names_a_store(dataset):
        return _OWN_DATA_RATIO
    from infomotif.datasets import dataset_spec

    return float(dataset_spec(dataset).settings.get("ratio", _PAPER_RATIO))


def file_kind(edges: Path, nodes: Path | None) -> str:
    """Return which reader takes an edges file: ``graphml``, ``edge list`` or ``csv`` (and parquet)."""
    ending = edges.name.lower().removesuffix(".gz").rpartition(".")[2]
    if ending == "graphml":
        return ending
    return "edge list" if ending in ("edgelist", "edges", "txt") and nodes is None else "csv"


def _from_files(
    edges: Path,
    nodes: Path | None,
    *,
    label: str | None,
    directed: bool,
    fill: str | None,
    source: str,
    target: str,
    weight: str | None,
    node_id: str,
    ignore: list[str] | None,
    categorical: list[str] | None,
    unknown: str,
    schema: Schema | None,
) -> Graph:
    from infomotif import io

    kind = file_kind(edges, nodes)
    if kind == "graphml":
        if nodes is not None:
            raise InputError(f"{edges}: GraphML holds nodes and edges; leave --nodes out")
        return io.read_graphml(edges, label=label, weight=weight, fill=fill, ignore=ignore or (), schema=schema)
    if kind == "edge list":
        return io.read_edge_list(edges, directed=directed)
    return io.read_csv(
        edges, nodes, label=label, source=source, target=target, weight=weight, node_id=node_id, directed=directed,
        fill=fill, ignore=ignore or (), categorical=categorical or (), unknown=unknown, schema=schema,
    )  # fmt: skip
