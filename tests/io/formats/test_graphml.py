"""GraphML: bad files and the line that is wrong, and what cannot be written."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import from_networkx, read_graphml, write_graphml
from tests.io.formats.written import written

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
    path = written(tmp_path / "G", text)
    with pytest.raises(InputError) as caught:
        read_graphml(path)
    assert str(caught.value).replace(str(path), "G") == line


def test_whole_numbers_stay_labels_in_graphml(tmp_path: Path) -> None:
    graph = nx.Graph()
    for node, label in enumerate((2, 10, 9007199254740993, 9007199254740992)):
        graph.add_node(node, label=label)
    graph.add_edge(0, 1, weight=2)
    nx.write_graphml(graph, tmp_path / "g.graphml")
    for found in (read_graphml(tmp_path / "g.graphml"), from_networkx(graph)):
        assert found.class_names == ("2", "10", "9007199254740992", "9007199254740993")
        assert np.asarray(found.csr.weights).tolist() == [2.0, 2.0]


def test_repeated_attribute_names_are_not_written_as_graphml(tmp_path: Path) -> None:
    graph = Graph.from_edges([0], [1], num_nodes=2, directed=True, x=np.eye(2), attribute_names=["a", "a"])
    with pytest.raises(InputError, match="must differ from each other"):
        write_graphml(graph, tmp_path / "g.graphml")


def test_names_that_xml_cannot_hold_are_refused(tmp_path: Path) -> None:
    graph = Graph.from_edges([0], [1], num_nodes=2, directed=True, names=["a\x01", "c"])
    with pytest.raises(InputError, match="XML cannot hold"):
        write_graphml(graph, tmp_path / "g")
