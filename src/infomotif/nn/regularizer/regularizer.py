"""The motif regulariser: gate, instance encoder, readout, discriminator, motif attention, and all of them together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from infomotif.errors import InputError, unknown_name
from infomotif.graph.select import node_numbers
from infomotif.motifs import Instances, Motif, MotifIndex, select_motifs
from infomotif.nn.regularizer.fused import Workspace, fused_loss
from infomotif.nn.regularizer.instance_encoders import make_instance_encoder
from infomotif.nn.regularizer.instances import make_instances
from infomotif.nn.regularizer.loss import (
    LossTerms,
    MotifTerm,
    composed_loss,
    gate_input,
    instance_logits,
)
from infomotif.nn.regularizer.negatives import Negatives, make_negatives, reject_real
from infomotif.nn.regularizer.pairs import PairPlan
from infomotif.nn.regularizer.readouts import Readout, make_readout
from infomotif.nn.regularizer.units import is_rectified
from infomotif.typing import Array

GATES = ("full", "diagonal")


class Drawn(NamedTuple):
    """What the loss of a batch is computed from, one entry per motif: observed instances and negative ones."""

    observed: tuple[Instances, ...]
    negatives: tuple[Negatives, ...]


class Gate(nn.Module):
    """Self-gating unit of one motif: h^t = h * sigmoid(W_g h + b), [n, D] to [n, D].

    With ``kind="diagonal"`` W_g is a diagonal matrix, which costs D instead of D x D products per node.
    """

    def __init__(self, dim: int, kind: str = "full") -> None:
        super().__init__()
        if kind not in GATES:
            raise unknown_name("gate", kind, GATES)
        self.weight = nn.Parameter(torch.empty(dim, dim) if kind == "full" else torch.zeros(dim))
        self.bias = nn.Parameter(torch.zeros(dim))
        if kind == "full":
            nn.init.xavier_uniform_(self.weight)

    def forward(self, h: Tensor) -> Tensor:
        """Gate the representations."""
        return h * torch.sigmoid(gate_input(h, self.weight, self.bias))


class Discriminator(nn.Module):
    """Bilinear score of an instance against a summary, e . W_d s, as a logit."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(dim, dim))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, plan: PairPlan, g: Tensor, weights: Tensor, summaries: Tensor) -> Tensor:
        """Return the logit of each instance, [I]."""
        return instance_logits(plan, g, weights, F.linear(summaries, self.weight))


class MotifAttention(nn.Module):
    """Task-driven weights of the motifs: alpha_vt = softmax_t(p . h^t_v), z_v = sum_t alpha_vt h^t_v."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(1, dim))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, gated: list[Tensor]) -> tuple[Tensor, Tensor]:
        """Return z [n, D] and alpha [n, T] from the T gated representations [n, D]."""
        alpha = torch.stack([g @ self.weight[0] for g in gated], dim=1).softmax(dim=1)
        z = alpha[:, :1] * gated[0]
        for t in range(1, len(gated)):
            z = torch.addcmul(z, alpha[:, t : t + 1], gated[t])
        return z, alpha


class MotifHead(nn.Module):
    """The parts of one motif: gate, instance encoder, readout and discriminator."""

    def __init__(
        self,
        dim: int,
        attention: str = "concat",
        gate: str = "full",
        instance_encoder: str = "attention",
        readout: str = "mean",
    ) -> None:
        super().__init__()
        self.gate = Gate(dim, gate)
        self.encoder = make_instance_encoder(instance_encoder, dim, attention)
        self.readout = make_readout(readout, dim)
        self.discriminator = Discriminator(dim)

    @property
    def fusible(self) -> bool:
        """Whether compiled loops know its parts: weighted sums of members, and their mean."""
        return self.encoder.weighted and isinstance(self.readout, Readout)

    def loss_parameters(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return the parameters in the order the fused loss takes them."""
        return self.gate.weight, self.gate.bias, self.encoder.vector(), self.discriminator.weight


class MotifRegularizer(nn.Module):
    """Motif-based mutual information as a regulariser for any representation h [n, D].

    It holds parameters only: the graph's :class:`infomotif.MotifIndex` is an argument of every call that draws motif
    instances, so one regulariser serves any number of graphs.

    Args:
        dim: Width D of the representations.
        motifs: The T motifs: an index of them, which is not kept, or their names and patterns.
        q: Instances sampled for each node and motif.
        attention: ``concat`` as in the paper, or ``additive``.
        instance_encoder: ``attention`` as in the paper, ``mean`` or ``max``.
        readout: ``mean`` as in the paper, ``set2set``, or ``batch`` for one summary of all nodes of a batch.
        gate: ``full`` as in the paper, or ``diagonal``.
        negatives: Name of the negative sampler, or several joined by ``+``.
        instances: ``motifs``, or a control instead of them: ``random``, ``edges`` or ``graph``.
        residual: Whether z adds h: z = h + sum_t alpha h^t.
        readout_in_z: Whether the motif-level summaries join z.

    Example:
        >>> from infomotif import Graph, MotifIndex
        >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], num_nodes=4, directed=True)
        >>> motifs = MotifIndex(ring)
        >>> reg = MotifRegularizer(8, motifs)
        >>> h = torch.randn(4, 8)
        >>> z, alpha = reg(h, motifs)
        >>> z.shape, alpha.shape
        (torch.Size([4, 8]), torch.Size([4, 5]))
        >>> reg.loss(h, h[[1, 2, 3, 0]], motifs).shape
        torch.Size([])
    """

    fused = True
    """Whether the loss on the CPU is computed in compiled loops, and not composed of torch's operations."""

    def __init__(
        self,
        dim: int,
        motifs: MotifIndex | Iterable[str | Motif],
        *,
        q: int = 20,
        attention: str = "concat",
        gate: str = "full",
        negatives: str = "shuffle",
        instances: str = "motifs",
        residual: bool = False,
        readout_in_z: bool = False,
        instance_encoder: str = "attention",
        readout: str = "mean",
    ) -> None:
        super().__init__()
        if isinstance(dim, bool) or not isinstance(dim, int) or dim < 1:
            raise InputError(f"dim must be a positive integer (got {dim!r})")
        if q < 1:
            raise InputError(f"q must be a positive integer (got {q})")
        self.motifs = motifs.motifs if isinstance(motifs, MotifIndex) else _named(motifs)
        self.q, self.residual, self.readout_in_z = q, residual, readout_in_z
        self.negatives, self.instances = make_negatives(negatives), make_instances(instances)
        if readout_in_z and self.instances.shared_summary:
            raise InputError(
                f"readout_in_z needs a summary per node; instances='{instances}' has only one for the whole graph"
            )
        self.heads = nn.ModuleList(MotifHead(dim, attention, gate, instance_encoder, readout) for _ in self.motifs)
        self.attention = MotifAttention(dim)
        self._workspace = Workspace()

    @property
    def num_motifs(self) -> int:
        """Number of motifs T."""
        return len(self.motifs)

    def forward(
        self,
        h: Tensor,
        index: MotifIndex | None = None,
        nodes: Tensor | None = None,
        generator: np.random.Generator | None = None,
        *,
        instances: Sequence[Instances] | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Return z [B, D] and alpha [B, T] of ``nodes`` (all by default).

        Args:
            h: Representations of all nodes, [n, D].
            index: The graph's motifs; needed only where ``readout_in_z`` draws instances.
            nodes: The wanted nodes, [B].
            generator: Randomness of the instances that ``readout_in_z`` summarises.
            instances: These instances themselves, members as rows of ``h``; drawn by default.

        Raises:
            InputError: If the index is missing, or is not one of this regulariser's motifs and these nodes.
        """
        if index is not None:
            self._check(index, "reg(h, motifs, nodes)")
        wanted = h if nodes is None else h[nodes]
        z, alpha = self._attended(wanted)
        if self.residual:
            z = z + wanted
        if self.readout_in_z:
            batch = _rows(nodes, len(h))
            if instances is None:
                checked = self._check(index, "reg(h, motifs)", len(h))
                instances = self.sample(checked, batch, generator or np.random.default_rng(0))
            z = z + self._summaries(h, batch, alpha, instances)
        return z, alpha

    def draw(self, index: MotifIndex, nodes: Array, generator: np.random.Generator) -> Drawn:
        """Draw the instances of ``nodes`` and their negatives."""
        observed = self.sample(index, nodes, generator)
        owners = nodes[:1] if self.instances.shared_summary else nodes
        return Drawn(observed, self.negatives.sample(index, owners, observed, generator))

    def sample(self, index: MotifIndex, nodes: Array, generator: np.random.Generator) -> tuple[Instances, ...]:
        """Draw the instances of ``nodes`` without negatives."""
        return self.instances.sample(
            self._check(index, "reg.sample(motifs, nodes, generator)"), nodes, self.q, generator
        )

    def loss(
        self,
        h: Tensor,
        h_corrupted: Tensor,
        index: MotifIndex | None = None,
        nodes: Tensor | Array | None = None,
        *,
        alpha: Tensor | None = None,
        generator: np.random.Generator | None = None,
        drawn: Drawn | None = None,
        permutation: Tensor | Array | None = None,
    ) -> Tensor:
        """Return L_MI = 1/(nT) sum_t sum_v alpha_vt L^t(v) over ``nodes``.

        Args:
            h: Representations of all nodes, [n, D].
            h_corrupted: Representations with permuted attributes, [n, D].
            index: The graph's motifs; needed unless ``drawn`` is given.
            nodes: The nodes whose terms are summed, all by default; n above is their number.
            alpha: Weight of each node and motif [n, T], used without gradient; by default that of :meth:`forward`.
            generator: Randomness of the sampled instances.
            drawn: The instances and negatives of ``nodes``, members as rows of ``h``; by default :meth:`draw` does it.
            permutation: The node whose attributes each node shows in ``h_corrupted``, [n]; ``negatives="unseen"`` need
                it unless ``drawn`` is given.

        Raises:
            InputError: If the index is missing, or is not one of this regulariser's motifs and these nodes.
        """
        if h_corrupted.shape != h.shape:
            raise InputError(f"h_corrupted must have the shape of h, {list(h.shape)} (got {list(h_corrupted.shape)})")
        with torch.no_grad():
            weights = (self._attended(h)[1] if alpha is None else alpha).detach().to(h.dtype)
        batch = _rows(nodes, len(h))
        if drawn is None:
            checked = self._check(index, "reg.loss(h, h_corrupted, motifs)", len(h))
            drawn = self.draw(checked, batch, generator or np.random.default_rng())
            if self.negatives.unseen:
                if permutation is None:
                    raise InputError("negatives='unseen' need the permutation of the attributes: loss(permutation=...)")
                shown = node_numbers(permutation, len(h), "permutation")
                drawn = Drawn(drawn.observed, reject_real(checked, drawn.negatives, shown))
        if self.instances.shared_summary:
            weights = weights[torch.from_numpy(batch).to(h.device)].mean(dim=0, keepdim=True).expand(len(h), -1)
            batch = batch[:1]
        share = 1.0 / (max(1, len(batch)) * self.num_motifs)
        terms = []
        for t, (observed, (others, corrupted)) in enumerate(zip(*drawn, strict=True)):
            plan = PairPlan.build(batch, observed, h.shape[0])
            negative = plan if others is observed else PairPlan.build(batch, others, h.shape[0])
            scale = (weights[plan.index("owners", h.device), t] * share).contiguous()
            terms.append(MotifTerm(plan, negative, corrupted, scale))
        heads = self._heads()
        rectified = is_rectified(h) and is_rectified(h_corrupted)
        loss_terms = LossTerms(tuple(terms), heads[0].encoder.additive, rectified)
        if self.fused and heads[0].fusible and h.device.type == "cpu":
            parameters = [p for head in heads for p in head.loss_parameters()]
            return fused_loss(loss_terms, self._workspace, h, h_corrupted, *parameters)
        return composed_loss(loss_terms, h, h_corrupted, heads)

    @torch.no_grad()
    def motif_weights(self, h: Tensor) -> Tensor:
        """Return alpha [n, T] of each row of ``h``, without z and without gradients."""
        scores = h.new_empty(len(h), self.num_motifs)
        for t, head in enumerate(self._heads()):
            gated = gate_input(h, head.gate.weight, head.gate.bias).sigmoid_().mul_(h)
            torch.mv(gated, self.attention.weight[0], out=scores[:, t])
        return scores.softmax(dim=1)

    def _heads(self) -> list[MotifHead]:
        return [head for head in self.heads if isinstance(head, MotifHead)]

    def _attended(self, h: Tensor) -> tuple[Tensor, Tensor]:
        """Return sum_t alpha_t h^t and alpha of each row of ``h``."""
        z, alpha = self.attention([head.gate(h) for head in self._heads()])
        return z, alpha

    def _check(self, index: Any, call: str, rows: int | None = None) -> MotifIndex:
        """Return the index if it fits this regulariser and ``rows`` nodes; ``call`` shows where it belongs."""
        if not isinstance(index, MotifIndex):
            got = "none" if index is None else type(index).__name__
            raise InputError(f"the graph's MotifIndex is needed to draw motif instances: {call} (got {got})")
        if index.motifs != self.motifs:
            has, needs = (", ".join(motif.name for motif in motifs) for motifs in (index.motifs, self.motifs))
            raise InputError(f"the index must be of the regulariser's motifs, {needs} (got {has})")
        if rows is not None and rows != index.graph.num_nodes:
            raise InputError(f"h must have a row for each of the {index.graph.num_nodes} nodes (got {rows})")
        return index

    def _summaries(self, h: Tensor, batch: Array, alpha: Tensor, instances: Sequence[Instances]) -> Tensor:
        """Return sum_t alpha_vt s_vt; a node without instances of a motif gets nothing from it."""
        row_of = np.empty(h.shape[0], dtype=np.int64)
        row_of[batch] = np.arange(len(batch))
        total = h.new_zeros(len(batch), h.shape[1])
        for t, (head, observed) in enumerate(zip(self._heads(), instances, strict=True)):
            plan = PairPlan.build(batch, observed, h.shape[0])
            if plan.num_instances == 0:
                continue
            g = head.gate(h[plan.index("rows", h.device)])
            summaries = head.readout(*head.encoder.encode(plan, g))
            owners = torch.from_numpy(row_of[plan.owners]).to(h.device)
            total = total.index_add(0, owners, alpha[owners, t : t + 1] * summaries)
        return total


def _rows(nodes: Tensor | Array | None, n: int) -> Array:
    return np.arange(n) if nodes is None else node_numbers(nodes, n, repeats=True)


def _named(motifs: Any) -> tuple[Motif, ...]:
    """Return the motifs that names, patterns or motifs stand for."""
    if isinstance(motifs, str) or not isinstance(motifs, Iterable):
        raise InputError(f"motifs must be a MotifIndex, or a list of names and patterns (got {type(motifs).__name__})")
    return select_motifs(motifs, directed=True)
