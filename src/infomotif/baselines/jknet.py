"""JK-Net (Xu et al., ICML 2018)."""

from infomotif.baselines.network import TrainedNetwork

JKNET = TrainedNetwork(name="jknet", title="JKNet", encoder="jknet")
"""Four GCN layers whose states are combined by their maximum."""
