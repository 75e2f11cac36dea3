"""The laboratory: the paper's tables and figures as data, measured again, with every run kept in a store.

Names are imported when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from infomotif._core.lazy import lazy_names

_HOME = {
    "Experiment": "infomotif_bench.experiments.experiment",
    "Row": "infomotif_bench.experiments.experiment",
    "Schedule": "infomotif_bench.running.schedule",
    "Store": "infomotif_bench.running.run_store",
    "Summary": "infomotif_bench.results.measurements",
    "experiment_names": "infomotif_bench.experiments.catalog",
    "load_experiment": "infomotif_bench.experiments.catalog",
    "run_schedule": "infomotif_bench.running.runner",
    "summarise": "infomotif_bench.results.measurements",
    "write_report": "infomotif_bench.results.publish",
}
_OLD_NAMES = {"Plan": "Schedule", "run_plan": "run_schedule"}

__all__ = [
    "Experiment",
    "Row",
    "Schedule",
    "Store",
    "Summary",
    "experiment_names",
    "load_experiment",
    "run_schedule",
    "summarise",
    "write_report",
]

if TYPE_CHECKING:
    from infomotif_bench.experiments.catalog import experiment_names, load_experiment
    from infomotif_bench.experiments.experiment import Experiment, Row
    from infomotif_bench.results.measurements import Summary, summarise
    from infomotif_bench.results.publish import write_report
    from infomotif_bench.running.run_store import Store
    from infomotif_bench.running.runner import run_schedule
    from infomotif_bench.running.schedule import Schedule


_get, __dir__ = lazy_names(__name__, _HOME)


def __getattr__(name: str) -> Any:
    return _get(_OLD_NAMES.get(name, name))
