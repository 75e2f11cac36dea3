"""Negative instances: what the discriminator must tell from the observed ones; each sampler has a name."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from infomotif.errors import unknown_name
from infomotif.motifs import Instances

Array = NDArray[Any]


class NegativeSampler(Protocol):
    """Makes negative instances for the same owners, as many as observed, in the same order."""

    corrupted: bool
    """Whether the members' representations come from the graph with permuted attributes, h~ = f(X[permutation], A)."""

    def sample(self, nodes: Array, observed: Instances, num_nodes: int, generator: np.random.Generator) -> Instances:
        """Return the negative instances of ``nodes``."""
        ...


class ShuffledAttributes:
    """The observed instances over permuted attributes: topologically equivalent, other attributes (the paper's)."""

    corrupted = True

    def sample(self, nodes: Array, observed: Instances, num_nodes: int, generator: np.random.Generator) -> Instances:
        """Return the observed instances; only the representations differ."""
        return observed


class SwappedMembers:
    """The owner stays, its co-members are swapped for nodes drawn at random from the whole graph."""

    corrupted = False

    def sample(self, nodes: Array, observed: Instances, num_nodes: int, generator: np.random.Generator) -> Instances:
        """Return instances in which everyone but the owner is random."""
        owners = np.repeat(nodes, np.diff(observed.indptr))
        random = generator.integers(num_nodes, size=observed.members.shape, dtype=np.int64)
        stays = observed.members == owners[:, None]
        members = np.where(stays, observed.members, random).astype(observed.members.dtype)
        return Instances(observed.indptr, members)


NEGATIVES: dict[str, type[ShuffledAttributes] | type[SwappedMembers]] = {
    "shuffle": ShuffledAttributes,
    "swap": SwappedMembers,
}


def make_negatives(name: str) -> NegativeSampler:
    """Return the sampler with this name.

    Example:
        >>> make_negatives("shuffle").corrupted
        True
    """
    if name not in NEGATIVES:
        raise unknown_name("negatives", name, NEGATIVES)
    return NEGATIVES[name]()


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
