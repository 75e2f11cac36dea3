"""Motif and orbit counts as transforms of PyG: exact structural encodings of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch_geometric.data import Data, HeteroData
from torch_geometric.transforms import BaseTransform

from infomotif._core.parallel import limited_threads
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.csr import endpoints
from infomotif.motifs import Motif, select_motifs
from infomotif.motifs.counting.census import orbit_counts, small_orbit_counts
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.pattern import LETTERS
from infomotif.typing import Array

DEFAULT = ("undirected", "graphlets4")
NORMS = ("share", "standard")
_FEW_EDGES = 20_000


class AddOrbitCounts(BaseTransform):  # type: ignore[misc]
    """Add the graphlet degree vector of each node: how many motif instances contain it in each orbit, exactly.

    A list of graphs, or a ``Batch``, is counted as one graph of separate parts, which is much faster than one by one.
    Self loops and repeated edges do not count. If all motifs are undirected, so is the graph.

    Args:
        motifs: A motif set, a name or a pattern, or a list of these, as :class:`infomotif.MotifIndex` takes them, but
            not "auto", which depends on the graph. By default wedges, triangles and the six graphlets of four nodes.
        attr_name: The attribute to set [n, columns]; None appends the columns to ``data.x``.
        log: Whether to add log(1 + count) instead of the count.
        normalize: None, "share" (each row sums to 1) or "standard" (each column of each graph has mean 0 and standard
            deviation 1, or is 0 if it is constant); after ``log``.

    Attributes:
        names: Name of each column.

    Example:
        >>> data = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 0, 2]]), num_nodes=4)
        >>> transform = AddOrbitCounts("undirected", log=False)
        >>> transform(data).orbit_counts
        tensor([[0., 1., 1.],
                [0., 1., 1.],
                [2., 0., 1.],
                [0., 2., 0.]])
        >>> transform.names
        ('M6:a', 'M6:bc', 'M7:abc')
    """

    _default_name = "orbit_counts"

    def __init__(
        self,
        motifs: str | Motif | Sequence[str | Motif] = DEFAULT,
        attr_name: str | None = "",
        *,
        log: bool = True,
        normalize: str | None = None,
    ) -> None:
        given = [motifs] if isinstance(motifs, str | Motif) else list(motifs)
        if "auto" in given:
            raise InputError("motifs='auto' depends on the graph; use 'directed', 'undirected' or another set")
        if normalize is not None and normalize not in NORMS:
            raise InputError(f"normalize must be None, {' or '.join(map(repr, NORMS))} (got {normalize!r})")
        self.motifs = select_motifs(given, directed=True)
        coloured = next((motif for motif in self.motifs if motif.coloured), None)
        if coloured is not None:
            raise InputError(
                f"a transform does not know the types that motif '{coloured.name}' names; count it with "
                "MotifIndex(from_pyg(data), ...)"
            )
        self.directed = any(motif.directed for motif in self.motifs)
        self.attr_name = self._default_name if attr_name == "" else attr_name
        self.log, self.normalize = log, normalize

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each column."""
        return tuple(f"{m.name}:{''.join(LETTERS[p] for p in orbit)}" for m in self.motifs for orbit in m.orbits)

    def forward(self, data: Any) -> Any:
        """Return the graph, or each graph of a list, with the counts.

        Raises:
            InputError: If it is not a PyG ``Data`` with an ``edge_index``, or a list of these.
        """
        if isinstance(data, Sequence):
            return self._forward_many(data)
        ends, n = structure_of(data)
        batch = getattr(data, "batch", None)
        return self._set(data, self._values(ends, n, None if batch is None else batch.cpu()))

    def _forward_many(self, graphs: Sequence[Any]) -> list[Any]:
        parts = [structure_of(data) for data in graphs]
        ends, sizes = joined_graphs(parts)
        batch = torch.repeat_interleave(torch.arange(len(sizes)), torch.tensor(sizes, dtype=torch.int64))
        values = self._values(ends, sum(sizes), batch)
        return [self._set(data.clone(), part) for data, part in zip(graphs, values.split(sizes), strict=True)]

    def _values(self, ends: Array, n: int, batch: Tensor | None) -> Tensor:
        # Threads are not worth their start for a small graph, nor is asking how many there may be.
        with limited_threads(1) if ends.shape[1] < _FEW_EDGES else nullcontext():
            counts = self._count(ends, n)
        values = torch.from_numpy(counts.astype(np.float32))
        values = values.log1p() if self.log else values
        if self.normalize == "share":
            values = values / values.sum(dim=1, keepdim=True).clamp(min=torch.finfo(values.dtype).tiny)
        if self.normalize == "standard":
            values = _standardised(values, torch.zeros(n, dtype=torch.int64) if batch is None else batch)
        return values

    def _count(self, ends: Array, n: int) -> Array:
        """Count the orbits [n, columns]."""
        if not self.directed:
            small = small_orbit_counts(*endpoints(ends[0], ends[1], n), n, self.motifs)
            if small is not None:
                return small
        graph = Graph.from_edges(ends[0], ends[1], num_nodes=n, directed=self.directed)
        kinds = {motif.directed for motif in self.motifs}
        count_of: dict[Motif, Array] = {}
        for kind in kinds:
            group = [motif for motif in self.motifs if motif.directed == kind]
            counts = orbit_counts(DyadGraph(graph, directed=kind), group)
            stops = np.cumsum([len(motif.orbits) for motif in group])[:-1]
            count_of.update(zip(group, np.split(counts, stops, axis=1), strict=True))
        return np.concatenate([count_of[motif] for motif in self.motifs], axis=1)

    def _set(self, data: Any, values: Tensor) -> Any:
        device = data.edge_index.device
        if self.attr_name is not None:
            data[self.attr_name] = values.to(device)
            return data
        x = getattr(data, "x", None)
        values = values.to(device)
        data.x = values if x is None else torch.cat([x.view(-1, 1) if x.dim() == 1 else x, values.to(x.dtype)], dim=-1)
        return data

    def __repr__(self) -> str:
        """Show the motifs."""
        return f"{type(self).__name__}({', '.join(motif.name for motif in self.motifs)})"


class AddMotifCounts(AddOrbitCounts):
    """Add how many instances of each motif contain each node; arguments as for :class:`AddOrbitCounts`.

    Example:
        >>> data = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 0, 2]]), num_nodes=4)
        >>> AddMotifCounts("undirected", log=False)(data).motif_counts.tolist()
        [[1.0, 1.0], [1.0, 1.0], [2.0, 1.0], [2.0, 0.0]]
    """

    _default_name = "motif_counts"

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each column."""
        return tuple(motif.name for motif in self.motifs)

    def _count(self, ends: Array, n: int) -> Array:
        starts = np.cumsum([0, *(len(motif.orbits) for motif in self.motifs)])[:-1]
        return np.asarray(np.add.reduceat(super()._count(ends, n), starts, axis=1))


def structure_of(data: Any) -> tuple[Array, int]:
    """Return the edges [2, E] and the number of nodes of a PyG graph."""
    if isinstance(data, HeteroData):
        raise InputError("motifs are counted in a Data with nodes of one kind; call data.to_homogeneous() first")
    edge_index = getattr(data, "edge_index", None) if isinstance(data, Data) else None
    if not isinstance(edge_index, Tensor) or edge_index.dim() != 2 or edge_index.shape[0] != 2:
        raise InputError(f"expected a PyG Data with an edge_index [2, E] (got {type(data).__name__})")
    if data.num_nodes is None:
        raise InputError("the PyG data does not say how many nodes it has; set data.num_nodes")
    return edge_index.detach().cpu().numpy(), int(data.num_nodes)


def joined_graphs(parts: list[tuple[Array, int]]) -> tuple[Array, list[int]]:
    """Return the edges [2, E] of graphs as one graph of separate parts, and the number of nodes of each."""
    sizes = [n for _, n in parts]
    starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    shifted = [ends + start for (ends, _), start in zip(parts, starts, strict=False)]
    return np.concatenate(shifted, axis=1) if shifted else np.zeros((2, 0), np.int64), sizes


def _standardised(values: Tensor, batch: Tensor) -> Tensor:
    """Return values with mean 0 and standard deviation 1 in each column of each graph."""
    graphs = int(batch.max()) + 1 if len(batch) else 0
    sizes = torch.bincount(batch, minlength=graphs).clamp(min=1).unsqueeze(1).double()
    wide = values.double()
    centred = wide - (wide.new_zeros(graphs, wide.shape[1]).index_add(0, batch, wide) / sizes)[batch]
    variance = wide.new_zeros(graphs, wide.shape[1]).index_add(0, batch, centred**2) / sizes
    # Rounding leaves a little of the variance of a constant column.
    constant = variance <= 1e-12 * (1 + wide.abs().amax(dim=0, keepdim=True) ** 2) if len(wide) else variance < 0
    return (centred / variance.sqrt().masked_fill(constant, 1.0)[batch]).masked_fill(constant[batch], 0.0).float()
