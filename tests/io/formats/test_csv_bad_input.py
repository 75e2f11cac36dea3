"""Every kind of bad table, and the one line that it gets."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from infomotif.errors import InputError
from infomotif.io import read_csv
from tests.io.formats.written import written

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
        "E line 2: a quote opens here and is closed on line 3 inside a field; close it where it should be",
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
        "N line 3, column 'city': the value is missing; add it, or let it be filled (fill=, --fill mean|zero|NUMBER); "
        "1 of 3 rows are empty: if this is the label, name it (label=, --label city)",
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
        "(choose with --categorical / --numeric / --ignore)",
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


@pytest.mark.parametrize(
    ("edges", "nodes", "options", "line"), [row[1:] for row in PAIRS], ids=[row[0] for row in PAIRS]
)
def test_a_bad_pair_gets_one_line(
    tmp_path: Path, edges: str | bytes, nodes: str | bytes, options: dict[str, Any], line: str
) -> None:
    e, n = written(tmp_path / "E", edges), written(tmp_path / "N", nodes)
    with pytest.raises(InputError) as caught:
        read_csv(e, n, **options)
    assert str(caught.value).replace(str(e), "E").replace(str(n), "N") == line


def test_a_delimiter_is_one_character(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one ASCII character"):
        read_csv(written(tmp_path / "C", EDGES), delimiter="§")


def test_lines_that_end_with_cr_alone_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: lines end with CR alone"):
        read_csv(written(tmp_path / "E", b"source,target\ra,b\r"))


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
    e, n = written(tmp_path / "E", "\r\n".join(lines) + "\r\n"), written(tmp_path / "N", NODES)
    with pytest.raises(InputError, match=f"E line {row + 2}, column 'target': node 'zz'"):
        read_csv(e, n)
