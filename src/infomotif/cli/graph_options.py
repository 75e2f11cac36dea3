"""Which graph a command works on: a dataset by name, a graph store, or the user's files."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self, get_type_hints

import typer

from infomotif._core.validate import config, fields_of, setting
from infomotif.errors import InputError
from infomotif.io.options import ReadOptions
from infomotif.io.registry import Format, does_not_apply, edges_help, format_of

if TYPE_CHECKING:
    from infomotif.graph import Graph
    from infomotif.graph.schema import Schema

VALIDATE = 0.2
"""Share of labelled nodes that validate unless another is given."""
_OWN_DATA_RATIO = 0.6
_PAPER_RATIO = 0.2
_PANEL = "Your files"
_WHERE = ("dataset", "edges", "nodes")
_LIBRARY_ONLY = ("max_categories", "delimiter", "schema", "name")
READING = tuple(name for name in fields_of(ReadOptions) if name not in _LIBRARY_ONLY)
_NAMES = (*_WHERE, *READING, "component", "verify")
_FLAGS = {
    "node_id": "--id",
    "directed": "--directed/--undirected",
    "node_type": "--node-type",
    "edge_type": "--edge-type",
    "drop_unsigned": "--drop-unsigned",
}
_METAVARS = {"edges": "FILE", "nodes": "FILE", "fill": "VALUE", "unknown": "error|drop", "component": "largest|all"}
KINDS: dict[str, type] = {
    **dict.fromkeys(("directed", "verify", "drop_unsigned"), bool),
    **dict.fromkeys(("ignore", "categorical", "numeric"), list),
}
"""Types of the values in a config file that are not text; lists hold text."""


@config
class GraphSource(ReadOptions):
    """Where a command's graph comes from, and how its files are read.

    Example:
        >>> GraphSource(edges=Path("e.csv"), directed=False, ignore=["name"]).words()
        ['--edges', 'e.csv', '--undirected', '--ignore', 'name']
    """

    dataset: str | None = setting(
        default=None,
        help="A dataset ('infomotif datasets' lists them), or the folder of a graph store ('infomotif convert').",
    )
    edges: Path | None = setting(default=None, help=edges_help())
    nodes: Path | None = setting(
        default=None, help="Nodes: CSV or parquet with the column id, optionally a label, and attribute columns."
    )
    component: str = setting(default="largest", help="For datasets: the largest component or the whole graph.")
    verify: bool = setting(default=False, help="For graph stores: read everything first and compare the checksums.")

    @classmethod
    def among(cls, options: Mapping[str, Any]) -> Self:
        """Return the source that a command's options name, among its other options."""
        lists = {name: tuple(options[name] or ()) for name in ("ignore", "categorical", "numeric") if name in options}
        return cls(**{name: options[name] for name in _NAMES if name in options} | lists)

    def values(self) -> dict[str, Any]:
        """Return the options by name, as a command takes them."""
        return {name: getattr(self, name) for name in _NAMES}

    @property
    def format(self) -> Format | None:
        """The format of the user's files; None for datasets and graph stores."""
        return None if self.edges is None else format_of(self.edges, with_nodes=self.nodes is not None)

    @property
    def is_store(self) -> bool:
        """Whether the graph is read from a graph store."""
        return self.edges is None and self.dataset is not None and names_a_store(self.dataset)

    @property
    def takes(self) -> tuple[str, ...]:
        """The options that apply to a source of this kind."""
        if self.format is not None:
            return self.format.options
        return ("verify",) if self.is_store else ("component",)

    @property
    def usual_ratio(self) -> float:
        """The share of labels that trains by default: the dataset's, the paper's, or more for the user's data."""
        if self.dataset is None or self.is_store:
            return _OWN_DATA_RATIO
        from infomotif.datasets import dataset_spec

        return float(dataset_spec(self.dataset).settings.get("ratio", _PAPER_RATIO))

    def check_ratio(self, ratio: float | None) -> None:
        """Refuse a share of labels that trains where the dataset itself says which nodes do.

        Raises:
            InputError: If it is another than the usual one.
        """
        if self.dataset is None or self.is_store or ratio in (None, self.usual_ratio):
            return
        from infomotif.datasets import dataset_spec

        if dataset_spec(self.dataset).train_mask is not None:
            raise InputError(f"{self.dataset} fixes which nodes train; leave --ratio out")

    def check_source(self) -> None:
        """Refuse a source that cannot be, and options that do not apply to it, rather than ignore them.

        Raises:
            InputError: If no source or two sources are given, or an option does not apply.
        """
        if self.dataset is not None and (self.edges is not None or self.nodes is not None):
            raise InputError(
                f"give a dataset or graph store ('{self.dataset}') or your files (--edges, --nodes), not both"
            )
        if self.edges is None and self.nodes is not None:
            raise InputError("--nodes needs --edges: name the file of the edges too")
        for name in self._changed():
            if name in (*_WHERE, *self.takes):
                continue
            if name == "component":
                raise InputError("--component is for datasets; files and graph stores are read whole")
            if name == "verify":
                raise InputError("--verify is for graph stores; files are always read whole")
            if self.format is None or self.edges is None:
                raise InputError(
                    f"{_flag(name)} is for your files (--edges), not for datasets and graph stores; leave it out"
                )
            raise does_not_apply(name, self.format, self.edges, _flag(name))
        if self.dataset is None and self.edges is None:
            raise InputError(
                "name a dataset ('infomotif datasets' lists them), a graph store or your files "
                "(--edges FILE --nodes FILE)"
            )

    def options(self, **changes: Any) -> ReadOptions:
        """Return how the files are read, with some options changed."""
        return ReadOptions(**{name: getattr(self, name) for name in self.takes if name in READING} | changes)

    def read(self, *, schema: Schema | None = None, need_labels: bool = False, **changes: Any) -> Graph:
        """Return the graph.

        Args:
            schema: The columns a model was trained on, for prediction on new files.
            need_labels: Whether the command cannot work without two classes.
            **changes: Options to change where they apply.

        Raises:
            InputError: If the source cannot be used.
        """
        self.check_source()
        changes = {name: value for name, value in changes.items() if name in self.takes}
        if self.format is not None and self.edges is not None:
            graph = self.format.read(self.edges, self.nodes, self.options(schema=schema, **changes))
        elif self.is_store:
            from infomotif.io import open_store

            graph = open_store(str(self.dataset), verify=self.verify)
        else:
            from infomotif.datasets import load_dataset

            graph = load_dataset(str(self.dataset), component=self.component)
        if need_labels:
            from infomotif.io import require_labels

            require_labels(graph, str(self.nodes or self.edges or self.dataset))
        return graph

    def words(self) -> list[str]:
        """Return the words of a command line that name this source."""
        words = []
        for name, value in self._changed().items():
            flag = [] if name == "dataset" else [_flag(name)]
            if name in ("directed", "verify", "drop_unsigned"):
                words += flag
                continue
            for each in value if isinstance(value, tuple) else [value]:
                words += [*flag, str(each)]
        return words

    def resolved(self) -> dict[str, Any]:
        """Return what is needed to read the graph again from any folder, for a run's ``config.yaml``."""
        values = {name: list(value) if isinstance(value, tuple) else value for name, value in self.values().items()}
        if self.is_store:
            values["dataset"] = Path(str(self.dataset))
        return {
            name: str(value.resolve()) if isinstance(value, Path) else value
            for name, value in values.items()
            if value not in (None, []) and name != "verify"
        }

    def _changed(self) -> dict[str, Any]:
        """Return the options that differ from their defaults."""
        known = fields_of(type(self))
        return {name: value for name, value in self.values().items() if value != known[name].default}


def graph_options(
    *, only: Collection[str] = _NAMES, without: Collection[str] = (), dataset: bool = True
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options that name its graph; it takes them as one :class:`GraphSource`, ``graph``.

    Args:
        only: The options that it has, all by default.
        without: Options that it does not have.
        dataset: Whether it has the argument DATASET.
    """
    names = [name for name in _NAMES if name in only and name not in without and (dataset or name != "dataset")]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True)
        others = {p.name: p for p in inspect.signature(command).parameters.values() if p.name != "graph"}
        parameters = [_keyword(name, p.default, hints[name]) for name, p in others.items()]
        parameters += [_parameter(name) for name in names]
        # Arguments keep the order in which they are typed, and DATASET is the first.
        parameters.sort(key=lambda parameter: parameter.name != "dataset")

        @functools.wraps(command)
        def run(**values: Any) -> None:
            graph = GraphSource.among({name: values.pop(name) for name in names})
            command(graph=graph, **values)

        made: Any = run
        made.__signature__ = inspect.Signature(parameters)
        made.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate


def _parameter(name: str) -> inspect.Parameter:
    """Return the parameter of a command for an option, as Typer takes it."""
    info = fields_of(GraphSource)[name]
    if name == "dataset":
        argument: Any = typer.Argument(metavar="[DATASET|FOLDER]", help=info.rule.help, show_default=False)
        return _keyword(name, None, Annotated[str | None, argument])
    is_list = isinstance(info.default, tuple)
    option: Any = typer.Option(
        _FLAGS.get(name, f"--{name}"),
        metavar=None if isinstance(info.default, bool) else _METAVARS.get(name, "COLUMN"),
        help=info.rule.help,
        rich_help_panel=None if name in ("component", "verify") else _PANEL,
        show_default=info.default is not None and not is_list,
    )
    hint: Any = list[str] | None if is_list else str | None if info.hint is Any else info.hint
    return _keyword(name, None if is_list else info.default, Annotated[hint, option])


def _keyword(name: str, default: Any, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def names_a_store(dataset: str) -> bool:
    """Return whether a DATASET argument means a folder: a path, or a store that is here under no dataset's name."""
    from infomotif.datasets import DATASETS
    from infomotif.io import is_store

    return "/" in dataset or "\\" in dataset or (dataset.lower() not in DATASETS and is_store(dataset))


def _flag(name: str) -> str:
    """Return the flag of an option that differs from its default."""
    return "--undirected" if name == "directed" else _FLAGS.get(name, f"--{name}")
