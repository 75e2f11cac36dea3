"""GraphML: read with the line of every mistake, written so that other programs read it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

import scipy.sparse as sp

from infomotif._core.files import whole_file
from infomotif._core.reading.limits import LINE
from infomotif._core.reading.problems import note
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.checks import as_float32
from infomotif.graph.schema import Schema
from infomotif.io.formats.node_records import graph_from_records
from infomotif.io.options import MAX_FLOAT32, Fill, ReadOptions, column_names, graph_name
from infomotif.io.tables.bytes import open_bytes
from infomotif.io.tables.diagnose import MISSING, is_number
from infomotif.io.tables.labels import WHOLE, require_class_names
from infomotif.io.tables.types import record_types, type_column
from infomotif.typing import AnyPath

_WHOLE = ("int", "long")
_NUMBERS = (*_WHOLE, "float", "double")
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
_CHUNK = 1 << 20


def read_graphml(
    path: AnyPath,
    *,
    label: str | None = None,
    weight: str | None = None,
    node_type: str | None = None,
    edge_type: str | None = None,
    sign: str | None = None,
    drop_unsigned: bool = False,
    fill: Fill = None,
    ignore: Collection[str] = (),
    categorical: Collection[str] = (),
    numeric: Collection[str] = (),
    schema: Schema | Mapping[str, Any] | None = None,
    name: str | None = None,
) -> Graph:
    """Read a GraphML file, plain or gz; the data of its nodes become attributes, as the columns of a file would.

    Args:
        path: The file.
        label: The ``attr.name`` of the label; None takes ``label`` where there is one.
        weight: The ``attr.name`` of the edge weight; None takes ``weight`` where there is one.
        node_type: The ``attr.name`` of a node's type.
        edge_type: The ``attr.name`` of an edge's type.
        sign: The ``attr.name`` of an edge's sign: a number above or below 0, + or -.
        drop_unsigned: Whether edges whose sign is missing or 0 are dropped and counted; else they are refused.
        fill: What replaces missing values, as in ``read_csv``; a ``<default>`` of the file comes first.
        ignore: Names to leave out.
        categorical: Names that become one-hot although they hold numbers.
        numeric: Names that stay numbers although their whole numbers look like codes.
        schema: The attributes as a model was trained on them, as in ``read_csv``.
        name: What the graph is called; by default after the file.

    Raises:
        InputError: If the file is not GraphML or a value is wrong; the message names the line.
    """
    options = ReadOptions(
        label=label, weight=weight, node_type=node_type, edge_type=edge_type, sign=sign, drop_unsigned=drop_unsigned,
        fill=fill, ignore=column_names(ignore), categorical=column_names(categorical), numeric=column_names(numeric),
        schema=schema, name=name,
    )  # fmt: skip
    return read(path, None, options)


def read(path: AnyPath, nodes: AnyPath | None, options: ReadOptions) -> Graph:
    """Read a file as :func:`read_graphml` does; it holds its nodes, so ``nodes`` is None.

    Raises:
        InputError: If the file is not GraphML or a value is wrong; the message names the line.
    """
    parsed = _Parser(path).parse()
    number = {node: v for v, node in enumerate(parsed.ids)}
    ends = []
    for line, source, target, _ in parsed.edges:
        for node in (source, target):
            if node not in number:
                unknown = f"node '{node}' is nowhere in the file; add it or remove the edge"
                note(InputError(f"{path} line {line}: {unknown}"))
        ends.append((number.get(source, -1), number.get(target, -1)))
    key, _ = type_column(options)
    kinds = [data.get(key, parsed.edge_defaults.get(key)) for _, _, _, data in parsed.edges] if key is not None else []
    types = record_types(kinds, options, lambda row: f"{path} line {parsed.edges[row][0]}, edge's '{key}'")
    return graph_from_records(
        parsed.ids,
        parsed.records,
        ends,
        options,
        where=str(path),
        location=lambda row: f"line {parsed.lines[row]}",
        directed=parsed.directed,
        name=graph_name(path, options),
        weights=_weights(path, parsed, options.weight),
        defaults=parsed.node_defaults,
        edge_types=types,
    )


def _weights(path: AnyPath, parsed: _Parser, weight: str | None) -> list[float] | None:
    """Return the weight of each edge; None if no edge has one and none was asked for."""
    key = weight or "weight"
    weights: list[Any] = [data.get(key, parsed.edge_defaults.get(key)) for _, _, _, data in parsed.edges]
    if weight is None and all(value is None for value in weights):
        return None
    for value, (line, _, _, _) in zip(weights, parsed.edges, strict=True):
        if isinstance(value, bool) or not isinstance(value, int | float):
            note(InputError(f"{path} line {line}: the edge's '{key}' is missing or not a number; correct it"))
        elif not abs(value) <= MAX_FLOAT32:
            note(InputError(f"{path} line {line}: the weight {value} is not a finite number; correct it"))
    return weights or None


class _Parser:
    """The state of one pass over a GraphML file."""

    def __init__(self, path: AnyPath) -> None:
        self.path = path
        self.ids: list[str] = []
        self.lines: list[int] = []
        self.records: list[dict[str, Any]] = []
        self.edges: list[tuple[int, str, str, dict[str, Any]]] = []
        self.node_defaults: dict[str, Any] = {}
        self.edge_defaults: dict[str, Any] = {}
        self.directed = True
        self._keys: dict[str, tuple[str, str, str]] = {}
        self._line_of: dict[str, int] = {}
        self._key: str | None = None
        self._owner: dict[str, Any] | None = None
        self._owners: list[dict[str, Any] | None] = []
        self._data_key: str | None = None
        self._text: list[str] | None = None
        self._length, self._limit = 0, LINE.value
        self._graphs = 0
        self._expat = expat.ParserCreate()
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._characters
        self._expat.StartDoctypeDeclHandler = self._doctype

    def parse(self) -> _Parser:
        try:
            with open_bytes(self.path) as stream:
                size = 0
                while chunk := stream.read(_CHUNK):
                    self._expat.Parse(chunk, False)
                    size += len(chunk)
                    if size - self._expat.CurrentByteIndex > self._limit:
                        raise LINE.exceeded(f"{self.path} line {self._expat.CurrentLineNumber}: a tag has", self._limit)
                self._expat.Parse(b"", True)
        except expat.ExpatError as error:
            why = expat.errors.messages[error.code]
            raise InputError(f"{self.path} line {error.lineno}: not well-formed XML ({why}); write it again") from None
        except InputError:
            raise
        except (LookupError, ValueError) as error:
            # An encoding that Python does not have, or not for single bytes.
            raise InputError(f"{self.path} line 1: cannot be decoded ({error}); save the file as UTF-8") from None
        if not self._graphs:
            raise InputError(f"{self.path} line 1: no <graph> in the file; is it GraphML?")
        return self

    def _wrong(self, what: str) -> InputError:
        return InputError(f"{self.path} line {self._expat.CurrentLineNumber}: {what}")

    def _note(self, what: str) -> None:
        note(self._wrong(what))

    def _doctype(self, *_: Any) -> None:
        raise self._wrong("a document type is not allowed here; remove the DOCTYPE")

    def _start(self, tag: str, given: dict[str, str]) -> None:
        kind = tag.rpartition(":")[2]
        line = self._expat.CurrentLineNumber
        if kind == "graph":
            self._graphs += 1
            if self._graphs > 1:
                raise self._wrong("a second or nested <graph>; keep one graph per file")
            self.directed = given.get("edgedefault", "directed") == "directed"
        elif kind == "key":
            self._key = self._need(given, "id", kind)
            name, what = given.get("attr.name", self._key), given.get("for", "all")
            self._keys[self._key] = (name, given.get("attr.type", "string"), what)
        elif kind == "node":
            node = self._need(given, "id", kind)
            if node in self._line_of:
                self._note(f"node '{node}' is already on line {self._line_of[node]}; keep one of them")
            self._line_of[node] = line
            self.ids.append(node)
            self.lines.append(line)
            self.records.append({})
            self._owners.append(self.records[-1])
        elif kind == "edge":
            self.edges.append((line, self._need(given, "source", kind), self._need(given, "target", kind), {}))
            if "directed" in given and (given["directed"] in ("true", "1")) != self.directed:
                self._note("directed and undirected edges in one graph; keep one kind")
            self._owners.append(self.edges[-1][3])
        elif kind == "hyperedge":
            raise self._wrong("a <hyperedge> joins more than two nodes; replace it by edges")
        elif kind == "data":
            self._data_key = self._need(given, "key", kind)
            self._text, self._length = [], 0
        elif kind == "default":
            self._text, self._length = [], 0

    def _need(self, given: dict[str, str], attribute: str, kind: str) -> str:
        if attribute not in given:
            self._note(f"<{kind}> lacks '{attribute}'; add it")
        return given.get(attribute, "")

    def _characters(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)
            self._length += len(text)
            if self._length > self._limit:
                raise LINE.exceeded(f"{self.path} line {self._expat.CurrentLineNumber}: a value has", self._limit)

    def _end(self, tag: str) -> None:
        kind = tag.rpartition(":")[2]
        if kind in ("node", "edge"):
            self._owners.pop()
        elif kind == "key":
            self._key = None
        elif kind == "default" and self._key is not None:
            name, kind_of_value, what = self._keys[self._key]
            value = self._value(name, kind_of_value)
            if what in ("node", "all"):
                self.node_defaults[name] = value
            if what in ("edge", "all"):
                self.edge_defaults[name] = value
        elif kind == "data" and self._data_key is not None:
            if self._data_key not in self._keys:
                self._note(f"key '{self._data_key}' is not declared; add a <key> for it")
            name, kind_of_value, _ = self._keys.get(self._data_key, ("", "string", ""))
            if self._owners and self._owners[-1] is not None:
                self._owners[-1][name] = self._value(name, kind_of_value)
            self._data_key, self._text = None, None

    def _value(self, name: str, kind: str) -> Any:
        text = "".join(self._text or ())
        self._text = None
        bare = text.strip()
        if kind in _NUMBERS:
            if bare in MISSING:
                return None
            if not is_number(bare):
                self._note(f"'{name}' is '{bare}', not a number; correct it")
                return None
            # A label keeps its digits; float would change it and merge large ones.
            return int(bare) if kind in _WHOLE and WHOLE.fullmatch(bare) else float(bare)
        if kind == "boolean":
            if bare.lower() not in _TRUTH:
                self._note(f"'{name}' is '{bare}', neither true nor false; correct it")
                return None
            return _TRUTH[bare.lower()]
        return text or None


def write_graphml(graph: Graph, path: AnyPath) -> None:
    """Write GraphML: attributes as numbers with the default 0, so that only others are written out.

    Types of nodes and edges have the ``attr.name`` ``type``, signs ``sign``, as 1 and -1.

    Raises:
        InputError: If a name holds a character that XML cannot hold, or a class has the name of a missing label.
    """
    require_class_names(graph.class_names)
    names: list[str] = graph.names.tolist()
    types = (*graph.node_type_names, *graph.edge_type_names)
    for text in (*names, *graph.class_names, *graph.attribute_names, *types):
        if any(ord(c) < 32 and c not in "\t\n\r" or c in "\ufffe\uffff" or "\ud800" <= c <= "\udfff" for c in text):
            raise InputError(f"the name {text!r} holds a character that XML cannot hold; use write_csv")
    if graph.y is not None and "label" in graph.attribute_names:
        raise InputError("an attribute is named 'label' as the label is; rename it")
    if graph.node_types is not None and "type" in graph.attribute_names:
        raise InputError("an attribute is named 'type' as the type is; rename it")
    if len(set(graph.attribute_names)) < len(graph.attribute_names):
        raise InputError("attribute names must differ from each other; rename them with replace()")
    x = None if graph.x is None else sp.csr_array(as_float32(graph.x))
    weights = graph.csr.weights
    source, target = graph.edges()
    edge_values = [f"{name}1" if graph.signed else _escaped(name) for name in graph.edge_type_names]
    with whole_file(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        for j, name in enumerate(graph.attribute_names):
            key = f'<key id="x{j}" for="node" attr.name={_quoted(name)} attr.type="double">'
            out.write(f"  {key}<default>0</default></key>\n")
        if graph.y is not None:
            out.write('  <key id="label" for="node" attr.name="label" attr.type="string"/>\n')
        if weights is not None:
            out.write('  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>\n')
        if graph.node_types is not None:
            out.write('  <key id="node-type" for="node" attr.name="type" attr.type="string"/>\n')
        if graph.edge_types is not None:
            of_edge = 'attr.name="sign" attr.type="int"' if graph.signed else 'attr.name="type" attr.type="string"'
            out.write(f'  <key id="edge-type" for="edge" {of_edge}/>\n')
        out.write(f'  <graph id="G" edgedefault="{"directed" if graph.directed else "undirected"}">\n')
        for v, node in enumerate(names):
            data = [] if graph.y is None or graph.y[v] < 0 else [("label", graph.class_names[int(graph.y[v])])]
            if graph.node_types is not None:
                data.append(("node-type", graph.node_type_names[int(graph.node_types[v])]))
            if x is not None:
                row = slice(int(x.indptr[v]), int(x.indptr[v + 1]))
                pairs = zip(x.indices[row].tolist(), x.data[row].tolist(), strict=True)
                data += [(f"x{j}", repr(value)) for j, value in pairs]
            inside = "".join(f'<data key="{key}">{_escaped(value)}</data>' for key, value in data)
            out.write(f"    <node id={_quoted(node)}>{inside}</node>\n")
        for i, (u, v) in enumerate(zip(source.tolist(), target.tolist(), strict=True)):
            if graph.directed or u < v:
                inside = "" if weights is None else f'<data key="weight">{float(weights[i])!r}</data>'
                if graph.edge_types is not None:
                    inside += f'<data key="edge-type">{edge_values[int(graph.edge_types[i])]}</data>'
                out.write(f"    <edge source={_quoted(names[u])} target={_quoted(names[v])}>{inside}</edge>\n")
        out.write("  </graph>\n</graphml>\n")


def write(graph: Graph, path: AnyPath, nodes: AnyPath | None) -> None:
    """Write GraphML, as :func:`write_graphml` does.

    Raises:
        InputError: If a name cannot be written, or a nodes file is given.
    """
    if nodes is not None:
        raise InputError(f"{path}: GraphML holds nodes and edges; leave the nodes file out")
    write_graphml(graph, path)


def _quoted(text: str) -> str:
    return quoteattr(text, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def _escaped(text: str) -> str:
    return escape(text, {"\r": "&#13;"})
