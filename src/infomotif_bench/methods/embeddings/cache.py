"""The embeddings of the last runs of this process, so that splits of the same graph and seed share one."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from infomotif.typing import Array


class ArrayCache:
    """The most recently used arrays, by key; threads of one process may share it.

    Example:
        >>> import numpy as np
        >>> cache = ArrayCache(size=1)
        >>> first = cache.get("a", lambda: np.zeros(2))
        >>> cache.get("a", lambda: np.ones(2)) is first
        True
    """

    def __init__(self, size: int) -> None:
        """Keep at most ``size`` arrays."""
        self._size = size
        self._arrays: OrderedDict[Hashable, Array] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, compute: Callable[[], Array]) -> Array:
        """Return the array of ``key``, computing it if it is not there; the result is read-only."""
        with self._lock:
            if key in self._arrays:
                self._arrays.move_to_end(key)
                return self._arrays[key]
        value = compute()
        value.flags.writeable = False
        with self._lock:
            self._arrays[key] = value
            while len(self._arrays) > self._size:
                self._arrays.popitem(last=False)
        return value
