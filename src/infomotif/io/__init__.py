"""Readers and writers, one file a format; all of them end in ``Graph.from_edges``."""

from infomotif.graph.schema import Column, Schema
from infomotif.io.formats.csv import read_csv
from infomotif.io.formats.csv_writer import write_csv, write_parquet, written_schema
from infomotif.io.formats.edgelist import read_edge_list, write_edge_list
from infomotif.io.formats.graphml import read_graphml, write_graphml
from infomotif.io.formats.networkx import from_networkx
from infomotif.io.formats.pyg import from_pyg
from infomotif.io.store import is_store, open_store, save_store
from infomotif.io.store.convert import convert_csv
from infomotif.io.tables.labels import require_labels

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
