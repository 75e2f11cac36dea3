"""Tables that can be sorted and searched, and an experiment as one HTML page that needs no other file."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from infomotif_bench.results.all_cells import all_cells
from infomotif_bench.results.grid import LEGEND, Grid

if TYPE_CHECKING:
    from infomotif_bench.results.sections import Section

HINT = "Search, such as: cora gat 20 %"
_LONG = 60
"""Characters from which a cell is text that may wrap."""
_KINDS = {"▲": "im-win", "△": "im-win", "▼": "im-loss", "▽": "im-loss"}


def to_page(section: Section, figure: str = "") -> str:
    """Return the page of an experiment; ``figure`` is SVG text."""
    parts = [
        f"<h1>{escape(section.title)}</h1>",
        *_named("Question", section.question),
        *_named("Answer", section.answer),
        *_named("Differs from the paper", section.differs),
        f"<figure>{figure}</figure>" if figure else "",
        sortable(section.main),
        f"<p>{escape(LEGEND)}</p>",
        "<h2>All figures</h2>",
        sortable(all_cells(section.csv)),
        "<h2>How it was measured</h2>",
        f"<p>{escape(section.note)}</p>",
        "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in section.statements) + "</ul>",
        f"<p>To measure it again from an empty store: <code>{escape(section.command)}</code></p>",
        *(f"<details><summary>{escape(grid.caption)}</summary>{sortable(grid)}</details>" for grid in section.details),
        *(f"<small>{escape(line)}</small>" for line in section.provenance),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(section.title)}</title><style>{_asset('page.css')}</style></head>"
        f'<body><main class="im-page">{"".join(parts)}</main>{table_assets()}</body></html>\n'
    )


def sortable(grid: Grid) -> str:
    """Return a table that :func:`table_assets` gives a search box and sortable columns."""
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in grid.headings)
    rows = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in grid.rows)
    return (
        f'<div class="im-table" data-hint="{escape(HINT)}"><div class="im-scroll" tabindex="0"><table>'
        f"<caption>{escape(grid.caption)}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></div>"
    )


def table_assets() -> str:
    """Return style and script of sortable tables, for once per page."""
    return f"<style>{_asset('tables.css')}</style><script>{_asset('tables.js')}</script>"


def _named(name: str, text: str) -> list[str]:
    return [f"<p><b>{name}.</b> {escape(text)}</p>"] if text else []


def _cell(text: str) -> str:
    kind = "im-text" if len(text) > _LONG and "\n" not in text else _KINDS.get(text[:1], "")
    shown = "<br>".join(_coloured(line, kind) for line in text.split("\n"))
    return f'<td class="{kind}">{shown}</td>' if kind else f"<td>{shown}</td>"


def _coloured(line: str, outer: str) -> str:
    kind = _KINDS.get(line[:1], "")
    return f'<span class="{kind}">{escape(line)}</span>' if kind and kind != outer else escape(line)


@cache
def _asset(name: str) -> str:
    return (files("infomotif_bench") / "results" / "assets" / name).read_text(encoding="utf-8")
