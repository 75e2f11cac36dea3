"""Negative instances: what the discriminator must tell from the observed ones; each sampler has a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from infomotif.errors import unknown_name
from infomotif.motifs import Instances, MotifIndex
from infomotif.nn import kernels
from infomotif.nn.propagation.sparse import run
from infomotif.typing import Array

MIN_ALIKE = 16
"""A node can be swapped for at least this many nodes on either side."""
_TRIES = 16


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
    """Whether it may want the graph with permuted attributes."""

    def sample(
        self, index: MotifIndex, nodes: Array, observed: Sequence[Instances], generator: np.random.Generator
    ) -> tuple[Negatives, ...]:
        """Return the negative instances of ``nodes``, one :class:`Negatives` a motif."""
        ...


class ShuffledAttributes:
    """The observed instances over permuted attributes: topologically equivalent, other attributes (the paper's)."""

    corrupted = True

    def sample(
        self, index: MotifIndex, nodes: Array, observed: Sequence[Instances], generator: np.random.Generator
    ) -> tuple[Negatives, ...]:
        """Return the observed instances; only the representations differ."""
        return tuple(Negatives(instances, corrupted=True) for instances in observed)


class _Real:
    """Negatives of real nodes, motif by motif."""

    corrupted = False

    def sample(
        self, index: MotifIndex, nodes: Array, observed: Sequence[Instances], generator: np.random.Generator
    ) -> tuple[Negatives, ...]:
        """Return instances in which others than the observed nodes stand."""
        found = []
        for t, instances in enumerate(observed):
            owners = np.repeat(nodes, np.diff(instances.indptr))
            members = self.members(index, t, owners, instances.members, generator)
            found.append(Negatives(Instances(instances.indptr, members.astype(instances.members.dtype)), False))
        return tuple(found)

    def members(
        self, index: MotifIndex, t: int, owners: Array, members: Array, generator: np.random.Generator
    ) -> Array:
        """Return the members of the negatives of motif ``t``, [I, k]."""
        raise NotImplementedError


class SwappedMembers(_Real):
    """The owner stays, its co-members are swapped for nodes drawn at random from the whole graph."""

    def members(
        self, index: MotifIndex, t: int, owners: Array, members: Array, generator: np.random.Generator
    ) -> Array:
        """Return instances in which everyone but the owner is random."""
        random = generator.integers(index.graph.num_nodes, size=members.shape, dtype=np.int64)
        return np.where(members == owners[:, None], members, random)


class _Alike(_Real):
    """The owner stays, its co-members are swapped for nodes that are like them.

    Nodes are put in order by what makes them alike. A node is swapped for any with the same key or among the nearest 16
    on either side, so that in large groups nearly all have the same key.
    """

    def keys(self, index: MotifIndex) -> Array:
        """Return what makes nodes alike, [n, .]."""
        raise NotImplementedError

    def members(
        self, index: MotifIndex, t: int, owners: Array, members: Array, generator: np.random.Generator
    ) -> Array:
        """Return instances in which everyone but the owner is another node like it."""
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
    """Nodes in the order of their keys, and the range of positions that each node may be swapped with.

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
        first = np.maximum(0, np.minimum(starts[group.ravel()], rank - MIN_ALIKE))
        last = np.minimum(n - 1, np.maximum(ends[group.ravel()] - 1, rank + MIN_ALIKE))
        return cls(order, rank, first, last)


_RANKINGS: WeakKeyDictionary[MotifIndex, dict[type[_Alike], _Ranking]] = WeakKeyDictionary()
"""Rankings live as long as the index they were made from; samplers themselves keep no data."""


class SameDegree(_Alike):
    """Co-members are swapped for nodes of the same degree, or of the nearest where few have it."""

    def keys(self, index: MotifIndex) -> Array:
        """Return the degrees."""
        return index.graph.degrees[:, None]


class SameOrbits(_Alike):
    """Co-members are swapped for nodes that sit in as many motif instances, orbit by orbit, to a factor of two."""

    def keys(self, index: MotifIndex) -> Array:
        """Return the number of binary digits of the orbit counts."""
        return np.frexp(index.orbit_counts.astype(np.float64))[1]


class OpenEnds(_Real):
    """One co-member is swapped for a neighbour of the owner with which the nodes are no instance of the motif.

    A wedge's end takes the place of a triangle's third node; a wedge becomes a triangle, or a single edge and a node.
    Where no such neighbour is found, a random node takes the place.
    """

    def members(
        self, index: MotifIndex, t: int, owners: Array, members: Array, generator: np.random.Generator
    ) -> Array:
        """Return the instances with one member swapped."""
        view = index.view(t)
        # A copy: members are swapped in place.
        found = np.array(members, dtype=np.int64, order="C")
        seed = generator.integers(2**64, dtype=np.uint64)
        rows = (view.indptr, view.indices, view.codes)
        run(kernels.open_ends, len(found), *rows, owners.astype(np.int64), seed, _TRIES, found)
        return found


class OtherMotif:
    """Real instances of another motif with the same owner; swapped members where it has none."""

    corrupted = False

    def sample(
        self, index: MotifIndex, nodes: Array, observed: Sequence[Instances], generator: np.random.Generator
    ) -> tuple[Negatives, ...]:
        """Return instances of the owner in another motif of the same size, drawn from the observed ones."""
        swapped = SwappedMembers().sample(index, nodes, observed, generator)
        found = []
        for t, (instances, other) in enumerate(zip(observed, swapped, strict=True)):
            members = other.instances.members
            owner = np.repeat(np.arange(len(nodes)), np.diff(instances.indptr))
            size = members.shape[1]
            for u in _shuffled([u for u in range(len(observed)) if u != t], generator):
                here = observed[u]
                if here.members.shape[1] != size:
                    continue
                count = np.diff(here.indptr)[owner]
                pick = here.indptr[owner] + (generator.random(len(owner)) * count).astype(np.int64)
                has = count > 0
                members[has] = here.members[pick[has]]
            found.append(Negatives(Instances(instances.indptr, members), corrupted=False))
        return tuple(found)


class OtherOwner(_Real):
    """Whole instances of other owners: an instance is held against the summary of a node that it is not of."""

    def members(
        self, index: MotifIndex, t: int, owners: Array, members: Array, generator: np.random.Generator
    ) -> Array:
        """Return the instances in another order."""
        return members[generator.permutation(len(members))]


class Mixture:
    """Several samplers, one of which is drawn for every motif and step."""

    def __init__(self, parts: Sequence[NegativeSampler]) -> None:
        self.parts = parts
        self.corrupted = any(part.corrupted for part in parts)

    def sample(
        self, index: MotifIndex, nodes: Array, observed: Sequence[Instances], generator: np.random.Generator
    ) -> tuple[Negatives, ...]:
        """Return each motif's negatives of one of the parts."""
        drawn = [part.sample(index, nodes, observed, generator) for part in self.parts]
        return tuple(drawn[generator.integers(len(drawn))][t] for t in range(len(observed)))


NEGATIVES: dict[str, Callable[[], NegativeSampler]] = {
    "shuffle": ShuffledAttributes,
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


def derangement(size: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Return a uniform permutation without fixed points; the identity if there is none (size below 2).

    Example:
        >>> derangement(2, np.random.default_rng(0)).tolist()
        [1, 0]
    """
    while True:
        permutation = generator.permutation(size)
        if size < 2 or not (permutation == np.arange(size)).any():
            return permutation


def _shuffled(numbers: list[int], generator: np.random.Generator) -> list[int]:
    return [numbers[i] for i in generator.permutation(len(numbers))]
