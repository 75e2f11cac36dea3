"""Drawings of motifs: characters for terminals, SVG for web pages, and the geometry that all pictures share."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator

from infomotif._core.display.style import COLOURS
from infomotif.motifs.pattern import BOTH, IN, LETTERS, OUT, Motif

CORNERS = {
    3: ((28.0, 12.0), (8.0, 48.0), (48.0, 48.0)),
    4: ((10.0, 10.0), (46.0, 10.0), (46.0, 46.0), (10.0, 46.0)),
    5: ((28.0, 7.0), (49.0, 22.2), (41.0, 46.8), (15.0, 46.8), (7.0, 22.2)),
    6: ((17.0, 9.0), (39.0, 9.0), (50.0, 28.0), (39.0, 47.0), (17.0, 47.0), (6.0, 28.0)),
}
"""Where the positions of a motif are by its size, in a square of 56 with the origin at the top left."""
FRAME = 56.0
_RADIUS = 5.0


def ascii_drawing(motif: Motif) -> str:
    r"""Draw a motif with characters; arrowheads are at the targets. Five and six nodes have a row of edges each.

    Example:
        >>> from infomotif.motifs.catalog import catalog
        >>> print(ascii_drawing(catalog()["M4"]))
           a
          / \
         v   v
        b --> c
    """
    shape = _rows(motif) if motif.size > 4 else _triangle(motif) if motif.size == 3 else _square(motif)
    return "\n".join([shape, *_named_types(motif)])


def svg_drawing(motif: Motif) -> str:
    """Draw a motif as a small SVG element that takes its colour from the text around it.

    Example:
        >>> from infomotif.motifs.catalog import catalog
        >>> svg_drawing(catalog()["M7"]).count("<line")
        3
    """
    corners = CORNERS[motif.size]
    parts = [
        _svg_edge(corners[i], corners[j], at_i, at_j, *edge_style(motif, i, j))
        for i, j, at_i, at_j in drawn_edges(motif)
    ]
    fills = node_colours(motif, "currentColor")
    parts += [
        f'<circle cx="{x:g}" cy="{y:g}" r="{_RADIUS:g}" fill="{fill}"/>'
        for (x, y), fill in zip(corners, fills, strict=True)
    ]
    label = html.escape(motif.name if motif.name == motif.pattern else f"{motif.name}: {motif.pattern}")
    frame = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 56 56" width="56" height="56" role="img">'
    return f"{frame}<title>{label}</title>{''.join(parts)}</svg>"


def drawn_edges(motif: Motif) -> Iterator[tuple[int, int, bool, bool]]:
    """Yield two positions per edge, and whether an arrowhead is at the first and at the second.

    Example:
        >>> from infomotif.motifs.catalog import catalog
        >>> list(drawn_edges(catalog()["M1"]))
        [(0, 1, False, True), (1, 2, False, True)]
    """
    for i in range(motif.size):
        for j in range(i + 1, motif.size):
            code = motif.codes[i][j]
            if code:
                yield i, j, motif.directed and code != OUT, motif.directed and code != IN


def node_colours(motif: Motif, plain: str) -> list[str]:
    """Return the colour of each position: one per node type that the motif names, ``plain`` without a type.

    Example:
        >>> from infomotif.motifs.pattern import parse_pattern
        >>> len(set(node_colours(parse_pattern("a:x-b:y, b-c:x"), "black")))
        2
    """
    kinds = sorted({kind for kind in motif.node_types if kind})
    colour_of = {kind: COLOURS[i % len(COLOURS)] for i, kind in enumerate(kinds)}
    return [colour_of.get(kind, plain) for kind in motif.node_types or ("",) * motif.size]


def edge_style(motif: Motif, i: int, j: int) -> tuple[str | None, bool]:
    """Return the colour of an edge, None for the usual one, and whether it is dashed: negative edges are."""
    kinds = sorted({kind for row in motif.edge_types for kind in row if kind} - {"+", "-"})
    named = sorted({motif.edge_types[i][j], motif.edge_types[j][i]} - {""}) if motif.edge_types else []
    others = [kind for kind in named if kind in kinds]
    colour = COLOURS[-1 - kinds.index(others[0]) % len(COLOURS)] if others else None
    return colour, "-" in named


def _named_types(motif: Motif) -> list[str]:
    """Return lines that say the types of nodes and edges."""
    lines = []
    for kind in sorted({kind for kind in motif.node_types if kind}):
        held = [LETTERS[i] for i, each in enumerate(motif.node_types) if each == kind]
        lines.append(f"{' '.join(held)}: {kind}")
    arrow = "->" if motif.directed else "-"
    for kind in sorted({kind for row in motif.edge_types for kind in row if kind}):
        pairs = [(i, j) for i, row in enumerate(motif.edge_types) for j, each in enumerate(row) if each == kind]
        shown = [f"{LETTERS[i]}{arrow}{LETTERS[j]}" for i, j in pairs if motif.directed or i < j]
        lines.append(f"{' '.join(shown)}: {kind}")
    return lines


def _svg_edge(
    start: tuple[float, float],
    end: tuple[float, float],
    head_at_start: bool,
    head_at_end: bool,
    colour: str | None = None,
    dashed: bool = False,
) -> str:
    length = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    gap = _RADIUS + 1
    x1, y1, x2, y2 = start[0] + gap * ux, start[1] + gap * uy, end[0] - gap * ux, end[1] - gap * uy
    ink = colour or "currentColor"
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    line = f'<line {ends} stroke="{ink}" stroke-width="1.5"{dashes}/>'
    heads = [(x1, y1, -ux, -uy)] * head_at_start + [(x2, y2, ux, uy)] * head_at_end
    return line + "".join(_svg_head(*head, ink) for head in heads)


def _svg_head(x: float, y: float, ux: float, uy: float, ink: str) -> str:
    left = (x - 6 * ux - 3 * uy, y - 6 * uy + 3 * ux)
    right = (x - 6 * ux + 3 * uy, y - 6 * uy - 3 * ux)
    points = " ".join(f"{px:.1f},{py:.1f}" for px, py in ((x, y), left, right))
    return f'<polygon points="{points}" fill="{ink}"/>'


def _level(motif: Motif, i: int, j: int, width: int) -> str:
    """Draw the edge between two positions on one line."""
    code = motif.codes[i][j]
    if not code:
        return " " * width
    left = "<" if motif.directed and code in (IN, BOTH) else "-"
    right = ">" if motif.directed and code in (OUT, BOTH) else "-"
    return left + "-" * (width - 2) + right


def _ends(motif: Motif, i: int, j: int, stroke: str) -> tuple[str, str]:
    """Draw an edge from i (above) to j (below): its upper and its lower character."""
    code = motif.codes[i][j]
    if not code:
        return " ", " "
    upper = "^" if motif.directed and code in (IN, BOTH) else stroke
    lower = "v" if motif.directed and code in (OUT, BOTH) else stroke
    return upper, lower


def _triangle(motif: Motif) -> str:
    a, b, c = list(LETTERS[:3])
    left_upper, left_lower = _ends(motif, 0, 1, "/")
    right_upper, right_lower = _ends(motif, 0, 2, "\\")
    rows = (
        f"   {a}",
        f"  {left_upper} {right_upper}",
        f" {left_lower}   {right_lower}",
        f"{b} {_level(motif, 1, 2, 3)} {c}",
    )
    return "\n".join(row.rstrip() for row in rows)


def _square(motif: Motif) -> str:
    a, b, c, d = list(LETTERS[:4])
    left_upper, left_lower = _ends(motif, 0, 3, "|")
    right_upper, right_lower = _ends(motif, 1, 2, "|")
    fall_upper, fall_lower = _ends(motif, 0, 2, "\\")
    rise_upper, rise_lower = _ends(motif, 1, 3, "/")
    falls, rises = motif.codes[0][2], motif.codes[1][3]
    cross = "X" if falls and rises else "\\" if falls else "/" if rises else " "
    sides = ("|" if motif.codes[0][3] else " ", "|" if motif.codes[1][2] else " ")
    rows = (
        f"{a} {_level(motif, 0, 1, 3)} {b}",
        f"{left_upper} {fall_upper} {rise_upper} {right_upper}",
        f"{sides[0]}  {cross}  {sides[1]}",
        f"{left_lower} {rise_lower} {fall_lower} {right_lower}",
        f"{d} {_level(motif, 3, 2, 3)} {c}",
    )
    return "\n".join(row.rstrip() for row in rows)


def _rows(motif: Motif) -> str:
    """Write the edges to later positions in a row per position."""
    rows = []
    for i in range(motif.size):
        edges = [f"{_level(motif, i, j, 3)} {LETTERS[j]}" for j in range(i + 1, motif.size) if motif.codes[i][j]]
        if edges:
            rows.append(f"{LETTERS[i]} {', '.join(edges)}")
    return "\n".join(rows)
