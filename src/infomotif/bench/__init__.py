"""The bench: the paper's tables and figures as data, measured again, with every run kept in a store."""

from infomotif.bench.catalog import experiment_names, load_experiment
from infomotif.bench.experiment import Experiment, Row
from infomotif.bench.plan import Plan
from infomotif.bench.runner import run_plan
from infomotif.bench.store import Store
from infomotif.bench.summary import Summary, summarise

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
]
