"""The made graphs hold what they promise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from infomotif.datasets import label_mask, make_roles, region_of
from infomotif.errors import InputError


def sets(graph: Any) -> list[set[int]]:
    indptr, indices, _ = graph.undirected
    return [set(indices[indptr[v] : indptr[v + 1]].tolist()) for v in range(graph.num_nodes)]


def test_every_node_is_in_two_planted_triangles_of_its_class() -> None:
    graph = make_roles(noise=0, seed=3)
    near = sets(graph)
    for v in range(graph.num_nodes):
        assert len(near[v]) in (3, 4)
        assert any(len(near[v] & near[u]) for u in near[v])
        assert {int(graph.y[u]) for u in near[v]} == {int(graph.y[v])}  # type: ignore[index]


def test_random_edges_are_as_many_as_asked_and_blind_to_class() -> None:
    graph = make_roles(motifs_per_node=0, noise=3, seed=3)
    assert abs(2 * graph.num_edges / graph.num_nodes - 3) < 0.05
    source, target = graph.edges()
    assert graph.y is not None
    assert abs((graph.y[source] == graph.y[target]).mean() - 0.25) < 0.03


def test_words_are_present_as_often_as_asked() -> None:
    graph = make_roles(seed=3)
    x, y = graph.x.toarray(), graph.y  # type: ignore[union-attr]
    assert y is not None
    for c in range(4):
        own = x[y == c][:, 20 * c : 20 * (c + 1)]
        others = np.delete(x[y == c][:, :80], np.s_[20 * c : 20 * (c + 1)], axis=1)
        assert abs(own.mean() - 0.05) < 0.006
        assert others.sum() == 0
    assert abs(x[:, 80:].mean() - 0.02) < 0.002
    assert graph.attribute_names[0] == "role 0 word 0"
    assert graph.attribute_names[-1] == "background 199"


def test_feed_forward_triples_have_their_directions() -> None:
    graph = make_roles(60, motif="feed-forward", motifs_per_node=1, noise=0)
    source, target = graph.edges()
    assert graph.directed
    out, into = np.bincount(source, minlength=60), np.bincount(target, minlength=60)
    assert sorted(set(zip(out.tolist(), into.tolist(), strict=True))) == [(0, 2), (1, 1), (2, 0)]


def test_classes_are_balanced_in_every_region() -> None:
    graph = make_roles(regions=4, drift=0.5)
    region = region_of(graph, num_nodes=2400, regions=4)
    assert graph.y is not None
    for r in range(4):
        assert np.bincount(graph.y[region == r]).tolist() == [150] * 4


@pytest.mark.parametrize(("drift", "common"), [(0.0, 20), (0.5, 10), (1.0, 0)])
def test_drift_is_the_share_of_words_that_regions_do_not_share(drift: float, common: int) -> None:
    graph = make_roles(regions=2, drift=drift, class_word_rate=1.0, background_words=0)
    region = region_of(graph, num_nodes=2400, regions=2)
    x = graph.x.toarray()  # type: ignore[union-attr]
    words = [set(np.flatnonzero(x[(region == r) & (graph.y == 0)].any(axis=0)).tolist()) for r in (0, 1)]
    assert len(words[0]) == len(words[1]) == 20
    assert len(words[0] & words[1]) == common


def test_motifs_stay_within_a_region() -> None:
    graph = make_roles(regions=3, noise=0)
    region = region_of(graph, num_nodes=2400, regions=3)
    source, target = graph.edges()
    assert (region[source] == region[target]).all()


def test_regions_are_known_after_nodes_were_left_out() -> None:
    graph = make_roles(240, regions=2)
    part = graph.subgraph(np.arange(100, 200))
    assert region_of(part, num_nodes=240, regions=2).tolist() == [0] * 20 + [1] * 80


def test_the_same_seed_gives_the_same_graph() -> None:
    assert make_roles(seed=1).fingerprint() == make_roles(seed=1).fingerprint()
    assert make_roles(seed=1).fingerprint() != make_roles(seed=2).fingerprint()


def test_few_labels_can_be_kept() -> None:
    graph = make_roles(label_fraction=0.01)
    assert graph.y is not None
    assert np.bincount(graph.y[graph.y >= 0]).tolist() == [6] * 4
    drifted = make_roles(label_fraction=0.01, regions=4, drift=1)
    assert drifted.y is not None
    assert np.flatnonzero(drifted.y >= 0).max() < 600


def test_labels_are_drawn_by_seed() -> None:
    graph = make_roles()
    assert (label_mask(graph, 0.01, seed=1) == label_mask(graph, 0.01, seed=1)).all()
    assert (label_mask(graph, 0.01, seed=1) != label_mask(graph, 0.01, seed=2)).any()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"motif": "square"}, "motif must be one of triangle, feed-forward (got 'square')"),
        ({"num_classes": 1}, "num_classes must be at least 2 (got 1)"),
        ({"regions": 0}, "regions must be at least 1 (got 0)"),
        ({"num_nodes": 11}, "num_nodes must be at least 12, three per class and region (got 11)"),
        ({"noise": -1}, "motifs_per_node and noise must not be negative (got 2, -1)"),
        ({"drift": 2}, "drift must lie in 0..1 (got 2)"),
        ({"class_word_rate": 1.5}, "class_word_rate must lie in 0..1 (got 1.5)"),
        ({"label_fraction": -0.1}, "label_fraction must lie in 0..1 (got -0.1)"),
    ],
)
def test_parameters_out_of_range_are_refused(change: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError) as caught:
        make_roles(**change)
    assert str(caught.value) == why
