"""The one table of file formats: what commands read, show in their help and say in their messages follows from it.

A new format is one file in ``infomotif.io.formats`` with the functions ``read(path, nodes, options)`` and, if it can be
written, ``write(graph, path, nodes)``, and one line in :data:`FORMATS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from infomotif.errors import InputError
from infomotif.io.options import ReadOptions

if TYPE_CHECKING:
    from infomotif.graph import Graph
    from infomotif.typing import AnyPath


@dataclass(frozen=True)
class Format:
    """A file format.

    Attributes:
        name: A short name.
        title: What messages call it.
        suffixes: How the names of its files end; each also with ``.gz``.
        module: The module with its functions ``read`` and ``write``, imported when first used.
        options: The :class:`ReadOptions` that apply to it.
        nodes: Whether the nodes are in a second ``file``, ``inside`` the first, or there are ``none``.
        describe: What a file holds, for ``--help``.
        lacks: Why other options do not apply, for messages.
        convert: A module whose function ``convert`` writes a graph store from files larger than memory, if any.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    module: str
    options: tuple[str, ...]
    nodes: Literal["file", "inside", "none"]
    describe: str
    lacks: str = "which says all of that itself"
    convert: str | None = None

    def read(self, path: AnyPath, nodes: AnyPath | None, options: ReadOptions) -> Graph:
        """Read a graph from a file, or from one of edges and one of nodes.

        Raises:
            InputError: If anything is wrong with a file, or the format has no file of nodes.
        """
        if nodes is not None and self.nodes == "inside":
            raise InputError(f"{path}: {self.title} holds nodes and edges; leave --nodes out")
        graph: Graph = import_module(self.module).read(path, nodes, options)
        return graph

    def to_store(
        self, path: AnyPath, nodes: AnyPath | None, folder: AnyPath, options: ReadOptions, **storing: Any
    ) -> Graph:
        """Convert files to a graph store: in blocks if the format can be read so, else through memory.

        Args:
            path: The file, of edges if there are two.
            nodes: The file of nodes, or None.
            folder: The store to make, whole or not at all.
            options: How the files are read.
            **storing: ``float16``, ``overwrite`` and ``memory``, as in :func:`infomotif.io.convert_csv`.

        Raises:
            InputError: If anything is wrong with a file, or the store cannot be written.
        """
        if self.convert is not None:
            converted: Graph = import_module(self.convert).convert(path, nodes, folder, options, **storing)
            return converted
        from infomotif.io.store import open_store, save_store

        storing.pop("memory", None)
        save_store(self.read(path, nodes, options), folder, **storing)
        return open_store(folder)

    def write(self, graph: Graph, path: AnyPath, nodes: AnyPath | None = None) -> None:
        """Write a graph to a file, or to one of edges and one of nodes.

        Raises:
            InputError: If the format cannot be written, or cannot hold the graph.
        """
        write: Any = getattr(import_module(self.module), "write", None)
        if write is None:
            raise InputError(f"{path}: {self.title} can be read, not written; choose another format")
        write(graph, path, nodes)


TABLES = Format(
    "csv", "CSV or parquet", (".csv", ".tsv", ".parquet"), "infomotif.io.formats.csv",
    (
        "label", "directed", "fill", "source", "target", "weight", "node_id", "ignore", "categorical", "numeric",
        "unknown", "node_type", "edge_type", "sign", "drop_unsigned",
    ),
    "file", "CSV or parquet with the columns source, target and optionally weight",
    convert="infomotif.io.store.convert",
)  # fmt: skip
"""What a file is read as if its name ends in no other format's suffix."""

FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        TABLES,
        Format(
            "edge list", "an edge list", (".edgelist", ".txt", ".edges"), "infomotif.io.formats.edgelist",
            ("directed",), "none", "a plain edge list", "which holds nothing but edges",
        ),
        Format(
            "graphml", "GraphML", (".graphml",), "infomotif.io.formats.graphml",
            (
                "label", "weight", "fill", "ignore", "categorical", "numeric", "node_type", "edge_type", "sign",
                "drop_unsigned",
            ),
            "inside", "GraphML", "which names its own parts",
        ),
    )
}  # fmt: skip


def register(format: Format) -> None:
    """Add a format, also one of another package.

    Raises:
        InputError: If its name or a suffix is taken.
    """
    if format.name in FORMATS:
        raise InputError(f"there is a format '{format.name}' already; choose another name")
    for suffix in format.suffixes:
        for other in FORMATS.values():
            if suffix in other.suffixes:
                raise InputError(f"{suffix} belongs to {other.title}; choose another suffix for {format.title}")
    FORMATS[format.name] = format


def format_of(path: AnyPath, *, with_nodes: bool = False) -> Format:
    """Return the format of a file by its name, with or without ``.gz``.

    Args:
        path: The file, of edges if there are two.
        with_nodes: Whether there is also a file of nodes, which a plain edge list does not have.

    Example:
        >>> format_of("a.graphml.gz").name, format_of("a.txt").name, format_of("a.txt", with_nodes=True).name
        ('graphml', 'edge list', 'csv')
    """
    suffix = Path(Path(path).name.lower().removesuffix(".gz")).suffix
    for format in FORMATS.values():
        if suffix in format.suffixes and not (with_nodes and format.nodes == "none"):
            return format
    return TABLES


def read_graph(path: AnyPath, nodes: AnyPath | None = None, **options: Any) -> Graph:
    """Read a graph from a file of any format, which its name tells.

    Args:
        path: The file, of edges if there are two.
        nodes: The file of nodes, for tables.
        **options: Fields of :class:`ReadOptions` that apply to the format.

    Raises:
        InputError: If anything is wrong with a file, or an option does not apply.
    """
    format = format_of(path, with_nodes=nodes is not None)
    for name in options:
        if name not in format.options and any(name in other.options for other in FORMATS.values()):
            raise does_not_apply(name, format, path)
    return format.read(path, nodes, ReadOptions(**options))


def write_graph(graph: Graph, path: AnyPath, nodes: AnyPath | None = None) -> None:
    """Write a graph to a file of any format, which its name tells.

    Args:
        graph: The graph.
        path: The file, of edges if there are two.
        nodes: The file of nodes for tables, or of labels for edge lists.

    Raises:
        InputError: If the format cannot hold the graph.

    Example:
        >>> import tempfile
        >>> from infomotif.graph import Graph
        >>> path = Path(tempfile.mkdtemp()) / "small.graphml"
        >>> write_graph(Graph.from_edges([0], [1], num_nodes=2, directed=True), path)
        >>> read_graph(path)
        Graph('small', 2 nodes, 1 directed edges, no attributes, no labels)
    """
    format_of(path).write(graph, path, nodes)


def does_not_apply(option: str, format: Format, path: AnyPath, shown: str | None = None) -> InputError:
    """Return the error for an option that does not apply to a file; ``shown`` is what the option is called."""
    takers = " and for ".join(other.title for other in FORMATS.values() if option in other.options)
    return InputError(
        f"{shown or option} is for {takers}, not for {format.title} ({path}), {format.lacks}; leave it out"
    )


def edges_help() -> str:
    """Return what ``--edges`` may name.

    Example:
        >>> "GraphML (.graphml)" in edges_help()
        True
    """
    others = [f"{f.describe} ({', '.join(f.suffixes)})" for f in FORMATS.values() if f is not TABLES]
    return f"Edges: {TABLES.describe}; also {' or '.join(others)}, each also as .gz."
