"""ReadOptions: what files are read with, checked once for all formats."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest

from infomotif.errors import InputError
from infomotif.graph.schema import Schema
from infomotif.io import ReadOptions, from_networkx
from infomotif.io.options import column_names, graph_name


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unknown": "keep"}, r"unknown must be one of error, drop \(got 'keep'\)"),
        ({"fill": "median"}, r"fill must be 'mean', 'zero' or a number \(got 'median'\)"),
        ({"fill": True}, "fill must be 'mean', 'zero' or a number"),
        ({"fill": float("nan")}, "fill must be 'mean', 'zero' or a number"),
        ({"fill": 1e300}, "fill must be 'mean', 'zero' or a number"),
        ({"label": 3}, r"label must be text \(got 3\)"),
        ({"directed": "no"}, "directed must be true or false"),
        ({"ignore": "note"}, r"ignore must be a list \(got 'note'\)"),
        ({"max_categories": -1}, "max_categories must be at least 0"),
        ({"schema": {"columns": 3}}, "not a column schema"),
        ({"lable": "x"}, "did you mean 'label'"),
    ],
)
def test_wrong_values_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ReadOptions(**options)


def test_the_schema_may_be_the_dictionary_of_a_model() -> None:
    assert ReadOptions(schema=Schema(label="topic").to_dict()).schema == Schema(label="topic")


def test_names_of_columns_may_come_in_any_collection() -> None:
    assert column_names("age") == ("age",)
    graph = nx.path_graph(2)
    nx.set_node_attributes(graph, 1.0, "age")
    assert from_networkx(graph, ignore={"age"}).num_attributes == 0
    assert from_networkx(graph, ignore="age").num_attributes == 0
    assert from_networkx(graph, categorical={"age"}).attribute_names == ("age=1",)


def test_a_graph_is_called_after_its_file_unless_named() -> None:
    assert graph_name("data/my.edges.csv.gz", ReadOptions()) == "my"
    assert graph_name("data/my.csv", ReadOptions(name="other")) == "other"
