"""JK-Net (Xu et al., ICML 2018)."""

from infomotif_bench.methods.network import TrainedNetwork

JKNET = TrainedNetwork(name="jknet", title="JKNet", encoder="jknet")
"""Four GCN layers whose states are combined by their maximum."""
