"""Names of a package that are imported when first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, str], *, renamed: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package.

    Args:
        package: The package's name.
        homes: Which module defines each name.
        renamed: The new name of each name that is gone.

    Example:
        >>> get, _ = lazy_names("here", {"sqrt": "math"})
        >>> get("sqrt")(9)
        3.0
    """

    def get(name: str) -> Any:
        if name in homes:
            return getattr(import_module(homes[name]), name)
        if renamed and name in renamed:
            # An ImportError, because "from package import name" would replace the message of an AttributeError.
            raise ImportError(f"{package}.{name} is now {package}.{renamed[name]}")
        raise AttributeError(f"module '{package}' has no attribute '{name}'")

    def listed() -> list[str]:
        return sorted(homes)

    return get, listed
