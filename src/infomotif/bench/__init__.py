"""The bench: the paper's tables and figures as data, measured again, with every run kept in a store.

Names are imported when first used, so that a store can be read without the networks.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOME = {
    "Experiment": "infomotif.bench.experiment",
    "Plan": "infomotif.bench.plan",
    "Row": "infomotif.bench.experiment",
    "Store": "infomotif.bench.store",
    "Summary": "infomotif.bench.summary",
    "experiment_names": "infomotif.bench.catalog",
    "load_experiment": "infomotif.bench.catalog",
    "run_plan": "infomotif.bench.runner",
    "summarise": "infomotif.bench.summary",
    "write_report": "infomotif.bench.report",
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
    from infomotif.bench.catalog import experiment_names, load_experiment
    from infomotif.bench.experiment import Experiment, Row
    from infomotif.bench.plan import Plan
    from infomotif.bench.report import write_report
    from infomotif.bench.runner import run_plan
    from infomotif.bench.store import Store
    from infomotif.bench.summary import Summary, summarise


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'infomotif.bench' has no attribute '{name}'")
