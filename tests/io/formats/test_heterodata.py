"""PyG's HeteroData in and out: types, relations, and attributes of each type's own width."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")

from torch_geometric.data import Data, HeteroData  # noqa: E402
from torch_geometric.transforms import ToUndirected  # noqa: E402

from infomotif.errors import InputError  # noqa: E402
from infomotif.io import from_pyg  # noqa: E402
from infomotif.io.adapt import as_graph  # noqa: E402


def library() -> HeteroData:
    data = HeteroData()
    data["author"].x = torch.arange(1, 7, dtype=torch.float).reshape(2, 3)
    data["paper"].x = torch.arange(1, 11, dtype=torch.float).reshape(2, 5)
    data["paper"].y = torch.tensor([1, -100])
    data["venue"].num_nodes = 1
    data["author", "writes", "paper"].edge_index = torch.tensor([[0, 1, 1], [0, 0, 1]])
    data["paper", "cites", "paper"].edge_index = torch.tensor([[0], [1]])
    data["paper", "in", "venue"].edge_index = torch.tensor([[0, 1], [0, 0]])
    return data


def test_types_relations_and_attributes_come_in() -> None:
    graph = from_pyg(library())
    assert graph.node_type_names == ("author", "paper", "venue")
    assert graph.node_types is not None
    assert graph.node_types.tolist() == [0, 0, 1, 1, 2]
    assert graph.edge_type_names == ("writes", "cites", "in")
    assert graph.directed
    assert graph.num_edges == 6
    assert graph.attribute_types is not None
    assert graph.attribute_types.tolist() == [0] * 3 + [1] * 5
    assert graph.y is not None
    assert graph.y.tolist() == [-1, -1, 1, -1, -1]
    assert graph.names.tolist() == ["author/0", "author/1", "paper/0", "paper/1", "venue/0"]
    assert as_graph(library()).fingerprint() == graph.fingerprint()


def test_what_came_in_goes_out_again() -> None:
    data = library()
    again = from_pyg(data).to_heterodata()
    assert again.node_types == data.node_types
    assert set(again.edge_types) == set(data.edge_types)
    for kind in ("author", "paper"):
        assert again[kind].x.equal(data[kind].x)
    assert "x" not in again["venue"]
    assert again["paper"].y.tolist() == [1, -1]
    for triple in data.edge_types:
        assert again[triple].edge_index.equal(data[triple].edge_index)
    assert from_pyg(again).fingerprint() == from_pyg(data).fingerprint()


def test_reverse_relations_are_relations_of_their_own() -> None:
    graph = from_pyg(ToUndirected(merge=False)(library()))
    assert graph.directed
    assert set(graph.edge_type_names) == {"writes", "cites", "in", "rev_writes", "rev_cites", "rev_in"}


def test_edges_in_both_directions_of_one_relation_are_undirected() -> None:
    data = HeteroData()
    data["a"].num_nodes = data["b"].num_nodes = 2
    data["a", "to", "b"].edge_index = torch.tensor([[0, 1], [0, 1]])
    data["b", "to", "a"].edge_index = torch.tensor([[0, 1], [0, 1]])
    graph = from_pyg(data)
    assert not graph.directed
    assert graph.num_edges == 2
    assert from_pyg(graph.to_heterodata()).fingerprint() == graph.fingerprint()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d["author"].update({"y": torch.tensor([0, 1])}), "several node types have labels .author, paper."),
        (lambda d: d["paper"].update({"y": torch.tensor([0.5, 1])}), "one class number per node"),
        (
            lambda d: d["author", "likes", "paper"].update({"edge_index": torch.tensor([[0], [0]])}),
            "'writes' and 'likes'",
        ),
        (
            lambda d: d["author", "writes", "paper"].update({"edge_index": torch.tensor([[0], [9]])}),
            r"0\.\.1 for 'paper'",
        ),
        (lambda d: d["author", "writes", "paper"].update({"edge_weight": torch.ones(3)}), "all edge types or for none"),
    ],
)
def test_what_does_not_fit_is_named(change: object, message: str) -> None:
    data = library()
    change(data)  # type: ignore[operator]
    with pytest.raises(InputError, match=message):
        from_pyg(data)


def test_the_labels_of_one_type_can_be_chosen() -> None:
    data = library()
    data["author"].y = torch.tensor([0, 1])
    graph = from_pyg(data, target="author")
    assert graph.y is not None
    assert graph.y.tolist() == [0, 1, -1, -1, -1]
    with pytest.raises(InputError, match="target 'venue' has no labels; node types with y: author, paper"):
        from_pyg(data, target="venue")


def test_a_plain_data_has_types_where_asked() -> None:
    data = Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)
    data.node_type, data.edge_type = torch.tensor([0, 1, 0]), torch.tensor([1, 0])
    assert not from_pyg(data).coloured
    graph = from_pyg(data, node_type="node_type", edge_type="edge_type")
    assert graph.edge_type_names == ("0", "1")
    again = graph.to_pyg()
    assert again.node_type.tolist() == [0, 1, 0]
    assert again.edge_type.tolist() == [1, 0]
    with pytest.raises(InputError, match="data.kind must hold one type number each"):
        from_pyg(data, node_type="kind")
    with pytest.raises(InputError, match="target is for a PyG HeteroData"):
        from_pyg(data, target="paper")


def test_a_graph_without_node_types_is_no_heterodata() -> None:
    graph = from_pyg(Data(edge_index=torch.tensor([[0], [1]]), num_nodes=2))
    with pytest.raises(InputError, match="to_heterodata needs node types"):
        graph.to_heterodata()


def test_types_without_attributes_come_without_columns() -> None:
    data = HeteroData()
    data["a"].num_nodes = 2
    data["a", "to", "a"].edge_index = torch.tensor([[0], [1]])
    assert from_pyg(data).x is None
    assert np.array_equal(from_pyg(data).to_heterodata()["a"].n_id, [0, 1])
