"""Motif instances explain any PyG model by what its prediction loses without their edges."""

from __future__ import annotations

import pytest
import torch
from torch_geometric.explain import Explainer, fidelity
from torch_geometric.nn import GraphConv

import infomotif as im
from infomotif.explain.top_instances import instance_edges
from infomotif.pyg import MotifOcclusion

CONFIG = {"mode": "multiclass_classification", "task_level": "node", "return_type": "raw"}


class Net(torch.nn.Module):
    """Sums over neighbours, so that a mask of 0 is the same as an edge less."""

    def __init__(self, classes: int = 3) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.one, self.two = GraphConv(34, 8), GraphConv(8, classes)

    def forward(self, x, edge_index):
        return self.two(self.one(x, edge_index).relu(), edge_index)


@pytest.fixture(scope="module")
def data():
    return im.load_dataset("karate").to_pyg()


@pytest.fixture(scope="module")
def index(data):
    return im.MotifIndex(data)


def explain(net, index, data, node, config=CONFIG, **options):
    explainer = Explainer(
        net, MotifOcclusion(index, **options), explanation_type="model", edge_mask_type="object", model_config=config
    )
    return explainer, explainer(torch.eye(34), data.edge_index, index=node)


def changes_without(net, index, data, node) -> dict:
    """Return what the probability of the predicted class loses without each instance, by leaving the edges out."""
    x, edges = torch.eye(34), data.edge_index
    with torch.no_grad():
        whole = net(x, edges)[node].softmax(0)
        aim, found = int(whole.argmax()), {}
        for motif in index.motifs:
            for members in index.instances(node, motif).tolist():
                gone = {frozenset(pair) for pair in instance_edges(motif, tuple(members))}
                kept = [frozenset(pair) not in gone for pair in edges.t().tolist()]
                left = net(x, edges[:, kept])[node].softmax(0)
                found[motif.name, tuple(members)] = float(whole[aim] - left[aim])
    return found


@pytest.mark.parametrize("node", [5, 10])
def test_instances_are_those_whose_edges_change_the_prediction_most(data, index, node):
    net = Net().eval()
    _, explanation = explain(net, index, data, node, count=3, candidates=1000)
    expected = sorted(changes_without(net, index, data, node).values(), reverse=True)[:3]
    assert [change for *_, change in explanation.instances] == pytest.approx([e for e in expected if e > 0], rel=1e-4)


def test_the_mask_is_the_best_change_of_an_edge(data, index):
    net = Net().eval()
    _, explanation = explain(net, index, data, 5, count=4, candidates=1000)
    motif_of = {motif.name: motif for motif in index.motifs}
    best: dict = {}
    for _, name, members, change in explanation.instances:
        for pair in instance_edges(motif_of[name], members):
            best[pair] = max(best.get(pair, 0), change)
    expected = [best.get((min(u, v), max(u, v)), 0) for u, v in data.edge_index.t().tolist()]
    torch.testing.assert_close(explanation.edge_mask, torch.tensor(expected) / max(expected), rtol=1e-4, atol=1e-6)


def test_pygs_metrics_take_the_explanation(data, index):
    explainer, explanation = explain(Net(), index, data, torch.tensor([5, 10]))
    assert all(0 <= value <= 1 for value in fidelity(explainer, explanation))
    assert {node for node, *_ in explanation.instances} <= {5, 10}


@pytest.mark.parametrize(
    ("mode", "kind", "classes"),
    [
        ("multiclass_classification", "log_probs", 3),
        ("multiclass_classification", "probs", 3),
        ("binary_classification", "raw", 1),
        ("binary_classification", "probs", 1),
        ("regression", "raw", 1),
    ],
)
def test_every_kind_of_model_is_explained(data, index, mode, kind, classes):
    class Shaped(Net):
        def forward(self, x, edge_index):
            out = super().forward(x, edge_index)
            if kind == "raw":
                return out
            return out.sigmoid() if classes == 1 else out.softmax(1) if kind == "probs" else out.log_softmax(1)

    config = {"mode": mode, "task_level": "node", "return_type": kind}
    _, explanation = explain(Shaped(classes), index, data, 5, config, candidates=3)
    assert 0 <= explanation.edge_mask.min() <= explanation.edge_mask.max() <= 1


def test_masks_are_removed_afterwards(data, index):
    net = Net().eval()
    before = net(torch.eye(34), data.edge_index)
    explain(net, index, data, 5, candidates=2)
    torch.testing.assert_close(net(torch.eye(34), data.edge_index), before)


def test_what_cannot_be_explained_says_so(data, index):
    with pytest.raises(im.InputError, match="index must name"):
        explain(Net(), index, data, None)
    with pytest.raises(im.InputError, match="those of 20 nodes"):
        explain(Net(), im.MotifIndex(im.load_dataset("karate").subgraph(range(20))), data, 5)
    with pytest.raises(im.InputError, match="no MessagePassing layer"):
        explain(type("Blind", (torch.nn.Module,), {"forward": lambda self, x, e: x})(), index, data, 5)
    with pytest.raises(im.InputError, match="index must be a MotifIndex"):
        MotifOcclusion(data)
    with pytest.raises(im.InputError, match="count must be"):
        MotifOcclusion(index, 0)
