"""Packages whose names are imported when first used."""

from __future__ import annotations

from importlib import import_module

from infomotif._core.collection import paused_collection
from infomotif._core.moved import MOVED

TYPE_CHECKING = False
if TYPE_CHECKING:  # As typing's constant, whose import would take longer than all the rest of ``import infomotif``.
    from collections.abc import Callable, Mapping
    from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, str], *, renamed: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package.

    Args:
        package: Its name.
        homes: The module that defines each name; a submodule is its own home.
        renamed: The new name of each name that is gone.

    Example:
        >>> get, names = lazy_names("infomotif", {"InputError": "infomotif.errors", "errors": "infomotif.errors"})
        >>> get("InputError").__name__, get("errors").__name__, names()
        ('InputError', 'infomotif.errors', ['InputError', 'errors'])
    """

    def get(name: str) -> Any:
        module = homes.get(name)
        if module is None:
            if renamed and name in renamed:
                # An ImportError, because "from package import name" would replace the message of an AttributeError.
                raise ImportError(f"{package}.{name} is now {package}.{renamed[name]}")
            old = f"{package}.{name}"
            raise AttributeError(
                f"{old} moved to {MOVED[old]}" if old in MOVED else f"module '{package}' has no attribute '{name}'"
            )
        try:
            with paused_collection():
                loaded = import_module(module)
        except ModuleNotFoundError as error:
            from infomotif._core.extras import missing_extra

            raise missing_extra(error, f"{package}.{name}") from None
        return loaded if module == f"{package}.{name}" else getattr(loaded, name)

    return get, lambda: sorted(homes)
