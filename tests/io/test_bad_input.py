"""Every kind of bad file, and the one line that it gets."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from infomotif.errors import InputError
from infomotif.io import read_csv, read_edge_list, read_graphml

EDGES = "source,target\na,b\nb,c\n"
NODES = "id,label,age\na,x,1\nb,y,2\nc,,3\n"

# what it is, edges, nodes, options, the line; E and N stand for the two paths
PAIRS: list[tuple[str, str | bytes, str | bytes, dict[str, Any], str]] = [
    ("empty edges", "", NODES, {}, "E: the file is empty; write it again"),
    ("empty nodes", EDGES, "", {}, "N: the file is empty; write it again"),
    (
        "nodes with a header only",
        EDGES,
        "id,label,age\n",
        {},
        "N: no node follows the column names in line 1; add one row per node",
    ),
    (
        "blank first line",
        "\nsource,target\na,b\n",
        NODES,
        {},
        "E line 1: expected the column names, got a blank line; remove it",
    ),
    (
        "no header",
        "a,b\nb,c\n",
        NODES,
        {},
        "E line 1: no column 'source'; columns: a, b (choose with --source)",
    ),
    (
        "misspelt column",
        "sorce,target\na,b\n",
        NODES,
        {},
        "E line 1: no column 'source'; did you mean 'sorce'? columns: sorce, target (choose with --source)",
    ),
    (
        "no weight column",
        EDGES,
        NODES,
        {"weight": "w"},
        "E line 1: no column 'w'; columns: source, target (choose with --weight)",
    ),
    (
        "no id column",
        EDGES,
        "node,label\na,x\n",
        {},
        "N line 1: no column 'id'; columns: node, label (choose with --id)",
    ),
    (
        "no label column",
        EDGES,
        NODES,
        {"label": "labels"},
        "N line 1: no column 'labels'; did you mean 'label'? columns: id, label, age (choose with --label)",
    ),
    ("repeated column", EDGES, "id,age,age\na,1,2\n", {}, "N line 1: column 'age' occurs twice; rename one of them"),
    ("nameless column", EDGES, "id,,age\na,1,2\n", {}, "N line 1: column 2 has no name; name it or remove the column"),
    (
        "unknown node",
        "source,target\na,b\nb,zz\nzz,a\n",
        NODES,
        {},
        "E line 3, column 'target': node 'zz' has no row in N (2 such edges); add it, or drop such edges "
        "(--unknown drop)",
    ),
    (
        "unknown node for its spaces",
        "source,target\na, b\n",
        NODES,
        {},
        "E line 2, column 'target': node ' b' has no row in N (1 such edges); remove the spaces around it",
    ),
    (
        "unknown node after a blank line and a quoted line break",
        'source,target,note\na,b,"two\nlines"\n\nzz,b,\n',
        NODES,
        {},
        "E line 5, column 'source': node 'zz' has no row in N (1 such edges); add it, or drop such edges "
        "(--unknown drop)",
    ),
    (
        "short row",
        "source,target\na,b\nb\n",
        NODES,
        {},
        "E line 3: expected 2 fields as in line 1, got 1; correct the line",
    ),
    (
        "long row",
        EDGES,
        "id,label,age\na,x,1\nb,y,2,9\nc,,3\n",
        {},
        "N line 3: expected 3 fields as in line 1, got 4; correct the line",
    ),
    (
        "open quote",
        'source,target\na,b\n"b,c\n',
        NODES,
        {},
        "E line 3: a quote opens here and is never closed; close it",
    ),
    (
        "open quote in a column that is not read",
        'source,target,note\na,b,"two\nlines"\nb,c,"hello\nc,a,1\na,c,x\n',
        NODES,
        {},
        "E line 4: a quote opens here and is never closed; close it",
    ),
    (
        "open quote in the last column of nodes",
        EDGES,
        'id,label,city\na,x,Ulm\nb,y,"Bonn\nc,,Ulm\n',
        {},
        "N line 3: a quote opens here and is never closed; close it",
    ),
    (
        "open quote after a quoted line break of the same line",
        'source,target,note,more\na,b,"two\nlines","hello\nb,c,1,1\n',
        NODES,
        {},
        "E line 3: a quote opens here and is never closed; close it",
    ),
    (
        "quote that the next one closes",
        'source,target,note\na,b,"hello\nb,c,"x"\nc,a,"y"\n',
        NODES,
        {},
        "E line 2: a quote opens here and is closed on line 3 amid a field; close it where it should be",
    ),
    (
        "open quote in gzip",
        gzip.compress(b'source,target,note\na,b,"x\nb,c,1\n'),
        NODES,
        {},
        "E line 2: a quote opens here and is never closed; close it",
    ),
    (
        "not UTF-8",
        EDGES,
        b"id,label,age\na,x,1\nb,\xe9t\xe9,2\nc,,3\n",
        {},
        "N line 3: not UTF-8 (byte 0xe9); save the file as UTF-8",
    ),
    (
        "not UTF-8 in an attribute",
        EDGES,
        b"id,city\na,Bonn\nb,K\xf6ln\nc,Ulm\n",
        {},
        "N line 3: not UTF-8 (byte 0xf6); save the file as UTF-8",
    ),
    (
        "UTF-16",
        "source,target\na,b\n".encode("utf-16"),
        NODES,
        {},
        "E line 1: not UTF-8 (byte 0xff) (it looks like UTF-16); save the file as UTF-8",
    ),
    (
        "missing value",
        EDGES,
        "id,label,age\na,x,1\nb,y,\nc,,3\n",
        {},
        "N line 3, column 'age': the value is missing; add it, or let it be filled (fill=, --fill mean|zero|NUMBER)",
    ),
    (
        "NaN",
        EDGES,
        "id,label,age\na,x,1\nb,y,NaN\nc,,3\n",
        {},
        "N line 3, column 'age': the value is missing; add it, or let it be filled (fill=, --fill mean|zero|NUMBER)",
    ),
    (
        "missing category",
        EDGES,
        "id,city\na,Bonn\nb,\nc,Ulm\n",
        {},
        "N line 3, column 'city': the value is missing; add it, or let it be filled (fill=, --fill mean|zero|NUMBER)",
    ),
    (
        "infinity",
        EDGES,
        "id,label,age\na,x,1\nb,y,2\nc,,-inf\n",
        {},
        "N line 4, column 'age': -inf is not a finite number; correct it",
    ),
    (
        "too large for float32",
        EDGES,
        "id,label,age\na,x,1e300\nb,y,2\nc,,3\n",
        {},
        "N line 2, column 'age': 1e+300 is not a finite number; correct it",
    ),
    (
        "empty column",
        EDGES,
        "id,age\na,\nb,\nc,\n",
        {},
        "N: column 'age' is empty in every row; leave it out (ignore=, --ignore age)",
    ),
    (
        "text amid numbers",
        EDGES,
        "id,age\na,1\nb,abc\nc,3\n",
        {},
        "N line 3, column 'age': 'abc' is not a number, but most of the column is; correct it, or declare the column "
        "categorical (categorical=, --categorical age)",
    ),
    (
        "free text",
        EDGES,
        "id,title\na,p\nb,q\nc,r\n",
        {"max_categories": 2},
        "N: column 'title' has 3 different texts, at most 2 become one-hot; leave it out (ignore=, --ignore title) or "
        "raise max_categories",
    ),
    (
        "repeated id",
        EDGES,
        "id,label,age\na,x,1\nb,y,2\nc,,3\na,x,4\n",
        {},
        "N line 5: id 'a' is already on line 2; keep one of them",
    ),
    (
        "empty id",
        EDGES,
        "id,label,age\na,x,1\n,y,2\nc,,3\n",
        {},
        "N line 3, column 'id': the id is empty; fill it in or remove the row",
    ),
    (
        "empty end",
        "source,target\na,b\n,c\n",
        NODES,
        {},
        "E line 3, column 'source': the node is empty; fill it in or remove the row",
    ),
    (
        "weight that is text",
        "source,target,weight\na,b,1\nb,c,heavy\n",
        NODES,
        {},
        "E line 3, column 'weight': 'heavy' is not a number; correct it",
    ),
    (
        "missing weight",
        "source,target,weight\na,b,1\nb,c,\n",
        NODES,
        {},
        "E line 3, column 'weight': the weight is missing; correct it",
    ),
    (
        "infinite weight",
        "source,target,weight\na,b,1\nb,c,inf\n",
        NODES,
        {},
        "E line 3, column 'weight': the weight is inf, not a finite number; correct it",
    ),
    (
        "one class",
        EDGES,
        "id,label\na,x\nb,x\nc,\n",
        {"label": "label"},
        "N, column 'label': all labels are of one class ('x'); label nodes of at least two classes",
    ),
    (
        "no label",
        EDGES,
        "id,label\na,\nb,\nc,\n",
        {"label": "label"},
        "N, column 'label': the label is empty in every row; label some nodes of at least two classes",
    ),
    ("bad fill", EDGES, NODES, {"fill": "median"}, "fill must be 'mean', 'zero' or a number (got 'median')"),
    ("bad unknown", EDGES, NODES, {"unknown": "keep"}, "unknown must be one of error, drop (got 'keep')"),
    (
        "ignored column that is not there",
        EDGES,
        NODES,
        {"ignore": ["agee"]},
        "N line 1: no column 'agee'; did you mean 'age'? columns: id, label, age "
        "(choose with --categorical / --ignore)",
    ),
    (
        "cut gzip",
        gzip.compress(EDGES.encode() * 50)[:-20],
        NODES,
        {},
        "E: the gzip file is broken or cut short (Compressed file ended before the end-of-stream marker was reached); "
        "write it again",
    ),
    (
        "cut parquet",
        b"PAR1 and no more",
        NODES,
        {},
        "E: not a whole parquet file (Parquet magic bytes not found in footer. Either the file is corrupted or this is "
        "not a parquet file.); write it again",
    ),
]


def _written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("edges", "nodes", "options", "line"), [row[1:] for row in PAIRS], ids=[row[0] for row in PAIRS]
)
def test_a_bad_pair_gets_one_line(
    tmp_path: Path, edges: str | bytes, nodes: str | bytes, options: dict[str, Any], line: str
) -> None:
    e, n = _written(tmp_path / "E", edges), _written(tmp_path / "N", nodes)
    with pytest.raises(InputError) as caught:
        read_csv(e, n, **options)
    assert str(caught.value).replace(str(e), "E").replace(str(n), "N") == line


LISTS: list[tuple[str, str | bytes, str | None, str]] = [
    ("no edges", "# nothing\n", None, "E: no edges in the file; write one edge a line"),
    (
        "one name",
        "a b\nb\n",
        None,
        "E line 2: expected 2 fields (source, target, optional weight), got 1; correct the line",
    ),
    (
        "weights on some lines",
        "a b\nb c 2\n",
        None,
        "E line 2: expected 2 fields (source, target, optional weight), got 3; correct the line",
    ),
    ("weight that is text", "# w\n\na b x\n", None, "E line 3: the weight 'x' is not a number; correct it"),
    ("weight that is infinite", "a b inf\n", None, "E line 1: the weight inf is not a finite number; correct it"),
    ("not UTF-8", b"a b\nb \xff\n", None, "E line 2: not UTF-8 (byte 0xff); save the file as UTF-8"),
    (
        "unknown node",
        "a b\nb c\n",
        "node label\na 0\nb 1\n",
        "E line 2: node 'c' has no line in N; add it or drop the edge",
    ),
    (
        "repeated label line",
        "a b\n",
        "a 0\nb 1\na 1\n",
        "N line 3: node 'a' is already on line 1; keep one of them",
    ),
    ("long label line", "a b\n", "a 0\nb 1 2\n", "N line 2: expected 'node label', got 3 fields; correct the line"),
    ("no labels", "a b\n", "node label\n", "N: no nodes in the file; write one 'node label' a line"),
]


@pytest.mark.parametrize(("edges", "labels", "line"), [row[1:] for row in LISTS], ids=[row[0] for row in LISTS])
def test_a_bad_edge_list_gets_one_line(tmp_path: Path, edges: str | bytes, labels: str | None, line: str) -> None:
    e = _written(tmp_path / "E", edges)
    n = None if labels is None else _written(tmp_path / "N", labels)
    with pytest.raises(InputError) as caught:
        read_edge_list(e, labels=n)
    assert str(caught.value).replace(str(e), "E").replace(str(n), "N") == line


HEAD = '<graphml><key id="k" for="node" attr.name="age" attr.type="int"/>\n<graph edgedefault="directed">\n'
TAIL = "</graph></graphml>\n"
GRAPHML: list[tuple[str, str, str]] = [
    ("no XML", "a,b\n", "G line 1: not well-formed XML (syntax error); write it again"),
    ("no graph", "<graphml/>", "G line 1: no <graph> in the file; is it GraphML?"),
    ("cut", HEAD + '<node id="a">\n', "G line 4: not well-formed XML (no element found); write it again"),
    (
        "unknown node",
        HEAD + '<node id="a"/>\n<edge source="a" target="b"/>' + TAIL,
        "G line 4: node 'b' is nowhere in the file; add it or remove the edge",
    ),
    (
        "repeated node",
        HEAD + '<node id="a"/>\n<node id="a"/>' + TAIL,
        "G line 4: node 'a' is already on line 3; keep one of them",
    ),
    (
        "text for a number",
        HEAD + '<node id="a">\n<data key="k">old</data></node>' + TAIL,
        "G line 4: 'age' is 'old', not a number; correct it",
    ),
    (
        "missing value",
        HEAD + '<node id="a"><data key="k">1</data></node>\n<node id="b"/>' + TAIL,
        "G line 4, column 'age': the value is missing; add it, or let it be filled (fill=, --fill mean|zero|NUMBER)",
    ),
    (
        "undeclared key",
        HEAD + '<node id="a"><data key="q">1</data></node>' + TAIL,
        "G line 3: key 'q' is not declared; add a <key> for it",
    ),
    ("no id", HEAD + "<node/>" + TAIL, "G line 3: <node> lacks 'id'; add it"),
    (
        "hyperedge",
        HEAD + "<hyperedge/>" + TAIL,
        "G line 3: a <hyperedge> joins more than two nodes; replace it by edges",
    ),
    (
        "both kinds of edges",
        HEAD + '<node id="a"/><node id="b"/>\n<edge source="a" target="b" directed="false"/>' + TAIL,
        "G line 4: directed and undirected edges in one graph; keep one kind",
    ),
    (
        "entities",
        '<!DOCTYPE g [<!ENTITY a "aaaa">]>\n' + HEAD + TAIL,
        "G line 1: a document type is not allowed here; remove the DOCTYPE",
    ),
    (
        "infinite weight",
        '<graphml><key id="w" for="edge" attr.name="weight" attr.type="double"/>\n<graph edgedefault="directed">'
        '<node id="a"/><node id="b"/>\n<edge source="a" target="b"><data key="w">inf</data></edge></graph></graphml>',
        "G line 3: the weight inf is not a finite number; correct it",
    ),
    (
        "weight beyond what 32 bits hold",
        '<graphml><key id="w" for="edge" attr.name="weight" attr.type="double"/>\n<graph edgedefault="directed">'
        '<node id="a"/><node id="b"/>\n<edge source="a" target="b"><data key="w">1e300</data></edge></graph></graphml>',
        "G line 3: the weight 1e+300 is not a finite number; correct it",
    ),
]


@pytest.mark.parametrize(("text", "line"), [row[1:] for row in GRAPHML], ids=[row[0] for row in GRAPHML])
def test_bad_graphml_gets_one_line(tmp_path: Path, text: str, line: str) -> None:
    path = _written(tmp_path / "G", text)
    with pytest.raises(InputError) as caught:
        read_graphml(path)
    assert str(caught.value).replace(str(path), "G") == line


@pytest.mark.parametrize(("text", "delimiter"), [("a,\n", ","), (",b\n", ",")])
def test_an_empty_name_is_no_node(tmp_path: Path, text: str, delimiter: str) -> None:
    path = _written(tmp_path / "E", text)
    with pytest.raises(InputError, match="line 1: a field is empty"):
        read_edge_list(path, delimiter=delimiter)
    with pytest.raises(InputError, match="the delimiter must not be empty"):
        read_edge_list(path, delimiter="")
    with pytest.raises(InputError, match="one ASCII character"):
        read_csv(_written(tmp_path / "C", EDGES), delimiter="§")


def test_lines_that_end_with_cr_alone_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: lines end with CR alone"):
        read_csv(_written(tmp_path / "E", b"source,target\ra,b\r"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none.csv: no such file; check the path"):
        read_csv(tmp_path / "none.csv")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder; name a file"):
        read_csv(tmp_path)


@pytest.mark.parametrize("row", range(0, 5000, 1237))
def test_the_line_is_right_deep_in_a_large_file(tmp_path: Path, row: int) -> None:
    lines = ["source,target", *["a,b"] * 5000]
    lines[row + 1] = "a,zz"
    e, n = _written(tmp_path / "E", "\r\n".join(lines) + "\r\n"), _written(tmp_path / "N", NODES)
    with pytest.raises(InputError, match=f"E line {row + 2}, column 'target': node 'zz'"):
        read_csv(e, n)
