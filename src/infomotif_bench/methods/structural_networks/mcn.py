"""MCN: graph convolutional networks with motif-based attention (Lee et al., CIKM 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from infomotif._core.validate import Config, config, setting
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.convolutions import Convolution
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif_bench.methods.base import Options
from infomotif_bench.methods.networks import CustomNetwork
from infomotif_bench.methods.structural_networks.motif_cnn import check_nodes, row_normalized


class MotifChoice(Convolution):
    """W_0 x_v + W (P_t^k x)_v + b, where each node picks its motif t and its number of steps k.

    Args:
        in_dim: Width of x.
        out_dim: Width of the result.
        walks: P_t of each motif, [n, n].
        steps: Largest number of steps K.
        counts: Inputs of the choice besides x: scaled degrees and motif counts, [n, C].
        temperature: Of the Gumbel-softmax.
    """

    def __init__(
        self,
        in_dim: int,
        out_dim: int,
        *,
        walks: Sequence[SparseMatrix],
        steps: int,
        counts: Tensor,
        temperature: float,
    ) -> None:
        super().__init__(in_dim, out_dim, projected=2 * out_dim + len(walks) + steps)
        self.walks, self.steps, self.temperature = list(walks), steps, temperature
        self.register_buffer("counts", counts, persistent=False)
        self.by_count = nn.Linear(counts.shape[1], len(walks) + steps)
        for block in self.product.weight.detach().split([out_dim, out_dim, len(walks), steps], dim=1):
            nn.init.xavier_uniform_(block)

    def spread(self, projected: Tensor, adjacency: Adjacency) -> Tensor:
        """Walk along all motifs, and let each node take its choice."""
        check_nodes(adjacency, self.walks[0].shape[0])
        width, num_walks = len(self.bias), len(self.walks)
        out, other, scores = projected.split([width, width, num_walks + self.steps], dim=1)
        scores = scores + self.by_count(self.get_buffer("counts"))
        motif, step = self._pick(scores[:, :num_walks]), self._pick(scores[:, num_walks:])
        for t, walk in enumerate(self.walks):
            state = other
            for k in range(self.steps):
                state = walk @ state
                out = out + (motif[:, t] * step[:, k]).unsqueeze(1) * state
        return torch.add(out, self.bias)

    def _pick(self, scores: Tensor) -> Tensor:
        """Return a one-hot choice in each row: drawn, with the gradient of a softmax, in training; else the best."""
        if self.training:
            return F.gumbel_softmax(scores, tau=self.temperature, hard=True)
        return F.one_hot(scores.argmax(dim=1), scores.shape[1]).to(scores.dtype)


class MotifConvolutionalNetwork(Encoder):
    """Layers of :class:`MotifChoice` over the motifs of one graph; ``choice`` is what each of them takes."""

    whole_graph = True

    def __init__(self, in_dim: int, hidden: int, *, choice: dict[str, Any], **options: Any) -> None:
        self.choice = choice
        super().__init__(in_dim, hidden, **options)

    def convolution(self, in_dim: int) -> Convolution:
        """Make one layer."""
        return MotifChoice(in_dim, self.hidden, **self.choice)


@config
class MCNSettings(Config):
    """The settings that MCN has besides the trainer's."""

    steps: int = setting(default=2, at_least=1, at_most=100, help="Most steps along a motif.")
    temperature: float = setting(default=1.0, at_least=1e-3, help="Temperature of the Gumbel-softmax.")


@dataclass(frozen=True, kw_only=True)
class MCNMethod(CustomNetwork):
    """A simplified MCN: each node chooses, in each layer, along which motif and how many steps it gathers.

    Follows the paper in weighted motif adjacencies (how many instances two nodes share) as random-walk matrices, in
    their powers 1 to ``steps``, in the plain edge as one of the motifs, and in two choices per node and layer, of
    motif and of step, by a function of the node's state and its motif counts.
    Departs in how the choice is learned: the paper samples it and trains it by reinforcement learning, here it is a
    straight-through Gumbel-softmax (a hard choice forward, the gradient of the soft one backward) and the best score at
    inference. Departs also in weights of the node itself instead of self loops, in no self-attention among the chosen
    neighbours, and in the motifs: M1 to M5 of a graph with directions, M6 and M7 of one without, those that occur.
    """

    options: ClassVar[type[Config]] = MCNSettings
    whole: bool = True

    def build(self, graph: Graph, in_dim: int, hidden: int, extra: Options, seed: int, **options: Any) -> Encoder:
        """Return the encoder over the graph's edges and motif adjacencies."""
        index = MotifIndex(graph)
        matrices = [index.adjacency(motif) for motif, total in zip(index.motifs, index.totals, strict=True) if total]
        indptr, indices, _ = graph.undirected
        edges = sp.csr_array((np.ones(len(indices)), indices, indptr), shape=(graph.num_nodes, graph.num_nodes))
        counts = np.log1p(np.column_stack([graph.degrees, index.counts]).astype(np.float64))
        spread = counts.std(axis=0)
        counts = (counts - counts.mean(axis=0)) / np.where(spread == 0, 1, spread)
        choice = {
            "walks": [row_normalized(matrix) for matrix in (edges, *matrices)],
            "steps": extra["steps"],
            "temperature": extra["temperature"],
            "counts": torch.from_numpy(counts.astype(np.float32)),
        }
        return MotifConvolutionalNetwork(in_dim, hidden, choice=choice, **options)


MCN = MCNMethod(name="mcn", title="MCN (simplified)")
"""Two layers, one or two steps."""
