"""Readers and writers, one file per format; all of them end in ``Graph.from_edges``.

Names are imported when first used, so that commands show their help without loading the readers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from infomotif._core.lazy import lazy_names

_HOME = {
    "Column": "infomotif.graph.schema",
    "ReadOptions": "infomotif.io.options",
    "Schema": "infomotif.graph.schema",
    "convert_csv": "infomotif.io.store.convert",
    "from_dataframe": "infomotif.io.formats.dataframe",
    "from_edge_index": "infomotif.io.formats.arrays",
    "from_igraph": "infomotif.io.formats.igraph",
    "from_networkx": "infomotif.io.formats.networkx",
    "from_pyg": "infomotif.io.formats.pyg",
    "from_scipy": "infomotif.io.formats.arrays",
    "is_store": "infomotif.io.store",
    "open_store": "infomotif.io.store",
    "read_csv": "infomotif.io.formats.csv",
    "read_edge_list": "infomotif.io.formats.edgelist",
    "read_graphml": "infomotif.io.formats.graphml",
    "read_graph": "infomotif.io.registry",
    "require_labels": "infomotif.io.tables.labels",
    "save_store": "infomotif.io.store",
    "write_csv": "infomotif.io.formats.csv",
    "write_edge_list": "infomotif.io.formats.edgelist",
    "write_graph": "infomotif.io.registry",
    "write_graphml": "infomotif.io.formats.graphml",
    "write_parquet": "infomotif.io.formats.csv",
    "written_schema": "infomotif.io.formats.csv",
}

__getattr__, __dir__ = lazy_names(__name__, _HOME)

if TYPE_CHECKING:
    from infomotif.graph.schema import Column as Column
    from infomotif.graph.schema import Schema as Schema
    from infomotif.io.formats.arrays import from_edge_index as from_edge_index
    from infomotif.io.formats.arrays import from_scipy as from_scipy
    from infomotif.io.formats.csv import read_csv as read_csv
    from infomotif.io.formats.csv import write_csv as write_csv
    from infomotif.io.formats.csv import write_parquet as write_parquet
    from infomotif.io.formats.csv import written_schema as written_schema
    from infomotif.io.formats.dataframe import from_dataframe as from_dataframe
    from infomotif.io.formats.edgelist import read_edge_list as read_edge_list
    from infomotif.io.formats.edgelist import write_edge_list as write_edge_list
    from infomotif.io.formats.graphml import read_graphml as read_graphml
    from infomotif.io.formats.graphml import write_graphml as write_graphml
    from infomotif.io.formats.igraph import from_igraph as from_igraph
    from infomotif.io.formats.networkx import from_networkx as from_networkx
    from infomotif.io.formats.pyg import from_pyg as from_pyg
    from infomotif.io.options import ReadOptions as ReadOptions
    from infomotif.io.registry import read_graph as read_graph
    from infomotif.io.registry import write_graph as write_graph
    from infomotif.io.store import is_store as is_store
    from infomotif.io.store import open_store as open_store
    from infomotif.io.store import save_store as save_store
    from infomotif.io.store.convert import convert_csv as convert_csv
    from infomotif.io.tables.labels import require_labels as require_labels
