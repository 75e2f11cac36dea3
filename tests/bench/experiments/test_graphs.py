"""Graphs of experiments and their splits."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif.errors import InputError
from infomotif_bench.experiments.graphs import barabasi_albert, bench_graph, check_graph_name, split_of


@pytest.mark.parametrize(("nodes", "attach"), [(50, 1), (200, 5), (30, 29)])
def test_every_new_node_joins_that_many_others(nodes, attach):
    graph = barabasi_albert(nodes, attach)
    assert graph.num_edges == attach * (nodes - attach)
    assert not graph.notes
    assert graph.largest_component().num_nodes == nodes


def test_attachment_prefers_nodes_of_high_degree():
    degrees = np.sort(barabasi_albert(2000, 3).degrees)[::-1]
    assert degrees[0] > 15 * np.median(degrees)


def test_the_same_name_is_the_same_graph():
    first = bench_graph("ba-60-2").fingerprint()
    bench_graph.cache_clear()
    assert bench_graph("ba-60-2").fingerprint() == first


@pytest.mark.parametrize(("name", "message"), [("ba-60", "unknown dataset"), ("coraa", "did you mean 'cora'")])
def test_unknown_names_are_refused(name, message):
    with pytest.raises(InputError, match=message):
        check_graph_name(name)


def test_attach_must_leave_nodes():
    with pytest.raises(InputError, match="each node must join from 1 to 4 of 5 nodes"):
        barabasi_albert(5, 5)


def test_splits_of_different_numbers_differ():
    first, second = split_of("karate", 0.4, 0), split_of("karate", 0.4, 1)
    assert first.fingerprint() == split_of("karate", 0.4, 0).fingerprint()
    assert first.fingerprint() != second.fingerprint()
