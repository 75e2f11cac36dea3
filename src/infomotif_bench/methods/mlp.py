"""MLP: what the attributes alone can tell."""

from infomotif_bench.methods.base import SIMPLE
from infomotif_bench.methods.network import TrainedNetwork

MLP = TrainedNetwork(name="mlp", title="MLP", encoder="mlp", group=SIMPLE)
"""Two dense layers that see no edge; on a graph without attributes it cannot beat the most frequent class."""
