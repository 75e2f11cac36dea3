"""Motif explanations of any PyG model: what its prediction loses without the edges of a motif instance."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch_geometric.explain import Explanation
from torch_geometric.explain.algorithm import ExplainerAlgorithm
from torch_geometric.explain.algorithm.utils import clear_masks, set_masks
from torch_geometric.explain.config import ModelMode, ModelReturnType, ModelTaskLevel
from torch_geometric.nn import MessagePassing

from infomotif.errors import InputError
from infomotif.explain.top_instances import instance_edges
from infomotif.motifs import MotifIndex


class MotifOcclusion(ExplainerAlgorithm):  # type: ignore[misc]
    """Marks the edges of the motif instances without which the prediction of a node changes most.

    It explains any PyG model that passes messages. For each instance of a motif that contains the node, messages along
    its edges are left out, and the probability of the predicted class (in a regression, the output) is compared with
    that of the whole graph. The model runs once per instance.

    Args:
        index: The motifs of the graph, ``MotifIndex(data, ...)``.
        count: How many instances per node are marked.
        candidates: How many instances per motif and node are tried; if there are more, a uniform sample of them.
        seed: Which sample.

    The explanation's ``edge_mask`` is the change that the best instance with this edge makes, divided by the largest
    one; edges of no marked instance have 0. Its ``instances`` list the marked ones, best first, as (node, motif,
    members, change).

    Example:
        >>> import infomotif as im
        >>> from torch_geometric.explain import Explainer
        >>> from torch_geometric.nn import GCN
        >>> data = im.load_dataset("karate").to_pyg()
        >>> _ = torch.manual_seed(0)
        >>> algorithm = MotifOcclusion(im.MotifIndex(data))
        >>> explainer = Explainer(
        ...     GCN(34, 16, 2, 4), algorithm, explanation_type="model", edge_mask_type="object",
        ...     model_config={"mode": "multiclass_classification", "task_level": "node", "return_type": "raw"},
        ... )
        >>> explanation = explainer(torch.eye(34), data.edge_index, index=5)
        >>> explanation.edge_mask.shape == (data.num_edges,)
        True
    """

    def __init__(self, index: MotifIndex, count: int = 5, *, candidates: int = 50, seed: int = 0) -> None:
        super().__init__()
        if not isinstance(index, MotifIndex):
            raise InputError(f"index must be a MotifIndex of the graph (got {type(index).__name__})")
        for name, value in (("count", count), ("candidates", candidates)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
                raise InputError(f"{name} must be a positive whole number (got {value!r})")
        self.index, self.count, self.candidates, self.seed = index, int(count), int(candidates), seed

    @torch.no_grad()
    def forward(
        self, model: torch.nn.Module, x: Tensor, edge_index: Tensor, *, target: Tensor, index: Any = None, **kwargs: Any
    ) -> Explanation:
        """Return an explanation with ``edge_mask`` [E] and ``instances``.

        Raises:
            InputError: If no nodes are named, the graph is not that of the motifs, or the model passes no messages.
        """
        if index is None:
            raise InputError("index must name the nodes to explain")
        if x.shape[0] != self.index.graph.num_nodes:
            raise InputError(f"the motifs are those of {self.index.graph.num_nodes} nodes, but x has {x.shape[0]} rows")
        if not any(isinstance(module, MessagePassing) and module.explain is not False for module in model.modules()):
            raise InputError("the model has no MessagePassing layer whose edges could be masked")
        columns = _columns_of_pairs(edge_index)
        mask = torch.zeros(edge_index.shape[1], device=x.device)
        marked = []
        for node in torch.as_tensor(index).flatten().tolist():
            whole = self._value(model(x, edge_index, **kwargs), target, node)
            tried = []
            for motif, members, edges in self._instances(node):
                chosen = torch.tensor(sorted({c for pair in edges for c in columns.get(pair, ())}), dtype=torch.int64)
                kept = torch.ones(edge_index.shape[1], device=x.device)
                kept[chosen.to(x.device)] = 0
                set_masks(model, kept, edge_index, apply_sigmoid=False)
                try:
                    change = whole - self._value(model(x, edge_index, **kwargs), target, node)
                finally:
                    clear_masks(model)
                change = abs(change) if self.model_config.mode == ModelMode.regression else change
                tried.append((change, motif, members, chosen))
            tried.sort(key=lambda entry: -entry[0])
            for change, motif, members, chosen in tried[: self.count]:
                if change > 0:
                    marked.append((node, motif, members, change))
                    mask[chosen] = mask[chosen].clamp(min=change)
        explanation = Explanation(edge_mask=mask / mask.max().clamp(min=torch.finfo(mask.dtype).tiny))
        explanation.instances = sorted(marked, key=lambda entry: -entry[3])
        return explanation

    def supports(self) -> bool:
        """Whether the settings fit: nodes are explained, by edges, and attributes are not masked."""
        if self.model_config.task_level != ModelTaskLevel.node:
            return False
        return self.explainer_config.node_mask_type is None and self.explainer_config.edge_mask_type is not None

    def _instances(self, node: int) -> list[tuple[str, tuple[int, ...], list[tuple[int, int]]]]:
        """Return name, members and edges of the instances to try, each once."""
        found = []
        drawn = self.index.sample([node], self.candidates, np.random.default_rng(self.seed))
        for motif, instances in zip(self.index.motifs, drawn, strict=True):
            for row in instances.members.tolist():
                found.append((motif.name, tuple(row), instance_edges(motif, tuple(row))))
        return found

    def _value(self, output: Tensor, target: Tensor, node: int) -> float:
        """Return what a prediction is worth: the probability of the class, or the output of a regression."""
        out = output[node].flatten()
        if self.model_config.mode == ModelMode.regression:
            return float(out.sum())
        kind, aim = self.model_config.return_type, int(target[node])
        if self.model_config.mode == ModelMode.binary_classification:
            positive = float(out[0].sigmoid() if kind == ModelReturnType.raw else out[0])
            return positive if aim == 1 else 1 - positive
        if kind == ModelReturnType.raw:
            out = out.softmax(dim=0)
        return float(out[aim].exp() if kind == ModelReturnType.log_probs else out[aim])


def _columns_of_pairs(edge_index: Tensor) -> dict[tuple[int, int], list[int]]:
    """Return the columns of an edge index that join two nodes, in either direction; the smaller node first."""
    columns: dict[tuple[int, int], list[int]] = {}
    for column, (u, v) in enumerate(edge_index.t().tolist()):
        columns.setdefault((min(u, v), max(u, v)), []).append(column)
    return columns
