"""Golden accuracies: what every baseline of the paper reached on one split of Brazil when it was written."""

from __future__ import annotations

import pytest

from infomotif_bench.experiments.graphs import bench_graph, split_of
from infomotif_bench.methods import get_method

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("demonet", 18),
        ("drne", 22),
        ("graphwave", 20),
        ("struc2vec", 23),
        ("node2vec", 10),
        ("motif2vec", 10),
        ("mcn", 13),
        ("motif-cnn", 12),
    ],
)
def test_accuracy_on_brazil(name, right):
    outcome = get_method(name).run(bench_graph("brazil"), split_of("brazil", 0.6, 0), {}, seed=0)
    assert outcome.test_accuracy == pytest.approx(right / 26, abs=2.1 / 26)
