"""Readers and writers, one file a format; all of them end in ``Graph.from_edges``."""

from infomotif.io.conversion import convert_csv
from infomotif.io.csv import read_csv
from infomotif.io.edgelist import read_edge_list, write_edge_list
from infomotif.io.export import write_csv, write_parquet, written_schema
from infomotif.io.graphml import read_graphml, write_graphml
from infomotif.io.labels import require_labels
from infomotif.io.networkx import from_networkx
from infomotif.io.pyg import from_pyg
from infomotif.io.store import is_store, open_store, save_store
from infomotif.schema import Column, Schema

__all__ = [
    "Column",
    "Schema",
    "convert_csv",
    "from_networkx",
    "from_pyg",
    "is_store",
    "open_store",
    "read_csv",
    "read_edge_list",
    "read_graphml",
    "require_labels",
    "save_store",
    "write_csv",
    "write_edge_list",
    "write_graphml",
    "write_parquet",
    "written_schema",
]
