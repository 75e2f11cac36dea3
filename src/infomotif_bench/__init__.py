"""The bench: the paper's tables and figures as data, measured again, with every run kept in a store.

Names are imported when first used, so that a store can be read without the networks.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOME = {
    "Experiment": "infomotif_bench.experiments.experiment",
    "Plan": "infomotif_bench.running.schedule",
    "Row": "infomotif_bench.experiments.experiment",
    "Store": "infomotif_bench.running.run_store",
    "Summary": "infomotif_bench.results.summary",
    "experiment_names": "infomotif_bench.experiments.catalog",
    "load_experiment": "infomotif_bench.experiments.catalog",
    "run_plan": "infomotif_bench.running.runner",
    "summarise": "infomotif_bench.results.summary",
    "write_report": "infomotif_bench.results.report",
}

__all__ = [
    "Experiment",
    "Plan",
    "Row",
    "Store",
    "Summary",
    "experiment_names",
    "load_experiment",
    "run_plan",
    "summarise",
    "write_report",
]

if TYPE_CHECKING:
    from infomotif_bench.experiments.catalog import experiment_names, load_experiment
    from infomotif_bench.experiments.experiment import Experiment, Row
    from infomotif_bench.results.report import write_report
    from infomotif_bench.results.summary import Summary, summarise
    from infomotif_bench.running.run_store import Store
    from infomotif_bench.running.runner import run_plan
    from infomotif_bench.running.schedule import Plan


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'infomotif_bench' has no attribute '{name}'")
