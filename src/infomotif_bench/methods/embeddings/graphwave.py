"""GraphWave: learning structural node embeddings via diffusion wavelets (Donnat et al., KDD 2018)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif._core.validate import Config, config, setting
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.typing import Array
from infomotif_bench.methods.base import MAX_COUNT, STRUCTURAL, Options
from infomotif_bench.methods.embeddings.base import EmbeddingMethod
from infomotif_bench.methods.embeddings.wavelets import (
    EXACT_NODES,
    chebyshev_wavelets,
    exact_wavelets,
    laplacian,
    spectral_range,
)
from infomotif_bench.methods.kernels.characteristic import characteristic_functions


@config
class GraphWaveSettings(Config):
    """The settings of heat wavelets and of their characteristic functions."""

    scales: int = setting(default=2, at_least=1, at_most=MAX_COUNT, help="Number of scales.")
    eta: float = setting(default=0.85, above=0, help="Decides the largest scale.")
    gamma: float = setting(default=0.95, above=0, help="Decides the smallest scale.")
    points: int = setting(default=50, at_least=1, at_most=MAX_COUNT, help="Points at which the function is taken.")
    farthest: float = setting(default=100.0, above=0, help="The last of these points.")
    exact: int = setting(default=EXACT_NODES, at_least=0, at_most=MAX_COUNT, help="Most nodes to use eigenvectors for.")

    def check(self) -> None:
        """Refuse eta and gamma that are not in order within 0 to 1."""
        if not self.eta <= self.gamma < 1:
            raise InputError(f"eta must be at most gamma, and gamma below 1 (got eta {self.eta}, gamma {self.gamma})")


@dataclass(frozen=True, kw_only=True)
class GraphWave(EmbeddingMethod):
    """How heat spreads from a node, as a distribution over all nodes in no particular order.

    Follows the paper: heat wavelets exp(-s L) of L = D - A, by eigenvectors on small graphs and by Chebyshev
    polynomials on large ones; scales between -log(gamma) and -log(eta) over the root of lambda_2 lambda_N, eta = 0.85
    and gamma = 0.95; a node's embedding is the empirical characteristic function of its wavelet coefficients, real and
    imaginary, at 50 even points up to 100, of all scales side by side.

    Departs: on a graph of several components, lambda_2 and lambda_N are those of the largest (of equal ones the one
    with the lowest node number); Chebyshev series are as long as an error below 1e-10 needs instead of a fixed order;
    point 0, where the function is 1 for all, is left out.
    """

    options: ClassVar[type[Config]] = GraphWaveSettings
    group: str = STRUCTURAL
    attributes: bool = False
    random: bool = False

    def embed(self, graph: Graph, settings: Options, seed: int) -> Array:
        """Return the characteristic functions, [n, 2 scales points]; nothing is random, so the seed has no effect."""
        n, points = graph.num_nodes, settings["points"]
        matrix = laplacian(graph)
        low, high = spectral_range(matrix)
        # Gershgorin's bound holds for all components, however precisely the largest eigenvalue was found.
        bound = 2.0 * float(graph.degrees.max(initial=0))
        scales = automatic_scales(low, high, settings["scales"], settings["eta"], settings["gamma"])
        small = n <= settings["exact"]
        blocks = exact_wavelets(matrix, scales) if small else chebyshev_wavelets(matrix, scales, bound)
        parts = np.empty((len(scales), 2, n, points))
        for first, wavelets in blocks:
            rows = slice(first, first + wavelets.shape[1])
            for samples, part in zip(wavelets, parts, strict=True):
                spacing = settings["farthest"] / points
                parallel_ranges(characteristic_functions, len(samples), samples, spacing, part[0, rows], part[1, rows])
        return parts.transpose(2, 0, 1, 3).reshape(n, -1)


def automatic_scales(low: float, high: float, number: int, eta: float, gamma: float) -> Array:
    """Return scales from -log(gamma) to -log(eta) over the geometric mean of the ends of the spectrum, [number].

    A single scale is the largest of them; without edges the scale does not matter, and 1 is taken.

    Example:
        >>> automatic_scales(1.0, 4.0, 2, eta=0.85, gamma=0.95).round(4).tolist()
        [0.0256, 0.0813]
    """
    if low <= 0:
        return np.ones(number)
    middle = math.sqrt(low * high)
    return np.linspace(-math.log(eta), -math.log(gamma), number)[::-1] / middle


GRAPHWAVE = GraphWave(
    name="graphwave",
    title="GraphWave",
    search={"scales": (2, 4), "eta": (0.85, 0.5, 0.1), "farthest": (100.0, 20.0)},
)
"""GraphWave and logistic regression on its embeddings."""
