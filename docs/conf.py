"""How the documentation site is built: ``sphinx-build -W docs site``."""

from pathlib import Path

import infomotif

project = "InfoMotif"
author = "The InfoMotif developers"
release = version = infomotif.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["images/*.py", "results/**", "settings.py"]
html_theme = "furo"
html_title = f"InfoMotif {release}"
myst_heading_anchors = 3
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_member_order = "bysource"
napoleon_google_docstring = True
napoleon_use_ivar = True
suppress_warnings = ["config.cache"]

# The bench writes this page; before it has, links to it lead nowhere.
if not (Path(__file__).parent / "RESULTS.md").exists():
    suppress_warnings += ["myst.xref_missing", "toc.not_readable"]


def _keep_bars(app: object, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Show the paper's |V_L| as it is; to Sphinx it would be a substitution."""
    lines[:] = [line.replace("|V_L|", r"\|V_L\|") for line in lines]


def setup(app: object) -> None:
    """Connect to Sphinx."""
    app.connect("autodoc-process-docstring", _keep_bars)
