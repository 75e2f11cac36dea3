"""Network motifs and graphlets: a catalog of patterns, counts per node and orbit, instances, samples, significance."""

from infomotif.motifs.catalog import DATA_SETS, SETS, catalog, get_motif, select_motifs
from infomotif.motifs.closure import closure_weights
from infomotif.motifs.cluster import ClusterMiner
from infomotif.motifs.colours.balance import Balance, balance
from infomotif.motifs.colours.sets import motifs_for
from infomotif.motifs.compare import (
    NetworkComparison,
    Profile,
    compare_networks,
    graphlet_correlation_distance,
    graphlet_correlation_matrix,
    plot_correlations,
    plot_profiles,
    triad_profile,
)
from infomotif.motifs.counting.edge_orbits import EdgeOrbits, edge_orbit_counts
from infomotif.motifs.encodings import motif_encodings
from infomotif.motifs.index import MotifIndex
from infomotif.motifs.null_models import NULL_MODELS, NullModel, random_graph
from infomotif.motifs.pattern import Motif, parse_pattern
from infomotif.motifs.sampling import Instances
from infomotif.motifs.significance import Significance, significance

__all__ = [
    "DATA_SETS",
    "NULL_MODELS",
    "SETS",
    "Balance",
    "ClusterMiner",
    "EdgeOrbits",
    "Instances",
    "Motif",
    "MotifIndex",
    "NetworkComparison",
    "NullModel",
    "Profile",
    "Significance",
    "balance",
    "catalog",
    "closure_weights",
    "compare_networks",
    "edge_orbit_counts",
    "get_motif",
    "graphlet_correlation_distance",
    "graphlet_correlation_matrix",
    "motif_encodings",
    "motifs_for",
    "parse_pattern",
    "plot_correlations",
    "plot_profiles",
    "random_graph",
    "select_motifs",
    "significance",
    "triad_profile",
]
