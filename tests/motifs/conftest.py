"""A directed graph as the kernels see it, and its matrix of codes."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif.motifs.counting.dyads import DyadGraph
from tests.motifs.brute_force import code_matrix, random_graph


@pytest.fixture(scope="module")
def view() -> DyadGraph:
    return DyadGraph(random_graph(60, 500, directed=True), directed=True)


@pytest.fixture(scope="module")
def codes() -> np.ndarray:
    return code_matrix(random_graph(60, 500, directed=True), directed=True)
