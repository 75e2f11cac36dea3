"""Drawings of motifs: characters for terminals, SVG for web pages, and the geometry that all pictures share."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator

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
    if motif.size > 4:
        return _rows(motif)
    return _triangle(motif) if motif.size == 3 else _square(motif)


def svg_drawing(motif: Motif) -> str:
    """Draw a motif as a small SVG element that takes its colour from the text around it.

    Example:
        >>> from infomotif.motifs.catalog import catalog
        >>> svg_drawing(catalog()["M7"]).count("<line")
        3
    """
    corners = CORNERS[motif.size]
    parts = [_svg_edge(corners[i], corners[j], *heads) for i, j, *heads in drawn_edges(motif)]
    parts += [f'<circle cx="{x:g}" cy="{y:g}" r="{_RADIUS:g}" fill="currentColor"/>' for x, y in corners]
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


def _svg_edge(start: tuple[float, float], end: tuple[float, float], head_at_start: bool, head_at_end: bool) -> str:
    length = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    gap = _RADIUS + 1
    x1, y1, x2, y2 = start[0] + gap * ux, start[1] + gap * uy, end[0] - gap * ux, end[1] - gap * uy
    line = f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="currentColor" stroke-width="1.5"/>'
    heads = [(x1, y1, -ux, -uy)] * head_at_start + [(x2, y2, ux, uy)] * head_at_end
    return line + "".join(_svg_head(*head) for head in heads)


def _svg_head(x: float, y: float, ux: float, uy: float) -> str:
    left = (x - 6 * ux - 3 * uy, y - 6 * uy + 3 * ux)
    right = (x - 6 * ux + 3 * uy, y - 6 * uy - 3 * ux)
    points = " ".join(f"{px:.1f},{py:.1f}" for px, py in ((x, y), left, right))
    return f'<polygon points="{points}" fill="currentColor"/>'


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
