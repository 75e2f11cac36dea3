"""Graph stores: folders of memory-mapped arrays, for graphs that do not fit in memory or that are loaded often."""

from infomotif.io.store.description import is_store
from infomotif.io.store.store import open_store, save_store

__all__ = ["is_store", "open_store", "save_store"]
