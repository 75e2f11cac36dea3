"""A look at the data before training: what was found, in plain words, and what to set because of it."""

from infomotif.doctor.diagnosis import Diagnosis, examine
from infomotif.doctor.finding import Finding

__all__ = ["Diagnosis", "Finding", "examine"]
