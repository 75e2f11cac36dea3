"""Garbage collection, paused while much is made that stays."""

from __future__ import annotations

import gc

TYPE_CHECKING = False
if TYPE_CHECKING:  # As typing's constant, whose import would take longer than all the rest of ``import infomotif``.
    from types import TracebackType


class paused_collection:  # noqa: N801
    """Pause Python's search for cyclic garbage in the block.

    Imports and compilations make many objects, and nearly all of them stay: the search would look at them again and
    again and find nothing. It takes a fifth of their time.

    Example:
        >>> with paused_collection():
        ...     gc.isenabled()
        False
        >>> gc.isenabled()
        True
    """

    def __enter__(self) -> None:
        """Pause, unless it is paused."""
        self._resume = gc.isenabled()
        gc.disable()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Resume, if this block paused."""
        if self._resume:
            gc.enable()
