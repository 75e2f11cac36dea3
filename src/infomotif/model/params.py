"""scikit-learn's habits without its import, which takes longer than a small training."""

from __future__ import annotations

import inspect
from typing import Any, Self

from infomotif.errors import unknown_name


class Parameters:
    """An object whose constructor stores its parameters and nothing else, so that it can be shown, changed and cloned.

    Example:
        >>> class Square(Parameters):
        ...     def __init__(self, side=1, colour="red"):
        ...         self.side, self.colour = side, colour
        >>> Square(2).get_params(), Square().set_params(side=3)
        ({'side': 2, 'colour': 'red'}, Square(side=3))
    """

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; ``deep`` is there for scikit-learn and changes nothing."""
        return {name: getattr(self, name) for name in self._get_param_names()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name.

        Raises:
            InputError: If there is no such parameter.
        """
        known = self._get_param_names()
        for name in params:
            if name not in known:
                raise unknown_name(f"parameter of {type(self).__name__}", name, known)
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        """Show the parameters that differ from their defaults."""
        signature = inspect.signature(type(self).__init__).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value is not signature[name].default and value != signature[name].default
        ]
        return f"{type(self).__name__}({', '.join(changed)})"
