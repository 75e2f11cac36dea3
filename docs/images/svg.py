"""Parts of the drawn pictures: colours that can be read on a light and on a dark page, boxes, arrows, nodes."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import hypot

TEXT, LINE = "#77808b", "#8a939e"
TEAL, PURPLE, ORANGE, GREY = "#0f766e", "#5d50bd", "#b4531f", "#66707c"
HEADS = {LINE: "head", TEAL: "head-teal", ORANGE: "head-orange"}


def text(
    x: float, y: float, content: str, *, fill: str = TEXT, anchor: str = "middle", weight: str = "normal", size: int = 0
) -> str:
    """Return a line of text."""
    larger = f' font-size="{size}"' if size else ""
    style = f'fill="{fill}" text-anchor="{anchor}" font-weight="{weight}"{larger}'
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(content)}</text>'


def box(x: float, y: float, width: float, height: float, colour: str, lines: Iterable[str] = ()) -> str:
    """Return a filled box; the first of its lines is bold."""
    written = list(lines)
    top = y + height / 2 - 9 * (len(written) - 1) + 5
    inside = [
        text(x + width / 2, top + 18 * i, line, fill="#fff", weight="normal" if i else "bold")
        for i, line in enumerate(written)
    ]
    rect = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="7" fill="{colour}"/>'
    return "\n".join([rect, *inside])


def node(x: float, y: float, colour: str, label: str = "", radius: float = 12) -> str:
    """Return a node with a label inside."""
    circle = f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}"/>'
    return circle + (text(x, y + 4.5, label, fill="#fff", weight="bold", size=13) if label else "")


def line(
    start: tuple[float, float],
    end: tuple[float, float],
    *,
    gap: float = 0,
    heads: str = "",
    colour: str = LINE,
    width: float = 2,
    dashed: bool = False,
) -> str:
    """Return a line that stops ``gap`` before both points; ``heads`` is '', '>' or '<>'."""
    (x1, y1), (x2, y2) = start, end
    length = hypot(x2 - x1, y2 - y1)
    dx, dy = gap * (x2 - x1) / length, gap * (y2 - y1) / length
    marks = f' marker-end="url(#{HEADS[colour]})"' if ">" in heads else ""
    marks += f' marker-start="url(#{HEADS[colour]})"' if "<" in heads else ""
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    ends = f'x1="{x1 + dx:.4g}" y1="{y1 + dy:.4g}" x2="{x2 - dx:.4g}" y2="{y2 - dy:.4g}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width:g}"{dashes}{marks}/>'


def picture(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """Return the whole picture."""
    markers = "".join(
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" '
        f'orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="{colour}"/></marker>'
        for colour, name in HEADS.items()
    )
    frame = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="system-ui, sans-serif" font-size="14" role="img">'
    )
    return "\n".join([frame, f"<title>{escape(title)}</title>", f"<defs>{markers}</defs>", *parts, "</svg>"]) + "\n"
