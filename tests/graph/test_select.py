"""Which nodes: masks, numbers and names become node numbers, and anything else is explained."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.select import node_number, node_numbers


@pytest.mark.parametrize(
    ("nodes", "numbers"),
    [
        ([3, 1], [3, 1]),
        (np.array([2, 0], np.uint8), [2, 0]),
        (torch.tensor([1, 3]), [1, 3]),
        ([False, True, True, False], [1, 2]),
        (torch.tensor([True, False, False, True]), [0, 3]),
        ([], []),
        (range(2), [0, 1]),
    ],
)
def test_masks_and_numbers_become_numbers_of_64_bits(nodes: Any, numbers: list[int]) -> None:
    found = node_numbers(nodes, 4)
    assert found.dtype == np.int64
    assert found.tolist() == numbers


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([4], r"train must lie in 0\.\.3 \(got 4\)"),
        ([-1, 2], r"train must lie in 0\.\.3 \(got -1\)"),
        (np.array([2**63], np.uint64), r"train must lie in 0\.\.3 \(got 9223372036854775808\)"),
        ([0.5], r"train must be a mask or node numbers \(got float64 of shape \(1,\)\)"),
        ([[0]], "train must be a mask or node numbers"),
        (["a"], "train must be a mask or node numbers"),
        (None, "train must be a mask or node numbers"),
        ([[0], [1, 2]], "train must be a mask or node numbers"),
        ([True], r"train mask must have 4 entries \(got shape \(1,\)\)"),
        ([1, 1], "train names a node twice; leave out repeated nodes"),
    ],
)
def test_a_message_names_the_parameter_and_the_finding(nodes: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        node_numbers(nodes, 4, "train")


def test_a_graph_without_nodes_has_none_to_name() -> None:
    with pytest.raises(InputError, match=r"nodes must be empty in a graph without nodes \(got 0\)"):
        node_numbers([0], 0)


def test_repeats_are_allowed_where_the_caller_says_so() -> None:
    assert node_numbers([1, 1], 4, repeats=True).tolist() == [1, 1]


def test_names_are_looked_up_where_the_caller_says_how() -> None:
    graph = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=True, names=["a", "b", "c"])
    assert graph.subgraph(["c", "b"]).names.tolist() == ["c", "b"]
    assert graph.subgraph(np.array(["a", "b"], dtype=object)).num_edges == 1
    with pytest.raises(InputError, match="no node is named 'x'"):
        graph.subgraph(["a", "x"])


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (3, r"node must lie in 0\.\.2 \(got 3\)"),
        (-1, r"node must lie in 0\.\.2 \(got -1\)"),
        (True, r"node must be a number \(got bool\)"),
        ("a", r"node must be a number \(got str\)"),
        (1.0, r"node must be a number \(got float\)"),
    ],
)
def test_one_node_is_a_number_of_the_graph(node: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        node_number(node, 3)
