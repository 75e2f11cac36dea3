"""A Sphinx extension: in the documentation site, pages of results have their tables and their place in the contents.

It needs only the published CSV files: neither runs nor graphs, nor what trains and draws.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from infomotif_bench.results.all_cells import all_cells
from infomotif_bench.results.html_page import sortable, table_assets

ALL_FIGURES, PAGES = "all-figures:", "pages:"
"""How the comments begin that are replaced: by tables of CSV files, and by contents."""
_COMMENT = re.compile(rf"<!-- ({ALL_FIGURES}|{PAGES}) (.*?) -->")


def setup(app: Any) -> dict[str, Any]:
    """Connect to Sphinx."""
    app.connect("source-read", _fill_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def fill_in(text: str, folder: Path) -> str:
    """Return a page with tables of CSV files and contents in place of the comments that ask for them.

    Example:
        >>> print(fill_in("<!-- pages: a b -->", Path()))
        ```{toctree}
        :hidden:
        <BLANKLINE>
        a
        b
        ```
    """
    return _COMMENT.sub(lambda match: _replacement(match[1], match[2].split(), folder), text)


def _replacement(kind: str, names: list[str], folder: Path) -> str:
    if kind == PAGES:
        return "```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```"
    tables = [sortable(all_cells((folder / name).read_text(encoding="utf-8"))) for name in names]
    return f"````{{raw}} html\n{''.join(tables)}{table_assets()}\n````"


def _fill_in(app: Any, name: str, source: list[str]) -> None:
    folder = Path(app.srcdir, name).parent
    for _, listed in _COMMENT.findall(source[0]):
        for file in listed.split():
            if file.endswith(".csv"):
                app.env.note_dependency(str(folder / file))
    source[0] = fill_in(source[0], folder)
