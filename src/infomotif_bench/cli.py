"""``infomotif bench``: the paper's tables and figures, measured again."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infomotif.cli import console
from infomotif.errors import InputError

if TYPE_CHECKING:
    from infomotif_bench import Schedule, Store
    from infomotif_bench.results.measurements import Summary

REQUIRED = ("torch", "safetensors", "sklearn", "matplotlib", "networkx", "gensim", "joblib", "threadpoolctl")
"""Packages of the extra ``bench``, by the names that they are imported by."""

app = typer.Typer(add_completion=False)

_HELP = """Measure the paper's tables and figures again, next to the published numbers.

Every run is stored as soon as it ends, so you can stop and start again at any moment, and two commands can share the
work. Without an argument it lists the experiments; 'report' writes pages and figures from the store, 'pack' makes the
store about ten times smaller, and 'unpack' writes its lines as JSONL.

Examples:

  infomotif bench

  infomotif bench table3 --splits 10 --methods gcn,infomotif-gcn --jobs 2

  infomotif bench table2 --datasets cora --ratios 0.2 --methods gcn --splits 2

  infomotif bench few-labels --datasets cora --labels '5 %,3 per class' --methods gcn,infomotif-gcn

  infomotif bench far-labels --datasets roles --jobs 2

  infomotif bench report --store bench-results --out bench-report

  infomotif bench pack --store bench-results
"""


@app.command(help=_HELP)
def bench(
    experiment: Annotated[
        str | None,
        typer.Argument(
            metavar="EXPERIMENT",
            help="table2, table3, ablation, label-sparsity, attribute-diversity, sensitivity, runtime, few-labels, "
            "few-labels-small-validation, far-labels, controls, ideas, parts, trials, default, "
            "default-small-validation, typed, a file of yours (NAME.yaml); or report, pack, unpack.",
            show_default=False,
        ),
    ] = None,
    splits: Annotated[
        int | None, typer.Option(min=1, help="Random splits per number of labels.  [default: the experiment's]")
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(min=1, help="Trainings per split, each with its own seed.  [default: the experiment's, mostly 1]"),
    ] = None,
    methods: Annotated[str | None, typer.Option(metavar="A,B", help="Only these methods.", show_default=False)] = None,
    datasets: Annotated[
        str | None, typer.Option(metavar="A,B", help="Only these datasets.", show_default=False)
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(
            "--labels",
            "--ratios",
            metavar="A,B",
            help="Only these numbers of labels, such as 0.2, '5 %' or '3 per class'.",
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes, one thread each.")] = 1,
    dask: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler to give the work to.", show_default=False)
    ] = None,
    store: Annotated[Path, typer.Option(metavar="FOLDER", help="Where every run is stored.")] = Path("bench-results"),
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Write pages, CSV, LaTeX and figures there ('unpack': JSONL).", show_default=False
        ),
    ] = None,
    change: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Fix a setting of all methods that know it; can be repeated."),
    ] = None,
    tuned: Annotated[
        bool, typer.Option("--tune/--no-tune", help="Whether settings are first chosen on validation nodes.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure the paper's tables and figures again, next to the published numbers."""
    require_packages()
    from infomotif_bench import Store, load_experiment
    from infomotif_bench.experiments.catalog import ACTIONS, PACK

    if experiment is None or experiment in ACTIONS:
        _refuse_ignored(
            experiment,
            {
                "--splits": splits, "--trials": trials, "--methods": methods, "--datasets": datasets,
                "--labels": labels, "--set": change,
                "--dask": dask, "--jobs": jobs > 1, "--no-tune": not tuned,
                "--json": as_json and experiment is not None, "--out": out if experiment in (None, PACK) else None,
            },
        )  # fmt: skip
    if out is not None:
        _check_folder(out)
    if experiment in ACTIONS and not store.exists():
        raise InputError(f"{store}: no such folder; --store takes the folder that 'infomotif bench' filled")
    records = Store(store)
    if experiment is None:
        _list(records, as_json)
        return
    if experiment in ACTIONS:
        _act(experiment, records, out)
        return
    from infomotif._core.malloc import keep_freed_memory
    from infomotif_bench import Schedule, run_schedule, summarise
    from infomotif_bench.experiments.settings import parse_changes
    from infomotif_bench.running.live import LiveProgress

    known, names = load_experiment(experiment), _names(methods)
    running = [row.implementation() for row in known.chosen(names)]
    schedule = Schedule(
        known,
        splits=splits,
        trials=trials,
        methods=names,
        datasets=_names(datasets),
        labels=_names(labels),
        settings=parse_changes(change or (), running),
        tuned=tuned,
    )
    keep_freed_memory()
    with LiveProgress(schedule, records, console.err()) as progress:
        run_schedule(schedule, records, jobs=jobs, dask=dask, on_start=progress.start, on_record=progress)
    if as_json:
        from infomotif_bench.results.cells import departures, provenance
        from infomotif_bench.results.export import to_rows

        summary = summarise(schedule, records)
        console.print_json(
            {"experiment": known.name, "cells": to_rows(summary), "departures": departures(summary),
             "provenance": provenance(summary)}
        )  # fmt: skip
    else:
        _show(schedule, records)
    if out is not None:
        _report(records, out, schedule)


def require_packages(names: Iterable[str] = REQUIRED) -> None:
    """Refuse to go on without the packages of the extra ``bench``.

    Raises:
        InputError: Naming those that are missing, and the command that installs them.
    """
    missing = [name for name in names if find_spec(name) is None]
    if missing:
        raise InputError(f"infomotif bench needs {', '.join(missing)}: pip install 'infomotif[bench]'")


def _check_folder(out: Path) -> None:
    """Refuse an output folder that cannot be written, before anything runs."""
    existing = next(path for path in (out, *out.absolute().parents) if path.exists())
    if not existing.is_dir():
        raise InputError(f"{existing}: is a file; --out takes a folder")
    if not os.access(existing, os.W_OK):
        raise InputError(f"{existing}: cannot be written to; choose another folder with --out")


def _refuse_ignored(experiment: str | None, given: dict[str, Any]) -> None:
    """Refuse options that choose what runs if nothing runs."""
    ignored = [option for option, value in given.items() if value]
    if ignored:
        what = "the list of experiments" if experiment is None else f"'{experiment}', which takes the whole store"
        raise InputError(f"{ignored[0]} is for running an experiment, not for {what}; leave it out")


def _show(schedule: Schedule, store: Store) -> None:
    from infomotif_bench import summarise
    from infomotif_bench.results.cells import NEXT_TO_PAPER, base_statements, departures, provenance, trial_statements
    from infomotif_bench.results.grid import LEGEND
    from infomotif_bench.results.terminal import panel_table

    summary = summarise(schedule, store)
    for panel in summary.panels:
        console.out().print(panel_table(summary, panel))
    paper = [NEXT_TO_PAPER] if summary.experiment.published else []
    _show_alternatives(summary, store)
    statements = (*departures(summary), *base_statements(summary), *trial_statements(summary))
    for line in (LEGEND, *paper, *statements, *provenance(summary)):
        console.out().print(line, markup=False)


def _show_alternatives(summary: Summary, store: Store) -> None:
    """Print how the default compares, over the cells of this experiment and of those with the same rows."""
    from infomotif_bench import Schedule, experiment_names, load_experiment, summarise
    from infomotif_bench.results.alternatives import alternatives, default_statements, has_default
    from infomotif_bench.results.terminal import grid_table

    if not has_default(summary):
        return
    rows = [row.name for row in summary.experiment.rows]
    known = [load_experiment(name) for name in experiment_names() if name != summary.experiment.name]
    others = [other for other in known if [row.name for row in other.rows] == rows and store.runs(other.name)]
    summaries = [summary, *(summarise(Schedule(other), store) for other in others)]
    grid = alternatives(summaries)
    if grid.rows:
        console.out().print(grid_table(grid))
    for line in default_statements(summaries):
        console.out().print(line, markup=False)


def _list(store: Store, as_json: bool) -> None:
    from infomotif_bench import experiment_names, load_experiment

    rows: list[dict[str, Any]] = []
    for name in experiment_names():
        known = load_experiment(name)
        rows.append(
            {"name": name, "paper": known.paper, "title": known.title, "datasets": list(known.datasets),
             "methods": [row.name for row in known.rows if "/" not in row.name], "runs": len(store.runs(name))}
        )  # fmt: skip
    if as_json:
        console.print_json(rows)
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(title="experiments", title_justify="left")
    for heading in ("name", "in the paper", "what it shows", "datasets", "runs in the store"):
        table.add_column(heading)
    for row in rows:
        texts = (row["name"], row["paper"], row["title"], ", ".join(row["datasets"]), str(row["runs"]))
        table.add_row(*(Text(text) for text in texts))
    console.out().print(table)


def _act(action: str, store: Store, out: Path | None) -> None:
    """Report, pack or unpack a store."""
    from infomotif_bench.experiments.catalog import PACK, REPORT

    if action == REPORT:
        _report(store, out or Path("bench-report"))
    elif action == PACK:
        for name, packed in store.pack().items():
            sizes = f"{packed.before:,} bytes before, {packed.after:,} now"
            console.err().print(f"packed {name}: {packed.lines} lines, {sizes}", markup=False, soft_wrap=True)
    elif out is None:
        raise InputError("unpack needs a folder to write to; name it with --out FOLDER")
    else:
        for path in store.unpack(out):
            console.err().print(f"wrote {path}", markup=False, soft_wrap=True)


def _report(store: Store, out: Path, like: Schedule | None = None) -> None:
    from infomotif_bench.results.publish import write_report

    for path in write_report(store, out, like=like):
        console.err().print(f"wrote {path}", markup=False, soft_wrap=True)


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]
