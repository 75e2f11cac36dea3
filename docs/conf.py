"""How the documentation site is built: ``sphinx-build -W docs site``."""

import logging
import os
from pathlib import Path

import infomotif

HERE = Path(__file__).parent
logging.getLogger("infomotif").setLevel(logging.WARNING)
PROPERTIES: dict[str, list[str]] = {}

project = "InfoMotif"
author = "The InfoMotif developers"
copyright = f"2026, {author}"  # noqa: A001
release = version = infomotif.__version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "infomotif_bench.results.site",
]
exclude_patterns = ["_build", "results/runs"]
suppress_warnings = ["config.cache"]
smartquotes = False  # "--edges" is an option, not a dash
nitpicky = True
# Only public names of this package must resolve: other projects need a network, and inner modules have no page.
INNER = (
    "_core|datasets.fetch|explain.node.Scene|graph.colours|graph.csr|io.registry|motifs.colours|motifs.counting|motifs.sampling|nn.encoders|nn.network|nn.propagation|"
    "search.spreading|"
    "nn.regularizer|training.features.Reader"
)
nitpick_ignore_regex = [("py:.*", r"(?!infomotif).*"), ("py:.*", rf"infomotif\.({INNER})(\..*)?"), ("py:data", ".*")]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4

autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_member_order = "bysource"
autosummary_generate = False
napoleon_google_docstring = True
napoleon_use_ivar = True
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"InfoMotif {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/logo.svg"
html_theme_options = {
    "light_logo": "logo.svg",
    "dark_logo": "logo-dark.svg",
    "source_repository": "https://github.com/infomotif/infomotif",
    "source_branch": "main",
    "source_directory": "docs/",
}

# Programs of the gallery are run while the site is built, those with fetched graphs only where these can be had.
ONLINE = bool(os.environ.get("READTHEDOCS") or os.environ.get("INFOMOTIF_DOCS_ONLINE"))
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_" if ONLINE or os.environ.get("INFOMOTIF_DATA") else "/plot_6_",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 10_000,
    "write_computation_times": False,
    "abort_on_example_error": True,
    "image_scrapers": ("matplotlib",),
    "capture_repr": ("_repr_html_", "__repr__"),
    # Axes and figures are shown as pictures; their text says nothing.
    "ignore_repr_types": r"matplotlib|list|tuple",
    "matplotlib_animations": False,
}

# Links into the pages of other projects need a network, which a local build must not.
if ONLINE:
    extensions.append("sphinx.ext.intersphinx")
    intersphinx_mapping = {
        "python": ("https://docs.python.org/3", None),
        "numpy": ("https://numpy.org/doc/stable", None),
        "scipy": ("https://docs.scipy.org/doc/scipy", None),
        "torch": ("https://docs.pytorch.org/docs/stable", None),
        "torch_geometric": ("https://pytorch-geometric.readthedocs.io/en/stable", None),
    }


def _keep_bars(app: object, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Show the paper's |V_L| as it is; to Sphinx it would be a substitution."""
    lines[:] = [line.replace("|V_L|", r"\|V_L\|") for line in lines]


def _remember(app: object, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Keep the docstring of a property as it is, before napoleon reads it."""
    if what in ("property", "attribute"):
        PROPERTIES[name] = list(lines)


def _restore(app: object, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Undo napoleon where it takes "The orbits: positions that ..." for a type and a description."""
    if any(line.startswith(":type: ") for line in lines):
        lines[:] = PROPERTIES.get(name, lines)


def _home_of(app: object, env: object, node: object, content: object) -> object:
    """Let ``infomotif.MotifIndex`` and other names of the package link to the module that they come from."""
    home = infomotif._HOME.get(node.get("reftarget", "").removeprefix("infomotif."))
    if home is None or node.get("refdomain") != "py":
        return None
    target = f"{home}.{node['reftarget'].removeprefix('infomotif.')}"
    return env.domains["py"].resolve_xref(env, node["refdoc"], app.builder, node["reftype"], target, node, content)


def setup(app: object) -> None:
    """Connect to Sphinx."""
    app.connect("autodoc-process-docstring", _keep_bars)
    app.connect("autodoc-process-docstring", _remember, priority=400)
    app.connect("autodoc-process-docstring", _restore, priority=600)
    app.connect("missing-reference", _home_of)
