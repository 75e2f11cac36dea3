"""Lists of the whole graph hold every instance once, however large the batches, and equal those of igraph."""

from __future__ import annotations

import igraph
import numpy as np
import pytest

from infomotif.motifs import MotifIndex
from tests.motifs import brute_force


@pytest.mark.parametrize(
    "motif", ["M7", "030T", "120C", "clique4", brute_force.SHAPED[2], "a->b, b->c, c->a, a<->d, b<->d, c<->d"]
)
def test_batches_do_not_change_the_list(motif):
    index = MotifIndex(brute_force.random_graph(40, 500, directed=True), [motif])
    (whole,) = index.iter_instances(motif, batch=10**6)
    assert len(whole) == len(np.unique(whole, axis=0)) == index.totals[0]
    for batch in (1, 7, len(whole)):
        parts = list(index.iter_instances(motif, batch=batch))
        assert {len(part) for part in parts[:-1]} <= {batch}
        np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_cliques_equal_those_of_igraph():
    graph = brute_force.random_graph(200, 4000, directed=False)
    other = igraph.Graph(n=200, edges=np.stack(graph.edges(), axis=1)).simplify()
    index = MotifIndex(graph, ["M7", "clique4"])
    for motif, size in (("M7", 3), ("clique4", 4)):
        listed = np.concatenate(list(index.iter_instances(motif))).tolist()
        assert sorted(map(tuple, listed)) == sorted(other.cliques(size, size))
