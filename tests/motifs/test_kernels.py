"""Each kernel equals its plain NumPy or Python twin."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif._core import counter_rng as randomness
from infomotif.motifs.counting.census import closed_orbits, triangles
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.graphlets import further_neighbours, proposal_weights
from infomotif.motifs.kernels import dyads, graphlets, proposals, switching
from tests.motifs.brute_force import code_matrix, random_graph

MASK = 2**64 - 1


@pytest.fixture(scope="module")
def view() -> DyadGraph:
    return DyadGraph(random_graph(60, 500, directed=True), directed=True)


@pytest.fixture(scope="module")
def codes() -> np.ndarray:
    return code_matrix(random_graph(60, 500, directed=True), directed=True)


def rows(view: DyadGraph) -> np.ndarray:
    return np.repeat(np.arange(view.num_nodes), np.diff(view.indptr))


def test_codes_say_which_way_edges_run(view, codes):
    np.testing.assert_array_equal(view.codes, codes[rows(view), view.indices])


def test_degrees_count_neighbours_by_code(view, codes):
    np.testing.assert_array_equal(view.degrees, np.stack([(codes == c).sum(axis=1) for c in (1, 2, 3)], axis=1))


def test_groups_hold_neighbours_by_code_ascending(view, codes):
    offsets, grouped = view.groups
    for v in range(view.num_nodes):
        for c in (1, 2, 3):
            group = grouped[offsets[3 * v + c - 1] : offsets[3 * v + c]]
            np.testing.assert_array_equal(group, np.flatnonzero(codes[v] == c))


def test_the_orientation_has_each_edge_once_from_low_to_high_degree(view, codes):
    f = view.forward
    degree = np.diff(view.indptr)
    np.testing.assert_array_equal(f.order, np.argsort(degree, kind="stable"))
    low = f.order[np.repeat(np.arange(view.num_nodes), np.diff(f.indptr))]
    high = f.order[f.indices]
    assert (degree[low] <= degree[high]).all()
    np.testing.assert_array_equal(f.codes, codes[low, high])
    assert (
        len({tuple(sorted(pair)) for pair in zip(low.tolist(), high.tolist(), strict=True)}) == len(view.indices) // 2
    )


def test_bisection_finds_every_code(view, codes):
    for x in range(0, 60, 7):
        for y in range(60):
            if x != y:
                assert dyads.code_between(view.indptr, view.indices, view.codes, x, y) == codes[x, y]


def test_triangles_equal_the_cube_of_the_matrix(view, codes):
    joined = (codes > 0).astype(np.int64)
    np.testing.assert_array_equal(triangles(view), np.diag(joined @ joined @ joined) // 2)
    np.testing.assert_array_equal(closed_orbits(view).sum(axis=1), triangles(view))


def test_shared_triangles_equal_the_square_on_the_edges(view, codes):
    joined = (codes > 0).astype(np.int64)
    (shared,) = view.shared_triangles(np.zeros(27, np.int64), 1)
    np.testing.assert_array_equal(shared, (joined @ joined)[rows(view), view.indices])


def test_neighbour_sums_equal_a_product(view, codes):
    values = np.arange(60)
    np.testing.assert_array_equal(view.sums(values), (codes > 0) @ values)


def test_four_cycles_equal_common_neighbours(view, codes):
    joined = (codes > 0).astype(np.int64)
    common = joined @ joined
    np.fill_diagonal(common, 0)
    f = view.forward
    counts = graphlets.node_four_cycles(0, 60, view.indptr, view.indices, f.order, f.rank)
    np.testing.assert_array_equal(counts, (common * (common - 1) // 2).sum(axis=1))


def test_tree_counts_equal_walks(view, codes):
    joined = (codes > 0).astype(np.int64)
    degree = joined.sum(axis=1)
    counts = np.empty(60, np.int64)
    proposals.count_trees(0, 60, view.indptr, view.indices, further_neighbours(view), counts)
    further = joined @ (degree - 1)
    stars = degree * (degree - 1) * (degree - 2) // 6 + joined @ ((degree - 1) * (degree - 2) // 2)
    paths = joined @ further - degree * (degree - 1) + (degree - 1) * further
    np.testing.assert_array_equal(counts, stars + paths)


def test_tail_counts_equal_triangles(view, codes):
    joined = (codes > 0).astype(np.int64)
    degree, shared = joined.sum(axis=1), joined * (joined @ joined)
    triangles_of = shared.sum(axis=1) // 2
    counts = np.empty(60, np.int64)
    proposals.count_tails(0, 60, view.indptr, view.indices, proposal_weights(view, True), counts)
    np.testing.assert_array_equal(counts, triangles_of * (degree - 2) + joined @ triangles_of + shared @ (degree - 2))


def test_common_neighbours_come_in_order(view, codes):
    joined = codes > 0
    for x, y in ((0, 1), (3, 40), (17, 5)):
        for number, z in enumerate(np.flatnonzero(joined[x] & joined[y]).tolist()):
            assert proposals.common_neighbour(view.indptr, view.indices, view.codes, x, y, number) == z


def mixed(value: int) -> int:
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


@pytest.mark.parametrize("value", [0, 1, 12345, MASK])
def test_random_bits_equal_splitmix64(value):
    assert int(randomness.mixed(np.uint64(value))) == mixed(value)
    stream = mixed((value + 0x9E3779B97F4A7C15 * 8) & MASK)
    assert int(randomness.stream_of(np.uint64(value), 7)) == stream
    assert randomness.below(np.uint64(stream), 3, 1000) == mixed((stream + 0x9E3779B97F4A7C15 * 3) & MASK) % 1000


def test_first_above_equals_searchsorted():
    weights = np.cumsum(np.random.default_rng(0).integers(0, 3, 50))
    for value in range(int(weights[-1])):
        assert randomness.first_above(weights, 50, value) == np.searchsorted(weights, value, side="right")


def test_the_hash_table_is_a_set():
    keys, stamps = np.empty(64, np.int64), np.full(64, -1, np.int64)
    seen: set[int] = set()
    for key in np.random.default_rng(0).integers(0, 40, 300).tolist():
        assert randomness.add_if_new(keys, stamps, 5, key) == (key not in seen)
        seen.add(key)


def test_the_table_of_pairs_forgets_what_is_removed():
    table = np.full(64, -1, np.int64)
    held: set[int] = set()
    for key in np.random.default_rng(1).integers(0, 60, 500).tolist():
        if key in held:
            switching.remove_key(table, key)
            held.remove(key)
        elif len(held) < 40:
            table[switching.find_slot(table, key)] = key
            held.add(key)
        assert sorted(table[table >= 0].tolist()) == sorted(held)
        assert all(table[switching.find_slot(table, k)] == k for k in held)
