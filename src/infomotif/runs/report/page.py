"""The page: template, style, script and data in one file that makes no network request."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from infomotif._core.files import write_text
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.runs.opened import open_run
from infomotif.runs.report.content import PageContent, report_content
from infomotif.runs.report.node_views import MAX_NODES
from infomotif.runs.result import RunResult

SCRIPTS = (
    "dom.js",
    "charts.js",
    "summary.js",
    "choice.js",
    "training.js",
    "quality.js",
    "motifs.js",
    "map.js",
    "table.js",
    "drawing.js",
    "node.js",
    "main.js",
)
"""The parts of the page's script, in the order in which they run."""


def write_report(
    folder: Path, graph: Graph, result: RunResult, *, index: MotifIndex | None = None, max_nodes: int = MAX_NODES
) -> Path:
    """Write ``report.html`` into a run folder, whole or not at all.

    Args:
        folder: The run folder with the models and predictions.
        graph: The graph that it was trained on.
        result: The result of the run.
        index: The graph's motifs if they were counted before.
        max_nodes: How many nodes the page shows at most; of larger graphs it shows a random sample.

    Returns:
        The file.
    """
    content = report_content(open_run(folder, graph), result, index=index, max_nodes=max_nodes)
    path = folder / "report.html"
    write_text(path, render(content))
    return path


def render(content: PageContent) -> str:
    """Return the page; whatever names and labels hold, it stays text."""
    style = _asset("page.css")
    script = "".join(_asset(name) for name in SCRIPTS)
    script = f'"use strict";\n(() => {{\n{script}}})();\n'
    parts = {
        "TITLE": html.escape(f"InfoMotif: {content['graph']['title']}"),
        "POLICY": _policy(style, script),
        "STYLE": style,
        "DATA": _inert_json(content),
        "SCRIPT": script,
    }
    page = _asset("page.html")
    # One pass over the template, so that nothing in the data can look like a place to fill.
    pieces = page.split("%%")
    return "".join(parts[piece] if i % 2 else piece for i, piece in enumerate(pieces))


def _inert_json(value: Any) -> str:
    """Return JSON that an HTML parser cannot leave: no angle brackets, no ampersands, no line separators."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    # Lone surrogates can stand in names, but not in a file.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _policy(style: str, script: str) -> str:
    """Return a policy that allows this style and this script and no request at all."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _asset(name: str) -> str:
    return (files("infomotif.runs.report") / "assets" / name).read_text(encoding="utf-8")
