"""Samplers of negative instances, which the discriminator must distinguish from the observed ones, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import NamedTuple, Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from infomotif.errors import unknown_name
from infomotif.motifs import Instances, Motif, MotifIndex
from infomotif.nn import kernels
from infomotif.nn.propagation.sparse import run
from infomotif.typing import Array

MIN_SIMILAR = 16
"""A node can be replaced by at least this many nodes on either side."""
MAX_TRIES = 16
"""Neighbours that are tried before a random node is taken."""


class Negatives(NamedTuple):
    """Negative instances of one motif, as many as observed, for the same owners in the same order.

    Attributes:
        instances: The instances.
        corrupted: Whether their members are taken from the graph with permuted attributes, h~ = f(X[permutation], A).
    """

    instances: Instances
    corrupted: bool


class NegativeSampler(Protocol):
    """Makes negative instances of nodes from their observed ones."""

    corrupted: bool
    """Whether it may need the graph with permuted attributes."""
    unseen: bool
    """Whether :func:`reject_real` must replace negatives that show the attributes of a real instance."""

    def sample(
        self, index: MotifIndex, nodes: Array, observed: Sequence[Instances], generator: np.random.Generator
    ) -> tuple[Negatives, ...]:
        """Return the negative instances of ``nodes``, one :class:`Negatives` per motif."""
        ...


class ShuffledAttributes:
    """The observed instances over permuted attributes: the same topology, other attributes."""

    corrupted = True
    unseen = False

    def sample(
        self, index: MotifIndex, nodes: Array, observed: Sequence[Instances], generator: np.random.Generator
    ) -> tuple[Negatives, ...]:
        """Return the observed instances; only the representations differ."""
        return tuple(Negatives(instances, corrupted=True) for instances in observed)


class UnseenAttributes(ShuffledAttributes):
    """Permuted attributes that occur in no instance of the motif, as the paper has it.

    Where all nodes of an instance show the attributes of a real one, :func:`reject_real` takes another instance.
    """

    unseen = True


class _FromGraph:
    """Negatives of nodes with their true attributes, motif by motif."""

    corrupted = False
    unseen = False

    def sample(
        self, index: MotifIndex, nodes: Array, observed: Sequence[Instances], generator: np.random.Generator
    ) -> tuple[Negatives, ...]:
        """Return instances of other nodes than the observed ones."""
        negatives = []
        for t, instances in enumerate(observed):
            owners = np.repeat(nodes, np.diff(instances.indptr))
            members = self.members(index, t, owners, instances.members, generator)
            negatives.append(Negatives(Instances(instances.indptr, members.astype(instances.members.dtype)), False))
        return tuple(negatives)

    def members(
        self, index: MotifIndex, t: int, owners: Array, members: Array, generator: np.random.Generator
    ) -> Array:
        """Return the members of the negatives of motif ``t``, [I, k]."""
        raise NotImplementedError


class SwappedMembers(_FromGraph):
    """The owner stays; its co-members are replaced by random nodes of the whole graph."""

    def members(
        self, index: MotifIndex, t: int, owners: Array, members: Array, generator: np.random.Generator
    ) -> Array:
        """Return instances with random nodes for all members but the owner."""
        random = generator.integers(index.graph.num_nodes, size=members.shape, dtype=np.int64)
        return np.where(members == owners[:, None], members, random)


class _Similar(_FromGraph):
    """The owner stays; its co-members are replaced by similar nodes.

    Nodes are ranked by a key. A node is replaced by any with the same key or among the nearest 16 on either side, so
    that in large groups nearly all replacements have the same key.
    """

    def keys(self, index: MotifIndex) -> Array:
        """Return the keys that nodes are ranked by, [n, .]."""
        raise NotImplementedError

    def members(
        self, index: MotifIndex, t: int, owners: Array, members: Array, generator: np.random.Generator
    ) -> Array:
        """Return instances with similar nodes for all members but the owner."""
        known = _RANKINGS.setdefault(index, {})
        if type(self) not in known:
            known[type(self)] = _Ranking.of(self.keys(index))
        ranking = known[type(self)]
        first, last, rank = ranking.first[members], ranking.last[members], ranking.rank[members]
        position = first + (generator.random(members.shape) * (last - first)).astype(np.int64)
        other = ranking.order[position + (position >= rank)] if len(ranking.order) > 1 else members
        return np.where(members == owners[:, None], members, other)


@dataclass(frozen=True)
class _Ranking:
    """Nodes in the order of their keys, and the range of positions that each node's replacement comes from.

    Attributes:
        order: The nodes by their keys, [n].
        rank: Position of each node in ``order``, [n].
        first: First position of each node's range, [n].
        last: Last position of it, [n].
    """

    order: Array
    rank: Array
    first: Array
    last: Array

    @classmethod
    def of(cls, keys: Array) -> _Ranking:
        """Rank nodes by their keys [n, .]."""
        _, group = np.unique(keys, axis=0, return_inverse=True)
        n = len(group)
        order = np.argsort(group.ravel(), kind="stable")
        rank = np.empty(n, dtype=np.int64)
        rank[order] = np.arange(n)
        ends = np.cumsum(np.bincount(group.ravel()))
        starts = np.concatenate([[0], ends[:-1]])
        first = np.maximum(0, np.minimum(starts[group.ravel()], rank - MIN_SIMILAR))
        last = np.minimum(n - 1, np.maximum(ends[group.ravel()] - 1, rank + MIN_SIMILAR))
        return cls(order, rank, first, last)


_RANKINGS: WeakKeyDictionary[MotifIndex, dict[type[_Similar], _Ranking]] = WeakKeyDictionary()
"""Rankings live as long as the index they were made from; samplers themselves keep no data."""


class SameDegree(_Similar):
    """Co-members are replaced by nodes of the same degree, or of the nearest degrees where few have it."""

    def keys(self, index: MotifIndex) -> Array:
        """Return the degrees."""
        return index.graph.degrees[:, None]


class SameOrbits(_Similar):
    """Co-members are replaced by nodes in as many motif instances, orbit by orbit, up to a factor of two."""

    def keys(self, index: MotifIndex) -> Array:
        """Return the number of binary digits of the orbit counts."""
        return np.frexp(index.orbit_counts.astype(np.float64))[1]


class OpenEnds(_FromGraph):
    """One co-member is replaced by a neighbour of the owner, so that the nodes are not an instance of the motif.

    A triangle becomes a wedge; a wedge becomes a triangle, or an edge and a node apart. Where no such neighbour is
    found, a random node is taken.
    """

    def members(
        self, index: MotifIndex, t: int, owners: Array, members: Array, generator: np.random.Generator
    ) -> Array:
        """Return the instances with one member replaced."""
        view = index.view(t)
        # A copy, because members are replaced in place.
        swapped = np.array(members, dtype=np.int64, order="C")
        seed = generator.integers(2**64, dtype=np.uint64)
        rows = (view.indptr, view.indices, view.codes)
        run(kernels.open_ends, len(swapped), *rows, owners.astype(np.int64), seed, MAX_TRIES, swapped)
        return swapped


class OtherMotif:
    """Instances of another motif with the same owner; random members where it has none."""

    corrupted = False
    unseen = False

    def sample(
        self, index: MotifIndex, nodes: Array, observed: Sequence[Instances], generator: np.random.Generator
    ) -> tuple[Negatives, ...]:
        """Return instances of the owner in another motif of the same size, drawn from the observed ones."""
        swapped = SwappedMembers().sample(index, nodes, observed, generator)
        negatives = []
        for t, (instances, other) in enumerate(zip(observed, swapped, strict=True)):
            members = other.instances.members
            owner = np.repeat(np.arange(len(nodes)), np.diff(instances.indptr))
            size = members.shape[1]
            for u in _shuffled([u for u in range(len(observed)) if u != t], generator):
                others = observed[u]
                if others.members.shape[1] != size:
                    continue
                count = np.diff(others.indptr)[owner]
                pick = others.indptr[owner] + (generator.random(len(owner)) * count).astype(np.int64)
                has = count > 0
                members[has] = others.members[pick[has]]
            negatives.append(Negatives(Instances(instances.indptr, members), corrupted=False))
        return tuple(negatives)


class OtherOwner(_FromGraph):
    """Whole instances of other owners: an instance is scored against the summary of another node."""

    def members(
        self, index: MotifIndex, t: int, owners: Array, members: Array, generator: np.random.Generator
    ) -> Array:
        """Return the instances in another order."""
        return members[generator.permutation(len(members))]


class Mixture:
    """Several samplers; one of them is drawn for every motif and step."""

    def __init__(self, parts: Sequence[NegativeSampler]) -> None:
        self.parts = parts
        self.corrupted = any(part.corrupted for part in parts)
        self.unseen = any(part.unseen for part in parts)

    def sample(
        self, index: MotifIndex, nodes: Array, observed: Sequence[Instances], generator: np.random.Generator
    ) -> tuple[Negatives, ...]:
        """Return each motif's negatives of one of the parts."""
        drawn = [part.sample(index, nodes, observed, generator) for part in self.parts]
        return tuple(drawn[generator.integers(len(drawn))][t] for t in range(len(observed)))


NEGATIVES: dict[str, Callable[[], NegativeSampler]] = {
    "shuffle": ShuffledAttributes,
    "unseen": UnseenAttributes,
    "swap": SwappedMembers,
    "degree": SameDegree,
    "orbits": SameOrbits,
    "open": OpenEnds,
    "other-motif": OtherMotif,
    "other-owner": OtherOwner,
}


def make_negatives(name: str) -> NegativeSampler:
    """Return the sampler with this name; names joined by ``+`` make a mixture.

    Example:
        >>> make_negatives("shuffle").corrupted, make_negatives("swap").corrupted
        (True, False)
        >>> make_negatives("shuffle+open").corrupted
        True
    """
    parts = name.split("+")
    for part in parts:
        if part not in NEGATIVES:
            raise unknown_name("negatives", part, NEGATIVES)
    samplers = [NEGATIVES[part]() for part in parts]
    return samplers[0] if len(samplers) == 1 else Mixture(samplers)


def reject_real(index: MotifIndex, negatives: Sequence[Negatives], shown: Array) -> tuple[Negatives, ...]:
    """Replace corrupted negatives that show the attributes of a real instance of their motif.

    With permuted attributes, the nodes of an instance show those of other nodes. If these other nodes are an instance
    of the same motif, the negative is a real one in disguise. Another negative of the same owner takes its place, or of
    another owner where all of the owner's are real. Where all negatives of a motif are, as in a complete graph, they
    stay.

    Args:
        index: The graph's motifs.
        negatives: The negatives of each motif, members as rows of ``shown``.
        shown: The node whose attributes each row shows.

    Returns:
        The negatives; the same objects where nothing was replaced.

    Example:
        >>> from infomotif import Graph
        >>> paw = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], num_nodes=4, directed=False)
        >>> triangle = Negatives(Instances(np.array([0, 2]), np.array([[0, 1, 2], [0, 1, 3]])), corrupted=True)
        >>> rejected = reject_real(MotifIndex(paw, ["M7"]), [triangle], np.array([1, 2, 0, 3]))
        >>> rejected[0].instances.members.tolist()
        [[0, 1, 3], [0, 1, 3]]
    """
    return tuple(_rejected(index, t, one, shown) for t, one in enumerate(negatives))


def _rejected(index: MotifIndex, t: int, negatives: Negatives, shown: Array) -> Negatives:
    motif, (indptr, members) = index.motifs[t], negatives.instances
    if not negatives.corrupted or members.shape[1] != motif.size or not len(members):
        return negatives
    real = shows_real(index, t, members, shown)
    if not real.any():
        return negatives
    pick = np.empty(len(members), dtype=np.int64)
    if not kernels.replace_marked(indptr, real, pick):
        return negatives
    return Negatives(Instances(indptr, members[pick]), corrupted=True)


def shows_real(index: MotifIndex, t: int, members: Array, shown: Array) -> NDArray[np.bool_]:
    """Return whether the nodes that each of ``members`` [I, k] shows are an instance of motif number ``t``, [I]."""
    view, motif = index.view(t), index.motifs[t]
    table, max_open = _code_table(motif)
    found = np.empty(len(members), dtype=np.bool_)
    arrays = (view.indptr, view.indices, view.codes, np.asarray(shown, dtype=np.int64), members)
    run(kernels.show_instances, len(members), *arrays, table, max_open, found)
    return found


@cache
def _code_table(motif: Motif) -> tuple[NDArray[np.bool_], int]:
    """Return which codes of all pairs of nodes make the motif, and how many of the pairs are not joined in it."""
    pairs = [(i, j) for j in range(motif.size) for i in range(j)]
    table = np.zeros(4 ** len(pairs), dtype=np.bool_)
    for order in permutations(range(motif.size)):
        codes = [motif.codes[order[i]][order[j]] for i, j in pairs]
        table[sum(code * 4**place for place, code in enumerate(codes))] = True
    return table, sum(motif.codes[i][j] == 0 for i, j in pairs)


def derangement(size: int, generator: np.random.Generator, groups: Array | None = None) -> NDArray[np.int64]:
    """Return a uniform permutation without fixed points; the identity if there is none (size below 2).

    With ``groups`` [size], the group of each position, positions are permuted within their group.

    Example:
        >>> derangement(2, np.random.default_rng(0)).tolist()
        [1, 0]
    """
    if groups is not None:
        order = np.arange(size)
        for group in np.unique(groups).tolist():
            members = np.flatnonzero(groups == group)
            order[members] = members[derangement(len(members), generator)]
        return order
    while True:
        permutation = generator.permutation(size)
        if size < 2 or not (permutation == np.arange(size)).any():
            return permutation


def _shuffled(numbers: list[int], generator: np.random.Generator) -> list[int]:
    return [numbers[i] for i in generator.permutation(len(numbers))]
