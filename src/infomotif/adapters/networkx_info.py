"""What NetworkX reads about the backend when it is imported; nothing heavy is loaded here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FUNCTIONS = {
    "all_triangles": "Undirected graphs, without ``nbunch``; the same triangles in another order.",
    "average_clustering": "Graphs with ``weight=None``, directed or not.",
    "clustering": "Graphs with ``weight=None``, directed or not.",
    "generalized_degree": "Undirected graphs.",
    "is_triad": "Graphs, directed or not.",
    "square_clustering": "Undirected graphs.",
    "transitivity": "Graphs, directed or not.",
    "triad_type": "Directed graphs of three nodes.",
    "triadic_census": "Directed graphs, with or without ``nodelist``.",
    "triangles": "Undirected graphs.",
}
"""The functions of NetworkX that the backend has, and what they take; multigraphs and weights stay with NetworkX."""


def backend_info() -> dict[str, Any]:
    """Return the backend's entry of NetworkX's documentation (entry point ``networkx.backend_info``).

    Example:
        >>> sorted(backend_info()["functions"])[-2:]
        ['triadic_census', 'triangles']
    """
    return {
        "backend_name": "infomotif",
        "project": "infomotif",
        "package": "infomotif",
        "url": "https://infomotif.readthedocs.io",
        "short_summary": "Compiled counts of triads, triangles and squares; weights, multigraphs stay with NetworkX.",
        "functions": {name: {"additional_docs": text} for name, text in FUNCTIONS.items()},
    }
