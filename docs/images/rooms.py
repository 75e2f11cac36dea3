"""Draw rooms.svg: the rooms of the package, each of which imports only those below it.

python docs/images/rooms.py
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import NamedTuple

# Mid tones: text and arrows outside of boxes must be readable on a light and on a dark page.
TEXT, DOORS, LEARNING, ENGINE, LABORATORY = "#77808b", "#a94f22", "#5d50bd", "#0f766e", "#66707c"
LEFT, RIGHT, ROW, GAP = 232, 680, 38, 7


class Room(NamedTuple):
    """A box of the picture.

    Attributes:
        name: The folder.
        about: What it holds.
        colour: Colour of its part of the house.
        gives: What comes out of it, or with "> " in front what goes in.
    """

    name: str
    about: str
    colour: str
    gives: str = ""


FLOORS: tuple[tuple[Room, ...], ...] = (
    (Room("cli", "one file per command", DOORS),),
    (Room("adapters", "doors for other libraries", DOORS),),
    (Room("runs", "plan, train, folder, report/", LEARNING, "run folder, report page"),),
    (Room("model", "InfoMotif, save and load", LEARNING, "labels, embeddings"),),
    (Room("explain", "reasons, roles", LEARNING, "reasons, advice"), Room("doctor", "checks of data", ENGINE)),
    (Room("search", 'preset="auto"', LEARNING),),
    (Room("training", "features, splits, loop, inference", LEARNING),),
    (Room("nn", "encoders/ propagation/ regularizer/", LEARNING),),
    (Room("motifs", "counting/ kernels/", ENGINE, "counts, orbits, samples"), Room("datasets", "by name", ENGINE)),
    (Room("io", "formats/ tables/ store/", ENGINE, "> files, data frames, graphs"),),
    (Room("graph", "Graph, its checks and fingerprint", ENGINE),),
    (Room("_core", "private plumbing that knows no graph", ENGINE),),
)
BENCH = ("methods/", "experiments/", "running/", "results/")
LEGEND = (
    (ENGINE, "the motif engine: NumPy, SciPy, Numba"),
    (LEARNING, "learning: with PyTorch"),
    (DOORS, "doors"),
    (LABORATORY, "the laboratory"),
)


def text(x: float, y: float, content: str, *, fill: str = TEXT, anchor: str = "start", weight: str = "normal") -> str:
    """Return a line of text."""
    style = f'fill="{fill}" text-anchor="{anchor}" font-weight="{weight}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(content)}</text>'


def box(x: float, y: float, width: float, height: float, colour: str) -> str:
    """Return a filled box."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" fill="{colour}"/>'


def arrow(x1: float, y1: float, x2: float, y2: float, *, dashed: bool = False) -> str:
    """Return an arrow."""
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{TEXT}" stroke-width="1.6"{dashes} '
        'marker-end="url(#head)"/>'
    )


def floor(rooms: tuple[Room, ...], y: float) -> list[str]:
    """Draw the rooms of one floor side by side, with what goes in or comes out at their left."""
    parts, width = [], (RIGHT - LEFT - GAP * (len(rooms) - 1)) / len(rooms)
    for i, room in enumerate(rooms):
        x = LEFT + i * (width + GAP)
        about = f'<tspan font-weight="bold">{escape(room.name)}</tspan>  {escape(room.about)}'
        parts.append(box(x, y, width, ROW, room.colour))
        parts.append(f'<text x="{x + 12:g}" y="{y + 24:g}" fill="#fff" xml:space="preserve">{about}</text>')
        if room.gives:
            inward, label = room.gives.startswith("> "), room.gives.removeprefix("> ")
            parts.append(text(LEFT - 34, y + 24, label, anchor="end"))
            ends = (LEFT - 30, LEFT - 4) if inward else (LEFT - 4, LEFT - 30)
            parts.append(arrow(ends[0], y + 19, ends[1], y + 19))
    return parts


def draw() -> str:
    """Return the picture."""
    parts = [part for i, rooms in enumerate(FLOORS) for part in floor(rooms, 10 + i * (ROW + GAP))]
    bottom = 10 + len(FLOORS) * (ROW + GAP)
    top, lab = 10 + ROW + GAP, RIGHT + 50
    height = 5 * ROW + 4 * GAP
    parts.append(box(lab, top, 170, height, LABORATORY))
    parts.append(text(lab + 12, top + 28, "infomotif_bench", fill="#fff", weight="bold"))
    parts += [text(lab + 12, top + 62 + 24 * i, name, fill="#fff") for i, name in enumerate(BENCH)]
    parts.append(text(lab + 12, top + height - 28, "experiments of the", fill="#fff"))
    parts.append(text(lab + 12, top + height - 10, "paper, re-measured", fill="#fff"))
    parts.append(arrow(lab - 4, top + height / 2, RIGHT + 6, top + height / 2))
    parts.append(arrow(RIGHT + 4, 30, lab + 60, top - 5, dashed=True))
    parts.append(text(lab + 62, 26, "infomotif bench"))
    parts.append(arrow(RIGHT + 22, 10 + 8 * (ROW + GAP), RIGHT + 22, bottom - GAP))
    parts += [
        text(RIGHT + 34, bottom - 82 + 18 * i, line)
        for i, line in enumerate(("every room imports", "only rooms below it"))
    ]
    x = 12
    for colour, label in LEGEND:
        parts += [box(x, bottom + 16, 14, 14, colour), text(x + 20, bottom + 28, label)]
        x += 50 + 7.3 * len(label)
    head = (
        f'<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">'
        f'<path d="M0 0 8 4 0 8z" fill="{TEXT}"/></marker></defs>'
    )
    frame = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 910 {bottom + 42:g}" '
        'font-family="system-ui, sans-serif" font-size="14" role="img">'
    )
    title = "<title>The rooms of the package; every room imports only rooms below it</title>"
    return "\n".join([frame, title, head, *parts, "</svg>"]) + "\n"


def main() -> None:
    """Write the picture next to this script."""
    Path(__file__).with_suffix(".svg").write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
