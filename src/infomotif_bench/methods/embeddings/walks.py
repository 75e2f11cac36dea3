"""WalkMethod: skip-gram over random walks, which it reads as sentences."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from infomotif._core.extras import needed_for
from infomotif._core.parallel import parallel_ranges
from infomotif._core.validate import Config, config, setting
from infomotif.graph import Graph
from infomotif.graph.csr import CSR
from infomotif.typing import Array
from infomotif_bench.methods.base import MAX_COUNT, Options
from infomotif_bench.methods.embeddings.base import EmbeddingMethod
from infomotif_bench.methods.kernels.walks import second_order_walks

_BLOCK = 1000
MAX_LENGTH = 10_000
"""Longest sentence that gensim reads; it would skip the rest of a longer one."""


@config
class WalkSettings(Config):
    """The settings of walks and skip-gram."""

    dimension: int = setting(default=128, at_least=1, at_most=MAX_COUNT, help="Width of the vectors.")
    walks: int = setting(default=10, at_least=1, at_most=MAX_COUNT, help="Walks per node.")
    length: int = setting(default=80, at_least=2, at_most=MAX_LENGTH, help="Nodes per walk.")
    window: int = setting(default=10, at_least=1, at_most=MAX_COUNT, help="How far apart two nodes of a walk may be.")
    negatives: int = setting(
        default=5, at_least=0, at_most=MAX_COUNT, help="Negative samples; 0 for hierarchical softmax."
    )
    epochs: int = setting(default=1, at_least=1, at_most=MAX_COUNT, help="How often skip-gram reads the walks.")


@dataclass(frozen=True, kw_only=True)
class WalkMethod(EmbeddingMethod):
    """An embedding by skip-gram (Mikolov et al. 2013) over random walks; a subclass says how to walk.

    A node whose walks never leave it has no context to learn from, and gets the zero vector.
    """

    options: ClassVar[type[Config]] = WalkSettings
    attributes: bool = False

    @abstractmethod
    def walk(self, graph: Graph, settings: Options, generator: np.random.Generator) -> Array:
        """Return walks in the order in which skip-gram reads them, [walks, length]; -1 where a walk cannot go on."""

    def embed(self, graph: Graph, settings: Options, seed: int) -> Array:
        """Walk, then learn one vector per node, [n, dimension]."""
        generator = np.random.default_rng(seed)
        walks = self.walk(graph, settings, generator)
        return skip_gram(walks, graph.num_nodes, settings, int(generator.integers(2**32)))


def shuffled_starts(num_nodes: int, rounds: int, generator: np.random.Generator) -> Array:
    """Return every node once per round, each round in a new random order, [rounds * n].

    Example:
        >>> sorted(shuffled_starts(3, 2, np.random.default_rng(0)).tolist())
        [0, 0, 1, 1, 2, 2]
    """
    return np.concatenate([generator.permutation(num_nodes) for _ in range(rounds)])


def biased_walks(rows: CSR, starts: Array, length: int, *, p: float, q: float, generator: np.random.Generator) -> Array:
    """Walk with node2vec's bias from each start, [starts, length]; the number of threads does not change the walks.

    A step from v, having come from t, leads to x with probability proportional to the weight of (v, x) times 1/p if
    x is t, 1 if x is a neighbour of t, and 1/q otherwise. Where a node has no neighbours the walk goes on with -1.

    Example:
        >>> pair = CSR(np.array([0, 1, 2]), np.array([1, 0]))
        >>> biased_walks(pair, np.array([0]), 4, p=1.0, q=1.0, generator=np.random.default_rng(0)).tolist()
        [[0, 1, 0, 1]]
    """
    cumulated = np.empty(0) if rows.weights is None else cumulated_weights(rows)
    walks = np.empty((len(starts), length), np.int32)
    seed = generator.integers(0, 2**64, dtype=np.uint64)
    parallel_ranges(
        second_order_walks, len(starts), starts, rows.indptr, rows.indices, cumulated, float(p), float(q), seed, walks
    )
    return walks


def skip_gram(walks: Array, num_nodes: int, settings: Options, seed: int) -> Array:
    """Learn one vector per node from walks by gensim's skip-gram, [n, dimension].

    One worker and a fixed hash make the result a function of walks and seed. Frequent nodes are not skipped: the
    papers do not skip them either.

    Args:
        walks: Node numbers, [walks, length].
        num_nodes: How many nodes the graph has.
        settings: ``dimension``, ``window``, ``epochs`` and ``negatives``, where 0 means hierarchical softmax.
        seed: Decides initial vectors, windows and negatives; below 2^32.
    """
    vectors = np.zeros((num_nodes, settings["dimension"]), np.float32)
    sentences = _Sentences(walks[walks[:, 1] >= 0], num_nodes)
    if not len(sentences.walks):
        return vectors
    with needed_for("skip-gram"):
        from gensim.models import Word2Vec
    model = Word2Vec(
        vector_size=settings["dimension"],
        window=settings["window"],
        sg=1,
        hs=int(settings["negatives"] == 0),
        negative=settings["negatives"],
        min_count=0,
        sample=0,
        workers=1,
        seed=seed,
        hashfxn=int,
    )
    visits = np.bincount(sentences.walks.ravel(), minlength=num_nodes)
    seen = np.flatnonzero(visits)
    model.build_vocab_from_freq({str(v): int(visits[v]) for v in seen.tolist()})
    model.train(sentences, total_examples=len(sentences.walks), epochs=settings["epochs"])
    vectors[seen] = model.wv.vectors[[model.wv.key_to_index[str(v)] for v in seen.tolist()]]
    return vectors


class _Sentences:
    """Walks as lists of words, made while they are read, so that memory holds only the array."""

    def __init__(self, walks: Array, num_nodes: int) -> None:
        self.walks = walks
        self.words = np.array([str(v) for v in range(num_nodes)], dtype=object)

    def __iter__(self) -> Iterator[list[str]]:
        for first in range(0, len(self.walks), _BLOCK):
            yield from self.words[self.walks[first : first + _BLOCK]].tolist()


def cumulated_weights(rows: CSR) -> Array:
    """Return the sum of each row's weights up to and including each entry."""
    weights = np.asarray(rows.weights, dtype=np.float64)
    sums = np.concatenate([[0.0], np.cumsum(weights)])
    return np.asarray(sums[1:] - np.repeat(sums[rows.indptr[:-1]], np.diff(rows.indptr)))
