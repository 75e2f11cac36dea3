"""Counts and significance as short text for prompts and as tables for notebooks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from infomotif._core.display.html import Markup, bar, block, heading, muted, strong, table
from infomotif._core.display.style import compact
from infomotif.motifs.null_models import get_null_model

if TYPE_CHECKING:
    from infomotif.motifs.index import MotifIndex
    from infomotif.motifs.pattern import Motif
    from infomotif.motifs.significance import Significance

_SHOWN = 8
_LINES = 4
_ROWS = 40


def index_text(index: MotifIndex) -> str:
    """Return one line: the graph, and the total of each motif.

    Example:
        >>> from infomotif import Graph, MotifIndex
        >>> MotifIndex(Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=3, directed=False, name="ring"))
        MotifIndex('ring', 3 nodes: M6 0, M7 1)
    """
    pairs = [f"{motif.name} {total:,}" for motif, total in zip(index.motifs, index.totals.tolist(), strict=True)]
    rest = f", and {len(pairs) - _SHOWN} more motifs" if len(pairs) > _SHOWN else ""
    return f"MotifIndex({index.graph.name!r}, {index.graph.num_nodes:,} nodes: {', '.join(pairs[:_SHOWN])}{rest})"


def index_html(index: MotifIndex) -> str:
    """Return a table with a picture, the total and the coverage of each motif."""
    largest = index.counts.max(axis=0, initial=0)
    rows = [
        [drawing(motif), named(motif), int(index.totals[t]), _coverage(float(index.coverage[t])), int(largest[t])]
        for t, motif in enumerate(index.motifs[:_ROWS])
    ]
    note = f"{index.graph.num_nodes:,} nodes, {len(index.motifs)} motif{'s' * (len(index.motifs) != 1)}"
    header = ("", "motif", "instances", "nodes in one", "most per node")
    return block(heading(f"Motifs of {index.graph.name}", note), table(rows, header), _more(len(index.motifs)))


def significance_text(chance: Significance) -> str:
    """Return at most five lines: the motifs that differ most from chance.

    Example:
        >>> from infomotif import Graph
        >>> from infomotif.motifs import significance
        >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], num_nodes=4, directed=False)
        >>> significance(ring, "M7", samples=3)
        Significance of 1 motif against 3 random graphs:
          M7 triangle: 0, by chance 0 ± 0, z undefined
    """
    motifs, samples = len(chance.motifs), len(chance.samples)
    strength = np.where(np.isfinite(chance.z), -np.abs(chance.z), 1)
    shown = np.argsort(strength, kind="stable")[:_LINES].tolist()
    lines = [
        f"Significance of {motifs} motif{'s' * (motifs != 1)} against {samples} random graph{'s' * (samples != 1)}"
        + (f", the {_LINES} most notable:" if motifs > _LINES else ":")
    ]
    for t in shown:
        motif, z = chance.motifs[t], float(chance.z[t])
        called = motif.name if motif.title == "custom pattern" else f"{motif.name} {motif.title}".rstrip()
        by_chance = f"by chance {chance.mean[t]:,.1f} ± {chance.std[t]:,.1f}".replace(".0 ", " ").removesuffix(".0")
        lines.append(f"  {called}: {int(chance.totals[t]):,}, {by_chance}, z {_z(z)}")
    return "\n".join(lines)


def significance_html(chance: Significance) -> str:
    """Return a table with a picture of each motif, its total, the mean by chance, and z."""
    rows = [
        [
            drawing(motif),
            named(motif),
            int(chance.totals[t]),
            f"{chance.mean[t]:,.1f} ± {chance.std[t]:,.1f}".replace(" ", "\N{NO-BREAK SPACE}"),
            strong(_z(float(chance.z[t]))) if abs(chance.z[t]) >= 2 else _z(float(chance.z[t])),
            float(chance.p_more[t]),
            float(chance.p_fewer[t]),
        ]
        for t, motif in enumerate(chance.motifs[:_ROWS])
    ]
    samples = len(chance.samples)
    phrase = get_null_model(chance.null).phrase
    note = f"against {samples:,} random graph{'s' * (samples != 1)} {phrase}; bold: z beyond ±2"
    header = ("", "motif", "instances", "by chance", "z", "p (more)", "p (fewer)")
    return block(heading("Significance", note), table(rows, header), _more(len(chance.motifs)))


def _z(value: float) -> str:
    return "undefined" if not math.isfinite(value) else f"{value:+.1f}" if abs(value) < 1000 else compact(value)


def drawing(motif: Motif) -> Markup:
    """Return a small picture of a motif for a table."""
    return Markup(motif.svg.replace('width="56" height="56"', 'width="32" height="32"'))


def named(motif: Motif) -> Markup:
    """Return the name and the title of a motif for a table."""
    title = motif.pattern if motif.title in ("", "custom pattern") else motif.title
    name = motif.name if motif.name != motif.pattern else ""
    return Markup(f"{strong(name)} {muted(title)}")


def _coverage(share: float) -> Markup:
    return Markup(f"{bar(share, width=70)}&nbsp;{100 * share:.1f}&nbsp;%")


def _more(count: int) -> Markup:
    return muted(f"and {count - _ROWS} more") if count > _ROWS else Markup("")
