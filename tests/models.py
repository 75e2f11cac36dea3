"""Estimators of tests, with options by their flat names as files and ``--set`` have them."""

from infomotif import InfoMotif
from infomotif.training.config import estimator_options

PARAMETERS = {"preset", "motifs", "search", "random_state", "device", "threads", "progress"}


def make_model(encoder="gcn", **options):
    """Return an unfitted estimator, by default of the preset ``paper``."""
    parameters = {"preset": "paper"} | {name: options.pop(name) for name in PARAMETERS & options.keys()}
    return InfoMotif(**estimator_options(encoder, options), **parameters)
