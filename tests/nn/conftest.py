"""A small attributed graph for the neural parts."""

from __future__ import annotations

import pytest
import torch

from infomotif import make_roles
from infomotif.nn import Adjacency


@pytest.fixture(scope="module")
def graph():
    return make_roles(num_nodes=120)


@pytest.fixture(scope="module")
def adjacency(graph):
    return Adjacency.from_graph(graph)


@pytest.fixture(scope="module")
def x(graph):
    return torch.from_numpy(graph.x.toarray())
