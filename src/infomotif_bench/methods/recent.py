"""What does not depend on the split is computed once and kept for the next splits of the same process."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from infomotif.typing import Array


class Recent:
    """The last few arrays that were computed, by key.

    Example:
        >>> import numpy as np
        >>> recent = Recent(size=1)
        >>> first = recent.get("a", lambda: np.zeros(2))
        >>> recent.get("a", lambda: np.ones(2)) is first
        True
    """

    def __init__(self, size: int) -> None:
        """Keep at most ``size`` arrays."""
        self._size = size
        self._kept: OrderedDict[Hashable, Array] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, compute: Callable[[], Array]) -> Array:
        """Return the array of ``key``, computing it if it is not kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        value = compute()
        value.flags.writeable = False
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return value
