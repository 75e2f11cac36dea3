"""NetworkX graphs: node attributes become columns, and what cannot be one is explained."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest

from infomotif.errors import InputError
from infomotif.graph.schema import Column, Schema
from infomotif.io import from_networkx
from infomotif.motifs import MotifIndex
from tests.graph.graphs import small


def test_networkx_holds_the_same() -> None:
    out = small(weights=[1, 2, 3, 4]).to_networkx()
    assert list(out.nodes) == ["a", "b", "c", "d", "e"]
    assert out.nodes["a"] == {"label": "red", "height": 1.0}
    assert out.edges["c", "d"] == {"weight": 1.0}


def test_networkx_attributes_become_columns() -> None:
    graph = nx.MultiGraph([("p", "q"), ("p", "q"), ("q", 7)])
    nx.set_node_attributes(graph, {"p": "Ulm", "q": "Bonn", 7: "Ulm"}, "city")
    nx.set_node_attributes(graph, {"p": True, "q": False, 7: True}, "old")
    made = from_networkx(graph)
    assert made.names.tolist() == ["p", "q", "7"]
    assert made.attribute_names == ("city=Bonn", "city=Ulm", "old")
    assert dict(made.notes) == {"repeated_edges": 1}


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({0: 1.0}, "NetworkX node '1', column 'a': the value is missing"),
        ({0: 1.0, 1: "x", 2: 3.0}, "NetworkX node '0': 'a' is float, attributes must be all numbers"),
        ({0: [1], 1: [2], 2: [3]}, "NetworkX node '0': 'a' is list"),
        ({0: 1.0, 1: float("inf"), 2: 3.0}, "NetworkX node '1', column 'a': inf is not a finite number"),
    ],
)
def test_networkx_attributes_that_are_no_columns_are_refused(values: dict[int, Any], why: str) -> None:
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, values, "a")
    with pytest.raises(InputError) as caught:
        from_networkx(graph)
    assert str(caught.value).startswith(why)


@pytest.mark.parametrize("weight", ["x", [1], float("nan"), 1e300])
def test_networkx_weights_that_are_no_numbers_are_refused(weight: Any) -> None:
    graph = nx.Graph([("a", "b", {"weight": 2}), ("b", "c", {"weight": weight})])
    with pytest.raises(
        InputError, match=r"NetworkX edge \('b', 'c'\): 'weight' is .*, not a finite number; correct it"
    ):
        from_networkx(graph)


def test_networkx_takes_the_dictionary_of_a_schema() -> None:
    graph = nx.path_graph(2)
    nx.set_node_attributes(graph, {0: "Ulm", 1: "Rom"}, "city")
    schema = Schema((Column("city", "categorical", ("Bonn", "Ulm")),), "label", ("x", "y"))
    made = from_networkx(graph, schema=schema.to_dict())
    assert (made.schema, made.class_names) == (schema, ("x", "y"))


def test_networkx_labels_that_are_nan_or_none_are_unknown() -> None:
    graph = nx.path_graph(4)
    nx.set_node_attributes(graph, {0: "a", 1: float("nan"), 2: None, 3: "b"}, "label")
    made = from_networkx(graph)
    assert (made.class_names, made.y.tolist()) == (("a", "b"), [0, -1, -1, 1])  # type: ignore[union-attr]


def test_networkx_weights_are_on_all_edges_or_none() -> None:
    graph = nx.Graph()
    graph.add_edge("a", "b", weight=2.0)
    graph.add_edge("b", "c")
    with pytest.raises(InputError, match="'weight' is missing"):
        from_networkx(graph)


def test_an_attribute_cannot_be_named_as_the_label_in_networkx() -> None:
    with pytest.raises(InputError, match="attribute names must differ"):
        small(attribute_names=["label", "width"]).to_networkx()


def test_keys_of_networkx_may_be_numbers() -> None:
    graph = nx.path_graph(3)
    nx.set_node_attributes(graph, {0: 1.0, 1: 2.0, 2: 0.5}, 5)  # type: ignore[arg-type]
    nx.set_node_attributes(graph, {0: 1.0, 1: 2.0}, "label")
    found = from_networkx(graph)
    assert (found.attribute_names, found.class_names) == (("5",), ("1", "2"))


def test_keys_that_become_one_name_are_refused() -> None:
    graph = nx.Graph()
    graph.add_node("a", **{"5": 1.0})
    graph.nodes["a"][5] = 2.0
    with pytest.raises(InputError, match="two keys are called '5'"):
        from_networkx(graph)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("data", [{}, {"colour": "red"}, {"weight": None}])
def test_edges_are_those_of_networkx(kind: type, data: dict[str, Any]) -> None:
    made = nx.gnp_random_graph(30, 0.2, seed=1, directed=True)
    graph = kind()
    graph.add_nodes_from(f"n{v}" for v in reversed(range(30)))
    graph.add_edges_from((f"n{u}", f"n{v}", data) for u, v in [*made.edges, (3, 4), (3, 4)])
    for same in (graph, graph.subgraph([f"n{v}" for v in range(20)])):
        got = from_networkx(same)
        order = {node: v for v, node in enumerate(same.nodes)}
        expected = {(order[u], order[v]) for u, v in same.edges()}
        if not same.is_directed():
            expected |= {(v, u) for u, v in expected}
        source, target = got.edges()
        pairs = set(zip(source.tolist(), target.tolist(), strict=True))
        assert (pairs if same.is_directed() else pairs | {(v, u) for u, v in pairs}) == expected
        assert got.csr.weights is None


def test_counting_does_not_read_attributes() -> None:
    graph = nx.random_geometric_graph(30, 0.4, seed=1)
    graph.nodes[0]["height"] = 3.5
    graph.add_edge(0, 1, weight=2)
    index = MotifIndex(graph)
    assert index.graph.x is None
    assert list(index.graph.names) == list(map(str, graph))
    assert int(index.totals[1]) == sum(nx.triangles(graph).values()) // 3
