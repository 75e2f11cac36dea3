"""World: the processes that train together, one alone or those that torchrun started."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from infomotif.errors import InputError


@dataclass(frozen=True)
class World:
    """Which of how many processes this one is; alone, nothing is ever sent.

    Attributes:
        rank: Number of this process.
        size: Number of processes.

    Example:
        >>> World().bounds(10), World(rank=1, size=3).bounds(10)
        ((0, 10), (3, 6))
    """

    rank: int = 0
    size: int = 1

    @property
    def first(self) -> bool:
        """Whether this process is the one that writes files and shows progress."""
        return self.rank == 0

    def bounds(self, count: int) -> tuple[int, int]:
        """Return this process's part of ``count`` things that lie in a row."""
        return count * self.rank // self.size, count * (self.rank + 1) // self.size

    def add(self, tensors: Sequence[Tensor]) -> None:
        """Replace tensors by their sums over all processes."""
        if self.size == 1:
            return
        flat = torch.cat([tensor.reshape(-1) for tensor in tensors])
        torch.distributed.all_reduce(flat)
        for tensor, part in zip(tensors, flat.split([tensor.numel() for tensor in tensors]), strict=True):
            tensor.copy_(part.view_as(tensor))

    def exchange(self, rows: Tensor) -> None:
        """Fill in the rows that other processes computed: each has written its own :meth:`bounds` of them."""
        for rank in range(self.size if self.size > 1 else 0):
            a, b = World(rank, self.size).bounds(len(rows))
            if b > a:
                torch.distributed.broadcast(rows[a:b], src=rank)

    def wait(self) -> None:
        """Wait until all processes are here."""
        if self.size > 1:
            torch.distributed.barrier()


def current_world() -> World:
    """Return the world that torchrun's environment describes, joining it if need be; alone without torchrun.

    Raises:
        InputError: If the environment describes a world that cannot be joined.
    """
    if "TORCHELASTIC_RUN_ID" not in os.environ:
        return World()
    try:
        size, rank = int(os.environ["WORLD_SIZE"]), int(os.environ["RANK"])
    except (KeyError, ValueError):
        raise InputError("torchrun's WORLD_SIZE and RANK are not set; start with torchrun -m infomotif train") from None
    if size > 1 and not torch.distributed.is_initialized():
        torch.distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    return World(rank, size)
