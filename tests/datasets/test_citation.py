"""The LINQS and struc2vec formats, on made files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from infomotif.datasets.airports import read_airports
from infomotif.datasets.citation import pubmed_content_sha256, read_linqs, read_pubmed
from infomotif.errors import InputError

CONTENT = "p1\t0\t1\t1\tTheory\nbradshaw97\t1\t0\t0\tAgents\np3\t0\t0\t0\tTheory\n"
CITES = "p1\tbradshaw97\nbradshaw97\tp3\np3\tp3\nlost\tp1\n"
REBUILT = """NODE\tpaper
cat=1,2,3:label\tnumeric:w-c000:0.0\tnumeric:w-c001:0.0\tsummary:
11\tlabel=1\tw-c001=0.25\tsummary=
22\tlabel=3\tw-c000=0.5\tw-c001=0.125\tsummary=
"""
ORIGINAL = """NODE\tpaper
cat=1,2,3:label\tnumeric:w-rat:0.0\tnumeric:w-common:0.0\tstring:summary
11\tlabel=1\tw-common=0.25000000000000001\tsummary=w-common
22\tlabel=3\tw-common=0.12500000000000000\tw-rat=0.50000000000000000\tsummary=w-common,w-rat
"""
PUBMED_CITES = "DIRECTED\tcites\nNO_FEATURES\n1\tpaper:11\t|\tpaper:22\n2\tpaper:22\t|\tpaper:22\n"


def files(tmp_path: Path, first: str, second: str) -> tuple[Path, Path]:
    (tmp_path / "first").write_text(first)
    (tmp_path / "second").write_text(second)
    return tmp_path / "first", tmp_path / "second"


def test_an_edge_runs_from_the_citing_to_the_cited_paper(tmp_path: Path) -> None:
    graph = read_linqs(*files(tmp_path, CONTENT, CITES), name="made")
    assert graph.names.tolist() == ["p1", "bradshaw97", "p3"]
    assert [ends.tolist() for ends in graph.edges()] == [[1, 2], [0, 1]]
    assert dict(graph.notes) == {"self_loops": 1, "unknown_endpoints": 1}


def test_words_and_classes(tmp_path: Path) -> None:
    graph = read_linqs(*files(tmp_path, CONTENT, CITES), name="made")
    assert graph.class_names == ("Agents", "Theory")
    assert graph.y is not None
    assert graph.y.tolist() == [1, 0, 1]
    assert graph.x is not None
    assert np.asarray(graph.x.toarray()).tolist() == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("content", "cites", "why"),
    [
        ("", CITES, "first holds no papers"),
        ("p1\t0\t1\tA\np2\t0\tA\n", CITES, "first line 2: expected a paper id, 2 words and a class, tab separated"),
        ("p1\t0\t2\tA\n", CITES, "first line 1: every word must be 0 or 1, tab separated"),
        ("p1\t0 1\tA\n", CITES, "first line 1: every word must be 0 or 1, tab separated"),
        ("p1\n", CITES, "first line 1: expected a paper id"),
        (CONTENT, "p1\tp3\np1\n", "second line 2: expected two paper ids, got 1"),
    ],
)
def test_lines_of_another_form_are_refused(tmp_path: Path, content: str, cites: str, why: str) -> None:
    with pytest.raises(InputError) as caught:
        read_linqs(*files(tmp_path, content, cites), name="made")
    assert why in str(caught.value)


@pytest.mark.parametrize("nodes", [REBUILT, ORIGINAL], ids=["rebuilt", "original"])
def test_both_printings_of_pubmed_are_the_same_graph(tmp_path: Path, nodes: str) -> None:
    graph = read_pubmed(*files(tmp_path, nodes, PUBMED_CITES))
    assert [ends.tolist() for ends in graph.edges()] == [[0], [1]]
    assert (graph.class_names, graph.num_attributes) == (("1", "3"), 2)
    assert graph.x is not None
    assert np.asarray(graph.x.toarray()).tolist() == [[0, 0.25], [0.5, 0.125]]  # type: ignore[union-attr]


def test_both_printings_of_pubmed_have_the_same_content(tmp_path: Path) -> None:
    sums = {pubmed_content_sha256(files(tmp_path, text, "")[0]) for text in (REBUILT, ORIGINAL)}
    assert len(sums) == 1
    for other in (REBUILT.replace("label=3", "label=2"), "<html>\n<body>\nnot here\n</body>\n"):
        assert pubmed_content_sha256(files(tmp_path, other, "")[0]) not in sums


@pytest.mark.parametrize(
    ("nodes", "cites", "why"),
    [
        ("paper\n", PUBMED_CITES, "first line 1: expected 'NODE'"),
        (
            REBUILT.replace("w-c001=0.25", "w-c009=0.25"),
            PUBMED_CITES,
            "first line 3: 'w-c009=0.25' is not a column of line 2",
        ),
        (REBUILT.replace("=0.25", "=much"), PUBMED_CITES, "first line 3: 'much' is not a number"),
        (REBUILT.replace("label=1\t", ""), PUBMED_CITES, "first line 3: expected 'label='"),
        (REBUILT, "DIRECTED\tcites\nNO_FEATURES\n1\t11\t22\n", "second line 3: expected 'number, paper:A, |, paper:B'"),
    ],
)
def test_pubmed_lines_of_another_form_are_refused(tmp_path: Path, nodes: str, cites: str, why: str) -> None:
    with pytest.raises(InputError) as caught:
        read_pubmed(*files(tmp_path, nodes, cites))
    assert why in str(caught.value)


def test_airports_lose_their_self_loops(tmp_path: Path) -> None:
    edges, labels = files(tmp_path, "10241 7\n7 7\n", "node label\n7 0\n10241 3\n8 1\n")
    graph = read_airports(edges, labels, name="made")
    assert (graph.directed, graph.num_edges, graph.x) == (False, 1, None)
    assert graph.names.tolist() == ["7", "10241", "8"]
    assert graph.class_names == ("0", "1", "3")
    assert dict(graph.notes) == {"self_loops": 1}
