"""Exact counts of 4-node motifs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from infomotif.motifs.dyads import DyadGraph
from infomotif.motifs.pattern import Motif


def count_four_nodes(view: DyadGraph, motifs: Sequence[Motif]) -> dict[Motif, Any]:
    """Placeholder."""
    from infomotif.motifs.census import Count
    from infomotif.motifs.matching import count_by_search

    return {m: Count(count_by_search(view, m), None) for m in motifs}
