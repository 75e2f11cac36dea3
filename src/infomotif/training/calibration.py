"""Calibration: one temperature for all logits, so that predicted probabilities match observed frequencies."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

_SPREAD = 0.5
"""Standard deviation of the normal prior of the log temperature: few nodes leave it near 0."""
MAX_LOG = math.log(20)


def fitted_temperature(logits: Tensor, target: Tensor) -> float:
    """Return the temperature with the highest likelihood of held-out classes; few nodes leave it near 1.

    Args:
        logits: Logits of nodes that did not train, [V, C].
        target: Their classes, [V].

    Example:
        >>> certain = torch.tensor([[9.0, 0.0]] * 40)
        >>> mixed = torch.tensor([0, 0, 0, 1] * 10)
        >>> 5 < fitted_temperature(certain, mixed) < 12
        True
        >>> round(fitted_temperature(certain[:0], mixed[:0]), 3)
        1.0
    """
    # Here, because it takes as long to import as a small training, and few settings calibrate.
    from scipy.optimize import minimize_scalar

    logits, target = logits.double().cpu(), target.cpu()

    def cost(log: float) -> float:
        surprise = float(F.cross_entropy(logits / math.exp(log), target, reduction="sum")) if len(target) else 0.0
        return surprise + 0.5 * (log / _SPREAD) ** 2

    return math.exp(minimize_scalar(cost, bounds=(-MAX_LOG, MAX_LOG), method="bounded").x)


@torch.no_grad()
def apply_temperature(classifier: nn.Linear, temperature: float) -> None:
    """Divide the logits of a linear classifier by ``temperature``; the most likely class stays the most likely."""
    for parameter in classifier.parameters():
        parameter.div_(temperature)
