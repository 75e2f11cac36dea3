"""Publishing a store: an overview, and a page, CSV, LaTeX and a figure of each experiment."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from infomotif._core.files import write_text
from infomotif.errors import InputError
from infomotif_bench.experiments.catalog import REPORT, experiment_names, load_experiment
from infomotif_bench.experiments.experiment import Experiment
from infomotif_bench.results.cells import provenance
from infomotif_bench.results.export import to_latex
from infomotif_bench.results.figures import draw, to_svg
from infomotif_bench.results.gains import draw_gains
from infomotif_bench.results.goals import goals
from infomotif_bench.results.html_page import to_page
from infomotif_bench.results.markdown import INDEX, MAINTAINERS, experiment_page, index_page, maintainers_page
from infomotif_bench.results.measurements import Summary, hidden_runs, summarise
from infomotif_bench.results.sections import section, standings
from infomotif_bench.running.run_store import Store
from infomotif_bench.running.schedule import Schedule


def write_report(store: Store, out: Path, *, like: Schedule | None = None) -> list[Path]:
    """Write the results in ``store``, each file whole or not at all, and return the paths.

    Args:
        store: The store of runs.
        out: A folder: it gets ``index.md``, ``maintainers.md``, ``gains.svg``, and ``EXPERIMENT.md``, ``.html``,
            ``.csv``, ``.tex`` and ``.svg``.
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
    texts: dict[str, str] = {}
    sections = []
    for summary in summaries:
        name, figure = summary.experiment.name, draw(summary)
        svg = "" if figure is None else to_svg(figure, "; ".join(provenance(summary)))
        sections.append(section(summary, figure=bool(svg)))
        texts |= {
            f"{name}.md": experiment_page(sections[-1]), f"{name}.html": to_page(sections[-1], svg),
            f"{name}.csv": sections[-1].csv, f"{name}.tex": to_latex(summary), f"{name}.svg": svg,
        }  # fmt: skip
    texts["gains.svg"] = _gains(summaries)
    targets = goals(summaries)
    if targets.rows:
        texts[MAINTAINERS] = maintainers_page(targets, standings(summaries))
    origin = _origin(store, like)
    index = index_page(sections, origin, gains=bool(texts["gains.svg"]), maintained=bool(targets.rows))
    written = {INDEX: index, **{name: text for name, text in texts.items() if text}}
    for name, text in written.items():
        write_text(out / name, text)
    return [out / name for name in written]


def _gains(summaries: Sequence[Summary]) -> str:
    figure = draw_gains(summaries)
    if figure is None:
        return ""
    about = [f"from {s.experiment.name}: {line}" for s in summaries for line in provenance(s)[-1:]]
    return to_svg(figure, "; ".join(about))


def _origin(store: Store, like: Schedule | None) -> str:
    what = REPORT if like is None else like.experiment.file or like.experiment.name
    words = shlex.join(["infomotif", "bench", what, "--store", str(store.folder)])
    lacking = [name for name in experiment_names() if not store.runs(name)]
    unmeasured = f" The store has no runs of {', '.join(lacking)}." if lacking else ""
    return f"Written by `{words}` from the runs in `{store.folder}`; do not edit by hand.{unmeasured}"


def _whole(experiment: Experiment, store: Store, like: Schedule | None) -> Schedule:
    splits = max(experiment.splits, 1 + max(record.run.split for record in store.runs(experiment.name)))
    trials = 1 + max(record.run.trial for record in store.runs(experiment.name))
    if like is None or like.experiment.name != experiment.name:
        return Schedule(experiment, splits=splits, trials=trials)
    rows = [row.name for row in experiment.rows if like.accepts(row)]
    methods = rows if len(rows) < len(experiment.rows) else None
    return Schedule(experiment, splits=splits, trials=trials, methods=methods, settings=like.settings, tuned=like.tuned)
