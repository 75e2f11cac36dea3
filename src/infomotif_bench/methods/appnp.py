"""APPNP (Gasteiger et al., ICLR 2019)."""

from infomotif_bench.methods.network import TrainedNetwork

APPNP = TrainedNetwork(name="appnp", title="APPNP", encoder="appnp")
"""Two dense layers, then ten steps of personalised PageRank with teleport 0.1.

It departs from the paper: h is spread, not the logits, so a linear classifier comes last as in all networks here; no
edge is dropped; and weight decay is on all weights.
"""
