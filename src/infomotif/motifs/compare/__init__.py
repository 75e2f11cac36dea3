"""Compare networks: graphlet correlation distance, and significance profiles with error bars."""

from infomotif.motifs.compare.correlation import graphlet_correlation_distance, graphlet_correlation_matrix
from infomotif.motifs.compare.networks import NetworkComparison, compare_networks
from infomotif.motifs.compare.plots import plot_correlations, plot_profiles
from infomotif.motifs.compare.profile import Profile, triad_profile

__all__ = [
    "NetworkComparison",
    "Profile",
    "compare_networks",
    "graphlet_correlation_distance",
    "graphlet_correlation_matrix",
    "plot_correlations",
    "plot_profiles",
    "triad_profile",
]
