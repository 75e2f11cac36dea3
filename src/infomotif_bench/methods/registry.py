"""The methods by name: those of this package, one line each, and those of other packages, through an entry point."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterable, Iterator, MutableMapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from infomotif.errors import InputError, unknown_name
from infomotif_bench.methods.base import NAME, Method
from infomotif_bench.methods.embeddings.dgi import DGI
from infomotif_bench.methods.embeddings.drne import DRNE
from infomotif_bench.methods.embeddings.graphwave import GRAPHWAVE
from infomotif_bench.methods.embeddings.motif2vec import MOTIF2VEC
from infomotif_bench.methods.embeddings.node2vec import NODE2VEC
from infomotif_bench.methods.embeddings.struc2vec import STRUC2VEC
from infomotif_bench.methods.grand import GRAND
from infomotif_bench.methods.infomotif import INFOMOTIF
from infomotif_bench.methods.networks import NETWORKS
from infomotif_bench.methods.simple.regressions import REGRESSIONS
from infomotif_bench.methods.simple.spreading import SPREADING
from infomotif_bench.methods.structural_features import EXTRA_TREES, LOGISTIC
from infomotif_bench.methods.structural_networks.demonet import DEMONET
from infomotif_bench.methods.structural_networks.mcn import MCN
from infomotif_bench.methods.structural_networks.motif_cnn import MOTIF_CNN

ENTRY_POINTS = "infomotif.methods"
"""The group of entry points that load to a method, or to a sequence of methods."""


class MethodWarning(UserWarning):
    """A method of another package that is left out."""


class MethodRegistry(MutableMapping[str, Method]):
    """Methods by name; other packages are asked for theirs when the registry is first used.

    A package that does not load, or offers a name that is taken, is left out with a warning. Asking for its method by
    name is an error that says why.

    Args:
        methods: The methods of this package.

    Example:
        >>> "gcn" in MethodRegistry(NETWORKS.values())
        True
    """

    def __init__(self, methods: Iterable[Method]) -> None:
        """Look up no other package yet."""
        self._methods = {method.name: method for method in methods}
        self._package: dict[str, str] = {}
        self._reasons: dict[str, str] = {}
        self._complete = False
        # A package may use the registry while it is loaded.
        self._lock = threading.RLock()

    def __getitem__(self, name: str) -> Method:
        """Return a method by name."""
        return self._all()[name]

    def __setitem__(self, name: str, method: Method) -> None:
        """Add a method for this process, or replace one."""
        if name != method.name:
            raise ValueError(f"the name of the method is '{method.name}' (got '{name}')")
        self._all()[name] = method

    def __delitem__(self, name: str) -> None:
        """Remove a method from this process."""
        del self._all()[name]

    def __iter__(self) -> Iterator[str]:
        """Go through the names."""
        return iter(self._all())

    def __len__(self) -> int:
        """Return the number of methods."""
        return len(self._all())

    def find(self, name: str) -> Method:
        """Return a method by name.

        Raises:
            InputError: If there is none; the message names the nearest, or says why a package's method is left out.
        """
        methods = self._all()
        if name in methods:
            return methods[name]
        if name in self._reasons:
            raise InputError(f"method {self._reasons[name]}")
        raise unknown_name("method", name, methods)

    def _all(self) -> dict[str, Method]:
        with self._lock:
            if not self._complete:
                self._complete = True
                for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda p: (_package(p), p.name)):
                    self._add(point)
            return self._methods

    def _add(self, point: EntryPoint) -> None:
        package = _package(point)
        try:
            offered = _methods_of(point.load())
        except (Exception, SystemExit) as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            self._leave_out(point.name, f"'{point.name}' of package {package} is left out: it does not load ({reason})")
            return
        for method in offered:
            other = self._package.get(method.name)
            if other is not None:
                self._methods.pop(method.name, None)
                self._leave_out(
                    method.name,
                    f"'{method.name}' is left out: packages {other} and {package} both offer it; uninstall one of them",
                )
            elif method.name in self._methods:
                self._leave_out(
                    method.name,
                    f"'{method.name}' of package {package} is left out: infomotif has a method of that name",
                )
            else:
                self._methods[method.name] = method
                self._package[method.name] = package

    def _leave_out(self, name: str, reason: str) -> None:
        self._reasons[name] = reason
        warnings.warn(f"method {reason}", MethodWarning, stacklevel=2)


def _package(point: EntryPoint) -> str:
    return point.value if point.dist is None else point.dist.name


def _methods_of(value: Any) -> list[Method]:
    """Return the methods that an entry point loads to."""
    methods = list(value) if isinstance(value, list | tuple) else [value]
    for method in methods:
        if not isinstance(method, Method):
            raise TypeError(f"it must be a Method or a sequence of them (got {method!r:.80})")
        if not isinstance(method.name, str) or not NAME.fullmatch(method.name):
            raise ValueError(f"a name must be letters, digits, points, hyphens, underscores (got {method.name!r:.40})")
    return methods


METHODS = MethodRegistry(
    (
        *(NODE2VEC, MOTIF2VEC),
        *(STRUC2VEC, GRAPHWAVE, DRNE),
        *(*NETWORKS.values(), DGI, GRAND),
        *(DEMONET, MOTIF_CNN, MCN),
        *(LOGISTIC, EXTRA_TREES, *REGRESSIONS, *SPREADING),
        *INFOMOTIF,
    )
)
"""All methods, by name."""


def get_method(name: str) -> Method:
    """Return a method by name.

    Raises:
        InputError: If there is none; the message names the nearest.

    Example:
        >>> get_method("infomotif-gcn").base
        'gcn'
    """
    return METHODS.find(name)
