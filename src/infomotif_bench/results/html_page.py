"""All results as one HTML page that needs no other file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from infomotif_bench.results.cells import FAIRNESS, LEGEND
from infomotif_bench.results.gains import ABOUT, TITLE
from infomotif_bench.results.sections import Grid, Section, Standing

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto; padding: 0 1rem; }
nav a { margin-right: 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; font-size: 14px; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
tr.group td { text-align: left; background: var(--soft); font-style: italic; }
td.win { color: #1a7f37; } td.loss { color: #c0392b; }
@media (prefers-color-scheme: dark) { td.win { color: #56d364; } td.loss { color: #ff8a80; } }
figure { margin: 1rem 0; background: white; padding: .5rem; border-radius: .3rem; display: inline-block; }
figure { max-width: 100%; }
figure svg { max-width: 100%; height: auto; }
small { opacity: .75; display: block; }
code { background: var(--soft); padding: .1rem .3rem; border-radius: .2rem; }
"""
_KINDS = {"▲": "win", "△": "win", "reached": "win", "▼": "loss", "▽": "loss", "missed": "loss"}


def to_page(
    sections: list[Section], goals: Grid, overview: list[Standing], figures: dict[str, str], gains: str = ""
) -> str:
    """Return the page.

    Args:
        sections: The experiments.
        goals: The goals of InfoMotif and whether they are reached.
        overview: Cells in which InfoMotif is better or worse than its base.
        figures: SVG text by experiment, without XML declaration.
        gains: SVG text of the figure of all gains.

    Example:
        >>> to_page([], Grid("", (), ()), [], {}).startswith("<!doctype html>")
        True
    """
    links = "".join(f'<a href="#{escape(s.name)}">{escape(s.name)}</a>' for s in sections)
    opening = f"<h2>{escape(TITLE)}</h2><p>{escape(ABOUT)}</p><figure>{gains}</figure>" if gains else ""
    opening += f"<h2>{escape(goals.caption)}</h2>{_table(goals)}" if goals.rows else ""
    opening += "".join(f"<h2>{escape(s.title)}</h2>{_list(s.lines)}" for s in overview)
    body = "".join(_section(s, figures.get(s.name, "")) for s in sections)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>InfoMotif: results</title><style>{_STYLE}</style></head><body>"
        f"<h1>InfoMotif: results</h1><p>{escape(LEGEND)}</p><p>{escape(FAIRNESS)}</p><nav>{links}</nav>"
        f"{opening}{body}</body></html>\n"
    )


def _section(section: Section, figure: str) -> str:
    origin = "".join(f"<small>{escape(line)}</small>" for line in section.provenance)
    return (
        f'<section id="{escape(section.name)}"><h2>{escape(section.paper)}: {escape(section.title)}</h2>'
        f"<p>{escape(section.note)}</p>"
        + (_list(section.statements) if section.statements else "")
        + (f"<figure>{figure}</figure>" if figure else "")
        + "".join(_grid(grid) for grid in section.grids)
        + f"<p>To measure it again from an empty store: <code>{escape(section.command)}</code></p>{origin}</section>"
    )


def _list(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _grid(grid: Grid) -> str:
    return _table(grid, f"<caption>{escape(grid.caption)}</caption>")


def _table(grid: Grid, caption: str = "") -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in grid.headings)
    rows = []
    for row in grid.rows:
        if len(row) == 1:
            rows.append(f'<tr class="group"><td colspan="{len(grid.headings)}">{escape(row[0])}</td></tr>')
        else:
            rows.append("<tr>" + "".join(_cell(text) for text in row) + "</tr>")
    return (
        f'<div class="wide" tabindex="0"><table>{caption}'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell(text: str) -> str:
    kind = _KINDS.get(text.partition(" ")[0], "")
    return f'<td class="{kind}">{escape(text)}</td>' if kind else f"<td>{escape(text)}</td>"
