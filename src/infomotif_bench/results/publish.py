"""Publishing a store: RESULTS.md, the page, and CSV, LaTeX and figures of each experiment."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from matplotlib.figure import Figure

from infomotif._core.files import whole_file, write_text
from infomotif.errors import InputError
from infomotif_bench.experiments.catalog import REPORT, experiment_names, load_experiment
from infomotif_bench.experiments.experiment import Experiment
from infomotif_bench.results.cells import provenance
from infomotif_bench.results.export import to_csv, to_latex
from infomotif_bench.results.figures import draw, to_bytes
from infomotif_bench.results.gains import draw_gains
from infomotif_bench.results.goals import goals
from infomotif_bench.results.html_page import to_page
from infomotif_bench.results.markdown import to_markdown
from infomotif_bench.results.measurements import hidden_runs, summarise
from infomotif_bench.results.sections import section, standings
from infomotif_bench.running.run_store import Store
from infomotif_bench.running.schedule import Schedule


def write_report(store: Store, out: Path, *, like: Schedule | None = None) -> list[Path]:
    """Write the results in ``store``, each file whole or not at all, and return the paths.

    Args:
        store: The store of runs.
        out: A folder: it gets ``RESULTS.md``, ``results.html``, ``results/EXPERIMENT.csv``, ``.tex``, ``.svg``,
            ``.png``, and ``results/gains.svg``, ``.png``.
        like: A schedule whose experiment is shown with the same settings and tuning, in all rows that can take the
            settings.

    Raises:
        InputError: If the store holds no run of any experiment.
    """
    experiments = [load_experiment(name) for name in experiment_names()]
    if like is not None and like.experiment.file:
        experiments.append(like.experiment)
    schedules = [_whole(experiment, store, like) for experiment in experiments if store.runs(experiment.name)]
    summaries = [replace(summarise(schedule, store), hidden=hidden_runs(schedule, store)) for schedule in schedules]
    if not summaries:
        raise InputError(f"{store.folder}: holds no run yet; run 'infomotif bench table3' first")
    written: list[Path] = []
    figures: dict[str, str] = {}
    gains = ""
    for summary in summaries:
        name = summary.experiment.name
        texts = {"csv": to_csv(summary), "tex": to_latex(summary)}
        for kind, text in texts.items():
            written.append(out / "results" / f"{name}.{kind}")
            write_text(written[-1], text)
        if (figure := draw(summary)) is not None:
            figures[name] = _write_figure(figure, written, out / "results" / name, provenance(summary))
    if (figure := draw_gains(summaries)) is not None:
        about = [f"from {s.experiment.name}: {line}" for s in summaries for line in provenance(s)[-1:]]
        gains = _write_figure(figure, written, out / "results" / "gains", about)
    sections = [section(summary, figure=summary.experiment.name in figures) for summary in summaries]
    table, overview = goals(summaries), standings(summaries)
    write_text(out / "RESULTS.md", to_markdown(sections, table, overview, _origin(store, like), gains=bool(gains)))
    write_text(out / "results.html", to_page(sections, table, overview, figures, gains))
    return [out / "RESULTS.md", out / "results.html", *written]


def _write_figure(figure: Figure, written: list[Path], path: Path, about: Sequence[str]) -> str:
    """Write a figure as SVG and PNG; return the SVG text without XML declaration."""
    contents = {kind: to_bytes(figure, kind, "; ".join(about)) for kind in ("svg", "png")}
    for kind, content in contents.items():
        written.append(path.with_name(f"{path.name}.{kind}"))
        with whole_file(written[-1]) as aside:
            aside.write_bytes(content)
    text = contents["svg"].decode("utf-8")
    return text[text.index("<svg") :]


def _origin(store: Store, like: Schedule | None) -> str:
    what = REPORT if like is None else like.experiment.file or like.experiment.name
    words = shlex.join(["infomotif", "bench", what, "--store", str(store.folder)])
    lacking = [name for name in experiment_names() if not store.runs(name)]
    unmeasured = f" The store has no runs of {', '.join(lacking)}." if lacking else ""
    return f"Written by `{words}` from the runs in `{store.folder}`; do not edit by hand.{unmeasured}"


def _whole(experiment: Experiment, store: Store, like: Schedule | None) -> Schedule:
    splits = max(experiment.splits, 1 + max(record.run.split for record in store.runs(experiment.name)))
    if like is None or like.experiment.name != experiment.name:
        return Schedule(experiment, splits=splits)
    rows = [row.name for row in experiment.rows if like.accepts(row)]
    methods = rows if len(rows) < len(experiment.rows) else None
    return Schedule(experiment, splits=splits, methods=methods, settings=like.settings, tuned=like.tuned)
