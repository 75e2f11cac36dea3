"""The estimator, and how it is saved and loaded."""

from infomotif.model.estimator import InfoMotif
from infomotif.model.loading import load

__all__ = ["InfoMotif", "load"]
