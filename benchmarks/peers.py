"""Training steps of other methods and of loops written by hand, beside ours, in one process.

All have width 256, dropout 0.5 (DGI none), Adam and the same fifth of the nodes with labels. Every peer is written as
its authors or its library's users write it, with sparse attributes wherever it takes them.
"""

from __future__ import annotations

import time
import warnings

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

WIDTH, STEPS, TELEPORT, FANOUT, BATCH = 256, 10, 0.1, 10, 256
GRAND_ORDER = {"cora": 8, "pubmed": 5}
SLOW = 0.5
"""Seconds per step beyond which a step is measured twice only."""


class Problem:
    """A graph in the forms that the peers take."""

    def __init__(self, graph) -> None:
        from infomotif.nn import Adjacency
        from infomotif.training import FeatureMap

        self.graph, n = graph, graph.num_nodes
        self.x = FeatureMap.fit(graph, None, normalize="none").apply(graph, None)
        self.adjacency = Adjacency.from_graph(graph)
        self.y = torch.from_numpy(np.array(graph.y))
        self.train = torch.from_numpy(np.random.default_rng(0).permutation(n)[: n // 5])
        self.classes, self.columns = graph.num_classes, self.x.shape[1]
        self.sparse, self.normalized = torch_csr(self.x), torch_csr(self.adjacency.gcn)
        self.edge_index = self.adjacency.edge_index

    def loss(self, logits: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(logits[self.train], self.y[self.train])

    def dropped(self) -> torch.Tensor:
        """The sparse attributes with dropout on their values."""
        x = self.sparse
        return torch.sparse_csr_tensor(x.crow_indices(), x.col_indices(), F.dropout(x.values(), 0.5), x.shape)


def torch_csr(matrix) -> torch.Tensor:
    scipy = matrix.to_scipy()
    pointers, columns = (torch.from_numpy(part.astype(np.int64)) for part in (scipy.indptr, scipy.indices))
    return torch.sparse_csr_tensor(pointers, columns, torch.from_numpy(scipy.data), scipy.shape)


class Weights(nn.Module):
    """Two layers and a classifier, as every hand-written loop has them."""

    def __init__(self, problem: Problem) -> None:
        super().__init__()
        self.first = nn.Parameter(nn.init.xavier_uniform_(torch.empty(problem.columns, WIDTH)))
        self.first_bias = nn.Parameter(torch.zeros(WIDTH))
        self.second, self.classify = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, problem.classes)


def hand_gcn(problem: Problem, network: Weights) -> torch.Tensor:
    """Two GCN layers and a linear classifier by torch's CSR products."""
    h = F.relu(problem.normalized @ (problem.dropped() @ network.first) + network.first_bias)
    h = F.dropout(h, 0.5) @ network.second.weight.t()
    h = F.relu(problem.normalized @ h + network.second.bias)
    return network.classify(F.dropout(h, 0.5))


class KeptTranspose(torch.autograd.Function):
    """A CSR product whose backward pass uses a transpose that is there already."""

    @staticmethod
    def forward(ctx, dense, matrix, transpose):
        ctx.transpose = transpose
        return matrix @ dense

    @staticmethod
    def backward(ctx, grad):
        return ctx.transpose @ grad, None, None


def tuned_gcn(problem: Problem):
    """:func:`hand_gcn` with transposes kept, and the second layer's average before its product, for labelled nodes."""
    scipy = problem.x.to_scipy()
    order = scipy.copy()
    order.data = np.arange(len(order.data), dtype=np.float64)
    turned = order.T.tocsr()
    entry = torch.from_numpy(turned.data.astype(np.int64))
    pointers, columns = (torch.from_numpy(part.astype(np.int64)) for part in (turned.indptr, turned.indices))
    whole = problem.adjacency.gcn.to_scipy().tocsr()
    some = whole[problem.train.numpy()]
    rows, rows_turned = (_csr(part) for part in (some, some.T.tocsr()))
    a, x = problem.normalized, problem.sparse

    def logits(network: Weights) -> torch.Tensor:
        values = F.dropout(x.values(), 0.5)
        dropped = torch.sparse_csr_tensor(x.crow_indices(), x.col_indices(), values, x.shape)
        turned_x = torch.sparse_csr_tensor(pointers, columns, values[entry], (x.shape[1], x.shape[0]))
        h = KeptTranspose.apply(network.first, dropped, turned_x)
        # The normalised adjacency is its own transpose.
        h = F.relu(KeptTranspose.apply(h, a, a) + network.first_bias)
        h = F.relu(network.second(KeptTranspose.apply(F.dropout(h, 0.5), rows, rows_turned)))
        return network.classify(F.dropout(h, 0.5))

    return logits


def _csr(matrix) -> torch.Tensor:
    pointers, columns = (torch.from_numpy(part.astype(np.int64)) for part in (matrix.indptr, matrix.indices))
    return torch.sparse_csr_tensor(pointers, columns, torch.from_numpy(matrix.data), matrix.shape)


def hand_appnp(problem: Problem, network: Weights) -> torch.Tensor:
    """An MLP, then class scores propagated by CSR products."""
    h = F.relu(problem.dropped() @ network.first + network.first_bias)
    h = F.relu(network.second(F.dropout(h, 0.5)))
    scores = start = network.classify(F.dropout(h, 0.5))
    for _ in range(STEPS):
        scores = (1 - TELEPORT) * (problem.normalized @ scores) + TELEPORT * start
    return scores


def training_step(network: nn.Module, loss):
    """Adam as a careful user of torch takes it: fused."""
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01, fused=True)

    def step() -> None:
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()

    return step


def our_step(problem: Problem, encoder, nodes):
    from infomotif.nn import MotifNetwork
    from infomotif.training.optim import Adam

    network = MotifNetwork(encoder.build(problem.columns, WIDTH), None, WIDTH, problem.classes, 0.5)
    optimizer = Adam(network.parameters(), lr=0.01)

    def step() -> None:
        optimizer.zero_grad()
        logits = network(problem.x, problem.adjacency, nodes=nodes).logits
        (problem.loss(logits) if nodes is None else F.cross_entropy(logits, problem.y[nodes])).backward()
        optimizer.step()

    return step


def infomax_step(problem: Problem):
    from infomotif import MotifIndex
    from infomotif.nn import GCN, MotifNetwork, MotifRegularizer, derangement
    from infomotif.nn.encoders import encode_with_corruption
    from infomotif.training.optim import Adam

    index, n, rng = MotifIndex(problem.graph), problem.graph.num_nodes, np.random.default_rng(0)
    regularizer = MotifRegularizer(WIDTH, index, q=20)
    network = MotifNetwork(GCN().build(problem.columns, WIDTH), regularizer, WIDTH, problem.classes, 0.5)
    optimizer = Adam(network.parameters(), lr=0.01)
    alpha = torch.full((n, len(index.motifs)), 1 / len(index.motifs))

    def step() -> None:
        optimizer.zero_grad()
        permutation = torch.from_numpy(derangement(n, rng))
        h, corrupted = encode_with_corruption(network.encoder, problem.x, problem.adjacency, permutation)
        regularizer.loss(h, corrupted, index, alpha=alpha, generator=rng).backward()
        optimizer.step()

    return step


def pyg_gcn(problem: Problem, *, sparse: bool):
    from torch_geometric.nn import GCNConv

    network = nn.ModuleList([GCNConv(problem.columns, WIDTH, cached=True), GCNConv(WIDTH, WIDTH, cached=True)])
    network.append(nn.Linear(WIDTH, problem.classes))
    dense = None if sparse else problem.sparse.to_dense()

    def loss() -> torch.Tensor:
        x = problem.dropped() if dense is None else F.dropout(dense, 0.5)
        h = F.relu(network[0](x, problem.edge_index))
        h = F.relu(network[1](F.dropout(h, 0.5), problem.edge_index))
        return problem.loss(network[2](F.dropout(h, 0.5)))

    return training_step(network, loss)


def pyg_appnp(problem: Problem):
    from torch_geometric.nn import APPNP

    network, propagate = Weights(problem), APPNP(STEPS, TELEPORT, cached=True)

    def loss() -> torch.Tensor:
        h = F.relu(problem.dropped() @ network.first + network.first_bias)
        h = F.relu(network.second(F.dropout(h, 0.5)))
        return problem.loss(propagate(network.classify(F.dropout(h, 0.5)), problem.edge_index))

    return training_step(network, loss)


def pyg_dgi(problem: Problem):
    """DGI as PyG's example has it: one GCN layer with PReLU, attributes permuted; here with sparse attributes."""
    from torch_geometric.nn import DeepGraphInfomax, GCNConv

    class Encoder(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.convolution, self.activation = GCNConv(problem.columns, WIDTH, cached=True), nn.PReLU(WIDTH)

        def forward(self, x, edge_index):
            return self.activation(self.convolution(x, edge_index))

    scipy, rng = problem.x.to_scipy().tocsr(), np.random.default_rng(0)

    def corruption(x, edge_index):
        return _csr(scipy[rng.permutation(len(problem.y))]), edge_index

    network = DeepGraphInfomax(
        WIDTH, Encoder(), summary=lambda z, *_: z.mean(dim=0).sigmoid(), corruption=corruption
    )  # fmt: skip
    return training_step(network, lambda: network.loss(*network(problem.sparse, problem.edge_index)))


def grand(problem: Problem, name: str, views: int = 4):
    """GRAND as published: DropNode, mean of A^k X, an MLP per view, consistency with the sharpened mean."""
    dense, order = problem.sparse.to_dense(), GRAND_ORDER[name]
    network = nn.Sequential(nn.Dropout(0.5), nn.Linear(problem.columns, WIDTH), nn.ReLU(), nn.Dropout(0.5))
    network.append(nn.Linear(WIDTH, problem.classes))

    def view() -> torch.Tensor:
        power = total = dense * (torch.rand(len(dense), 1) >= 0.5)
        for _ in range(order):
            power = problem.normalized @ power
            total = total + power
        return network(total / (order + 1))

    def loss() -> torch.Tensor:
        logits = [view() for _ in range(views)]
        predicted = [part.softmax(dim=1) for part in logits]
        sharp = torch.stack(predicted).mean(dim=0) ** 2
        target = (sharp / sharp.sum(dim=1, keepdim=True)).detach()
        consistency = sum((part - target).square().sum(dim=1).mean() for part in predicted) / views
        return sum(problem.loss(part) for part in logits) / views + consistency

    return training_step(network, loss)


def sage_epochs(problem: Problem):
    """An epoch of sampled GraphSAGE over the labelled nodes: PyG's layers, and ours, on the same sampled blocks."""
    from torch_geometric.nn import SAGEConv

    from infomotif.nn import MotifNetwork, NeighbourSampler
    from infomotif.nn.encoders import SAGE
    from infomotif.training.optim import Adam

    sampler = NeighbourSampler(problem.graph, [FANOUT, FANOUT])
    dense, seeds = problem.sparse.to_dense(), iter(range(10**9))
    pyg = nn.ModuleList([SAGEConv(problem.columns, WIDTH), SAGEConv(WIDTH, WIDTH), nn.Linear(WIDTH, problem.classes)])
    ours = MotifNetwork(SAGE().build(problem.columns, WIDTH), None, WIDTH, problem.classes, 0.5)

    def batches():
        for part in problem.train[torch.randperm(len(problem.train))].split(BATCH):
            yield sampler.sample(part.numpy(), next(seeds)), problem.y[part]

    def pyg_epoch() -> None:
        for blocks, y in batches():
            optimizer.zero_grad()
            h = F.dropout(dense[torch.from_numpy(blocks.nodes)], 0.5)
            h = F.relu(pyg[0](h, blocks.edge_index))
            h = F.relu(pyg[1](F.dropout(h, 0.5), blocks.edge_index))[: len(y)]
            F.cross_entropy(pyg[2](F.dropout(h, 0.5)), y).backward()
            optimizer.step()

    def our_epoch() -> None:
        for blocks, y in batches():
            our_optimizer.zero_grad()
            h = ours.encode(problem.x.rows(blocks.nodes), blocks)
            F.cross_entropy(ours.head(h).logits, y).backward()
            our_optimizer.step()

    optimizer = torch.optim.Adam(pyg.parameters(), lr=0.01, fused=True)
    our_optimizer = Adam(ours.parameters(), lr=0.01)
    return our_epoch, pyg_epoch


def measure_peers(name: str) -> dict[str, float]:
    """Median CPU seconds of each method's step, all in turns in this process."""
    from infomotif import load_dataset
    from infomotif.nn import GCN
    from infomotif.nn.encoders import APPNP

    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    problem = Problem(load_dataset(name))
    plain, tuned, propagated = Weights(problem), Weights(problem), Weights(problem)
    tuned_logits, labels = tuned_gcn(problem), problem.y[problem.train]
    our_sage, pyg_sage = sage_epochs(problem)
    steps = {
        "GCN": our_step(problem, GCN(), problem.train),
        "GCN, all nodes": our_step(problem, GCN(), None),
        "GCN, CSR by hand": training_step(plain, lambda: problem.loss(hand_gcn(problem, plain))),
        "GCN, CSR by hand, tuned": training_step(tuned, lambda: F.cross_entropy(tuned_logits(tuned), labels)),
        "GCN, PyG, sparse x": pyg_gcn(problem, sparse=True),
        "GCN, PyG, dense x": pyg_gcn(problem, sparse=False),
        "APPNP": our_step(problem, APPNP(), problem.train),
        "APPNP, classes by hand": training_step(propagated, lambda: problem.loss(hand_appnp(problem, propagated))),
        "APPNP, PyG": pyg_appnp(problem),
        "InfoMax": infomax_step(problem),
        "DGI, PyG": pyg_dgi(problem),
        "GRAND, 4 views": grand(problem, name),
        "SAGE epoch": our_sage,
        "SAGE epoch, PyG": pyg_sage,
    }
    return {what: float(np.median(times)) for what, times in in_turns(steps).items()}


def in_turns(steps, rounds: int = 7) -> dict[str, list[float]]:
    """Take every step once per round, so that other work on the machine hits all alike; slow ones in two rounds."""
    times: dict[str, list[float]] = {what: [] for what in steps}
    for step in steps.values():
        start = time.process_time()
        step()
        if time.process_time() - start < SLOW:
            step()
    for number in range(rounds):
        for what, step in steps.items():
            if number < 2 or times[what][0] < SLOW:
                start = time.process_time()
                step()
                times[what].append(time.process_time() - start)
    return times
