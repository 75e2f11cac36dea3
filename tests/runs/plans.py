"""Small plans for the tests, and what tests look at in a run folder."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from infomotif import Graph, InfoMotif, make_roles
from infomotif._core.checksums import BLANK, describe_files, sealed, sealed_json
from infomotif.runs import RunPlan
from infomotif.runs.opened import KEPT

PROMISED = {"config.yaml", "metrics.jsonl", "model.json", "model.safetensors", "predictions.csv", "result.json"}


class Stop(Exception):
    """Stands for whatever ends a run early."""


@functools.cache
def roles() -> Graph:
    return make_roles(num_nodes=120)


def plan(**changes) -> RunPlan:
    settings = {"hidden": 8, "epochs": 3, **changes.pop("settings", {})}
    return RunPlan(source={"dataset": "roles"}, settings=settings, ratio=0.4, **changes)


def auto(**changes) -> RunPlan:
    search = {"budget": "5 trainings"}
    settings = {"epochs": 4, "q": 3}
    return RunPlan(
        source={"dataset": "roles"}, encoder="auto", preset="auto", splits=2, settings=settings, search=search,
        ratio=0.4, **changes,
    )  # fmt: skip


def watched(asked: RunPlan, watch: Callable[[InfoMotif], Any]) -> RunPlan:
    """Return the same plan, which shows every model to ``watch`` before it is used."""

    class Watched(RunPlan):
        def model(self, *arguments, **options) -> InfoMotif:
            made = super().model(*arguments, **options)
            watch(made)
            return made

    return Watched(**vars(asked))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def is_complete(folder: Path) -> bool:
    """Whether all promised files are there, and nothing that only an unfinished run has."""
    names = {path.name for path in folder.rglob("*")}
    return names >= PROMISED and "state" not in names and not any(name.endswith(".part") for name in names)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def without_times(value: Any) -> Any:
    """Return plain values without what differs from run to run."""
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in ("seconds", "cpu_seconds", "created")}
    return [without_times(item) for item in value] if isinstance(value, list | tuple) else value


def reseal(folder: Path, result: dict[str, Any] | None = None) -> None:
    """Give the files of a run the right checksums after they were changed, as somebody hostile would.

    Args:
        folder: The run folder.
        result: What ``result.json`` says from now on; by default what it said.
    """
    for path in (folder / "model.json", folder / "base" / "model.json"):
        if path.exists():
            path.write_text(sealed_json(_without_checksum(json.loads(path.read_text()))))
    config = (folder / "config.yaml").read_text(encoding="utf-8").partition("\n")[2]
    (folder / "config.yaml").write_bytes(sealed(f"# checksum: {BLANK}\n{config}".encode()))
    values = json.loads((folder / "result.json").read_text()) if result is None else result
    (folder / "result.json").write_text(
        sealed_json(_without_checksum(values) | {"files": describe_files(folder, KEPT)})
    )


def _without_checksum(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key != "checksum"}
