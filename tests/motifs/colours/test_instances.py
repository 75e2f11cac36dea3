"""Coloured instances: listed, iterated, sampled uniformly on every route, and summed up per pair."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from infomotif._core.parallel import limited_threads
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.motifs.colours.sampling import ColouredSampler
from tests.motifs.colours.oracle import occurrences, random_graph
from tests.motifs.colours.test_census import DIRECTED, LARGER, UNDIRECTED
from tests.motifs.test_sampling import p_value

WAYS = {"listed": (1 << 30, {}), "proposed": (0, {"min_share": 0.0}), "enumerated": (0, {"min_share": 2.0})}


def small(directed: bool) -> Graph:
    return random_graph(11, 50 if directed else 28, directed=directed, node_types=2, edge_types=2, seed=12)


@pytest.mark.parametrize("pattern", [*UNDIRECTED, *LARGER])
def test_instances_are_those_of_the_definition(pattern: str) -> None:
    graph = small(False)
    index = MotifIndex(graph, pattern)
    expected = occurrences(graph, index.motifs[0])
    batches = list(index.iter_instances(0, batch=7))
    listed = [tuple(row) for rows in batches for row in rows.tolist()]
    assert len(listed) == len(expected)
    assert set(listed) == expected
    for v in range(graph.num_nodes):
        here = [tuple(row) for row in index.instances(v, 0).tolist()]
        assert here == sorted(members for members in expected if v in members)


@pytest.mark.parametrize("pattern", DIRECTED)
def test_directed_instances_and_adjacency_are_those_of_the_definition(pattern: str) -> None:
    graph = small(True)
    index = MotifIndex(graph, pattern)
    expected = occurrences(graph, index.motifs[0])
    assert {tuple(row) for rows in index.iter_instances(0) for row in rows.tolist()} == expected
    shared = np.zeros((graph.num_nodes, graph.num_nodes), np.int64)
    for members in expected:
        for u in members:
            for v in members:
                shared[u, v] += u != v
    assert np.array_equal(index.adjacency(0).toarray(), shared)


@pytest.mark.parametrize("pattern", [*UNDIRECTED, *LARGER[:2]])
def test_adjacency_is_that_of_the_definition(pattern: str) -> None:
    graph = small(False)
    index = MotifIndex(graph, pattern)
    shared = np.zeros((graph.num_nodes, graph.num_nodes), np.int64)
    for members in occurrences(graph, index.motifs[0]):
        for u in members:
            for v in members:
                shared[u, v] += u != v
    assert np.array_equal(index.adjacency(0).toarray(), shared)


def sampler_of(index: MotifIndex, way: str) -> ColouredSampler:
    budget, options = WAYS[way]
    views = [index.coloured_view(t) for t in range(len(index.motifs))]
    return ColouredSampler(index.motifs, views, index.census, budget, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("directed", "pattern"),
    [
        (False, "a:t0-b:t1, b-c:t0"),
        (False, "a-[k0]-b, b-[k1]-c, a-[k0]-c"),
        (False, "a:t0-b, b-c"),
        (True, "a-[k0]->b, b-[k1]->c"),
        (False, "a:t0-b:t1, b-c, c-d"),
    ],
)
def test_samples_are_uniform_on_every_route(directed: bool, pattern: str, way: str) -> None:
    graph = random_graph(16, 75 if directed else 48, directed=directed, node_types=2, edge_types=2, seed=14)
    rounds, q = 120, 3
    index = MotifIndex(graph, pattern)
    sampler, nodes = sampler_of(index, way), np.arange(graph.num_nodes)
    hits: dict[int, Counter] = {v: Counter() for v in range(graph.num_nodes)}
    for seed in range(rounds):
        drawn = sampler.draw(0, nodes, q, np.uint64(seed))
        rows = [tuple(row) for row in drawn.members.tolist()]
        for v in range(graph.num_nodes):
            here = rows[drawn.indptr[v] : drawn.indptr[v + 1]]
            assert len(set(here)) == len(here) == min(q, index.counts[v, 0])
            hits[v].update(here)
    every = occurrences(graph, index.motifs[0])
    assert all(members in every and v in members for v in hits for members in hits[v])
    assert p_value(hits, dict(enumerate(index.counts[:, 0].tolist())), rounds, q) > 1e-3


@pytest.mark.parametrize("way", WAYS)
def test_samples_do_not_depend_on_threads_nor_on_other_nodes(way: str) -> None:
    graph = random_graph(80, 900, directed=False, node_types=2, edge_types=2, seed=13)
    index = MotifIndex(graph, "a:t0-b:t1, b-[k0]-c")
    nodes, seed = np.arange(80), np.uint64(5)
    with limited_threads(1):
        whole = sampler_of(index, way).draw(0, nodes, 4, seed)
    with limited_threads(4):
        again = sampler_of(index, way).draw(0, nodes, 4, seed)
        part = sampler_of(index, way).draw(0, np.array([7, 3, 7]), 4, seed)
    assert np.array_equal(whole.members, again.members)
    seven = whole.members[whole.indptr[7] : whole.indptr[8]]
    assert np.array_equal(part.members[: part.indptr[1]], seven)
    assert np.array_equal(part.members[part.indptr[2] :], seven)


def test_motifs_with_and_without_types_are_sampled_together() -> None:
    graph = small(False)
    index = MotifIndex(graph, ["M7", "a:t0-b:t1, b-c", "M6"])
    samples = index.sample(None, 1000, np.random.default_rng(0))
    for sample, motif in zip(samples, index.motifs, strict=True):
        expected = occurrences(graph, motif)
        assert {tuple(row) for row in sample.members.tolist()} == expected
        assert len(sample.members) == motif.size * len(expected)


def test_a_part_of_an_index_keeps_its_types() -> None:
    graph = small(False)
    index = MotifIndex(graph, ["M7", *UNDIRECTED])
    part = index.select([UNDIRECTED[2], "M7"])
    assert part.totals.tolist() == [index.totals[3], index.totals[0]]
    assert part.motifs[0].coloured
