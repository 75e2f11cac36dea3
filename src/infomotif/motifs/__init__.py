"""Network motifs and graphlets: a catalog of patterns, counts per node and orbit, instances, samples, significance."""

from infomotif.motifs.catalog import SETS, catalog, get_motif, select_motifs
from infomotif.motifs.cluster import ClusterMiner
from infomotif.motifs.counting.edge_orbits import edge_orbit_counts
from infomotif.motifs.index import MotifIndex
from infomotif.motifs.pattern import Motif, parse_pattern
from infomotif.motifs.sampling import Instances
from infomotif.motifs.significance import Significance, random_graph, significance

__all__ = [
    "SETS",
    "ClusterMiner",
    "Instances",
    "Motif",
    "MotifIndex",
    "Significance",
    "catalog",
    "edge_orbit_counts",
    "get_motif",
    "parse_pattern",
    "random_graph",
    "select_motifs",
    "significance",
]
