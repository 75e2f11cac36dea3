"""Signed graphs of trust between traders of Bitcoin."""

from __future__ import annotations

from pathlib import Path

from infomotif.graph import Graph
from infomotif.io import read_csv


def read_trust(edges: Path, *, name: str) -> Graph:
    """Read a table ``id1,id2,sign``; lines without a sign are dropped and counted in the notes.

    The ratings were joined per pair of traders, the smaller id first, so the edges have no direction.

    Raises:
        InputError: If a line is not of this form.
    """
    return read_csv(edges, source="id1", target="id2", sign="sign", drop_unsigned=True, directed=False, name=name)
