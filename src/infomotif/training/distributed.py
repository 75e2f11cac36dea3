"""World: the processes that train together, a single one or those that torchrun started."""

from __future__ import annotations

import atexit
import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from infomotif.errors import ElsewhereError, InputError


class LostProcessError(InputError):
    """Another process of the training ended before this one."""


@contextlib.contextmanager
def _connected() -> Iterator[None]:
    """Say in one line that the connection to another process broke.

    Raises:
        LostProcessError: Instead of what the library raises then.
    """
    try:
        yield
    except RuntimeError:
        raise LostProcessError(
            "another process of this training was lost; torchrun starts all again as often as --max-restarts says, and "
            "--resume goes on later"
        ) from None


@dataclass(frozen=True)
class World:
    """The number of this process and of all that train together; a single one sends nothing.

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
        """Return the range of this process among ``count`` items."""
        return count * self.rank // self.size, count * (self.rank + 1) // self.size

    def add(self, tensors: Sequence[Tensor]) -> None:
        """Replace tensors by their sums over all processes."""
        if self.size == 1:
            return
        flat = torch.cat([tensor.reshape(-1) for tensor in tensors])
        with _connected():
            torch.distributed.all_reduce(flat)
        for tensor, part in zip(tensors, flat.split([tensor.numel() for tensor in tensors]), strict=True):
            tensor.copy_(part.view_as(tensor))

    def exchange(self, rows: Tensor) -> None:
        """Fill in the rows that other processes computed; each has written the rows of its :meth:`bounds`."""
        for rank in range(self.size if self.size > 1 else 0):
            a, b = World(rank, self.size).bounds(len(rows))
            if b > a:
                with _connected():
                    torch.distributed.broadcast(rows[a:b], src=rank)

    def adopt(self, tensor: Tensor) -> Tensor:
        """Replace a tensor by the first process's, and return it."""
        if self.size > 1:
            with _connected():
                torch.distributed.broadcast(tensor, src=0)
        return tensor

    def wait(self) -> None:
        """Wait until all processes call this."""
        if self.size > 1:
            with _connected():
                torch.distributed.barrier()

    def agree(self, text: str, rank: int = 0) -> str:
        """Return the text of process ``rank`` in all processes."""
        if self.size == 1:
            return text
        length = torch.tensor([len(text.encode())])
        with _connected():
            torch.distributed.broadcast(length, src=rank)
        if not int(length):
            return ""
        letters = torch.zeros(int(length), dtype=torch.uint8)
        if self.rank == rank:
            letters = torch.frombuffer(bytearray(text.encode()), dtype=torch.uint8)
        with _connected():
            torch.distributed.broadcast(letters, src=rank)
        return bytes(letters.tolist()).decode()

    @contextlib.contextmanager
    def in_unison(self) -> Iterator[None]:
        """Leave the block together: if some processes reject the input in it, all raise an error.

        Raises:
            InputError: In the first process that rejected the input.
            ElsewhereError: In all others.
        """
        refusal: InputError | None = None
        try:
            yield
        except InputError as error:
            refusal = error
        for rank in range(self.size):
            if self.agree("" if refusal is None else str(refusal), rank):
                if refusal is not None and rank == self.rank:
                    raise refusal
                raise self.abort_error()

    def abort_error(self) -> ElsewhereError:
        """Wait for the other processes, then return the error of a process that leaves the message to another one.

        Without the wait torchrun would end all processes with the first one, perhaps before the message is printed.
        """
        with contextlib.suppress(LostProcessError):
            self.wait()
        return ElsewhereError("another process refuses the input")


def restarted() -> bool:
    """Whether torchrun started this process again after one was lost."""
    return _attempt() != "0"


def launch() -> str:
    """Return torchrun's name of this launch, the same after a restart; empty without torchrun."""
    return os.environ.get("TORCHELASTIC_RUN_ID", "")


def current_world() -> World:
    """Return the world that torchrun's environment describes, and join it; a single process without torchrun.

    Raises:
        InputError: If the environment describes a world that cannot be joined.
    """
    if "TORCHELASTIC_RUN_ID" not in os.environ:
        return World()
    try:
        size, rank, port = (int(os.environ[name]) for name in ("WORLD_SIZE", "RANK", "MASTER_PORT"))
        host = os.environ["MASTER_ADDR"]
    except (KeyError, ValueError):
        raise InputError(
            "torchrun must set WORLD_SIZE, RANK, MASTER_ADDR and MASTER_PORT; start with torchrun -m infomotif train"
        ) from None
    if size > 1 and not torch.distributed.is_initialized():
        _join(rank, size, host, port)
    return World(rank, size)


def _join(rank: int, size: int, host: str, port: int) -> None:
    serves = rank == 0 and os.environ.get("TORCHELASTIC_USE_AGENT_STORE") != "True"
    store: Any = torch.distributed.TCPStore(  # type: ignore[attr-defined]
        host, port, size, serves, wait_for_workers=False
    )
    if os.environ.get("TORCH_DISABLE_SHARE_RDZV_TCP_STORE") != "1":
        # torchrun keeps one store for all attempts, which still has the addresses of lost processes.
        store = torch.distributed.PrefixStore(f"attempt {_attempt()}", store)  # type: ignore[attr-defined]
    # Texts and barriers always go through gloo; gradients on CUDA go through nccl.
    backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
    torch.distributed.init_process_group(backend, store=store, rank=rank, world_size=size)
    # Threads of the group that outlive the interpreter may abort the process, and torchrun then ends all others.
    atexit.register(_leave)


def _leave() -> None:
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


def _attempt() -> str:
    return os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
