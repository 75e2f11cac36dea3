"""GCN (Kipf and Welling, ICLR 2017)."""

from infomotif_bench.methods.network import TrainedNetwork

GCN = TrainedNetwork(name="gcn", title="GCN", encoder="gcn")
"""Two layers of D^-1/2 (A + I) D^-1/2 H W."""
