"""Encoders: PyG's own layers with the same weights, relabelling, any module in their place, Proposition 1."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
import torch
import torch.nn.functional as F
from torch_geometric.nn import GATConv, GCNConv, GINConv, SAGEConv
from torch_geometric.utils import k_hop_subgraph

from infomotif import GCN, Graph, InfoMotif, MotifIndex, Training, load_dataset
from infomotif._core.validate import config, setting
from infomotif.errors import InputError
from infomotif.nn import ENCODERS, Adjacency, Encoder, MotifNetwork, MotifRegularizer, SparseMatrix, make_encoder
from infomotif.nn.encoders import EncoderConfig, encode, encode_with_corruption
from infomotif.nn.encoders.base import REGISTERED
from infomotif.nn.propagation.convolutions import GCNConvolution
from infomotif.training import make_settings, parse_setting
from tests.nn.made import build

EVERY = [
    ("gcn", {}),
    ("gat", {"heads": 2}),
    ("jknet", {}),
    ("jknet", {"jump": "cat"}),
    ("jknet", {"jump": "lstm"}),
    ("sage", {}),
    ("sage", {"aggregator": "max"}),
    ("gin", {}),
    ("appnp", {}),
    ("appnp", {"norm": "layer", "residual": True, "steps": 3, "activation": "tanh"}),
    ("gcnii", {}),
    ("gcnii", {"layers": 3, "jump": "max", "residual": True, "norm": "batch"}),
    ("mlp", {}),
    ("rgcn", {}),
    ("rgcn", {"bases": 1, "residual": True, "norm": "layer"}),
    ("gcn", {"norm": "batch", "residual": True, "activation": "tanh"}),
    ("gcn", {"norm": "layer", "layers": 3, "activation": "elu"}),
]
IDS = ["-".join([name, *(str(v) for v in options.values())]) for name, options in EVERY]


def test_gcn_equals_pyg(x, adjacency):
    ours = build("gcn", x.shape[1]).eval()
    layers = [GCNConv(x.shape[1], 8), GCNConv(8, 8)]
    with torch.no_grad():
        for layer, mine in zip(layers, ours.convolutions, strict=True):
            layer.lin.weight.copy_(mine.product.weight.t())
            layer.bias.copy_(mine.bias)
        h = F.relu(layers[1](F.relu(layers[0](x, adjacency.edge_index)), adjacency.edge_index))
        torch.testing.assert_close(ours(x, adjacency), h, rtol=1e-5, atol=1e-6)


def test_jknet_max_is_the_maximum_over_pyg_layers(x, adjacency):
    ours = build("jknet", x.shape[1]).eval()
    states, h = [], x
    with torch.no_grad():
        for mine in ours.convolutions:
            layer = GCNConv(h.shape[1], 8)
            layer.lin.weight.copy_(mine.product.weight.t())
            layer.bias.copy_(mine.bias)
            h = F.relu(layer(h, adjacency.edge_index))
            states.append(h)
        assert len(states) == 4
        torch.testing.assert_close(ours(x, adjacency), torch.stack(states).amax(dim=0), rtol=1e-5, atol=1e-6)


def test_gat_equals_pyg(x, adjacency):
    ours = build("gat", x.shape[1], heads=2).eval()
    h = x
    with torch.no_grad():
        for mine in ours.convolutions:
            layer = GATConv(h.shape[1], 4, heads=2, concat=True)
            layer.lin.weight.copy_(mine.product.weight.t())
            layer.att_src.copy_(mine.to_source[None])
            layer.att_dst.copy_(mine.to_target[None])
            layer.bias.copy_(mine.bias)
            h = F.elu(layer(h, adjacency.edge_index))
        torch.testing.assert_close(ours(x, adjacency), h, rtol=1e-5, atol=1e-6)


def test_sage_mean_equals_pyg(x, adjacency):
    ours = build("sage", x.shape[1]).eval()
    h = x
    with torch.no_grad():
        for mine in ours.convolutions:
            layer = SAGEConv(h.shape[1], 8, aggr="mean")
            own, other = mine.product.weight.chunk(2, dim=1)
            layer.lin_l.weight.copy_(other.t())
            layer.lin_r.weight.copy_(own.t())
            layer.lin_l.bias.copy_(mine.bias)
            h = F.relu(layer(h, adjacency.edge_index))
        torch.testing.assert_close(ours(x, adjacency), h, rtol=1e-5, atol=1e-6)


def test_gin_equals_pyg(x, adjacency):
    ours = build("gin", x.shape[1]).eval()
    h = x
    with torch.no_grad():
        for mine in ours.convolutions:
            mlp = torch.nn.Sequential(torch.nn.Linear(h.shape[1], 8), torch.nn.ReLU(), torch.nn.Linear(8, 8))
            layer = GINConv(mlp, eps=float(mine.epsilon))
            mlp[0].weight.copy_(mine.product.weight.t())
            mlp[0].bias.copy_(mine.bias)
            mlp[2].weight.copy_(mine.second.weight.t())
            mlp[2].bias.copy_(mine.second_bias)
            h = F.relu(layer(h, adjacency.edge_index))
        torch.testing.assert_close(ours(x, adjacency), h, rtol=1e-5, atol=1e-4)


def test_mlp_uses_no_edge(x, adjacency):
    ours = build("mlp", x.shape[1]).eval()
    first, second = ours.convolutions
    expected = F.relu(x @ first.product.weight + first.bias) @ second.product.weight + second.bias
    torch.testing.assert_close(ours(x, adjacency), F.relu(expected))


def test_sage_lstm_reads_the_neighbours_in_order():
    ours = build("sage", 3, hidden=4, layers=1, aggregator="lstm").eval()
    x = torch.randn(4, 3)
    out = ours(x, torch.tensor([[1, 2, 0], [0, 0, 2]]))
    layer = ours.convolutions[0]
    own, other = layer.project(x).chunk(2, dim=1)
    pooled = F.relu(other + layer.pool_bias)
    _, (last, _) = layer.lstm(pooled[[1, 2]][None])
    torch.testing.assert_close(out[0], F.relu(own[0] + layer.combine(last[0, 0]) + layer.bias))
    torch.testing.assert_close(out[3], F.relu(own[3] + layer.bias))


@pytest.mark.parametrize(("name", "options"), EVERY, ids=IDS)
def test_relabelling_the_nodes_permutes_the_output(graph, x, adjacency, name, options):
    encoder = build(name, x.shape[1], **options).eval()
    order = np.random.default_rng(0).permutation(graph.num_nodes)
    place = np.argsort(order)
    source, target = graph.edges()
    moved = Graph.from_edges(place[source], place[target], num_nodes=graph.num_nodes, directed=False)
    with torch.no_grad():
        expected = encoder(x, adjacency)[order]
        torch.testing.assert_close(encoder(x[order], Adjacency.from_graph(moved)), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("name", "options"), EVERY, ids=IDS)
def test_sparse_attributes_give_what_dense_ones_give(graph, x, adjacency, name, options):
    encoder = build(name, x.shape[1], **options).eval()
    with torch.no_grad():
        sparse = encoder(SparseMatrix.from_scipy(sp.csr_array(graph.x)), adjacency)
        torch.testing.assert_close(sparse, encoder(x, adjacency), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("name", "options"), EVERY, ids=IDS)
def test_edge_index_gives_what_adjacency_gives(x, adjacency, name, options):
    encoder = build(name, x.shape[1], **options).eval()
    with torch.no_grad():
        assert torch.equal(encoder(x, adjacency.edge_index), encoder(x, adjacency))


@pytest.mark.parametrize("name", [*ENCODERS])
def test_the_shared_first_product_changes_nothing(x, adjacency, name):
    encoder = build(name, x.shape[1], dropout=0.0)
    permutation = torch.from_numpy(np.random.default_rng(0).permutation(len(x)))
    with torch.no_grad():
        h, corrupted = encode_with_corruption(encoder, x, adjacency, permutation)
        assert torch.equal(h, encoder(x, adjacency))
        torch.testing.assert_close(corrupted, encoder(x[permutation], adjacency), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", [*ENCODERS])
def test_dropout_acts_while_training_only(x, adjacency, name):
    encoder = build(name, x.shape[1], dropout=0.5)
    with torch.no_grad():
        assert not torch.equal(encoder(x, adjacency), encoder(x, adjacency))
        encoder.eval()
        assert torch.equal(encoder(x, adjacency), encoder(x, adjacency))


@pytest.mark.parametrize(("name", "options"), [*EVERY, ("sage", {"aggregator": "lstm"})])
def test_one_node_and_no_edges_are_fine(name, options):
    encoder = build(name, 3, **options).eval()
    out = encoder(torch.randn(1, 3), torch.empty(2, 0, dtype=torch.long))
    assert out.shape == (1, 8)
    assert torch.isfinite(out).all()


class Twice(torch.nn.Module):
    """A module as somebody might have one: its own mean over neighbours."""

    def __init__(self, in_dim: int, hidden: int) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(in_dim, hidden)

    def forward(self, x, edge_index):
        out = self.linear(x)
        total = torch.zeros_like(out).index_add(0, edge_index[1], out[edge_index[0]])
        return torch.tanh(out + total)


def test_any_module_gets_dense_attributes_and_an_edge_index(graph, x, adjacency):
    module = Twice(x.shape[1], 6)
    sparse = SparseMatrix.from_scipy(sp.csr_array(graph.x))
    assert torch.equal(encode(module, sparse, adjacency), module(x, adjacency.edge_index))
    h, corrupted = encode_with_corruption(module, sparse, adjacency, torch.arange(119, -1, -1))
    assert torch.equal(h, module(x, adjacency.edge_index))
    assert torch.equal(corrupted, module(x.flip(0), adjacency.edge_index))


@pytest.mark.parametrize(
    ("returned", "shown"),
    [
        (torch.zeros(120), r"\[120\]"),
        (torch.zeros(5, 3), r"\[5, 3\]"),
        (torch.zeros(120, 2, 2), r"\[120, 2, 2\]"),
        ((torch.zeros(120, 2), None), "tuple"),
    ],
)
def test_a_wrong_output_of_a_module_is_explained(x, adjacency, returned, shown):
    class Wrong(torch.nn.Module):
        def forward(self, x, edge_index):
            return returned

    with pytest.raises(InputError, match=rf"must return a tensor \[120, d\] \(got {shown}\)"):
        encode(Wrong(), x, adjacency)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("jk-net", {}, "unknown encoder 'jk-net': did you mean 'jknet'"),
        ("gcn", {"layers": 0}, r"layers must be at least 1 \(got 0\)"),
        ("gcn", {"activation": "rely"}, "unknown activation 'rely': did you mean 'relu'"),
        ("gcn", {"norm": "bacth"}, "did you mean 'batch'"),
        ("jknet", {"jump": "mex"}, "did you mean 'max'"),
        ("gat", {"heads": 3}, r"hidden must be a multiple of heads \(got hidden=8, heads=3\)"),
        ("sage", {"aggregator": "meen"}, "did you mean 'mean'"),
        ("appnp", {"steps": 0}, r"steps must be at least 1 \(got 0\)"),
        ("appnp", {"teleport": 1.5}, r"teleport must be from 0 to 1 \(got 1.5\)"),
        ("appnp", {"jump": "max"}, r"jump must be 'last' for appnp, .* leave it out \(got 'max'\)"),
        ("gcnii", {"teleport": -0.1}, r"teleport must be from 0 to 1 \(got -0.1\)"),
        ("gcnii", {"theta": -1.0}, r"theta must be at least 0 \(got -1.0\)"),
        ("gcnii", {"layers": 0}, r"layers must be at least 1 \(got 0\)"),
    ],
)
def test_wrong_options_are_named(name, options, message):
    with pytest.raises(InputError, match=message):
        make_encoder(name, 3, 8, **options)


PROPOSITION = [
    ("gcn", {}, 2),
    ("gat", {"heads": 2}, 2),
    ("jknet", {"layers": 4}, 4),
    ("gcn", {"layers": 3}, 3),
    ("appnp", {"steps": 5}, 5),
    ("gcnii", {"layers": 4}, 4),
]


@pytest.mark.parametrize(("name", "options", "hops"), PROPOSITION)
def test_proposition_1(name, options, hops):
    """Supervised gradients end k hops from the labels, exactly; InfoMax gradients reach the rest of the graph."""
    graph = ring_of_triangles(60)
    adjacency = Adjacency.from_graph(graph)
    x = torch.randn(graph.num_nodes, 6, requires_grad=True)
    encoder = build(name, 6, dropout=0.0, **options)
    index = MotifIndex(graph)
    network = MotifNetwork(encoder, MotifRegularizer(8, index), 8, 2)
    labelled, y = torch.tensor([0, 1]), torch.tensor([0, 1])
    near, *_ = k_hop_subgraph(labelled, hops, adjacency.edge_index, num_nodes=graph.num_nodes)
    far = torch.ones(graph.num_nodes, dtype=torch.bool)
    far[near] = False
    assert far.sum() > 20

    supervised = F.cross_entropy(network(x, adjacency, nodes=labelled).logits, y)
    (gradient,) = torch.autograd.grad(supervised, x)
    assert not gradient[far].any()
    assert gradient[~far].abs().sum(dim=1).gt(0).any()

    h, corrupted = encode_with_corruption(encoder, x, adjacency, torch.arange(graph.num_nodes).roll(7))
    infomax = network.regularizer.loss(h, corrupted.detach(), index)
    (gradient,) = torch.autograd.grad(infomax, x)
    assert gradient[far].abs().sum(dim=1).gt(0).float().mean() > 0.9


def ring_of_triangles(n: int) -> Graph:
    """Each node is linked to the next two: a long ring in which every node is in triangles."""
    v = np.arange(n)
    return Graph.from_edges(np.r_[v, v], np.r_[(v + 1) % n, (v + 2) % n], num_nodes=n, directed=False)


def test_every_encoder_of_the_registry_is_an_encoder():
    assert sorted(ENCODERS) == ["appnp", "gat", "gcn", "gcnii", "gin", "jknet", "mlp", "rgcn", "sage"]
    assert all(isinstance(kind().build(3, 8), Encoder) for kind in ENCODERS.values())


def test_each_encoder_is_found_by_the_name_of_its_file():
    assert {name: kind.__module__.rpartition(".")[2] for name, kind in ENCODERS.items()} == {n: n for n in ENCODERS}


def test_naming_the_encoders_does_not_import_torch():
    code = "import sys; from infomotif.nn import encoders; encoders.encoder_names(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_an_encoder_of_ones_own_is_known_by_name_with_its_option():
    @config
    class Scaled(EncoderConfig):
        name = "scaled"
        scale: float = setting(default=2.0, above=0, help="What layers are multiplied by.")

        def layer(self, in_dim, hidden):
            return GCNConvolution(in_dim, round(self.scale) * hidden // round(self.scale))

    try:
        model = InfoMotif(Scaled(scale=3.0, hidden=8), preset="paper", training=Training(epochs=2), progress=False)
        model.fit(load_dataset("karate"), [0, 33])
        assert model.settings_.to_dict()["scale"] == 3.0
        assert parse_setting("encoder.scale=0.5", Scaled()) == ("scale", 0.5)
        with pytest.raises(InputError, match="scale must be above 0"):
            make_settings("paper", "scaled", scale=-1.0)
    finally:
        del REGISTERED["scaled"]


def test_options_by_position_are_answered_with_build():
    with pytest.raises(TypeError, match=r"call .build\(in_dim, hidden\)"):
        GCN(3, 8)


@pytest.mark.parametrize(("name", "options"), EVERY, ids=IDS)
def test_inference_leaves_the_mode_and_the_gradients_alone(x, adjacency, name, options):
    network = MotifNetwork(build(name, x.shape[1], **options), None, 8, 3, dropout=0.5).train()
    first, second = (network.infer(x, adjacency) for _ in range(2))
    assert network.training
    assert network.encoder.training
    assert not first.logits.requires_grad
    assert torch.equal(first.logits, second.logits)
    assert first.alpha is None
