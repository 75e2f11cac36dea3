"""APPNP and GCNII: their formulas written out, PyG's own layers, samples and blocks, gradients, odd graphs."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch_geometric.nn import APPNP, GCN2Conv

from infomotif import Graph
from infomotif.nn import Adjacency, MotifNetwork, NeighbourSampler
from infomotif.nn.encoders import encode, encode_with_corruption
from infomotif.training.inference import hops_of, infer_in_blocks
from infomotif.training.presets import make_settings
from tests.models import make_model
from tests.nn.made import build

DEEP = [
    ("appnp", {}),
    ("appnp", {"layers": 3, "steps": 4, "teleport": 0.3, "residual": True, "norm": "layer"}),
    ("gcnii", {}),
    ("gcnii", {"layers": 4, "teleport": 0.3, "theta": 1.5, "residual": True, "norm": "layer"}),
    ("gcnii", {"layers": 3, "jump": "cat"}),
]
IDS = ["-".join([name, *(str(v) for v in options.values())]) for name, options in DEEP]


def arrays(encoder) -> dict[str, np.ndarray]:
    return {name: value.detach().numpy().astype(np.float64) for name, value in encoder.state_dict().items()}


def normalized(graph: Graph) -> np.ndarray:
    """Return D^-1/2 (A + I) D^-1/2 as a dense matrix."""
    loops = np.eye(graph.num_nodes)
    source, target = graph.edges()
    loops[source, target] = loops[target, source] = 1
    scale = 1 / np.sqrt(loops.sum(axis=1))
    return scale[:, None] * loops * scale


def relu(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, 0)


def test_appnp_is_its_formula(graph, x, adjacency):
    encoder = build("appnp", x.shape[1], steps=6, teleport=0.2).eval()
    w, a = arrays(encoder), 0.2
    start = relu(x.numpy() @ w["convolutions.0.product.weight"] + w["convolutions.0.bias"])
    start = relu(start @ w["convolutions.1.product.weight"] + w["convolutions.1.bias"])
    h = start
    for _ in range(6):
        h = (1 - a) * normalized(graph) @ h + a * start
    np.testing.assert_allclose(encoder(x, adjacency).detach(), h, rtol=1e-5, atol=1e-5)


def test_gcnii_is_its_formula(graph, x, adjacency):
    encoder = build("gcnii", x.shape[1], teleport=0.2).eval()
    w, a, theta = arrays(encoder), 0.2, 0.5
    start = relu(x.numpy() @ w["first.product.weight"] + w["first.bias"])
    h = start
    for layer in range(1, 9):
        b = np.log(theta / layer + 1)
        mixing = (1 - b) * np.eye(8) + b * w[f"convolutions.{layer - 1}.weight"]
        h = relu(((1 - a) * normalized(graph) @ h + a * start) @ mixing)
    assert len(encoder.convolutions) == encoder.hops == 8
    np.testing.assert_allclose(encoder(x, adjacency).detach(), h, rtol=1e-5, atol=1e-5)


def test_appnp_spreads_as_pyg_does(x, adjacency):
    encoder = build("appnp", x.shape[1]).eval()
    with torch.no_grad():
        start = encoder.initial(encoder.project(x))
        expected = APPNP(K=10, alpha=0.1)(start, adjacency.edge_index)
        torch.testing.assert_close(encoder(x, adjacency), expected, rtol=1e-5, atol=1e-5)


def test_gcnii_has_pyg_layers(x, adjacency):
    encoder = build("gcnii", x.shape[1], layers=3).eval()
    with torch.no_grad():
        h = start = encoder.initial(encoder.project(x))
        for number, mine in enumerate(encoder.convolutions, start=1):
            layer = GCN2Conv(8, alpha=0.1, theta=0.5, layer=number)
            layer.weight1.copy_(mine.weight)
            h = F.relu(layer(h, start, adjacency.edge_index))
        torch.testing.assert_close(encoder(x, adjacency), h, rtol=1e-5, atol=1e-5)


def test_many_steps_reach_personalised_pagerank(graph, x, adjacency):
    encoder = build("appnp", x.shape[1], steps=200).eval()
    start = encoder.initial(encoder.project(x)).detach().numpy().astype(np.float64)
    limit = 0.1 * np.linalg.solve(np.eye(graph.num_nodes) - 0.9 * normalized(graph), start)
    np.testing.assert_allclose(encoder(x, adjacency).detach(), limit, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["appnp", "gcnii"])
def test_a_teleport_of_one_uses_no_edge_and_of_zero_forgets_the_start(graph, x, adjacency, name):
    still = build(name, x.shape[1], teleport=1.0).eval()
    alone = Adjacency.from_graph(Graph.from_edges([], [], num_nodes=graph.num_nodes, directed=False))
    assert torch.equal(still(x, adjacency), still(x, alone))
    free = build(name, x.shape[1], teleport=0.0).eval()
    start = free.initial(free.project(x))
    torch.testing.assert_close(free.spread(0, start, adjacency, start), free.spread(0, start, adjacency, 0 * start))


def test_isolated_nodes_keep_what_the_mlp_says(x):
    encoder = build("appnp", x.shape[1]).eval()
    pair = Adjacency.from_graph(Graph.from_edges([0], [1], num_nodes=120, directed=False))
    h, start = encoder(x, pair), encoder.initial(encoder.project(x))
    torch.testing.assert_close(h[2:], start[2:])
    assert not torch.allclose(h[:2], start[:2])


@pytest.mark.parametrize(("name", "options"), DEEP, ids=IDS)
def test_corrupting_after_the_first_product_is_corrupting_the_attributes(x, adjacency, name, options):
    encoder = build(name, x.shape[1], dropout=0.0, **options)
    permutation = torch.from_numpy(np.random.default_rng(0).permutation(len(x)))
    with torch.no_grad():
        h, corrupted = encode_with_corruption(encoder, x, adjacency, permutation)
        assert torch.equal(h, encoder(x, adjacency))
        torch.testing.assert_close(corrupted, encoder(x[permutation], adjacency), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("name", "options"), DEEP, ids=IDS)
def test_samples_and_blocks_are_exact(graph, x, adjacency, name, options):
    network = MotifNetwork(build(name, x.shape[1], **options), None, 8, 3).eval()
    whole = network.infer(x, adjacency)
    hops = hops_of(network.encoder, None)
    targets = np.array([7, 3, 119])
    blocks = NeighbourSampler(graph, [0] * hops).sample(targets, seed=0)
    own = encode(network.encoder, x[torch.from_numpy(blocks.nodes)], blocks)
    torch.testing.assert_close(own, whole.z[targets], rtol=1e-5, atol=1e-6)
    for block in (1, 37, 1000):
        found = infer_in_blocks(
            network, graph, lambda nodes: x[torch.from_numpy(nodes)], hops=hops, device=torch.device("cpu"), block=block
        )
        torch.testing.assert_close(found.z, whole.z, rtol=1e-6, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), DEEP, ids=IDS)
def test_gradients_are_right(name, options):
    encoder = build(name, 3, hidden=2, dropout=0.0, activation="tanh", **options).double()
    adjacency = Adjacency.from_edge_index(torch.tensor([[0, 1, 1, 2, 3], [1, 0, 2, 1, 1]]), 5)
    x = torch.randn(5, 3, dtype=torch.float64, requires_grad=True)
    weights = tuple(encoder.parameters())
    assert torch.autograd.gradcheck(lambda x, *_: encoder(x, adjacency), (x, *weights))


@pytest.mark.parametrize("sampling", ["none", "neighbours"])
@pytest.mark.parametrize("name", ["appnp", "gcnii"])
def test_a_fit_learns_and_repeats_to_the_bit(graph, name, sampling):
    options = {"preset": "joint", "hidden": 16, "epochs": 30, "dropout": 0.2, "sampling": sampling, "fanout": 3}
    first, again = (make_model(name, progress=False, threads=1, **options).fit(graph) for _ in range(2))
    assert np.array_equal(first.embed(), again.embed())
    assert first.history_[-1]["loss"] < first.history_[0]["loss"]
    assert first.score(first.split_.train) > 0.5


def test_settings_reach_the_encoders():
    made = (make_settings("paper", name, steps=3, teleport=0.4) for name in ("appnp", "gcnii"))
    appnp, gcnii = (settings.encoder.build(2, 4) for settings in made)
    assert (appnp.steps, appnp.teleport, gcnii.teleport) == (3, 0.4, 0.4)
    assert (len(appnp.convolutions), len(gcnii.convolutions)) == (2, 8)
