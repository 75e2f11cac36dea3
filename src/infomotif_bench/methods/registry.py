"""The methods by name; a new one is one line here."""

from __future__ import annotations

from infomotif.errors import unknown_name
from infomotif_bench.methods.base import Method
from infomotif_bench.methods.embeddings.dgi import DGI
from infomotif_bench.methods.embeddings.drne import DRNE
from infomotif_bench.methods.embeddings.graphwave import GRAPHWAVE
from infomotif_bench.methods.embeddings.motif2vec import MOTIF2VEC
from infomotif_bench.methods.embeddings.node2vec import NODE2VEC
from infomotif_bench.methods.embeddings.struc2vec import STRUC2VEC
from infomotif_bench.methods.infomotif import INFOMOTIF
from infomotif_bench.methods.networks import NETWORKS
from infomotif_bench.methods.structural import EXTRA_TREES, LOGISTIC
from infomotif_bench.methods.structural_networks.demonet import DEMONET
from infomotif_bench.methods.structural_networks.mcn import MCN
from infomotif_bench.methods.structural_networks.motif_cnn import MOTIF_CNN

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        *(NODE2VEC, MOTIF2VEC),
        *(STRUC2VEC, GRAPHWAVE, DRNE),
        *(*NETWORKS.values(), DGI),
        *(DEMONET, MOTIF_CNN, MCN),
        *(LOGISTIC, EXTRA_TREES),
        *INFOMOTIF,
    )
}
"""All methods, by name."""


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
