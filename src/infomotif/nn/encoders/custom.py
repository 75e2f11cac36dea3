"""Custom: any module ``(x, edge_index) -> [n, d]`` as an encoder."""

from __future__ import annotations

import copy
from typing import Any

from torch import nn

from infomotif._core.validate import config, setting
from infomotif.errors import InputError
from infomotif.nn.encoders.base import EncoderConfig

PREFIX = "module:"
"""How the names of custom encoders start in files."""


def _check_module(module: Any) -> None:
    if not isinstance(module, nn.Module):
        raise InputError(f"module must be a torch module (x, edge_index) -> [n, d] (got {type(module).__name__})")


@config
class Custom(EncoderConfig):
    """Your own module ``(x, edge_index) -> [n, d]`` with the options that concern what is around it.

    ``layers`` says how many hops it looks where that cannot be known; ``dropout`` acts on what the classifier gets.

    Example:
        >>> class Sum(nn.Module):
        ...     def forward(self, x, edge_index):
        ...         return x
        >>> Custom(module=Sum(), dropout=0.2).label
        'module:Sum'
    """

    module: Any = setting(help="The module; every training works on a copy.", check=_check_module)

    @property
    def label(self) -> str:
        """The encoder's name, as model files have it."""
        return f"{PREFIX}{type(self.module).__name__}"

    def copied(self) -> nn.Module:
        """Return a copy of the module."""
        made: nn.Module = copy.deepcopy(self.module)
        return made
