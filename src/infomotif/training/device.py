"""Where and how training computes: device, threads, and a random state apart from the caller's."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import torch

from infomotif._core.parallel import limited_threads, thread_count
from infomotif.errors import InputError
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.convolutions import Features
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif.training.distributed import World

SMALL_GRAPH = 5000
"""Graphs with fewer nodes are trained in one thread by default."""


def pick_device(name: str | torch.device, world: World | None = None) -> torch.device:
    """Return the device that ``name`` means; ``auto`` takes CUDA if there is a device.

    Without a number, each process of a world takes the device of its local rank.

    Raises:
        InputError: If there is no such device here.
    """
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
    except (RuntimeError, TypeError):
        raise InputError(f"device must be auto, cpu, cuda or cuda:N (got '{name}')") from None
    if device.type not in ("cpu", "cuda"):
        raise InputError(f"device must be auto, cpu, cuda or cuda:N (got '{name}')")
    if device.type == "cuda" and not torch.cuda.is_available():
        raise InputError(f"device '{name}' is not available: torch finds no CUDA; use device='cpu'")
    if device.type == "cuda":
        count = torch.cuda.device_count()
        if ":" not in str(device):
            local_rank = int(os.environ.get("LOCAL_RANK", "0")) if world is not None and world.size > 1 else None
            return device if local_rank is None else torch.device("cuda", local_rank % count)
        if device.index >= count:
            raise InputError(f"device '{name}' is not available: torch finds {count} (cuda:0 to cuda:{count - 1})")
    return device


def on_device(device: torch.device, x: Features, adjacency: Adjacency) -> tuple[Features, Adjacency]:
    """Move a graph's tensors to ``device``; dense features go through pinned memory."""
    if device.type == "cpu":
        return x, adjacency
    if isinstance(x, SparseMatrix):
        return x.to(device), adjacency.to(device)
    return x.pin_memory().to(device, non_blocking=True), adjacency.to(device)


@contextlib.contextmanager
def compute_context(threads: int | None, num_nodes: int, device: torch.device) -> Iterator[None]:
    """Use ``threads`` (by default one for small graphs) and a private copy of torch's random state in the block.

    The package's own kernels give the same bits with any number of threads; torch's products and sums do not. So torch
    has one thread for small graphs, whose results then depend on no number of threads.
    """
    before = torch.get_num_threads()
    wanted = thread_count(threads) if threads is not None else 1 if num_nodes < SMALL_GRAPH else before
    devices = [device] if device.type == "cuda" else []
    torch.set_num_threads(1 if num_nodes < SMALL_GRAPH else wanted)
    try:
        with limited_threads(wanted), torch.random.fork_rng(devices=devices):
            yield
    finally:
        torch.set_num_threads(before)
