"""GAT (Velickovic et al., ICLR 2018)."""

from infomotif_bench.methods.network import TrainedNetwork

GAT = TrainedNetwork(name="gat", title="GAT", encoder="gat")
"""Two layers with eight attention heads each."""
