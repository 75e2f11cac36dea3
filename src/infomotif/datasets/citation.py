"""Citation graphs in the formats of the LINQS group: cora and citeseer (content, cites) and pubmed (tab)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from infomotif.errors import InputError
from infomotif.graph import Graph

_ZERO, _ONE, _TAB = b"01\t"


def read_linqs(content: Path, cites: Path, *, name: str) -> Graph:
    """Read a ``.content`` and ``.cites`` pair; an edge runs from the citing paper to the cited one.

    A content line is paper id, words as 0/1, class; a cites line is the CITED paper, then the citing one.
    Citations that name a paper without a content line are dropped and counted.

    Raises:
        InputError: If a line does not have this form.
    """
    ids, classes, rows = [], [], []
    width: int | None = None
    for number, line in _lines(content):
        fields = line.split(b"\t", 1)
        words, _, label = fields[-1].rpartition(b"\t")
        bits = np.frombuffer(words, dtype=np.uint8)
        values = bits[::2]
        if width is None:
            width = len(values)
        if len(fields) != 2 or len(values) != width or len(bits) != max(0, 2 * width - 1):
            raise InputError(f"{content} line {number}: expected a paper id, {width} words and a class, tab separated")
        if not (((values == _ZERO) | (values == _ONE)).all() and (bits[1::2] == _TAB).all()):
            raise InputError(f"{content} line {number}: every word must be 0 or 1, tab separated")
        ids.append(_text(fields[0], content, number))
        classes.append(_text(label, content, number))
        rows.append(np.flatnonzero(values == _ONE))
    if not ids:
        raise InputError(f"{content} holds no papers; fetch the file again")
    pairs = []
    for number, line in _lines(cites):
        ends = line.split()
        if len(ends) != 2:
            raise InputError(f"{cites} line {number}: expected two paper ids, got {len(ends)}")
        pairs.append((_text(ends[1], cites, number), _text(ends[0], cites, number)))
    x = _sparse(rows, [np.ones(len(row), dtype=np.float32) for row in rows], width or 0)
    return _build(ids, classes, x, pairs, name=name, attribute_names=[f"w{i}" for i in range(width or 0)])


def read_pubmed(nodes: Path, cites: Path, *, name: str = "pubmed") -> Graph:
    """Read the ``NODE.paper.tab`` and ``DIRECTED.cites.tab`` pair; ``paper:A | paper:B`` means A cites B.

    Raises:
        InputError: If a line does not have the LINQS form.
    """
    lines = _lines(nodes)
    column = {word: i for i, word in enumerate(_pubmed_words(nodes, lines))}
    ids, classes, rows, values = [], [], [], []
    for number, line in lines:
        paper, label, words, weights = _pubmed_paper(nodes, number, line, column)
        ids.append(paper)
        classes.append(label)
        order = np.argsort(words)
        rows.append(np.array(words, dtype=np.int64)[order])
        values.append(np.array(weights, dtype=np.float32)[order])
    pairs = []
    for number, line in _lines(cites):
        if number <= 2:
            continue
        fields = _text(line, cites, number).split("\t")
        if len(fields) != 4 or not (fields[1].startswith("paper:") and fields[3].startswith("paper:")):
            raise InputError(f"{cites} line {number}: expected 'number, paper:A, |, paper:B', tab separated")
        pairs.append((fields[1].removeprefix("paper:"), fields[3].removeprefix("paper:")))
    return _build(ids, classes, _sparse(rows, values, len(column)), pairs, name=name, attribute_names=list(column))


def pubmed_content_sha256(nodes: Path) -> str:
    """Return a checksum over each paper's id, label and number of words: equal for all versions of the node file."""
    digest = hashlib.sha256()
    for number, line in _lines(nodes):
        if number > 2:
            fields = line.split(b"\t")
            words = sum(field.startswith(b"w-") for field in fields)
            # A damaged line has another checksum, whatever it lacks.
            digest.update(b"%b %b %d\n" % (fields[0], b"".join(fields[1:2]), words))
    return digest.hexdigest()


def _pubmed_words(path: Path, lines: Iterator[tuple[int, bytes]]) -> list[str]:
    first, second = next(lines, (1, b"")), next(lines, (2, b""))
    if not first[1].startswith(b"NODE") or b"label" not in second[1]:
        raise InputError(f"{path} line 1: expected 'NODE' and then a line with the columns, as LINQS writes them")
    fields = _text(second[1], path, 2).split("\t")
    return [field.split(":")[1] for field in fields if field.startswith("numeric:")]


def _pubmed_paper(
    path: Path, number: int, line: bytes, column: dict[str, int]
) -> tuple[str, str, list[int], list[float]]:
    paper, *fields = _text(line, path, number).split("\t")
    label, words, weights = "", [], []
    for field in fields:
        key, separator, value = field.partition("=")
        if key == "label":
            label = value
        elif key in column:
            words.append(column[key])
            weights.append(_number(value, path, number))
        elif not separator or key != "summary":
            raise InputError(f"{path} line {number}: '{field[:40]}' is not a column of line 2; fetch the file again")
    if not label:
        raise InputError(f"{path} line {number}: expected 'label=' after the paper id")
    return paper, label, words, weights


def _number(value: str, path: Path, number: int) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(f"{path} line {number}: '{value[:40]}' is not a number") from None


def _build(
    ids: list[str],
    classes: list[str],
    x: sp.csr_array,
    pairs: Sequence[tuple[str, str]],
    *,
    name: str,
    attribute_names: list[str],
) -> Graph:
    position = {paper: v for v, paper in enumerate(ids)}
    known = [(position[a], position[b]) for a, b in pairs if a in position and b in position]
    ends = np.array(known, dtype=np.int64).reshape(-1, 2)
    class_names = sorted(set(classes))
    number = {label: c for c, label in enumerate(class_names)}
    return Graph.from_edges(
        ends[:, 0],
        ends[:, 1],
        num_nodes=len(ids),
        directed=True,
        x=x,
        y=np.array([number[label] for label in classes]),
        class_names=class_names,
        names=ids,
        attribute_names=attribute_names,
        name=name,
        notes={"unknown_endpoints": len(pairs) - len(known)},
    )


def _sparse(rows: list[NDArray[np.int64]], values: list[NDArray[np.float32]], width: int) -> sp.csr_array:
    indptr = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=indptr[1:])
    parts: tuple[Any, ...] = (np.concatenate(values), np.concatenate(rows), indptr)
    return sp.csr_array(parts, shape=(len(rows), width))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            bare = line.rstrip(b"\r\n")
            if bare.strip():
                yield number, bare


def _text(value: bytes, path: Path, number: int) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path} line {number}: not UTF-8; fetch the file again") from None
