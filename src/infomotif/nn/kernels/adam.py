"""The compiled loop of the optimiser."""

from __future__ import annotations

import math

from infomotif._core.parallel import kernel
from infomotif.typing import Array


@kernel
def adam_step(lo: int, hi: int, constants: Array, grad: Array, mean: Array, square: Array, parameter: Array) -> None:
    """Do one step of Adam for entries ``lo`` to ``hi``, in one pass.

    ``constants`` are 1 - beta1, beta2, 1 - beta2, the root of the squares' bias correction, epsilon, the learning rate
    over the means' bias correction, and the L2 penalty, all of the parameters' type.
    """
    rate1, beta2, rate2, root, epsilon, step, decay = constants
    grad, mean, square, parameter = grad[lo:hi], mean[lo:hi], square[lo:hi], parameter[lo:hi]
    for i in range(len(grad)):
        g = grad[i] + decay * parameter[i]
        m = mean[i] + rate1 * (g - mean[i])
        s = beta2 * square[i] + rate2 * (g * g)
        mean[i] = m
        square[i] = s
        parameter[i] -= step * m / (math.sqrt(s) / root + epsilon)
