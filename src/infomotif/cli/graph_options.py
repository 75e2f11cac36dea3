"""Which graph a command works on: a dataset by name, a graph store, or the user's own files; one place for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from infomotif.errors import InputError

if TYPE_CHECKING:
    from infomotif.graph import Graph
    from infomotif.graph.schema import Schema

_FILES = "Own files"
_OWN_DATA_RATIO = 0.6
_PAPER_RATIO = 0.2
VALIDATE = 0.2
"""Share of labelled nodes that validate unless told otherwise."""
_COLUMNS = (
    "label", "directed", "fill", "source", "target", "weight", "node_id", "ignore", "categorical", "unknown",
)  # fmt: skip
_TAKES: dict[str, tuple[str, ...]] = {
    "dataset": ("component",),
    "store": (),
    "csv": _COLUMNS,
    "graphml": ("label", "weight", "fill", "ignore"),
    "edge list": ("directed",),
}
"""What each kind of source can be told."""
KINDS: dict[str, type] = {"directed": bool, "ignore": list, "categorical": list}
"""What a config file must give for what is not text; lists hold text."""

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


@dataclass(frozen=True, kw_only=True)
class GraphSource:
    """Where a command's graph comes from, and how its files are to be read.

    Attributes:
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
    """

    dataset: str | None = None
    edges: Path | None = None
    nodes: Path | None = None
    label: str | None = None
    directed: bool = True
    fill: str | None = None
    source: str = "source"
    target: str = "target"
    weight: str | None = None
    node_id: str = "id"
    ignore: list[str] | None = None
    categorical: list[str] | None = None
    unknown: str = "error"
    component: str = "largest"

    @classmethod
    def among(cls, options: Mapping[str, Any]) -> Self:
        """Return the source that a command's options name, among its other options."""
        return cls(**{field.name: options[field.name] for field in fields(cls)})

    @property
    def kind(self) -> str:
        """What the graph is read from: ``dataset``, ``store``, ``csv`` (and parquet), ``graphml`` or ``edge list``."""
        if self.edges is None:
            return "store" if self.dataset is not None and names_a_store(self.dataset) else "dataset"
        ending = self.edges.name.lower().removesuffix(".gz").rpartition(".")[2]
        if ending == "graphml":
            return ending
        return "edge list" if ending in ("edgelist", "edges", "txt") and self.nodes is None else "csv"

    @property
    def takes(self) -> tuple[str, ...]:
        """What a source of this kind can be told."""
        return _TAKES[self.kind]

    @property
    def columns(self) -> dict[str, Any]:
        """How files are read, as the readers take it."""
        given = {name: getattr(self, name) for name in self.takes}
        return given | {name: given[name] or () for name in ("ignore", "categorical") if name in given}

    @property
    def usual_ratio(self) -> float:
        """The share of labels that trains unless told otherwise: a dataset's own, the paper's, for own data more."""
        if self.dataset is None or self.kind == "store":
            return _OWN_DATA_RATIO
        from infomotif.datasets import dataset_spec

        return float(dataset_spec(self.dataset).settings.get("ratio", _PAPER_RATIO))

    def check_ratio(self, ratio: float | None) -> None:
        """Refuse a share of labels that trains where the dataset itself says which nodes do.

        Raises:
            InputError: If it is another than the usual one.
        """
        if self.dataset is None or self.kind != "dataset" or ratio in (None, self.usual_ratio):
            return
        from infomotif.datasets import dataset_spec

        if dataset_spec(self.dataset).train_mask is not None:
            raise InputError(f"{self.dataset} says itself which nodes train; leave --ratio out")

    def check(self) -> None:
        """Refuse a source that cannot be, and options that it cannot be told, rather than ignore them.

        Raises:
            InputError: If no source or two sources are given, or an option is not for this kind.
        """
        if self.dataset is not None and (self.edges is not None or self.nodes is not None):
            raise InputError(
                f"give a dataset or graph store ('{self.dataset}') or own files (--edges, --nodes), not both"
            )
        if self.edges is None and self.nodes is not None:
            raise InputError("--nodes needs --edges: name the file of the edges too")
        for field in self._given():
            if field in ("dataset", "edges", "nodes", *self.takes):
                continue
            if field == "component":
                raise InputError("--component is for datasets; own files and graph stores are taken whole")
            name = _option(field)
            if self.edges is None:
                raise InputError(f"{name} is for own files (--edges); datasets and graph stores are read already")
            holds = "which names its own parts" if self.kind == "graphml" else "which holds nothing but edges"
            raise InputError(
                f"{name} is for CSV and parquet, not for {self.kind} ({self.edges}), {holds}; leave it out"
            )
        if self.dataset is None and self.edges is None:
            raise InputError(
                "name a dataset ('infomotif datasets' lists them), a graph store or own files "
                "(--edges FILE --nodes FILE)"
            )
        if self.kind == "graphml" and self.nodes is not None:
            raise InputError(f"{self.edges}: GraphML holds nodes and edges; leave --nodes out")

    def read(self, *, schema: Schema | None = None, need_labels: bool = False) -> Graph:
        """Return the graph.

        Args:
            schema: The columns a model was trained on, for prediction on new files.
            need_labels: Whether the command cannot work without two classes.

        Raises:
            InputError: If the source cannot be used.
        """
        self.check()
        graph = self._read(schema)
        if need_labels:
            from infomotif.io import require_labels

            require_labels(graph, str(self.nodes or self.edges or self.dataset))
        return graph

    def words(self) -> list[str]:
        """Return the words of a command line that name this source.

        Example:
            >>> GraphSource(edges=Path("e.csv"), directed=False, ignore=["name"]).words()
            ['--edges', 'e.csv', '--undirected', '--ignore', 'name']
        """
        words = []
        for field, value in self._given().items():
            option = [] if field == "dataset" else [_option(field)]
            if field == "directed":
                words += option
                continue
            for each in value if isinstance(value, list) else [value]:
                words += [*option, str(each)]
        return words

    def resolved(self) -> dict[str, Any]:
        """Return what is needed to read the graph again from any folder, for a run's ``config.yaml``."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        if self.kind == "store":
            values["dataset"] = Path(values["dataset"])
        return {
            name: str(value.resolve()) if isinstance(value, Path) else value
            for name, value in values.items()
            if value not in (None, [])
        }

    def _given(self) -> dict[str, Any]:
        """Return what is not as by default."""
        values = {field.name: (getattr(self, field.name), field.default) for field in fields(self)}
        return {name: value for name, (value, default) in values.items() if value not in (default, [])}

    def _read(self, schema: Schema | None) -> Graph:
        from infomotif import io

        if self.edges is None:
            if self.kind == "store":
                return io.open_store(str(self.dataset))
            from infomotif.datasets import load_dataset

            return load_dataset(str(self.dataset), component=self.component)
        if self.kind == "graphml":
            return io.read_graphml(self.edges, **self.columns, schema=schema)
        if self.kind == "edge list":
            return io.read_edge_list(self.edges, **self.columns)
        return io.read_csv(self.edges, self.nodes, **self.columns, schema=schema)


def names_a_store(dataset: str) -> bool:
    """Return whether a DATASET argument means a folder: a path, or a store that is here under no dataset's name."""
    from infomotif.datasets import DATASETS
    from infomotif.io import is_store

    return "/" in dataset or "\\" in dataset or (dataset.lower() not in DATASETS and is_store(dataset))


def _option(field: str) -> str:
    return {"node_id": "--id", "directed": "--undirected"}.get(field, f"--{field}")
