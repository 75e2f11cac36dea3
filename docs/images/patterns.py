"""Draw motifs.svg, triads.svg and graphlets.svg from the package's own catalog of patterns.

python docs/images/patterns.py
"""

from __future__ import annotations

import sys
from math import cos, pi, sin
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from svg import GREY, ORANGE, PURPLE, TEAL, line, node, picture, text

from infomotif.motifs import Motif, get_motif, select_motifs
from infomotif.motifs.pattern import BOTH, IN, LETTERS, OUT

COLOURS = (TEAL, ORANGE, PURPLE, GREY)
ORCA = (
    ("M6", "bc"), ("M6", "a"), ("M7", "abc"), ("path4", "ad"), ("path4", "bc"), ("star4", "bcd"), ("star4", "a"),
    ("cycle4", "abcd"), ("paw", "d"), ("paw", "bc"), ("paw", "a"), ("diamond", "cd"), ("diamond", "ab"),
    ("clique4", "abcd"),
)  # fmt: skip
"""Motif and positions of the orbits 1 to 14; orbit 0 is the end of an edge."""
NAMES = {"M6": "wedge (M6)", "M7": "triangle (M7)"}
SHAPES = {
    3: ((50, 12), (12, 78), (88, 78)),
    "M1": ((12, 45), (50, 45), (88, 45)),
    "path4": ((15, 80), (15, 20), (85, 20), (85, 80)),
    "star4": ((50, 50), (50, 8), (12, 82), (88, 82)),
    "paw": ((50, 46), (14, 10), (86, 10), (50, 90)),
    "diamond": ((50, 12), (50, 88), (12, 50), (88, 50)),
}
CIRCLE4 = tuple((50 + 50 * cos(pi * (0.75 + 0.5 * i)), 50 - 50 * sin(pi * (0.75 + 0.5 * i))) for i in range(4))


def drawn(motif: Motif, x: float, y: float, labels: list[str]) -> list[str]:
    """Draw a pattern in a square of 100, its orbits coloured, at ``x`` and ``y``."""
    shape = SHAPES.get(motif.name) or (SHAPES[3] if motif.size == 3 else CIRCLE4)
    spots = [(x + a, y + b) for a, b in shape]
    parts = []
    for i in range(motif.size):
        for j in range(i + 1, motif.size):
            heads = {OUT: ">", IN: ">", BOTH: "<>" if motif.directed else ""}
            code = motif.codes[i][j]
            if code:
                ends = (spots[j], spots[i]) if code == IN else (spots[i], spots[j])
                parts.append(line(*ends, gap=14, heads=heads[code]))
    for place, spot in enumerate(spots):
        orbit = next(k for k, group in enumerate(motif.orbits) if place in group)
        parts.append(node(*spot, COLOURS[orbit], labels[place]))
    return parts


def grid(title: str, cells: list[tuple[Motif, str, list[str]]], columns: int) -> str:
    """Draw patterns in rows, each above its name."""
    parts, step, height = [], 150, 162
    for k, (motif, name, labels) in enumerate(cells):
        x, y = 25 + step * (k % columns), 20 + height * (k // columns)
        parts += [*drawn(motif, x, y, labels), text(x + 50, y + 126, name)]
    return picture(step * columns, height * -(-len(cells) // columns), title, parts)


def motifs() -> str:
    """Draw the seven motifs of the paper, positions as letters."""
    chosen = [*select_motifs("directed", directed=True), *select_motifs("undirected", directed=False)]
    names = ("chain", "out-star", "in-star", "feed-forward", "cycle", "wedge", "triangle")
    cells = [(m, f"{m.name} {name}", list(LETTERS)) for m, name in zip(chosen, names, strict=True)]
    return grid("The motifs M1 to M7; positions of one colour belong to one orbit", cells, 4)


def triads() -> str:
    """Draw the 13 connected triads under their MAN names."""
    cells = [(m, m.name, list(LETTERS)) for m in select_motifs("triads", directed=True)]
    return grid("The 13 connected triads; positions of one colour belong to one orbit", cells, 5)


def graphlets() -> str:
    """Draw the graphlets of 3 and 4 nodes with the numbers of their orbits."""
    cells = []
    for name in dict.fromkeys(name for name, _ in ORCA):
        numbers = {LETTERS.index(p): i + 1 for i, (motif, group) in enumerate(ORCA) if motif == name for p in group}
        cells.append((get_motif(name), NAMES.get(name, name), [str(numbers[i]) for i in sorted(numbers)]))
    return grid("The graphlets of 3 and 4 nodes; every node shows the number of its orbit, 1 to 14", cells, 4)


PICTURES = {"motifs": motifs, "triads": triads, "graphlets": graphlets}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        Path(__file__).with_name(f"{name}.svg").write_text(draw(), encoding="utf-8")
