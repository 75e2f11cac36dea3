"""Adam (Kingma and Ba, ICLR 2015) with an L2 penalty: one compiled pass on the CPU, a few tensor operations elsewhere.

The steps are those of ``torch.optim.Adam``, whose constructor loads torch's compiler, which takes two seconds in every
process.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
import torch
from torch import Tensor, nn

from infomotif.nn import kernels
from infomotif.nn.propagation.sparse import COMPILED_DEVICES, run

_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8


class Adam:
    """Adam with its state in plain tensors.

    Args:
        parameters: The parameters to train.
        lr: Learning rate; may be changed at any time.
        weight_decay: L2 penalty, added to the gradient.

    Example:
        >>> weight = nn.Parameter(torch.tensor([1.0]))
        >>> optimizer = Adam([weight], lr=0.1)
        >>> weight.square().sum().backward()
        >>> optimizer.step()
        >>> round(float(weight.detach()), 6)
        0.9
    """

    def __init__(self, parameters: Iterable[nn.Parameter], *, lr: float, weight_decay: float = 0.0) -> None:
        self.parameters = list(parameters)
        self.lr, self.weight_decay = lr, weight_decay
        self._steps = [0] * len(self.parameters)
        self._means = [
            torch.zeros_like(parameter, memory_format=torch.contiguous_format) for parameter in self.parameters
        ]
        self._squares = [
            torch.zeros_like(parameter, memory_format=torch.contiguous_format) for parameter in self.parameters
        ]

    def zero_grad(self) -> None:
        """Drop the gradients."""
        for parameter in self.parameters:
            parameter.grad = None

    @torch.no_grad()
    def step(self) -> None:
        """Update every parameter that has a gradient."""
        for i, parameter in enumerate(self.parameters):
            gradient = parameter.grad
            if gradient is None:
                continue
            self._steps[i] += 1
            root = math.sqrt(1 - _BETA2 ** self._steps[i])
            rate = self.lr / (1 - _BETA1 ** self._steps[i])
            update = _update_compiled if _compiled(parameter) else _update
            update(parameter, gradient, self._means[i], self._squares[i], root, rate, self.weight_decay)

    def state(self) -> dict[str, Tensor]:
        """Return the tensors of a checkpoint: ``<parameter number>.<mean, square or steps>``."""
        tensors: dict[str, Tensor] = {}
        for i, (mean, square, steps) in enumerate(zip(self._means, self._squares, self._steps, strict=True)):
            tensors |= {f"{i}.mean": mean, f"{i}.square": square, f"{i}.steps": torch.tensor(steps)}
        return tensors

    def load_state(self, tensors: Mapping[str, Tensor]) -> None:
        """Continue from the tensors that :meth:`state` returned."""
        for i, (mean, square) in enumerate(zip(self._means, self._squares, strict=True)):
            mean.copy_(tensors[f"{i}.mean"])
            square.copy_(tensors[f"{i}.square"])
            self._steps[i] = int(tensors[f"{i}.steps"])


def _compiled(parameter: Tensor) -> bool:
    known = parameter.dtype in (torch.float32, torch.float64)
    return known and parameter.device.type in COMPILED_DEVICES and parameter.is_contiguous()


def _update(
    parameter: Tensor, gradient: Tensor, mean: Tensor, square: Tensor, root: float, rate: float, decay: float
) -> None:
    if decay:
        gradient = gradient.add(parameter, alpha=decay)
    mean.lerp_(gradient, 1 - _BETA1)
    square.mul_(_BETA2).addcmul_(gradient, gradient, value=1 - _BETA2)
    parameter.addcdiv_(mean, square.sqrt().div_(root).add_(_EPSILON), value=-rate)


def _update_compiled(
    parameter: Tensor, gradient: Tensor, mean: Tensor, square: Tensor, root: float, rate: float, decay: float
) -> None:
    arrays = [part.view(-1).numpy() for part in (gradient.contiguous(), mean, square, parameter)]
    constants = np.array([1 - _BETA1, _BETA2, 1 - _BETA2, root, _EPSILON, rate, decay], dtype=arrays[0].dtype)
    run(kernels.adam_step, parameter.numel(), constants, *arrays)
