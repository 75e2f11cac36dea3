"""Runs: trainings of the base GNN and InfoMotif on the same splits, kept in a folder."""

from infomotif.runs.folder import RunFolder, open_run, read_config, read_result
from infomotif.runs.train import BASE, OURS, Plan, follow_run, summarise, train_run

__all__ = [
    "BASE",
    "OURS",
    "Plan",
    "RunFolder",
    "follow_run",
    "open_run",
    "read_config",
    "read_result",
    "summarise",
    "train_run",
]
