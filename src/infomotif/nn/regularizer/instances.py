"""Sources of the instances that the regulariser learns from: motifs, or controls that show what motifs are worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from infomotif.errors import unknown_name
from infomotif.motifs import Instances, MotifIndex
from infomotif.nn import kernels
from infomotif.typing import Array


class InstanceSource(Protocol):
    """Draws the instances that a regulariser learns from, one :class:`Instances` per motif."""

    shared_summary: bool
    """Whether all nodes share one summary: then all instances belong to the first of the nodes."""

    def sample(self, index: MotifIndex, nodes: Array, q: int, generator: np.random.Generator) -> tuple[Instances, ...]:
        """Draw at most ``q`` instances of every motif for every node."""
        ...


class MotifInstances:
    """The motifs themselves."""

    shared_summary = False

    def sample(self, index: MotifIndex, nodes: Array, q: int, generator: np.random.Generator) -> tuple[Instances, ...]:
        """Draw from the index."""
        return index.sample(nodes, q, generator)


class RandomTriples:
    """Every instance with its co-members replaced by random nodes, always the same for the same instance.

    Everything else is as with the motifs: how many instances a node has of each, how many are drawn, how often one is
    drawn again.
    """

    shared_summary = False

    def sample(self, index: MotifIndex, nodes: Array, q: int, generator: np.random.Generator) -> tuple[Instances, ...]:
        """Draw instances and replace their members."""
        replaced = []
        for t, drawn in enumerate(index.sample(nodes, q, generator)):
            owners = np.repeat(nodes, np.diff(drawn.indptr))
            members = np.ascontiguousarray(drawn.members).copy()
            kernels.hash_members(owners.astype(np.int64), np.uint64(t), index.graph.num_nodes, members)
            replaced.append(Instances(drawn.indptr, members))
        return tuple(replaced)


class Edges:
    """A node and one of its neighbours, for every motif that the node has an instance of."""

    shared_summary = False

    def sample(self, index: MotifIndex, nodes: Array, q: int, generator: np.random.Generator) -> tuple[Instances, ...]:
        """Draw at most ``q`` neighbours, each at most once."""
        indptr, indices, _ = index.graph.undirected
        edges = []
        for t, seed in enumerate(index.draw_seeds(q, generator)):
            having = index.counts[nodes, t] > 0
            owners = np.ascontiguousarray(nodes[having])
            lengths = np.empty(len(owners), dtype=np.int64)
            kernels.sampled_lengths(0, len(owners), indptr, owners, q, lengths)
            members = np.empty((int(lengths.sum()), 2), dtype=indices.dtype)
            others = np.empty(len(members), dtype=indices.dtype)
            no_entries = np.empty(0, dtype=np.int64)
            rows = (indptr, indices, owners, q, seed, np.cumsum(lengths), others, no_entries)
            kernels.sample_neighbours(0, len(owners), *rows)
            members[:, 0], members[:, 1] = np.repeat(owners, lengths), others
            starts = np.zeros(len(nodes) + 1, dtype=np.int64)
            starts[1:][having] = lengths
            edges.append(Instances(np.cumsum(starts), members))
        return tuple(edges)


class GraphSummary:
    """Every node by itself is compared with one summary of the whole graph, as in DGI."""

    shared_summary = True

    def sample(self, index: MotifIndex, nodes: Array, q: int, generator: np.random.Generator) -> tuple[Instances, ...]:
        """Return the nodes themselves."""
        single = Instances(np.array([0, len(nodes)], dtype=np.int64), np.ascontiguousarray(nodes)[:, None])
        return (single,) * len(index.motifs)


INSTANCES: dict[str, Callable[[], InstanceSource]] = {
    "motifs": MotifInstances,
    "random": RandomTriples,
    "edges": Edges,
    "graph": GraphSummary,
}


def make_instances(name: str) -> InstanceSource:
    """Return the source of instances with this name.

    Example:
        >>> make_instances("graph").shared_summary
        True
    """
    if name not in INSTANCES:
        raise unknown_name("instances", name, INSTANCES)
    return INSTANCES[name]()
