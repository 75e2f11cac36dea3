"""The methods by name; a new one is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from infomotif.baselines.appnp import APPNP
from infomotif.baselines.demonet import DEMONET
from infomotif.baselines.dgi import DGI
from infomotif.baselines.drne import DRNE
from infomotif.baselines.gat import GAT
from infomotif.baselines.gcn import GCN
from infomotif.baselines.gcnii import GCNII
from infomotif.baselines.graphsage import GRAPHSAGE
from infomotif.baselines.graphwave import GRAPHWAVE
from infomotif.baselines.infomotif import INFOMOTIF
from infomotif.baselines.jknet import JKNET
from infomotif.baselines.mcn import MCN
from infomotif.baselines.method import Method
from infomotif.baselines.mlp import MLP
from infomotif.baselines.motif2vec import MOTIF2VEC
from infomotif.baselines.motif_cnn import MOTIF_CNN
from infomotif.baselines.node2vec import NODE2VEC
from infomotif.baselines.struc2vec import STRUC2VEC
from infomotif.baselines.structural import EXTRA_TREES, LOGISTIC
from infomotif.errors import unknown_name

METHODS: Mapping[str, Method] = MappingProxyType(
    {
        method.name: method
        for method in (
            *(NODE2VEC, MOTIF2VEC),
            *(STRUC2VEC, GRAPHWAVE, DRNE),
            *(GCN, GAT, GRAPHSAGE, JKNET, APPNP, GCNII, DGI),
            *(DEMONET, MOTIF_CNN, MCN),
            *(MLP, LOGISTIC, EXTRA_TREES),
            *INFOMOTIF,
        )
    }
)
"""All methods that can run."""

PLANNED: tuple[str, ...] = ()
"""Methods that experiments may name before they have an implementation; all of the paper's have one."""


def get_method(name: str) -> Method:
    """Return a method by name.

    Raises:
        InputError: If there is none; the message names the nearest.

    Example:
        >>> get_method("infomotif-gcn").base
        'gcn'
    """
    if name not in METHODS:
        raise unknown_name("method", name, METHODS)
    return METHODS[name]
