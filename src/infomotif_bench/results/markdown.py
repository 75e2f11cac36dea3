"""Pages in Markdown: the overview, one page per experiment, and the one for maintainers.

They are read on GitHub and in the documentation site, whose extension :mod:`infomotif_bench.results.site` puts tables
in place of two comments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from infomotif_bench.results.all_cells import all_cells
from infomotif_bench.results.cells import FAIRNESS
from infomotif_bench.results.gains import ABOUT, TITLE
from infomotif_bench.results.grid import LEGEND, Grid
from infomotif_bench.results.sections import Section, Standing
from infomotif_bench.results.site import ALL_FIGURES, PAGES

INDEX, MAINTAINERS = "index.md", "maintainers.md"
_NO_BREAK = {ord(" "): "\N{NO-BREAK SPACE}"}
_FIGURE = re.compile(r"[▲▼△▽=+-]|\d|paper \d")
_MARKS = (
    "**±** after an accuracy is the standard deviation over splits, after a difference half its 95 % interval.",
    "Differences are in points and paired over the same splits. **△** better, **▽** worse: the interval excludes 0, "
    "whichever single split is left out. **=** no clear difference. No mark: the interval excludes 0, but not without "
    "one of the splits, so the verdict would hang on one run.",
    "**▲** and **▼**: also significant at 5 % by the corrected resampled t-test, which is strict if few nodes train.",
    "*paper* is the figure that the paper prints. *joint* is the preset that trains the losses of base and motifs "
    "together; rows without it follow the paper's schedule.",
    "Each figure comes from one training per split; the paper reports five.",
    "Figures depend on the machine: the last digits of a sum differ, and where that changes which epoch or candidate "
    "is kept, a single run can differ by whole points. Each page names its machine and versions.",
)


def index_page(sections: Sequence[Section], origin: str, *, gains: bool, maintained: bool) -> str:
    """Return the overview: every experiment in two lines, the marks, and the figure of all gains if it was drawn.

    Example:
        >>> index_page([], "Made by hand.", gains=False, maintained=False).splitlines()[0]
        '# Results'
    """
    parts = ["# Results", "Every experiment: its question, and what was measured. Each title leads to all figures."]
    parts += map(_entry, sections)
    parts += ["## How to read the figures", _list(_MARKS)]
    if gains:
        parts += [f"## {TITLE}", ABOUT, f"![{TITLE}](gains.svg)"]
    parts += ["## Fairness", FAIRNESS]
    if maintained:
        parts.append(f"Our own targets, and all cells that are clearly better or worse: [Targets]({MAINTAINERS}).")
    pages = [s.name for s in sections] + ["maintainers"] * maintained
    parts += [f"<sub>{origin}</sub>", f"<!-- {PAGES} {' '.join(pages)} -->"]
    return "\n\n".join(parts) + "\n"


def experiment_page(section: Section) -> str:
    """Return the page of an experiment."""
    name, cells = section.name, len(all_cells(section.csv).rows)
    parts = [f"# {escape(section.title)}"]
    texts = {"Question.": section.question, "Answer.": section.answer, "Differs from the paper.": section.differs}
    parts += [f"**{label}** {escape(text)}" for label, text in texts.items() if text]
    if section.figure:
        parts.append(f"![{section.title}]({name}.svg)")
    marks = f" ([marks]({INDEX}#how-to-read-the-figures))." if "base" in section.main.caption else "."
    parts += [escape(section.main.caption) + marks, _table(section.main)]
    parts += [
        "## All figures",
        f"[{name}.csv]({name}.csv) has all {cells} cells, [{name}.tex]({name}.tex) the table for LaTeX.",
        f"<!-- {ALL_FIGURES} {name}.csv -->",
        "## How it was measured",
        escape(section.note),
        _list([escape(line) for line in section.statements]),
        f"To measure it again from an empty store: `{section.command}`",
    ]
    parts += [_folded(grid.caption, _table(grid)) for grid in section.details]
    parts.append(_folded("Versions, machine and CPU time", _list([escape(line) for line in section.provenance])))
    return "\n\n".join(part for part in parts if part) + "\n"


def maintainers_page(goals: Grid, overview: Sequence[Standing]) -> str:
    """Return our targets and the list of cells that are clearly better or worse."""
    parts = ["# Targets", f"What we wanted InfoMotif to reach, and by how much it misses. {LEGEND}"]
    if goals.rows:
        parts.append(_table(goals))
    for standing in overview:
        parts += [f"## {standing.title}", _list([escape(line) for line in standing.lines])]
    return "\n\n".join(parts) + "\n"


def _entry(section: Section) -> str:
    """Return question and answer on a line each."""
    question = f" *{escape(section.question)}*" if section.question else ""
    lines = (f"**[{escape(section.title)}]({section.name}.md)**{question}", escape(section.answer))
    return "\\\n".join(line for line in lines if line)


def _list(lines: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _folded(summary: str, content: str) -> str:
    return f"<details><summary>{summary}</summary>\n\n{content}\n\n</details>"


def _table(grid: Grid) -> str:
    lines = ["| " + " | ".join(map(escape, grid.headings)) + " |"]
    lines.append("|---" * len(grid.headings) + "|")
    for row in grid.rows:
        if len(row) == 1:
            lines.append(f"| *{escape(row[0])}* |" + " |" * (len(grid.headings) - 1))
        else:
            lines.append("| " + " | ".join(map(_cell, row)) + " |")
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Return a cell whose figures are not broken over lines."""
    lines = [escape(line) for line in text.split("\n")]
    return "<br>".join(line.translate(_NO_BREAK) if _FIGURE.match(line) else line for line in lines)


def escape(text: str) -> str:
    """Return text with the characters escaped that Markdown would interpret."""
    for character in "\\|*_<":
        text = text.replace(character, "\\" + character)
    # As code, because a double hyphen would become a dash.
    return re.sub(r"--[a-z][a-z-]*", r"`\g<0>`", text)
