"""Networks: the estimator's own results, nothing else."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from infomotif.errors import InputError
from infomotif.search.options import Search
from infomotif.training import random_split
from infomotif.training.splits import Split
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.methods import TrainedNetwork, get_method
from tests.models import make_model

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "encoder", "preset"),
    [
        ("gcn", "gcn", "base"),
        ("gcnii", "gcnii", "base"),
        ("infomotif-gat-joint", "gat", "joint"),
        ("infomotif-appnp", "appnp", "paper"),
        ("infomotif-mlp", "mlp", "paper"),
        ("infomotif-graphsage-joint", "sage", "joint"),
    ],
)
def test_a_row_is_what_the_estimator_gives(name, encoder, preset):
    graph = bench_graph("karate")
    split = random_split(graph.y, 0.3)
    outcome = get_method(name).run(graph, split, {"epochs": 8}, seed=4)
    model = make_model(encoder, preset=preset, epochs=8, random_state=4, progress=False)
    model.fit(graph, split.train, split.val)
    assert outcome.test_accuracy == model.score()
    assert outcome.best_epoch == model.best_epoch_
    assert outcome.details["epochs"] == 8


def test_motifs_are_a_setting_of_the_regularised_rows():
    graph, method = bench_graph("karate"), get_method("infomotif-gcn")
    split = random_split(graph.y, 0.3)
    alone = method.run(graph, split, {"epochs": 3, "motifs": "M7"}, seed=0)
    model = make_model(motifs="M7", epochs=3, random_state=0, progress=False).fit(graph, split.train, split.val)
    assert alone.test_accuracy == model.score()
    assert model.motif_names_ == ("M7",)
    with pytest.raises(InputError, match="unknown motif 'M99'"):
        method.check({"motifs": "M99"})
    with pytest.raises(InputError, match="unknown setting of gcn 'motifs'"):
        get_method("gcn").check({"motifs": "M7"})


def test_the_row_that_chooses_keeps_what_it_chose():
    graph, method = bench_graph("karate"), get_method("infomotif-gcn-auto")
    split = random_split(graph.y, 0.4, val=0.4)
    outcome = method.run(graph, split, {"epochs": 4, "hidden": 8}, seed=0)
    search = Search(refit=False)
    model = make_model(preset="auto", search=search, epochs=4, hidden=8, random_state=0, progress=False)
    model.fit(graph, split.train, split.val)
    assert outcome.test_accuracy == model.score()
    assert outcome.details["choice"] == model.choice_.name
    assert method.trials() == 1


def test_graphsage_searches_its_aggregator():
    assert set(get_method("graphsage").search["aggregator"]) == {"mean", "max"}


def test_a_method_may_bring_its_own_module():
    class Mean(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = nn.Linear(34, 4)

        def forward(self, x: torch.Tensor, edge_index: torch.Tensor) -> torch.Tensor:
            return torch.tanh(self.linear(x))

    class Own(TrainedNetwork):
        def module(self, graph, settings, seed):
            torch.manual_seed(seed)
            return Mean()

    graph = bench_graph("karate")
    outcome = Own(name="own", title="Own").run(graph, random_split(graph.y, 0.4), {"epochs": 2}, seed=0)
    assert len(outcome.correct) == 13


def test_validation_nodes_are_needed():
    graph = bench_graph("karate")
    split = random_split(graph.y, 0.5, val=0.0)
    with pytest.raises(InputError, match="needs validation nodes"):
        get_method("gcn").run(graph, Split(split.train, split.val, split.test), {}, seed=0)
