"""An adapter to PyG's Explainer, so that its metrics and plots work on motif explanations."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch_geometric.explain import Explanation
from torch_geometric.explain.algorithm import ExplainerAlgorithm
from torch_geometric.explain.config import ModelTaskLevel
from torch_geometric.nn import MessagePassing

from infomotif.errors import InputError
from infomotif.explain.subject import Subject
from infomotif.explain.top_instances import instance_edges, top_instances
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.sparse import SparseMatrix, weighted_sum


class MaskableModel(MessagePassing):  # type: ignore[misc]
    """The fitted network as PyG's Explainer takes models: ``forward(x, edge_index)`` gives logits [n, C].

    A model trained with ``edge_weights`` needs ``edge_weight=subject.adjacency.edge_weight`` too. Where PyG sets an
    edge mask, messages are multiplied by it after normalisation, as in PyG's own layers, and gradients reach the mask:
    GNNExplainer and other algorithms work too. Attention weighs by the mask before its softmax. Encoders that cannot
    weigh messages (SAGE with max or LSTM, custom modules) leave edges below one half out instead.

    Example:
        >>> import infomotif as im
        >>> from torch_geometric.explain import Explainer, fidelity
        >>> graph = im.load_dataset("karate")
        >>> inputs = im.Inputs(features="attributes+counts")
        >>> model = im.InfoMotif(im.GCN(hidden=8), preset="paper", training=im.Training(epochs=5), inputs=inputs)
        >>> model = model.fit(graph, train=[0, 1, 32, 33])
        >>> subject = model.subject()
        >>> explainer = Explainer(
        ...     MaskableModel(subject), MotifExplainer(subject), explanation_type="model", edge_mask_type="object",
        ...     model_config={"mode": "multiclass_classification", "task_level": "node", "return_type": "raw"},
        ... )
        >>> explanation = explainer(dense_input(subject), subject.adjacency.edge_index, index=5)
        >>> positive, negative = fidelity(explainer, explanation)
        >>> 0 <= positive <= 1
        True
    """

    def __init__(self, subject: Subject) -> None:
        super().__init__()
        self.network, self.index = copy.deepcopy(subject.network).eval(), subject.index
        self.weighted = subject.adjacency.weights is not None
        # Masks are applied here, and not once more by layers of a custom encoder.
        for module in self.network.modules():
            if isinstance(module, MessagePassing):
                module.explain = False

    def forward(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        """Return the logits of all nodes.

        Raises:
            InputError: If weights are missing, or given to a model that was trained without.
        """
        if self.weighted != (edge_weight is not None):
            wanted = "give edge_weight=subject.adjacency.edge_weight" if self.weighted else "leave edge_weight out"
            raise InputError(f"the model was trained with{'' if self.weighted else 'out'} edge_weights; {wanted}")
        mask = self._edge_mask if self.explain else None
        if mask is not None and self._apply_sigmoid:
            mask = mask.sigmoid()
        soft = mask is not None and isinstance(self.network.encoder, Encoder) and self.network.encoder.takes_weights
        if mask is not None and not soft:
            edge_index = edge_index[:, mask >= 0.5]
            edge_weight = None if edge_weight is None else edge_weight[mask >= 0.5]
        adjacency = Adjacency.from_edge_index(edge_index, x.shape[0], edge_weight).to(x.device)
        if mask is not None and soft:
            adjacency = masked(adjacency, edge_index, mask)
        logits: Tensor = self.network(x, adjacency, self.index).logits
        return logits


class MaskedMatrix(SparseMatrix):
    """A sparse matrix whose values carry gradients too."""

    def __matmul__(self, dense: Tensor) -> Tensor:
        """Multiply with a dense matrix [columns, D]."""
        return weighted_sum(self.pattern, self.values.unsqueeze(1), dense.unsqueeze(1)).squeeze(1)


def masked(adjacency: Adjacency, edge_index: Tensor, mask: Tensor) -> Adjacency:
    """Return the adjacency with its messages multiplied by a mask over ``edge_index``; loops keep theirs.

    Args:
        adjacency: The adjacency of the same edges.
        edge_index: The edges [2, E] that the mask is about; of repeated edges the mean counts.
        mask: What each message is multiplied by [E].
    """
    pattern, device = adjacency.neighbours, mask.device
    rows, columns = pattern.rows_and_columns(torch.device("cpu"))
    known = (rows * pattern.num_cols + columns).numpy()
    order = np.argsort(known, kind="stable")
    source, target = edge_index.detach().cpu().numpy()
    kept = source != target
    wanted = target[kept].astype(np.int64) * pattern.num_cols + source[kept]
    position = torch.from_numpy(order[np.searchsorted(known, wanted, sorter=order)]).to(device)
    values = mask[torch.from_numpy(kept).to(device)].float()
    total = torch.zeros(len(known), device=device).index_add(0, position, values)
    entries = total / torch.zeros(len(known), device=device).index_add(0, position, torch.ones_like(values))
    with_loops = adjacency.with_loops
    at, of = with_loops.rows_and_columns(torch.device("cpu"))
    own = torch.nonzero(at + adjacency.start != of).squeeze(1).to(device)
    looped = torch.ones(len(at), device=device).index_copy(0, own, entries)
    out = copy.copy(adjacency)
    out.__dict__["gcn"] = MaskedMatrix(with_loops, adjacency.gcn.values * looped)
    for name in ("mean", "total"):
        out.__dict__[name] = MaskedMatrix(pattern, getattr(adjacency, name).values * entries)
    logarithms = looped.clamp(min=torch.finfo(torch.float32).tiny).log()
    out.__dict__["log_weights"] = logarithms if adjacency.log_weights is None else adjacency.log_weights + logarithms
    return out


class MotifExplainer(ExplainerAlgorithm):  # type: ignore[misc]
    """Marks the edges of the motif instances that count most for the explained nodes.

    Args:
        subject: The model on its graph.
        count: How many instances per node.
    """

    def __init__(self, subject: Subject, count: int = 5) -> None:
        super().__init__()
        self.subject, self.count = subject, count

    def forward(
        self, model: torch.nn.Module, x: Tensor, edge_index: Tensor, *, target: Tensor, index: Any = None, **kwargs: Any
    ) -> Explanation:
        """Return an explanation whose ``edge_mask`` is 1 on the edges of the instances and 0 elsewhere."""
        if index is None:
            raise InputError("index must name the nodes to explain")
        subject = self.subject
        if subject.index is None or x.shape[0] != subject.graph.num_nodes:
            raise InputError("MotifExplainer explains the subject's own graph, with a model that uses motifs")
        marked: set[tuple[int, int]] = set()
        for node in torch.as_tensor(index).flatten().tolist():
            for instance in top_instances(subject, int(node), count=self.count):
                marked |= set(instance_edges(subject.index.motifs[instance.motif], instance.members))
        pairs = ((min(u, v), max(u, v)) for u, v in edge_index.t().tolist())
        mask = torch.tensor([float(pair in marked) for pair in pairs], device=x.device)
        return Explanation(edge_mask=mask)

    def supports(self) -> bool:
        """Whether the settings fit: nodes are explained, by edges, and attributes are not masked."""
        if self.model_config.task_level != ModelTaskLevel.node:
            return False
        return self.explainer_config.node_mask_type is None and self.explainer_config.edge_mask_type is not None


def dense_input(subject: Subject) -> Tensor:
    """Return the network's input features as PyG takes them, dense [n, F]."""
    return subject.x.to_dense() if isinstance(subject.x, SparseMatrix) else subject.x
