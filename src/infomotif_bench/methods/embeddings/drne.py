"""DRNE: deep recursive network embedding with regular equivalence (Tu et al., KDD 2018)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from infomotif._core.validate import Config, config, setting
from infomotif.graph import Graph
from infomotif.training.device import compute_context
from infomotif.training.optim import Adam
from infomotif.typing import Array
from infomotif_bench.methods.base import MAX_COUNT, MAX_LR, STRUCTURAL, Options
from infomotif_bench.methods.embeddings.base import EmbeddingMethod


@config
class RecursionSettings(Config):
    """The settings of deep recursive network embedding."""

    hidden: int = setting(default=64, at_least=1, at_most=65_536, help="Width of the embedding.")
    epochs: int = setting(default=30, at_least=1, at_most=MAX_COUNT, help="Number of epochs.")
    lr: float = setting(default=0.01, above=0, at_most=MAX_LR, help="Learning rate.")
    batch_size: int = setting(default=64, at_least=1, at_most=MAX_COUNT, help="Nodes per batch.")
    neighbours: int = setting(
        default=50, at_least=1, at_most=MAX_COUNT, help="Most neighbours that a node is composed of."
    )
    degree_weight: float = setting(
        default=1.0, at_least=0, at_most=1e6, help="Weight of the loss that predicts degrees."
    )


class NormalizedLSTM(nn.Module):
    """An LSTM whose cell is layer-normalised at every step, so that long neighbourhoods do not make it diverge."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.input = nn.Linear(width, 4 * width)
        self.recurrent = nn.Linear(width, 4 * width, bias=False)
        self.norm = nn.LayerNorm(width)

    def forward(self, sequences: Tensor, lengths: Tensor) -> Tensor:
        """Return the state after the last entry of each sequence, [B, L, D] and [B] to [B, D]."""
        gates = self.input(sequences.transpose(0, 1))
        state = cell = sequences.new_zeros(len(sequences), sequences.shape[2])
        # Only the longest sequences change in the last steps; most batches have a single length.
        shortest = int(lengths.min())
        for step, given in enumerate(gates):
            enter, forget, out, new = (given + self.recurrent(state)).chunk(4, dim=1)
            following = self.norm(torch.sigmoid(forget) * cell + torch.sigmoid(enter) * torch.tanh(new))
            output = torch.sigmoid(out) * torch.tanh(following)
            if step < shortest:
                state, cell = output, following
            else:
                running = (lengths > step).unsqueeze(1)
                state, cell = torch.where(running, output, state), torch.where(running, following, cell)
        return state


class _Recursion(nn.Module):
    """Embeddings, the LSTM that composes them from those of the neighbours, and the predictor of degrees."""

    def __init__(self, num_nodes: int, width: int) -> None:
        super().__init__()
        # A large random start would drown out the neighbours' degrees.
        self.embedding = nn.Parameter(torch.empty(num_nodes, width).uniform_(-0.1, 0.1))
        self.lstm = NormalizedLSTM(width)
        self.degree = nn.Sequential(nn.Linear(width, width), nn.ELU(), nn.Linear(width, 1))

    def compose(self, neighbours: Tensor, lengths: Tensor) -> Tensor:
        """Return the state after each node's neighbours, [B, L] to [B, D]."""
        state: Tensor = self.lstm(F.embedding(neighbours, self.embedding), lengths)
        return state


@dataclass(frozen=True)
class _Neighbours:
    """The neighbours that each node is composed of, by ascending degree, in compressed rows."""

    indptr: Array
    indices: Array

    @classmethod
    def draw(cls, graph: Graph, limit: int, generator: np.random.Generator) -> _Neighbours:
        """Keep at most ``limit`` neighbours of each node, drawn by degree without repetition."""
        indptr, indices, _ = graph.undirected
        rows = np.repeat(np.arange(graph.num_nodes), np.diff(indptr))
        degree = graph.degrees[indices].astype(np.float64)
        # The smallest exponential variables of rate w are a draw by w without repetition.
        keys = generator.exponential(size=len(indices)) / degree
        rank = np.empty(len(indices), dtype=np.int64)
        rank[np.lexsort((keys, rows))] = np.arange(len(indices))
        kept = rank - indptr[rows] < limit
        rows, indices, degree = rows[kept], indices[kept], degree[kept]
        order = np.lexsort((indices, degree, rows))
        counts = np.bincount(rows, minlength=graph.num_nodes)
        return cls(np.concatenate([[0], np.cumsum(counts)]), indices[order].astype(np.int64))

    @property
    def lengths(self) -> Array:
        """How many neighbours each node is composed of, [n]."""
        return np.diff(self.indptr)

    def of(self, nodes: Array) -> tuple[Tensor, Tensor]:
        """Return the neighbours of nodes, padded [B, L], and how many each has [B]."""
        lengths = self.lengths[nodes]
        position = np.minimum(np.arange(lengths.max()), lengths[:, None] - 1)
        return torch.from_numpy(self.indices[self.indptr[nodes][:, None] + position]), torch.from_numpy(lengths)

    def batches(self, size: int, generator: np.random.Generator) -> Iterator[Array]:
        """Yield all nodes with neighbours, in random batches of about equal length."""
        nodes = generator.permutation(np.flatnonzero(self.lengths))
        nodes = nodes[np.argsort(self.lengths[nodes], kind="stable")]
        parts = np.split(nodes, np.arange(size, len(nodes), size))
        for number in generator.permutation(len(parts)):
            if len(parts[number]):
                yield parts[number]


@dataclass(frozen=True, kw_only=True)
class DeepRecursiveEmbedding(EmbeddingMethod):
    """Nodes with similar neighbours are similar: an embedding composed of the neighbours' embeddings.

    Follows the paper: neighbours sorted by degree and, beyond ``neighbours`` of them, drawn with a chance that grows
    with their degree; a layer-normalised LSTM over their embeddings; the loss ||x_v - LSTM(neighbours)||^2 +
    ``degree_weight`` (MLP(LSTM(neighbours)) - log(degree + 1))^2, in which x and the LSTM are learned together in
    mini-batches by Adam.
    Departs in batches of nodes with about as many neighbours, so that little is padded; in neighbours that are drawn
    once and not in every epoch; and in the embedding, which is the composed state LSTM(neighbours) instead of x: it
    equals x at the optimum and forgets the random start sooner. A node without neighbours has zeros.
    """

    options: ClassVar[type[Config]] = RecursionSettings
    group: str = STRUCTURAL
    attributes: bool = False

    def embed(self, graph: Graph, settings: Options, seed: int) -> Array:
        """Train without labels and return the state that each node's neighbours compose, [n, hidden]."""
        generator = np.random.default_rng(seed)
        neighbours = _Neighbours.draw(graph, settings["neighbours"], generator)
        target = torch.from_numpy(np.log1p(graph.degrees).astype(np.float32))
        size, embedding = settings["batch_size"], np.zeros((graph.num_nodes, settings["hidden"]), dtype=np.float32)
        with compute_context(1, graph.num_nodes, torch.device("cpu")):
            torch.manual_seed(seed)
            model = _Recursion(graph.num_nodes, settings["hidden"])
            optimizer = Adam(model.parameters(), lr=settings["lr"])
            for _ in range(settings["epochs"]):
                for nodes in neighbours.batches(size, generator):
                    state = model.compose(*neighbours.of(nodes))
                    batch = torch.from_numpy(nodes)
                    recursion = (F.embedding(batch, model.embedding) - state).square().sum(dim=1).mean()
                    degree = (model.degree(state).squeeze(1) - target[batch]).square().mean()
                    optimizer.zero_grad()
                    (recursion + settings["degree_weight"] * degree).backward()
                    optimizer.step()
            with torch.no_grad():
                for nodes in neighbours.batches(size, generator):
                    embedding[nodes] = model.compose(*neighbours.of(nodes)).numpy()
        return embedding


DRNE = DeepRecursiveEmbedding(
    name="drne",
    title="DRNE",
    search={"lr": (0.01, 0.001, 0.0001), "degree_weight": (1.0, 0.1), "epochs": (30, 10)},
)
"""Deep recursive network embedding and logistic regression on it."""
