"""Runs: trainings of the base GNN and InfoMotif on the same splits, kept in a folder."""

from infomotif.runs.folder import RunFolder
from infomotif.runs.opened import OpenRun, open_run, read_config, read_result
from infomotif.runs.plan import BASE, OURS, RunPlan
from infomotif.runs.predictions import write_predictions
from infomotif.runs.result import RunResult, TrainingOutcome
from infomotif.runs.summary import summarise
from infomotif.runs.train import follow_run, train_run

Plan = RunPlan
"""The former name of :class:`RunPlan`."""

__all__ = [
    "BASE",
    "OURS",
    "OpenRun",
    "Plan",
    "RunFolder",
    "RunPlan",
    "RunResult",
    "TrainingOutcome",
    "follow_run",
    "open_run",
    "read_config",
    "read_result",
    "summarise",
    "train_run",
    "write_predictions",
]
