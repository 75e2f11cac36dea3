"""Transforms add the counts of the motif index, to one graph, to a batch and to many graphs."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch_geometric.data import Batch, Data, HeteroData
from torch_geometric.loader import DataLoader
from torch_geometric.transforms import Compose, NormalizeFeatures
from torch_geometric.utils import barabasi_albert_graph, erdos_renyi_graph

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.pyg import AddMotifCounts, AddOrbitCounts

BOTH = ["undirected", "graphlets4"]


def index_of(data: Data, motifs, directed: bool = False) -> MotifIndex:
    source, target = data.edge_index.numpy()
    return MotifIndex(Graph.from_edges(source, target, num_nodes=data.num_nodes, directed=directed), motifs)


@st.composite
def datas(draw) -> Data:
    n = draw(st.integers(1, 9))
    ends = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=30))
    edge_index = torch.tensor(ends, dtype=torch.int64).reshape(-1, 2).t().contiguous()
    return Data(edge_index=edge_index, num_nodes=n)


@given(datas())
@settings(max_examples=60, deadline=None)
def test_small_graphs_get_the_counts_of_the_index(data):
    index = index_of(data, BOTH)
    assert AddOrbitCounts(log=False)(data).orbit_counts.tolist() == index.orbit_counts.tolist()
    assert AddMotifCounts(log=False)(data).motif_counts.tolist() == index.counts.tolist()
    some = AddOrbitCounts(["clique4", "M7", "paw"], log=False)(data).orbit_counts
    assert some.tolist() == index.select(["clique4", "M7", "paw"]).orbit_counts.tolist()


@given(st.lists(datas(), max_size=6))
@settings(max_examples=30, deadline=None)
def test_a_list_gets_the_counts_of_each_graph(graphs):
    for transform in (AddOrbitCounts(), AddMotifCounts("directed", normalize="standard")):
        together = transform(graphs)
        for one, data in zip(together, graphs, strict=True):
            torch.testing.assert_close(one[transform.attr_name], transform(data)[transform.attr_name])
            assert transform.attr_name not in data


@pytest.mark.parametrize("nodes", [64, 65, 300])
def test_larger_graphs_get_the_counts_of_the_index(nodes):
    data = Data(edge_index=barabasi_albert_graph(nodes, 5), num_nodes=nodes)
    assert AddOrbitCounts(log=False)(data).orbit_counts.tolist() == index_of(data, BOTH).orbit_counts.tolist()


def test_directed_and_undirected_motifs_may_be_mixed():
    data = Data(edge_index=erdos_renyi_graph(20, 0.2, directed=True), num_nodes=20)
    motifs = ["M7", "M4", "a->b, b->c, c->d", "paw"]
    transform = AddOrbitCounts(motifs, log=False)
    index = index_of(data, motifs, directed=True)
    assert transform(data).orbit_counts.tolist() == index.orbit_counts.tolist()
    assert transform.names == index.orbit_names


def test_a_batch_is_transformed_as_its_graphs_are():
    graphs = [Data(edge_index=erdos_renyi_graph(n, 0.3), num_nodes=n) for n in (5, 12, 1, 30)]
    transform = AddOrbitCounts(normalize="standard")
    batch = transform(Batch.from_data_list(graphs))
    torch.testing.assert_close(batch.orbit_counts, torch.cat([transform(g).orbit_counts for g in graphs]))
    loaded = next(iter(DataLoader(transform(graphs), batch_size=4)))
    torch.testing.assert_close(loaded.orbit_counts, batch.orbit_counts)


def test_counts_are_appended_to_attributes():
    data = Data(x=torch.tensor([[0.0, 2.0]] * 4), edge_index=torch.tensor([[0, 1, 2], [1, 2, 0]]))
    pipeline = Compose([NormalizeFeatures(), AddMotifCounts("undirected", None, log=False)])
    assert pipeline(data).x.tolist() == [[0, 1, 0, 1]] * 3 + [[0, 1, 0, 0]]
    bare = Data(edge_index=data.edge_index, num_nodes=4)
    assert AddMotifCounts("M7", None, log=False)(bare).x.tolist() == [[1], [1], [1], [0]]


def test_logarithms_and_shares():
    data = Data(edge_index=erdos_renyi_graph(30, 0.2), num_nodes=31)
    plain = AddOrbitCounts(log=False)(data).orbit_counts
    torch.testing.assert_close(AddOrbitCounts("graphlets4")(data).orbit_counts, plain[:, 3:].log1p())
    shares = AddOrbitCounts(log=False, normalize="share")(data).orbit_counts
    torch.testing.assert_close(shares.sum(dim=1), (plain.sum(dim=1) > 0).float())
    standard = AddOrbitCounts(normalize="standard")(data).orbit_counts
    np.testing.assert_allclose(standard.mean(dim=0), 0, atol=1e-5)
    assert set(standard.std(dim=0, correction=0).round(decimals=4).tolist()) <= {0.0, 1.0}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (HeteroData(), "to_homogeneous"),
        (Data(), r"edge_index \[2, E\] \(got Data\)"),
        (Data(edge_index=torch.zeros(3, 2, dtype=torch.int64), num_nodes=3), r"edge_index \[2, E\]"),
        (Data(edge_index=torch.tensor([[0], [5]]), num_nodes=2), r"must lie in 0\.\.1 \(got 5\)"),
        (Data(edge_index=torch.tensor([[0], [-1]]), num_nodes=2), r"must lie in 0\.\.1 \(got -1\)"),
        (Data(edge_index=torch.tensor([[0.0], [1.0]]), num_nodes=2), "must be node numbers"),
    ],
)
def test_other_data_is_refused(data, why):
    with pytest.raises(InputError, match=why):
        AddOrbitCounts()(data)


def test_bad_options_are_refused():
    with pytest.raises(InputError, match="depends on the graph; use 'directed', 'undirected'"):
        AddOrbitCounts("auto")
    with pytest.raises(InputError, match="normalize must be None, 'share' or 'standard'"):
        AddMotifCounts(normalize="max")


def test_the_representation_names_the_motifs():
    assert repr(AddMotifCounts(["M7", "paw"])) == "AddMotifCounts(M7, paw)"
