"""Quartiles of test nodes by what surrounds them: label fraction and attribute diversity, as the paper defines them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from infomotif.errors import unknown_name
from infomotif.graph import Graph
from infomotif.training.neighbourhoods import attribute_diversity, label_fraction
from infomotif.training.neighbourhoods import quartiles as quartile_of
from infomotif.training.splits import Split

__all__ = ["QUARTILES", "attribute_diversity", "label_fraction", "measure", "quartile_of"]

Array = NDArray[Any]
QUARTILES = ("Q1", "Q2", "Q3", "Q4")


def measure(name: str, graph: Graph, split: Split) -> Array:
    """Return the measure of this name for the test nodes of a split, in their order."""
    if name == "label_fraction":
        return np.asarray(label_fraction(graph, split.train, nodes=split.test))
    if name == "attribute_diversity":
        return np.asarray(attribute_diversity(graph, nodes=split.test))
    raise unknown_name("measure", name, ("label_fraction", "attribute_diversity"))
