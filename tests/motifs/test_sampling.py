"""Samples are uniform over a node's instances, whichever way they are drawn; a biased sampler is caught."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.motifs.sampling import DRAWN, LISTED, RANKED, Sampler
from tests.motifs import brute_force

THRESHOLD = 1e-3
WAYS = {
    "listed": (LISTED, 1 << 30, {"max_listed": 1 << 30}),
    "ranked": (RANKED, 0, {"few": 1e9}),
    "drawn": (DRAWN, 0, {"few": 0, "min_acceptance": 0}),
}


def sampler_of(index: MotifIndex, way: str) -> Sampler:
    _, budget, options = WAYS[way]
    views = [index.view(t) for t in range(len(index.motifs))]
    return Sampler(index.motifs, views, index.census, budget, **options)


def p_value(hits: dict[int, Counter], counts: dict[int, int], rounds: int, q: int) -> float:
    """Chi-square of the hits of all (node, instance) pairs, drawn without replacement, against equal chances."""
    statistic, freedom = 0.0, 0
    for v, count in counts.items():
        if count <= q:
            continue
        expected = rounds * q / count
        squares = sum((hit - expected) ** 2 for hit in hits[v].values()) + (count - len(hits[v])) * expected**2
        statistic += squares / (rounds * q * (count - q) / (count * (count - 1)))
        freedom += count - 1
    assert freedom > 0
    return float(chi2.sf(statistic, freedom))


def drawn_p_value(sampler: Sampler, t: int, rounds: int, q: int, nodes: np.ndarray | None = None) -> float:
    if nodes is None:
        nodes = np.arange(sampler.views[t].num_nodes)
    hits: dict[int, Counter] = {v: Counter() for v in nodes.tolist()}
    for seed in range(rounds):
        drawn = sampler.draw(t, nodes, q, np.uint64(seed))
        rows = [tuple(row) for row in drawn.members.tolist()]
        for i, v in enumerate(nodes.tolist()):
            hits[v].update(rows[drawn.indptr[i] : drawn.indptr[i + 1]])
    return p_value(hits, dict(zip(nodes.tolist(), sampler.counts[t][nodes].tolist(), strict=True)), rounds, q)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("directed", "motifs", "rounds"),
    [
        (True, ["triads"], 150),
        (False, ["undirected"], 300),
        (False, ["graphlets4"], 25),
        (True, brute_force.CUSTOM[:2], 60),
    ],
    ids=["triads", "undirected", "graphlets4", "custom"],
)
def test_samples_are_uniform(directed, motifs, rounds, way):
    index = MotifIndex(brute_force.hub_graph(directed), motifs)
    sampler = sampler_of(index, way)
    for t, motif in enumerate(index.motifs):
        p = drawn_p_value(sampler, t, rounds, q=2)
        assert p > THRESHOLD, (motif.name, way, p)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("graph", "motifs", "q"),
    [
        (brute_force.closed_hub_graph(False), ["cycle4", "diamond", "clique4"], 1),
        (brute_force.closed_hub_graph(False), ["cycle4", "diamond", "clique4"], 3),
        (brute_force.random_graph(24, 300, directed=True), brute_force.SHAPED, 1),
    ],
    ids=["one", "three", "directed"],
)
def test_samples_of_cycles_diamonds_and_cliques_are_uniform(graph, motifs, q, way):
    index = MotifIndex(graph, motifs)
    sampler = sampler_of(index, way)
    for t, motif in enumerate(index.motifs):
        p = drawn_p_value(sampler, t, rounds=150, q=q)
        assert p > THRESHOLD, (motif.name, way, p)


FIVE_AND_SIX = {
    False: ["a-b, b-c, c-d, d-e", "a-b, a-c, b-c, c-d, d-e", "a-b, a-c, a-d, a-e, a-f", "a-b, b-c, c-d, d-a, d-e, e-f"],
    True: [
        "a->b, b->c, c->d, d->e",
        "a->b, a->c, b->d, c->d, d->e",
        "a->b, a->c, a->d, a->e",
        "a->b, b->c, c->d, d->e, e->f",
    ],
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_samples_of_five_and_six_nodes_are_uniform(directed, way):
    graph = brute_force.random_graph(20, 60 if directed else 32, directed=directed, seed=5)
    index = MotifIndex(graph, FIVE_AND_SIX[directed])
    sampler = sampler_of(index, way)
    for t, motif in enumerate(index.motifs):
        assert drawn_p_value(sampler, t, rounds=60, q=2) > THRESHOLD, (motif.name, way)


def binned_p_value(sampler: Sampler, t: int, instances: list[tuple[int, ...]], nodes: np.ndarray, rounds: int) -> float:
    """Chi-square of single draws over quarters of each node's sorted instances, which may be more than the draws."""
    drawn = [sampler.draw(t, nodes, 1, np.uint64(seed)) for seed in range(rounds)]
    statistic, freedom = 0.0, 0
    for i, v in enumerate(nodes.tolist()):
        mine = [members for members in instances if v in members]
        bins = min(4, len(mine))
        bin_of = {members: k * bins // len(mine) for k, members in enumerate(mine)}
        sizes = np.bincount(list(bin_of.values()), minlength=bins)
        hits = np.bincount([bin_of[tuple(part.members[part.indptr[i]].tolist())] for part in drawn], minlength=bins)
        expected = rounds * sizes / len(mine)
        statistic += float(((hits - expected) ** 2 / expected).sum())
        freedom += bins - 1
    return float(chi2.sf(statistic, freedom))


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_samples_of_every_directed_4_node_motif_are_uniform_over_all_its_instances(way):
    n, rounds = 40, 24
    rng = np.random.default_rng(8)
    # Every two nodes have one of the four codes with equal chances, so even the rarest motif occurs.
    joined = np.triu(rng.random((n, n)) < 0.5, 1) | np.tril(rng.random((n, n)) < 0.5, -1)
    index = MotifIndex(Graph.from_edges(*np.nonzero(joined), num_nodes=n, directed=True), "digraphs4")
    sampler = sampler_of(index, way)
    for t, motif in enumerate(index.motifs):
        instances = sorted(tuple(row) for batch in index.iter_instances(motif) for row in batch.tolist())
        drawn = {tuple(row) for row in sampler.draw(t, np.arange(0, n, 5), 2, np.uint64(3)).members.tolist()}
        assert len(set(instances)) == len(instances) == index.totals[t]
        assert drawn <= set(instances), motif.name
        # The six nodes that have most; one in a hundred thousand, as there are 600 of these tests.
        nodes = np.argsort(-index.counts[:, t], kind="stable")[:6]
        assert binned_p_value(sampler, t, instances, nodes, rounds) > 1e-5, (motif.name, way)


@pytest.mark.parametrize("min_acceptance", [0, 1 / 32, 1])
def test_samples_are_uniform_whatever_acceptance_is_asked_for(min_acceptance):
    index = MotifIndex(brute_force.closed_hub_graph(False), "graphlets4")
    views = [index.view(t) for t in range(len(index.motifs))]
    sampler = Sampler(index.motifs, views, index.census, 0, few=0.5, min_acceptance=min_acceptance)
    for t, motif in enumerate(index.motifs):
        assert drawn_p_value(sampler, t, rounds=20, q=2) > THRESHOLD, motif.name


def biased_wedges(graph: Graph, v: int, rounds: int, rng: np.random.Generator) -> Counter:
    """Choose the node's place by all wedges, closed ones too, and stick to it until an induced one is found."""
    near = [set(graph.csr.indices[slice(*graph.csr.indptr[u : u + 2])].tolist()) for u in range(graph.num_nodes)]
    as_centre = [(v, x, y) for x in near[v] for y in near[v] if x < y]
    as_end = [(c, *sorted((v, y))) for c in near[v] for y in near[c] if y != v]
    induced = [[wedge for wedge in kind if wedge[2] not in near[wedge[1]]] for kind in (as_centre, as_end)]
    hits: Counter = Counter()
    for _ in range(rounds):
        kind = int(rng.random() * (len(as_centre) + len(as_end)) >= len(as_centre))
        chosen = induced[kind] or induced[1 - kind]
        if chosen:
            hits[chosen[rng.integers(len(chosen))]] += 1
    return hits


def test_the_threshold_catches_a_biased_sampler():
    graph = brute_force.hub_graph(directed=False)
    index = MotifIndex(graph, ["M6"])
    rng, rounds = np.random.default_rng(0), 300
    hits = {v: biased_wedges(graph, v, rounds, rng) for v in range(graph.num_nodes)}
    assert p_value(hits, dict(enumerate(index.counts[:, 0].tolist())), rounds, q=1) < THRESHOLD
    assert drawn_p_value(sampler_of(index, "drawn"), 0, rounds, q=1) > THRESHOLD


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "motifs",
    ["triads", "graphlets4", brute_force.SHAPED, ["D328", "D14"], ["a->b, b->c, c->d, d->e"]],
    ids=["triads", "graphlets4", "shaped", "trees", "five"],
)
def test_every_way_is_taken_where_it_should_be(motifs, way):
    index = MotifIndex(brute_force.hub_graph(True), motifs)
    sampler = sampler_of(index, way)
    nodes = np.arange(index.graph.num_nodes)
    taken = set()
    for t in range(len(index.motifs)):
        counts = index.counts[:, t]
        taken |= set(sampler.routes(t, nodes, counts, 1)[counts > 1].tolist())
    assert taken == {WAYS[way][0]}


@given(brute_force.graphs(directed=True), st.sampled_from(sorted(WAYS)), st.integers(1, 6), st.integers(0, 2**64 - 1))
@settings(max_examples=40, deadline=None)
def test_samples_are_distinct_instances_of_their_owner(graph, way, q, seed):
    larger = ["a->b, b->c, c->d, d->e", "a-b, b-c, c-d, d-e"]
    index = MotifIndex(
        graph, ["triads", "undirected", "graphlets4", brute_force.CUSTOM[0], *brute_force.SHAPED, *larger]
    )
    sampler = sampler_of(index, way)
    for t, motif in enumerate(index.motifs):
        instances = brute_force.all_instances(graph, motif)
        drawn = sampler.draw(t, np.arange(graph.num_nodes), q, np.uint64(seed))
        for v in range(graph.num_nodes):
            mine = {members for members in instances if v in members}
            found = [tuple(row) for row in drawn.members[drawn.indptr[v] : drawn.indptr[v + 1]].tolist()]
            assert len(found) == len(set(found)) == min(q, len(mine))
            assert set(found) <= mine


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("motifs", "density"), [("triads", 10), ("graphlets4", 2)], ids=["triads", "graphlets4"])
def test_threads_do_not_change_the_samples(monkeypatch, motifs, density, way):
    n = 3000
    index = MotifIndex(brute_force.random_graph(n, density * n, directed=True), motifs)
    samplers = sampler_of(index, way)
    drawn = []
    for threads in ("1", "3"):
        monkeypatch.setenv("INFOMOTIF_THREADS", threads)
        drawn.append([samplers.draw(t, np.arange(n), 20, np.uint64(7)) for t in range(len(index.motifs))])
    for one, three in zip(*drawn, strict=True):
        np.testing.assert_array_equal(one.members, three.members)


def test_the_generator_decides_the_samples_and_moves_on():
    index = MotifIndex(brute_force.random_graph(200, 1500, directed=True))
    generator = np.random.default_rng(3)
    first, second = index.sample(None, 5, generator), index.sample(None, 5, generator)
    again = index.sample(None, 5, np.random.default_rng(3))
    assert all(np.array_equal(a.members, b.members) for a, b in zip(first, again, strict=True))
    assert not all(np.array_equal(a.members, b.members) for a, b in zip(first, second, strict=True))


def test_a_node_has_the_same_samples_alone_and_among_all():
    index = MotifIndex(brute_force.random_graph(100, 900, directed=False))
    everyone = index.sample(None, 4, np.random.default_rng(0))
    chosen = index.sample([7, 3], 4, np.random.default_rng(0))
    masked = index.sample(np.arange(100) == 7, 4, np.random.default_rng(0))
    for all_, some, one in zip(everyone, chosen, masked, strict=True):
        seven = all_.members[all_.indptr[7] : all_.indptr[8]]
        np.testing.assert_array_equal(some.members[: some.indptr[1]], seven)
        np.testing.assert_array_equal(one.members, seven)


def test_all_instances_come_once_when_there_are_few():
    graph = brute_force.hub_graph(directed=True)
    for budget in (0, 1 << 20):
        index = MotifIndex(graph, "directed", listing_bytes=budget)
        for t, drawn in enumerate(index.sample(None, 10**6, np.random.default_rng(0))):
            instances = brute_force.all_instances(graph, index.motifs[t])
            for v in range(graph.num_nodes):
                found = [tuple(row) for row in drawn.members[drawn.indptr[v] : drawn.indptr[v + 1]].tolist()]
                assert sorted(found) == [members for members in instances if v in members]


def test_lists_stay_within_their_budget():
    index = MotifIndex(brute_force.random_graph(2000, 20_000, directed=True), "triads", listing_bytes=200_000)
    listings = index.sampler.listings
    assert sum(rows.nbytes for rows in {id(part.rows): part.rows for part in listings}.values()) <= 200_000


def test_a_budget_is_shared_out_the_same_way_every_time():
    graph = brute_force.random_graph(60, 900, directed=True)
    drawn, kept = set(), []
    for _ in range(12):
        # What lies where in memory differs from index to index.
        index = MotifIndex(graph, ["directed", "undirected"], listing_bytes=60_000)
        found = index.sample(None, 5, np.random.default_rng(1))
        drawn.add(b"".join(part.members.tobytes() for part in found))
        kept.append(index)
    assert len(drawn) == 1


def test_wedges_of_a_dense_neighbourhood_are_found():
    n = 300
    rows, cols = np.triu_indices(n, 1)
    keep = ~((rows == 1) & (cols == 2))
    index = MotifIndex(Graph.from_edges(rows[keep], cols[keep], num_nodes=n, directed=False), listing_bytes=0)
    wedges, _ = index.sample(None, 20, np.random.default_rng(0))
    assert index.totals[0] == n - 2
    assert np.diff(wedges.indptr).tolist() == [1, 20, 20] + [1] * (n - 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((None, 0), "q must be"),
        ((None, 1.5), "q must be"),
        (([99], 2), "nodes must lie in"),
        (([0.5], 2), "nodes must be"),
    ],
)
def test_bad_arguments_are_explained(arguments, message):
    index = MotifIndex(brute_force.hub_graph(directed=False))
    with pytest.raises(InputError, match=message):
        index.sample(*arguments, np.random.default_rng(0))
