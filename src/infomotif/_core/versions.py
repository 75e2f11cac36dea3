"""Versions of installed packages, for everything that records how it was made."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version

LIBRARIES = ("torch", "numpy", "scipy", "numba", "scikit-learn")
"""Packages that results depend on."""


def installed(names: Iterable[str] = LIBRARIES) -> dict[str, str]:
    """Return the version of each package, or ``not installed``.

    Example:
        >>> installed(["no-such-package"])
        {'no-such-package': 'not installed'}
    """
    return {name: _version(name) for name in names}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
