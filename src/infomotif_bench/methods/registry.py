"""The methods by name; a new one is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from infomotif.errors import unknown_name
from infomotif_bench.methods.appnp import APPNP
from infomotif_bench.methods.base import Method
from infomotif_bench.methods.embeddings.dgi import DGI
from infomotif_bench.methods.embeddings.drne import DRNE
from infomotif_bench.methods.embeddings.graphwave import GRAPHWAVE
from infomotif_bench.methods.embeddings.motif2vec import MOTIF2VEC
from infomotif_bench.methods.embeddings.node2vec import NODE2VEC
from infomotif_bench.methods.embeddings.struc2vec import STRUC2VEC
from infomotif_bench.methods.gat import GAT
from infomotif_bench.methods.gcn import GCN
from infomotif_bench.methods.gcnii import GCNII
from infomotif_bench.methods.graphsage import GRAPHSAGE
from infomotif_bench.methods.infomotif import INFOMOTIF
from infomotif_bench.methods.jknet import JKNET
from infomotif_bench.methods.mlp import MLP
from infomotif_bench.methods.structural import EXTRA_TREES, LOGISTIC
from infomotif_bench.methods.structural_networks.demonet import DEMONET
from infomotif_bench.methods.structural_networks.mcn import MCN
from infomotif_bench.methods.structural_networks.motif_cnn import MOTIF_CNN

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
