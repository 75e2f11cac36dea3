"""InfoMotif: learning from the motifs of attributed graphs.

Names are imported when first used, so that ``infomotif --help`` answers at once.
"""

from __future__ import annotations

from infomotif._core.lazy import TYPE_CHECKING, lazy_names
from infomotif._core.moved import MovedModules

__version__ = "0.2.0"

_HOME = {
    "datasets": "infomotif.datasets",
    "doctor": "infomotif.doctor",
    "explain": "infomotif.explain",
    "io": "infomotif.io",
    "motifs": "infomotif.motifs",
    "nn": "infomotif.nn",
    "training": "infomotif.training",
    "InputError": "infomotif.errors",
    "Graph": "infomotif.graph",
    "read_csv": "infomotif.io",
    "read_edge_list": "infomotif.io",
    "read_graphml": "infomotif.io",
    "open_store": "infomotif.io",
    "save_store": "infomotif.io",
    "from_pyg": "infomotif.io",
    **{
        name: "infomotif.io"
        for name in ("from_networkx", "from_igraph", "from_scipy", "from_edge_index", "from_dataframe")
    },
    "load_dataset": "infomotif.datasets",
    "make_roles": "infomotif.datasets",
    **{
        name: "infomotif.motifs"
        for name in (
            "MotifIndex",
            "balance",
            "closure_weights",
            "compare_networks",
            "edge_orbit_counts",
            "graphlet_correlation_distance",
            "graphlet_correlation_matrix",
            "motif_encodings",
            "significance",
            "triad_profile",
        )
    },
    "InfoMotif": "infomotif.model.estimator",
    "Inputs": "infomotif.training.config",
    "PredictionMI": "infomotif.training.config",
    "Regularizer": "infomotif.training.config",
    "Search": "infomotif.search.options",
    "Training": "infomotif.training.config",
    **{
        name: "infomotif.nn.encoders"
        for name in ("APPNP", "GAT", "GCN", "GCNII", "GIN", "MLP", "RGCN", "SAGE", "JKNet")
    },
    "load": "infomotif.model.saving",
}

__all__ = ["__version__", *_HOME]

if TYPE_CHECKING:
    from infomotif import datasets as datasets
    from infomotif import doctor as doctor
    from infomotif import explain as explain
    from infomotif import io as io
    from infomotif import motifs as motifs
    from infomotif import nn as nn
    from infomotif import training as training
    from infomotif.datasets import load_dataset as load_dataset
    from infomotif.datasets import make_roles as make_roles
    from infomotif.errors import InputError as InputError
    from infomotif.graph import Graph as Graph
    from infomotif.io import from_dataframe as from_dataframe
    from infomotif.io import from_edge_index as from_edge_index
    from infomotif.io import from_igraph as from_igraph
    from infomotif.io import from_networkx as from_networkx
    from infomotif.io import from_pyg as from_pyg
    from infomotif.io import from_scipy as from_scipy
    from infomotif.io import open_store as open_store
    from infomotif.io import read_csv as read_csv
    from infomotif.io import read_edge_list as read_edge_list
    from infomotif.io import read_graphml as read_graphml
    from infomotif.io import save_store as save_store
    from infomotif.model.estimator import InfoMotif as InfoMotif
    from infomotif.model.saving import load as load
    from infomotif.motifs import MotifIndex as MotifIndex
    from infomotif.motifs import balance as balance
    from infomotif.motifs import closure_weights as closure_weights
    from infomotif.motifs import compare_networks as compare_networks
    from infomotif.motifs import edge_orbit_counts as edge_orbit_counts
    from infomotif.motifs import graphlet_correlation_distance as graphlet_correlation_distance
    from infomotif.motifs import graphlet_correlation_matrix as graphlet_correlation_matrix
    from infomotif.motifs import motif_encodings as motif_encodings
    from infomotif.motifs import significance as significance
    from infomotif.motifs import triad_profile as triad_profile
    from infomotif.nn.encoders import APPNP as APPNP
    from infomotif.nn.encoders import GAT as GAT
    from infomotif.nn.encoders import GCN as GCN
    from infomotif.nn.encoders import GCNII as GCNII
    from infomotif.nn.encoders import GIN as GIN
    from infomotif.nn.encoders import MLP as MLP
    from infomotif.nn.encoders import RGCN as RGCN
    from infomotif.nn.encoders import SAGE as SAGE
    from infomotif.nn.encoders import JKNet as JKNet
    from infomotif.search.options import Search as Search
    from infomotif.training.config import Inputs as Inputs
    from infomotif.training.config import PredictionMI as PredictionMI
    from infomotif.training.config import Regularizer as Regularizer
    from infomotif.training.config import Training as Training

__getattr__, __dir__ = lazy_names(__name__, _HOME)
MovedModules.install()
