"""RESULTS.md."""

from __future__ import annotations

from infomotif_bench.results.cells import FAIRNESS, LEGEND
from infomotif_bench.results.gains import ABOUT, TITLE
from infomotif_bench.results.sections import Grid, Section, Standing


def to_markdown(
    sections: list[Section], goals: Grid, overview: list[Standing], origin: str, *, gains: bool = False
) -> str:
    """Return the whole page of results; ``gains`` says whether the figure of all gains was drawn.

    Example:
        >>> to_markdown([], Grid("", (), ()), [], "Made by hand.").splitlines()[0]
        '# Results'
    """
    parts = [
        "# Results",
        origin,
        LEGEND,
        FAIRNESS,
    ]
    if gains:
        parts += [f"## {TITLE}", ABOUT, f"![{TITLE}](results/gains.svg)"]
    if goals.rows:
        parts += [f"## {goals.caption}", _table(goals)]
    for standing in overview:
        parts += [f"## {standing.title}", "\n".join(f"- {escape(line)}" for line in standing.lines)]
    for section in sections:
        parts += _section(section)
    return "\n\n".join(parts) + "\n"


def _section(section: Section) -> list[str]:
    parts = [f"## {section.paper}: {section.title}", section.note]
    if section.statements:
        parts.append("\n".join(f"- {escape(line)}" for line in section.statements))
    if section.figure:
        parts.append(f"![{section.title}](results/{section.name}.svg)")
    parts += [_grid(grid) for grid in section.grids]
    parts.append(
        f"To measure it again from an empty store: `{section.command}` (its cost is given below). Also available as "
        f"[CSV](results/{section.name}.csv) and [LaTeX](results/{section.name}.tex)."
    )
    parts += [f"<sub>{escape(line)}</sub>" for line in section.provenance]
    return [part for part in parts if part]


def _grid(grid: Grid) -> str:
    return f"**{escape(grid.caption)}**\n\n{_table(grid)}"


def _table(grid: Grid) -> str:
    lines = ["| " + " | ".join(map(escape, grid.headings)) + " |"]
    lines.append("|---" + "|--:" * (len(grid.headings) - 1) + "|")
    for row in grid.rows:
        if len(row) == 1:
            lines.append(f"| *{escape(row[0])}* |" + " |" * (len(grid.headings) - 1))
        else:
            lines.append("| " + " | ".join(map(escape, row)) + " |")
    return "\n".join(lines)


def escape(text: str) -> str:
    """Return text with the characters escaped that Markdown would interpret."""
    for character in "\\|*_<":
        text = text.replace(character, "\\" + character)
    return text
