"""Datasets by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from infomotif.datasets import catalog
from infomotif.datasets.spec import DatasetSpec
from infomotif.errors import InputError, unknown_name
from infomotif.graph import Graph

_COMPONENTS = ("largest", "all")

DATASETS: Mapping[str, DatasetSpec] = MappingProxyType({spec.name: spec for spec in catalog.specs()})


def load_dataset(name: str, *, component: str = "largest") -> Graph:
    """Return a dataset by name.

    Files are looked for under INFOMOTIF_DATA, then in the user's cache folder, and downloaded otherwise.

    Args:
        name: A name in :data:`DATASETS`.
        component: ``largest`` for the largest component, as the paper has it, or ``all``.

    Raises:
        InputError: If the name is unknown, or the files cannot be fetched or read.

    Example:
        >>> load_dataset("karate")
        Graph('karate', 34 nodes, 78 undirected edges, no attributes, 2 classes)
    """
    spec = dataset_spec(name)
    if component not in _COMPONENTS:
        raise InputError(f"component must be one of {', '.join(_COMPONENTS)} (got '{component}')")
    graph = spec.load(*spec.fetch())
    # Of a graph that is one component by its entry, there is nothing to find.
    connected = spec.whole == (spec.nodes, spec.edges) == (graph.num_nodes, graph.num_edges)
    return graph if component == "all" or connected else graph.largest_component()


def dataset_spec(name: str) -> DatasetSpec:
    """Return the entry of a dataset in the registry.

    Raises:
        InputError: If the name is unknown; the message names the nearest.
    """
    spec = DATASETS.get(str(name).lower())
    if spec is None:
        raise unknown_name("dataset", name, DATASETS)
    return spec
