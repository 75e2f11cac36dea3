"""A look at the data before training: findings in plain words, and the options that follow from them."""

from infomotif.doctor.diagnosis import Diagnosis, examine
from infomotif.doctor.finding import Finding

__all__ = ["Diagnosis", "Finding", "examine"]
