"""The estimator, and how it is saved and loaded."""

from infomotif.model.estimator import InfoMotif
from infomotif.model.saving import load

__all__ = ["InfoMotif", "load"]
