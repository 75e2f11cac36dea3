"""GCNII (Chen et al., ICML 2020)."""

from infomotif_bench.methods.network import TrainedNetwork

GCNII = TrainedNetwork(name="gcnii", title="GCNII", encoder="gcnii")
"""Eight layers with initial residual 0.1 and identity mapping, theta 0.5.

It departs from the paper: weight decay is the same for all weights, as in all networks here.
"""
