"""Custom: any module ``(x, edge_index) -> [n, d]`` as an encoder, or one that takes types."""

from __future__ import annotations

import copy
import inspect
from typing import Any

from torch import nn

from infomotif._core.validate import config, setting
from infomotif.errors import InputError
from infomotif.nn.encoders.base import EncoderConfig

PREFIX = "module:"
"""How the names of custom encoders start in files."""


def takes_types(module: nn.Module) -> bool:
    """Whether the forward of a module takes ``edge_type``, as PyG's relational layers do."""
    return "edge_type" in inspect.signature(module.forward).parameters


def takes_dicts(module: nn.Module) -> bool:
    """Whether the forward of a module takes ``x_dict`` and ``edge_index_dict``, as PyG's heterogeneous layers do."""
    return {"x_dict", "edge_index_dict"} <= set(inspect.signature(module.forward).parameters)


def _check_module(module: Any) -> None:
    if not isinstance(module, nn.Module):
        raise InputError(f"module must be a torch module (x, edge_index) -> [n, d] (got {type(module).__name__})")


@config
class Custom(EncoderConfig):
    """Your own module ``(x, edge_index) -> [n, d]`` with the options that concern what is around it.

    On a graph with types, a module ``(x, edge_index, edge_type)`` also gets the number of each edge's relation, and one
    of PyG's form ``(x_dict, edge_index_dict)`` gets and returns matrices by node type, with edges by relation.

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

    @property
    def relational(self) -> bool:
        """Whether the module takes types."""
        return takes_types(self.module) or takes_dicts(self.module)

    def copied(self) -> nn.Module:
        """Return a copy of the module."""
        made: nn.Module = copy.deepcopy(self.module)
        return made
