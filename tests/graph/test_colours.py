"""Node types and edge types: checked on entry, kept by every view, part of the fingerprint only where they are."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.colours import MAX_TYPES

SOURCE, TARGET = [0, 1, 2, 3, 1], [1, 2, 0, 1, 0]


def made(**changes: Any) -> Graph:
    fields: dict[str, Any] = {
        "num_nodes": 5,
        "directed": True,
        "node_types": ["a", "b", "a", "b", "c"],
        "edge_types": ["x", "y", "x", "x", "y"],
    }
    return Graph.from_edges(SOURCE, TARGET, **(fields | changes))


def edge_set(graph: Graph) -> set[tuple[str, str, str]]:
    source, target = graph.edges()
    kinds = np.zeros(0) if graph.edge_types is None else graph.edge_types
    names = graph.names
    return {(names[u], names[v], graph.edge_type_names[t]) for u, v, t in zip(source, target, kinds, strict=True)}


def test_types_are_codes_with_names_in_order() -> None:
    graph = made()
    assert graph.node_types is not None
    assert graph.node_types.tolist() == [0, 1, 0, 1, 2]
    assert graph.node_type_names == ("a", "b", "c")
    assert edge_set(graph) == {("0", "1", "x"), ("1", "2", "y"), ("2", "0", "x"), ("3", "1", "x"), ("1", "0", "y")}


def test_types_may_be_numbers_with_names() -> None:
    graph = made(node_types=[0, 1, 0, 1, 2], node_type_names=["a", "b", "c"], edge_types=np.array([0, 1, 0, 0, 1]))
    assert graph.edge_type_names == ("0", "1")
    assert graph.node_type_names == ("a", "b", "c")


def test_signs_are_edge_types_in_a_fixed_order() -> None:
    graph = made(edge_types=["-", "-", "-", "-", "-"])
    assert graph.signed
    assert graph.edge_type_names == ("+", "-")
    assert not made().signed


def test_an_undirected_graph_has_the_type_in_both_rows() -> None:
    graph = Graph.from_edges([0, 2], [1, 1], num_nodes=3, directed=False, edge_types=["p", "q"])
    assert edge_set(graph) == {("0", "1", "p"), ("1", "0", "p"), ("2", "1", "q"), ("1", "2", "q")}


def test_weights_and_types_stay_with_their_edges() -> None:
    graph = made(weights=[1, 2, 3, 4, 5])
    source, target = graph.edges()
    assert graph.csr.weights is not None
    held = {(u, v): w for u, v, w in zip(source.tolist(), target.tolist(), graph.csr.weights.tolist(), strict=True)}
    assert held == {(0, 1): 1, (1, 2): 2, (2, 0): 3, (3, 1): 4, (1, 0): 5}


def test_self_loops_and_repeats_of_one_type_are_dropped() -> None:
    graph = Graph.from_edges([0, 0, 1], [1, 1, 1], num_nodes=2, directed=True, edge_types=["x", "x", "y"])
    assert edge_set(graph) == {("0", "1", "x")}
    assert dict(graph.notes) == {"self_loops": 1, "repeated_edges": 1}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"node_types": ["a", "b", None, "b", "c"]}, "the type of node 2 is missing; name one for every node"),
        ({"node_types": ["a", "b", "", "b", "c"]}, "the type of node 2 is missing"),
        ({"node_types": ["a", "b", float("nan"), "b", "c"]}, "the type of node 2 is missing"),
        ({"node_types": ["a", "b"]}, "node_types must have one entry per node: expected 5, got 2"),
        ({"edge_types": ["x"]}, "edge_types must have one entry per edge: expected 5, got 1"),
        ({"node_types": [0, 1, -1, 0, 0]}, "node 2 has the type -1; number the types from 0"),
        ({"node_types": [0, 1, 3, 0, 0], "node_type_names": ["a", "b"]}, r"must lie in 0\.\.1"),
        ({"node_types": ["a", "b", "bb", "b", "a"], "node_type_names": ["a", "b"]}, "unknown node type 'bb'"),
        ({"node_types": [0, 1, 999, 0, 0]}, "at most 255 types are allowed"),
        ({"edge_types": ["x", "y", 1.5, "x", "y"]}, "the type of edge 2 must be text or a number from 0 on"),
        ({"edge_types": ["x", "y", "x&y", "x", "y"]}, "rename it"),
        ({"node_types": ["a", "b", 'c"d', "b", "a"]}, "rename it"),
        ({"node_types": None, "node_type_names": ["a"]}, "node_type_names needs node_types"),
        ({"node_types": [0, 0, 0, 0, 0], "node_type_names": ["a", "a"]}, "'a' occurs twice"),
    ],
)
def test_bad_types_are_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        made(**changes)


def test_too_many_types_are_refused() -> None:
    n = MAX_TYPES + 1
    with pytest.raises(InputError, match="node_types has 256 different values, at most 255"):
        Graph.from_edges([0], [1], num_nodes=n, directed=True, node_types=[f"t{i}" for i in range(n)])


def test_two_types_from_one_node_to_another_are_refused_with_the_remedy() -> None:
    with pytest.raises(InputError, match="two edges from 'a' to 'b' have the types 'x' and 'y'; a pair has one type"):
        Graph.from_edges([0, 0], [1, 1], num_nodes=2, directed=True, names=["a", "b"], edge_types=["x", "y"])


def test_two_signs_between_two_nodes_without_direction_are_refused() -> None:
    with pytest.raises(InputError, match="between '1' and '0' have the types '\\+' and '-'.*keep one of them"):
        Graph.from_edges([0, 1], [1, 0], num_nodes=2, directed=False, edge_types=["+", "-"])


def test_the_undirected_view_joins_two_types_into_one() -> None:
    graph = made()
    types = graph.undirected_edge_types
    assert types is not None
    assert types.names == ("x", "y", "x&y")
    indptr, indices, _ = graph.undirected
    rows = np.repeat(np.arange(5), np.diff(indptr))
    found = {
        (u, v): types.names[t] for u, v, t in zip(rows.tolist(), indices.tolist(), types.codes.tolist(), strict=True)
    }
    once = {(0, 1): "x&y", (1, 2): "y", (0, 2): "x", (1, 3): "x"}
    assert found == once | {(v, u): kind for (u, v), kind in once.items()}


def test_pair_types_are_those_of_a_dictionary() -> None:
    rng = np.random.default_rng(1)
    source, target = rng.integers(0, 30, (2, 200))
    first = {
        (u, v): t for u, v, t in zip(source.tolist(), target.tolist(), rng.integers(0, 4, 200).tolist(), strict=True)
    }
    pairs = [pair for pair in first if pair[0] != pair[1]]
    ends = np.array(pairs)
    kinds = [first[pair] for pair in pairs]
    graph = Graph.from_edges(ends[:, 0], ends[:, 1], num_nodes=30, directed=True, edge_types=kinds)
    assert graph.pair_types is not None
    rows = np.repeat(np.arange(30), np.diff(graph.undirected.indptr)).tolist()
    for u, v, out, back in zip(rows, graph.undirected.indices.tolist(), *graph.pair_types, strict=True):
        assert (out, back) == (first.get((u, v), -1) + 1, first.get((v, u), -1) + 1)


def test_a_part_keeps_the_types() -> None:
    part = made().subgraph([2, 1, 0])
    assert part.node_types is not None
    assert part.node_types.tolist() == [0, 1, 0]
    assert part.node_type_names == ("a", "b", "c")
    assert edge_set(part) == {("0", "1", "x"), ("1", "2", "y"), ("2", "0", "x"), ("1", "0", "y")}


def test_the_largest_component_and_a_permutation_keep_the_types() -> None:
    graph = made()
    assert edge_set(graph.largest_component()) == edge_set(graph)
    assert edge_set(graph.subgraph([4, 3, 2, 1, 0])) == edge_set(graph)


def test_processes_send_types_to_each_other() -> None:
    graph = made(x=np.eye(5)[:, :1], attribute_types=["a"])
    again = pickle.loads(pickle.dumps(graph))  # noqa: S301 - our own bytes
    assert again.fingerprint() == graph.fingerprint()
    assert again.node_type_names == graph.node_type_names
    assert again.attribute_types.tolist() == [0]


def test_the_fingerprint_is_the_old_one_without_types_and_differs_with_them() -> None:
    plain = made(node_types=None, edge_types=None)
    assert plain.fingerprint() == "b4b5ad0101f59a72c81868a7b93075aeebe5a10ac51c8924cd970fd4a45c1866"
    prints = {graph.fingerprint() for graph in (plain, made(), made(node_types=None), made(edge_types=None))}
    assert len(prints) == 4
    assert made(node_types=["a", "b", "a", "b", "d"]).fingerprint() not in prints


def test_types_can_be_dropped_and_node_types_replaced() -> None:
    graph = made()
    assert not graph.replace(node_types=None, edge_types=None).coloured
    assert graph.replace(node_types=["q"] * 5).node_type_names == ("q",)
    assert graph.replace(name="other").edge_type_names == ("x", "y")
    with pytest.raises(InputError, match="can only drop edge types"):
        graph.replace(edge_types=["x"] * 5)


def test_attributes_of_one_type_are_zero_elsewhere() -> None:
    x = np.zeros((5, 2))
    x[[0, 2], 0] = 1
    graph = made(x=x, attribute_types=["a", None])
    assert graph.attribute_types is not None
    assert graph.attribute_types.tolist() == [0, -1]
    assert graph.subgraph([0, 1]).attribute_types is not None
    with pytest.raises(InputError, match="attribute 0 belongs to the type 'b', but node 0 of the type 'a' has a value"):
        made(x=x, attribute_types=["b", None])
    with pytest.raises(InputError, match="it needs node_types"):
        made(x=x, node_types=None, attribute_types=["a", None])


def test_what_a_graph_says_of_itself() -> None:
    graph = made()
    assert repr(graph).endswith("no labels, 3 node types, 2 edge types)")
    page = graph._repr_html_()
    assert "a 2, b 2, c 1" in page
    assert "x 3, y 2" in page


def test_the_types_cannot_be_changed() -> None:
    graph = made()
    assert graph.node_types is not None
    with pytest.raises(ValueError, match="read-only"):
        graph.node_types[0] = 1


def test_a_plot_colours_by_type_and_dashes_negative_edges() -> None:
    from matplotlib.figure import Figure

    graph = made(edge_types=["+", "-", "+", "+", "-"])
    axes = graph.plot(ax=Figure().subplots())
    legend = axes.get_legend()
    assert legend is not None
    assert legend.get_title().get_text() == "type"
    assert [text.get_text() for text in legend.get_texts()] == ["a", "b", "c", "negative edge"]
