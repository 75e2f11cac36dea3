"""Encoders by name: one file each, found by its name; a new one is one more file.

Names are imported when first used, so that commands can list the encoders without torch.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from infomotif.errors import InputError, unknown_name

if TYPE_CHECKING:
    from torch import nn

    from infomotif.nn.encoders.appnp import APPNP as APPNP
    from infomotif.nn.encoders.base import Encoder as Encoder
    from infomotif.nn.encoders.base import EncoderConfig as EncoderConfig
    from infomotif.nn.encoders.custom import Custom as Custom
    from infomotif.nn.encoders.encoding import encode as encode
    from infomotif.nn.encoders.encoding import encode_with_corruption as encode_with_corruption
    from infomotif.nn.encoders.gat import GAT as GAT
    from infomotif.nn.encoders.gcn import GCN as GCN
    from infomotif.nn.encoders.gcnii import GCNII as GCNII
    from infomotif.nn.encoders.gin import GIN as GIN
    from infomotif.nn.encoders.jknet import JKNet as JKNet
    from infomotif.nn.encoders.mlp import MLP as MLP
    from infomotif.nn.encoders.rgcn import RGCN as RGCN
    from infomotif.nn.encoders.sage import SAGE as SAGE

_PARTS = {"base": ("Encoder", "EncoderConfig"), "custom": ("Custom",), "encoding": ("encode", "encode_with_corruption")}
_FILES = tuple(module.name for module in pkgutil.iter_modules(__path__) if module.name not in _PARTS)


class _Encoders(Mapping[str, "type[EncoderConfig]"]):
    """All encoders by name, imported when they are asked for."""

    def _registered(self) -> dict[str, type[EncoderConfig]]:
        from infomotif.nn.encoders.base import REGISTERED

        return REGISTERED

    def __getitem__(self, name: str) -> type[EncoderConfig]:
        if name in _FILES:
            import_module(f"{__name__}.{name}")
        return self._registered()[name]

    def __iter__(self) -> Iterator[str]:
        for name in _FILES:
            import_module(f"{__name__}.{name}")
        return iter(dict.fromkeys((*_FILES, *self._registered())))

    def __len__(self) -> int:
        return len(list(iter(self)))


ENCODERS: Mapping[str, type[EncoderConfig]] = _Encoders()
"""Encoders by name: those of this folder, and classes of your own that subclass :class:`EncoderConfig`."""


def encoder_names() -> tuple[str, ...]:
    """Return the names of the encoders that come with the package; torch is not imported.

    Example:
        >>> encoder_names()
        ('appnp', 'gat', 'gcn', 'gcnii', 'gin', 'jknet', 'mlp', 'rgcn', 'sage')
    """
    return _FILES


def as_encoder(encoder: str | EncoderConfig | nn.Module, **options: Any) -> EncoderConfig:
    """Return an encoder's configuration: by name, one already, or around a module.

    Args:
        encoder: The encoder; ``auto`` is ``gcn``, where nothing chooses another.
        options: Options to change.

    Raises:
        InputError: If there is no encoder of that name, it has no such option, or it is a class.

    Example:
        >>> as_encoder("gat", heads=4)
        GAT(heads=4)
    """
    from infomotif.nn.encoders.base import EncoderConfig
    from infomotif.nn.encoders.custom import Custom

    if isinstance(encoder, type):
        raise InputError(
            f"encoder must be an instance, not the class {encoder.__name__}; make one: {encoder.__name__}(...)"
        )
    if isinstance(encoder, str):
        encoder = "gcn" if encoder == "auto" else encoder
        if encoder not in ENCODERS:
            raise unknown_name("encoder", encoder, ENCODERS)
        return ENCODERS[encoder](**options)
    if isinstance(encoder, EncoderConfig):
        return encoder.replace(**options) if options else encoder
    return Custom(module=encoder, **options)


def make_encoder(name: str, in_dim: int, hidden: int, **options: Any) -> Encoder:
    """Build an encoder's module by name.

    Example:
        >>> make_encoder("gcn", 3, 8, layers=3).hops
        3
    """
    return as_encoder(name, **options).build(in_dim, hidden)


def __getattr__(name: str) -> Any:
    for part, names in _PARTS.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{part}"), name)
    if name.lower() in _FILES:
        return getattr(import_module(f"{__name__}.{name.lower()}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
