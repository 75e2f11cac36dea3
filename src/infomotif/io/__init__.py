"""Readers and writers, one file a format; all of them end in ``Graph.from_edges``."""

from infomotif.io.edgelist import read_edge_list, write_edge_list
from infomotif.io.labels import require_labels

__all__ = ["read_edge_list", "require_labels", "write_edge_list"]
