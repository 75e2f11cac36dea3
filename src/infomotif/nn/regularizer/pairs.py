"""PairPlan: sampled motif instances, arranged so that no array grows with instances x members x D.

A node's instances share members, and everything the loss needs of a member depends on the pair (node, member)
only: its weight in the readout and its dot product with the node's summary. So the pairs are listed once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from infomotif.motifs import Instances
from infomotif.nn import kernels
from infomotif.nn.propagation.sparse import Pattern
from infomotif.typing import Array


@dataclass(frozen=True)
class PairPlan:
    """The instances of one motif for a batch of nodes.

    Attributes:
        owners: Nodes that have instances, [B].
        rows: Nodes that are members of these instances, [R]; gates are computed for these only.
        owner_rows: Position of each owner in ``rows``, [B].
        inst_ptr: Instances of each owner, [B + 1].
        slots: The pair of each member of an instance, [I, k].
        pairs: The distinct (owner, member row) pairs, [B, R].
    """

    owners: Array
    rows: Array
    owner_rows: Array
    inst_ptr: Array
    slots: Array
    pairs: Pattern

    @classmethod
    def build(cls, nodes: Array, instances: Instances, num_nodes: int) -> PairPlan:
        """Arrange the ``instances`` of ``nodes``; nodes without any are left out."""
        count = np.diff(instances.indptr)
        keep = count > 0
        owners = nodes[keep]
        members = instances.members
        index = np.int32 if max(members.size, num_nodes) < 2**31 else np.int64
        inst_ptr = np.zeros(len(owners) + 1, dtype=index)
        np.cumsum(count[keep], out=inst_ptr[1:])
        used = np.zeros(num_nodes, dtype=np.bool_)
        used[members.ravel()] = True
        used[owners] = True
        rows = np.flatnonzero(used)
        local = np.empty(num_nodes, dtype=index)
        local[rows] = np.arange(len(rows), dtype=index)
        ptr = np.empty(len(owners) + 1, dtype=index)
        col = np.empty(members.size, dtype=index)
        slots = np.empty(members.shape, dtype=index)
        num_pairs = kernels.pair_slots(inst_ptr, members, local, len(rows), ptr, col, slots)
        # A copy, so that the room for pairs that are the same is not kept.
        col = col[:num_pairs].copy()
        return cls(owners, rows, local[owners], inst_ptr, slots, Pattern(ptr, col, len(rows)))

    @property
    def num_instances(self) -> int:
        """Number of sampled instances I, counted once for each owner."""
        return len(self.slots)

    def member_rows(self, device: torch.device) -> Tensor:
        """Return the row of each member of each instance, [I, k]."""
        return torch.from_numpy(self.pairs.indices[self.slots].astype(np.int64)).to(device)

    def of_instances(self) -> PairPlan:
        """Return a plan of the same instances whose rows are the instances themselves, one row each."""
        each = np.arange(self.num_instances, dtype=self.slots.dtype)
        pairs = Pattern(self.inst_ptr, each, self.num_instances)
        return PairPlan(self.owners, each, self.inst_ptr[:-1], self.inst_ptr, each[:, None], pairs)

    def index(self, name: str, device: torch.device) -> Tensor:
        """Return ``owners``, ``rows``, ``owner_rows`` or ``slots`` as an index tensor on ``device``."""
        return torch.from_numpy(getattr(self, name).astype(np.int64, copy=False)).to(device, non_blocking=True)
