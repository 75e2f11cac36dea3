"""Controls: instances that are none, with everything else as it is with the motifs."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from infomotif import MotifIndex, make_roles
from infomotif.errors import InputError
from infomotif.nn import INSTANCES, MotifRegularizer
from infomotif.nn.regularizer.instances import make_instances
from tests.models import make_model

NODES = np.arange(0, 120, 3)


@pytest.fixture(scope="module")
def index():
    return MotifIndex(make_roles(num_nodes=120))


def drawn(name, index, seed=0):
    return make_instances(name).sample(index, NODES, 4, np.random.default_rng(seed))


def test_random_triples_keep_owners_and_numbers_and_nothing_else(index):
    for real, random in zip(drawn("motifs", index), drawn("random", index), strict=True):
        np.testing.assert_array_equal(real.indptr, random.indptr)
        owners = np.repeat(NODES, np.diff(real.indptr))[:, None]
        stays = real.members == owners
        assert (random.members[stays] == real.members[stays]).all()
        assert (random.members[~stays] == real.members[~stays]).mean() < 0.1


def test_the_same_instance_is_always_the_same_random_triple(index):
    seen = {}
    for seed in range(5):
        for t, (real, random) in enumerate(
            zip(drawn("motifs", index, seed), drawn("random", index, seed), strict=True)
        ):
            owners = np.repeat(NODES, np.diff(real.indptr))
            for v, a, b in zip(owners.tolist(), real.members.tolist(), random.members.tolist(), strict=True):
                key = (t, v, frozenset(a))
                assert seen.setdefault(key, set(b) - {v}) == set(b) - {v}
    assert len({frozenset(value) for value in seen.values()}) > 0.9 * len(seen)


def test_edges_are_neighbours_each_once_where_the_motif_occurs(index):
    indptr, indices, _ = index.graph.undirected
    edges = set(zip(np.repeat(np.arange(120), np.diff(indptr)).tolist(), indices.tolist(), strict=True))
    for t, pairs in enumerate(drawn("edges", index)):
        count = np.diff(pairs.indptr)
        degree = index.graph.degrees[NODES]
        np.testing.assert_array_equal(count, np.where(index.counts[NODES, t] > 0, np.minimum(degree, 4), 0))
        found = {tuple(pair) for pair in pairs.members.tolist()}
        assert found <= edges
        assert len(found) == len(pairs.members)
        np.testing.assert_array_equal(pairs.members[:, 0], np.repeat(NODES, count))


def test_the_whole_graph_as_instance_gives_the_loss_of_dgi(index):
    torch.manual_seed(0)
    h, corrupted = torch.randn(120, 6), torch.randn(120, 6)
    reg = MotifRegularizer(6, index, instances="graph")
    alpha = torch.full((120, reg.num_motifs), 0.5)
    expected = 0.0
    for head in reg.heads:
        real, fake = head.gate(h), head.gate(corrupted)
        q = head.discriminator.weight @ torch.sigmoid(real.mean(dim=0))
        terms = F.softplus(-(real @ q)).mean() + F.softplus(fake @ q).mean()
        expected = expected + 0.5 * terms / 2 / reg.num_motifs
    found = reg.loss(h, corrupted, index, alpha=alpha)
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("sampling", ["none", "neighbours"])
@pytest.mark.parametrize("instances", sorted(INSTANCES))
def test_every_control_trains(instances, sampling):
    graph = make_roles(num_nodes=120)
    model = make_model(preset="joint", instances=instances, sampling=sampling, hidden=8, epochs=2, q=3)
    model.fit(graph, train=np.arange(0, 120, 4), val=np.arange(1, 120, 4))
    assert np.isfinite([record["mi_loss"] for record in model.history_]).all()


@pytest.mark.parametrize("negatives", ["degree", "orbits", "open", "other-motif", "other-owner", "shuffle+open"])
@pytest.mark.parametrize("sampling", ["none", "neighbours"])
def test_every_kind_of_negatives_trains(negatives, sampling):
    graph = make_roles(num_nodes=120)
    model = make_model(preset="joint", negatives=negatives, sampling=sampling, hidden=8, epochs=2, q=3)
    model.fit(graph, train=np.arange(0, 120, 4), val=np.arange(1, 120, 4))
    assert np.isfinite([record["mi_loss"] for record in model.history_]).all()


def test_an_unknown_name_is_refused():
    with pytest.raises(InputError, match="unknown instances"):
        make_instances("triples")


def test_one_summary_for_all_cannot_join_every_z(index):
    with pytest.raises(InputError, match="readout_in_z needs a summary per node"):
        MotifRegularizer(4, index, instances="graph", readout_in_z=True)
