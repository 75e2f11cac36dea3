"""Plain edge lists: ``u v`` or ``u v weight`` per line, and optionally a file of ``node label`` lines."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np

from infomotif._core.files import whole_file
from infomotif._core.reading.problems import note, together
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io.options import ReadOptions, graph_name
from infomotif.io.tables.bytes import text_lines
from infomotif.io.tables.labels import in_order, known_label, require_class_names
from infomotif.typing import AnyPath

_COMMENTS = ("#", "%")
_HEADER = ["node", "label"]


def read_edge_list(
    path: AnyPath,
    *,
    labels: AnyPath | None = None,
    directed: bool = True,
    delimiter: str | None = None,
    name: str | None = None,
) -> Graph:
    r"""Read an edge list: two names per line, or two names and a weight; lines with # or % are comments.

    Without a ``labels`` file the nodes are those of the edges, by number if all names are whole numbers,
    else in the order of their text. With one, its lines (``node label``, or ``node`` alone or with NA where the label
    is unknown; a first line ``node label`` is a header) give the nodes and their order.

    Args:
        path: The edge list, plain or gz.
        labels: The labels file, plain or gz.
        directed: Whether an edge has a direction.
        delimiter: What separates the fields; None means any white space.
        name: What the graph is called; by default after the file.

    Raises:
        InputError: If a line has another form, names an unknown node or is not UTF-8.

    Example:
        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "small.edgelist"
        >>> _ = path.write_text("0 1\n1 2\n")
        >>> read_edge_list(path)
        Graph('small', 3 nodes, 2 directed edges, no attributes, no labels)
    """
    return read(path, labels, ReadOptions(directed=directed, delimiter=delimiter, name=name))


def read(path: AnyPath, labels: AnyPath | None, options: ReadOptions) -> Graph:
    """Read an edge list as :func:`read_edge_list` does.

    Raises:
        InputError: If a line has another form, names an unknown node or is not UTF-8.
    """
    delimiter = options.delimiter
    if delimiter == "":
        raise InputError("the delimiter must not be empty; leave it out for white space")
    with together():
        known = None if labels is None else _read_labels(labels, delimiter)
        position: dict[str, int] = {} if known is None else {node: v for v, node in enumerate(known)}
        ends, weights = array("q"), array("d")
        width = 0
        for number, line in text_lines(path):
            fields = _fields(line, delimiter)
            if not fields:
                continue
            try:
                if len(fields) not in (2, 3) or (width and len(fields) != width):
                    raise InputError(
                        f"{path} line {number}: expected {width or '2 or 3'} fields (source, target, optional weight), "
                        f"got {len(fields)}; correct the line"
                    )
                width = len(fields)
                for node in fields[:2]:
                    if not node:
                        raise InputError(f"{path} line {number}: a field is empty; name the node or remove the line")
                    if known is not None and node not in position:
                        raise InputError(
                            f"{path} line {number}: node '{node}' has no line in {labels}; add it or drop the edge"
                        )
                    ends.append(position.setdefault(node, len(position)))
                if width == 3:
                    weights.append(_weight(fields[2], path, number))
            except InputError as error:
                note(error)
    if not position:
        raise InputError(f"{path}: no edges in the file; write one edge per line")
    names = list(position) if known is not None else in_order(position)
    pairs = np.frombuffer(ends, dtype=np.int64).reshape(-1, 2) if len(ends) else np.empty((0, 2), dtype=np.int64)
    if known is None:
        rank = {node: v for v, node in enumerate(names)}
        pairs = np.array([rank[node] for node in position], dtype=np.int64)[pairs]
    classes = in_order({label for label in known.values() if label is not None}) if known else []
    number_of = {label: c for c, label in enumerate(classes)}
    return Graph.from_edges(
        pairs[:, 0],
        pairs[:, 1],
        num_nodes=len(names),
        directed=options.directed,
        weights=np.frombuffer(weights) if width == 3 else None,
        y=None if not classes or known is None else _numbers(known.values(), number_of),
        class_names=classes or None,
        names=names,
        name=graph_name(path, options),
    )


def write_edge_list(graph: Graph, path: AnyPath, *, labels: AnyPath | None = None) -> None:
    """Write an edge list, and with ``labels`` a file of ``node label`` lines that also keeps isolated nodes.

    Raises:
        InputError: If a name holds white space or starts a comment, a class has the name of a missing label, or the
            graph has attributes; write_csv keeps those.
    """
    if graph.x is not None:
        raise InputError("an edge list cannot hold attributes; use write_csv or write_parquet")
    if graph.coloured:
        raise InputError("an edge list cannot hold types or signs; use write_csv or write_parquet")
    names: list[str] = graph.names.tolist()
    for text in (*names, *(graph.class_names if labels is not None else ())):
        if text != "".join(text.split()) or not text or text.startswith(_COMMENTS):
            raise InputError(f"the name '{text}' cannot be written to an edge list; use write_csv or write_parquet")
    if labels is not None:
        require_class_names(graph.class_names)
    source, target = graph.edges()
    weights = graph.csr.weights
    with whole_file(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write("# source target\n" if weights is None else "# source target weight\n")
        for i, (u, v) in enumerate(zip(source.tolist(), target.tolist(), strict=True)):
            if graph.directed or u < v:
                tail = "" if weights is None else f" {float(weights[i])!r}"
                stream.write(f"{names[u]} {names[v]}{tail}\n")
    if labels is not None:
        with whole_file(labels) as aside, aside.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write("node label\n")
            for v, node in enumerate(names):
                c = -1 if graph.y is None else int(graph.y[v])
                stream.write(f"{node} {graph.class_names[c]}\n" if c >= 0 else f"{node}\n")


def write(graph: Graph, path: AnyPath, labels: AnyPath | None) -> None:
    """Write an edge list, as :func:`write_edge_list` does.

    Raises:
        InputError: If it cannot hold the graph.
    """
    write_edge_list(graph, path, labels=labels)


def _read_labels(path: AnyPath, delimiter: str | None) -> dict[str, str | None]:
    known: dict[str, str | None] = {}
    lines: dict[str, int] = {}
    for number, line in text_lines(path):
        fields = _fields(line, delimiter)
        if not fields or (number == 1 and fields == _HEADER):
            continue
        if len(fields) > 2:
            note(InputError(f"{path} line {number}: expected 'node label', got {len(fields)} fields; correct the line"))
        if not fields[0]:
            note(InputError(f"{path} line {number}: the node's name is empty; name it or remove the line"))
        if fields[0] in known:
            earlier = f"is already on line {lines[fields[0]]}"
            note(InputError(f"{path} line {number}: node '{fields[0]}' {earlier}; keep one of them"))
        known[fields[0]] = known_label(fields[1]) if len(fields) == 2 else None
        lines[fields[0]] = number
    if not known:
        raise InputError(f"{path}: no nodes in the file; write one 'node label' per line")
    return known


def _fields(line: str, delimiter: str | None) -> list[str]:
    bare = line.strip()
    if not bare or bare.startswith(_COMMENTS):
        return []
    return bare.split() if delimiter is None else [field.strip() for field in bare.split(delimiter)]


def _weight(text: str, path: AnyPath, number: int) -> float:
    try:
        value = float(text)
    except ValueError:
        raise InputError(f"{path} line {number}: the weight '{text}' is not a number; correct it") from None
    if not np.isfinite(np.float32(value)):
        raise InputError(f"{path} line {number}: the weight {text} is not a finite number; correct it")
    return value


def _numbers(labels: Iterable[str | None], number_of: dict[str, int]) -> list[int]:
    return [-1 if label is None else number_of[label] for label in labels]
