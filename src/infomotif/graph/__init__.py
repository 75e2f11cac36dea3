"""Graph: how it is built, checked and fingerprinted."""

from infomotif.graph.graph import Graph

__all__ = ["Graph"]
