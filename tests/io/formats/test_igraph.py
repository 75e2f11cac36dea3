"""igraph graphs become graphs with their attributes, and come back."""

from __future__ import annotations

import igraph
import networkx as nx
import pytest

import infomotif as im
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import from_igraph
from tests.graph.graphs import small


@pytest.mark.parametrize("weights", [None, [1, 2, 3, 4]])
def test_a_graph_comes_back(weights) -> None:
    graph = small(weights=weights, class_names=["blue", "red"])
    back = from_igraph(graph.to_igraph())
    assert back.fingerprint() == graph.fingerprint()
    assert (back.names.tolist(), back.attribute_names) == (graph.names.tolist(), graph.attribute_names)
    assert (back.name, back.class_names) == (graph.name, graph.class_names)


def test_vertex_attributes_become_columns() -> None:
    graph = igraph.Graph([(0, 1), (1, 2), (2, 2)], directed=True)
    graph.vs["name"], graph.vs["city"], graph.vs["topic"] = ["p", "q", "r"], ["Ulm", "Bonn", "Ulm"], ["x", None, "y"]
    made = from_igraph(graph, label="topic", name="towns")
    assert (made.names.tolist(), made.attribute_names) == (["p", "q", "r"], ("city=Bonn", "city=Ulm"))
    assert (made.y.tolist(), made.class_names, dict(made.notes)) == ([0, -1, 1], ("x", "y"), {"self_loops": 1})


def test_motifs_are_counted_in_an_igraph_graph() -> None:
    graph = igraph.Graph.Erdos_Renyi(60, 0.15)
    assert im.MotifIndex(graph, ["M7"]).totals.tolist() == [len(graph.list_triangles())]
    assert Graph.from_igraph(graph).num_edges == graph.ecount()


@pytest.mark.parametrize(
    ("attributes", "options", "why"),
    [
        (
            {"weight": [1.0, float("nan")]},
            {},
            r"igraph edge \(1, 2\): 'weight' is nan, not a finite number; correct it",
        ),
        ({"weight": [1.0, "x"]}, {}, r"igraph edge \(1, 2\): 'weight' is 'x'"),
        ({"weight": [1.0, None]}, {}, r"igraph edge \(1, 2\): 'weight' is None"),
        ({}, {"weight": "strength"}, r"igraph: edges have no 'strength'; attributes: none"),
        ({}, {"label": "topic"}, r"igraph: no node has 'topic'"),
    ],
)
def test_bad_attributes_are_refused(attributes, options, why) -> None:
    graph = igraph.Graph([(0, 1), (1, 2)])
    for key, values in attributes.items():
        graph.es[key] = values
    with pytest.raises(InputError, match=why):
        from_igraph(graph, **options)


def test_names_must_differ() -> None:
    graph = igraph.Graph([(0, 1)])
    graph.vs["name"] = ["a", "a"]
    with pytest.raises(InputError, match="node names must be unique"):
        from_igraph(graph)


def test_another_object_is_refused() -> None:
    with pytest.raises(InputError, match=r"expected an igraph graph \(got Graph\)"):
        from_igraph(nx.Graph())


def test_an_attribute_called_name_cannot_be_written() -> None:
    graph = Graph.from_edges([0], [1], num_nodes=2, directed=True, x=[[1], [2]], attribute_names=["name"])
    with pytest.raises(InputError, match="rename"):
        graph.to_igraph()
