"""GraphSAGE (Hamilton et al., NeurIPS 2017), with the aggregator that validates best."""

from infomotif_bench.methods.network import TrainedNetwork

GRAPHSAGE = TrainedNetwork(
    name="graphsage",
    title="GraphSAGE",
    encoder="sage",
    search={"lr": (0.01, 0.001, 0.0001), "aggregator": ("mean", "max"), "weight_decay": (0.0, 5e-4)},
)
"""Mean or max aggregator. The LSTM aggregator is left out of the search: it costs about fifty times the mean."""
