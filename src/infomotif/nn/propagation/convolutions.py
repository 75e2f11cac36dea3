"""Graph convolutions in two steps: ``project`` (a product with weights) and ``spread`` (along the edges).

The split lets one projection serve both the graph and its corruption: (X[permutation]) W = (X W)[permutation].
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.dropout import dropout
from infomotif.nn.propagation.sparse import SparseMatrix, neighbour_max, row_softmax, weighted_sum

Features = Tensor | SparseMatrix

LSTM_NEIGHBOURS = 25


class Product(nn.Module):
    """x W without bias, for dense or sparse x [n, in]."""

    def __init__(self, in_dim: int, out_dim: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_dim, out_dim))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x: Features) -> Tensor:
        """Return x W, [n, out]."""
        return x @ self.weight


class Convolution(nn.Module):
    """One layer: ``spread(project(x), adjacency)``, [n, in] to [n, out]."""

    takes_weights = False
    """Whether messages are weighted by the adjacency."""
    drops_edges = False
    """Whether it drops at random by edge, so that a part of the graph has other random numbers than the whole."""

    def __init__(self, in_dim: int, out_dim: int, projected: int | None = None) -> None:
        super().__init__()
        self.product = Product(in_dim, projected or out_dim)
        self.bias = nn.Parameter(torch.zeros(out_dim))

    def project(self, x: Features) -> Tensor:
        """Multiply with the layer's weights, row by row."""
        out: Tensor = self.product(x)
        return out

    def spread(self, projected: Tensor, adjacency: Adjacency) -> Tensor:
        """Pass the projected rows along the edges."""
        raise NotImplementedError

    def forward(self, x: Tensor, adjacency: Adjacency) -> Tensor:
        """Do both, in the order that is cheaper."""
        return self.spread(self.project(x), adjacency)


class DenseLayer(Convolution):
    """No edges at all: x W + b."""

    def spread(self, projected: Tensor, adjacency: Adjacency) -> Tensor:
        """Add the bias."""
        return adjacency.target_rows(projected) + self.bias

    def forward(self, x: Tensor, adjacency: Adjacency) -> Tensor:
        """Do both for the rows that are needed."""
        return self.project(adjacency.target_rows(x)) + self.bias


class GCNConvolution(Convolution):
    """D^-1/2 (A + I) D^-1/2 X W + b (Kipf and Welling)."""

    takes_weights = True

    def spread(self, projected: Tensor, adjacency: Adjacency) -> Tensor:
        """Average over the neighbourhood with GCN's weights."""
        return (adjacency.gcn @ projected).add_(self.bias)

    def forward(self, x: Tensor, adjacency: Adjacency) -> Tensor:
        """Do both; the average comes first where few nodes get messages, as the product is then of few rows."""
        if adjacency.num_nodes < len(x):
            return self.project(adjacency.gcn @ x) + self.bias
        return self.spread(self.project(x), adjacency)


class GATConvolution(Convolution):
    """Attention over the neighbourhood, heads side by side (Velickovic et al.)."""

    takes_weights = True
    drops_edges = True

    def __init__(self, in_dim: int, out_dim: int, heads: int, dropout: float) -> None:
        super().__init__(in_dim, out_dim)
        self.heads = heads
        self.dropout = dropout
        self.to_source = nn.Parameter(torch.empty(heads, out_dim // heads))
        self.to_target = nn.Parameter(torch.empty(heads, out_dim // heads))
        nn.init.xavier_uniform_(self.to_source)
        nn.init.xavier_uniform_(self.to_target)

    def spread(self, projected: Tensor, adjacency: Adjacency) -> Tensor:
        """Weigh neighbours by softmax of LeakyReLU(a . [W h_u || W h_v])."""
        x = projected.view(len(projected), self.heads, -1)
        pattern = adjacency.with_loops
        rows, cols = pattern.rows_and_columns(x.device)
        scores = (adjacency.target_rows(x) * self.to_target).sum(-1)[rows] + (x * self.to_source).sum(-1)[cols]
        scores = F.leaky_relu(scores, 0.2)
        if adjacency.log_weights is not None:
            # Before the softmax, so that a neighbour of weight 2 counts as two of weight 1 would.
            scores = scores + adjacency.log_weights.unsqueeze(1)
        weights = row_softmax(pattern, scores)
        weights = dropout(weights, self.dropout, self.training)
        return weighted_sum(pattern, weights, x).flatten(1) + self.bias


class SAGEConvolution(Convolution):
    """W_self x + W_neighbours aggregate(neighbours) + b with mean, max or LSTM (Hamilton et al.)."""

    def __init__(self, in_dim: int, out_dim: int, aggregator: str) -> None:
        super().__init__(in_dim, out_dim, projected=2 * out_dim)
        self.aggregator = aggregator
        self.takes_weights = aggregator == "mean"
        if aggregator != "mean":
            self.pool_bias = nn.Parameter(torch.zeros(out_dim))
            self.combine = Product(out_dim, out_dim)
        if aggregator == "lstm":
            self.lstm = nn.LSTM(out_dim, out_dim, batch_first=True)

    def spread(self, projected: Tensor, adjacency: Adjacency) -> Tensor:
        """Add the aggregated neighbours to the node itself."""
        self_part, other = projected.chunk(2, dim=1)
        self_part = adjacency.target_rows(self_part)
        if self.aggregator == "mean":
            return self_part + adjacency.mean @ other + self.bias
        pooled = F.relu(other + self.pool_bias)
        if self.aggregator == "max":
            gathered = neighbour_max(adjacency.neighbours, pooled)
        else:
            gathered = self._sequence(pooled, adjacency)
        combined: Tensor = self.combine(gathered)
        return self_part + combined + self.bias

    def _sequence(self, pooled: Tensor, adjacency: Adjacency) -> Tensor:
        """Run the LSTM over at most 25 evenly spaced neighbours of each node; 0 without neighbours."""
        indptr = torch.from_numpy(adjacency.neighbours.indptr.astype("int64"))
        degree = indptr.diff()
        nodes = degree.nonzero().squeeze(1)
        out = pooled.new_zeros(adjacency.num_nodes, pooled.shape[1])
        if len(nodes) == 0:
            return out
        length = degree[nodes].clamp(max=LSTM_NEIGHBOURS)
        step = torch.arange(int(length.max()))
        position = (step * degree[nodes].unsqueeze(1)) // length.unsqueeze(1)
        entry = indptr[nodes].unsqueeze(1) + position.minimum(degree[nodes].unsqueeze(1) - 1)
        _, cols = adjacency.neighbours.rows_and_columns(pooled.device)
        packed = nn.utils.rnn.pack_padded_sequence(
            pooled[cols[entry.to(pooled.device)]], length, batch_first=True, enforce_sorted=False
        )
        _, (last, _) = self.lstm(packed)
        return out.index_copy(0, nodes.to(pooled.device), last[0])


class RelationalConvolution(Convolution):
    """W_0 x plus, for every relation, W_r times the mean over its neighbours (Schlichtkrull et al.).

    Args:
        in_dim: Width of the input.
        out_dim: Width of the result.
        relations: Number of relations R.
        bases: How many matrices all W_r are mixed of; None gives every relation one of its own.
        embeds: Whether a product in front makes the input ``out_dim`` wide: the attributes of every node type get
            weights of their own there, and the W_r stay small.
    """

    takes_weights = True

    def __init__(self, in_dim: int, out_dim: int, relations: int, bases: int | None, *, embeds: bool) -> None:
        nn.Module.__init__(self)
        self.product: nn.Module = Product(in_dim, out_dim) if embeds else nn.Identity()  # type: ignore[assignment]
        self.bias = nn.Parameter(torch.zeros(out_dim))
        self.weight = nn.Parameter(torch.empty(1 + (bases or relations), out_dim if embeds else in_dim, out_dim))
        with torch.no_grad():
            for matrix in self.weight:
                nn.init.xavier_uniform_(matrix)
        self.mix = None if bases is None else nn.Parameter(torch.empty(relations, bases))
        if self.mix is not None:
            nn.init.xavier_uniform_(self.mix)

    def spread(self, projected: Tensor, adjacency: Adjacency) -> Tensor:
        """Average over the neighbours of each relation and add the node itself: one sparse product for all."""
        weight: Tensor = self.weight
        if self.mix is not None:
            weight = torch.cat([weight[:1], torch.einsum("rb,bio->rio", self.mix, weight[1:])])
        # x W_0, x W_1, ..., x W_R side by side, so that relations are rows of their own.
        rows = (projected @ weight.transpose(0, 1).flatten(1)).view(-1, len(self.bias))
        return (adjacency.relational @ rows).add_(self.bias)


class GINConvolution(Convolution):
    """An MLP over (1 + eps) x + sum of neighbours, eps learned (Xu et al.)."""

    takes_weights = True

    def __init__(self, in_dim: int, out_dim: int) -> None:
        super().__init__(in_dim, out_dim)
        self.epsilon = nn.Parameter(torch.zeros(()))
        self.second = Product(out_dim, out_dim)
        self.second_bias = nn.Parameter(torch.zeros(out_dim))

    def spread(self, projected: Tensor, adjacency: Adjacency) -> Tensor:
        """Sum over the neighbourhood, then the rest of the MLP."""
        total = (1 + self.epsilon) * adjacency.target_rows(projected) + adjacency.total @ projected
        out: Tensor = self.second(F.relu(total + self.bias)) + self.second_bias
        return out
