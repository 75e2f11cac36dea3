"""A run that is killed again and again ends with the same files as one that is left alone."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import infomotif
from infomotif import make_roles

pytestmark = pytest.mark.slow

KILLS = 3
OPTIONS = ["--label", "topic", "--splits", "2", "--encoder", "gat", "--threads", "1", "--json", "--preset", "paper"]
SETTINGS = {"epochs": 40, "hidden": 8, "heads": 2, "batch_size": 100, "mi_lr": 0.005, "lr_schedule": "cosine"}
SAME = ["config.yaml", "model.json", "model.safetensors", "predictions.csv"]


@pytest.fixture
def files(tmp_path):
    """A made graph as an edges and a nodes file."""
    graph = make_roles(num_nodes=200, class_words=4, background_words=4)
    source, target = graph.edges()
    rows = (f"{u},{v}\n" for u, v in zip(source, target, strict=True))
    (tmp_path / "edges.csv").write_text("source,target\n" + "".join(rows))
    words = graph.x.toarray().astype(int)
    head = ["id", *(f"w{i}" for i in range(words.shape[1])), "topic"]
    rows = (",".join(map(str, [v, *words[v], f"c{graph.y[v]}"])) + "\n" for v in range(200))
    (tmp_path / "nodes.csv").write_text(",".join(head) + "\n" + "".join(rows))
    return tmp_path


def start(files: Path, out: str, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "infomotif", "train", "--edges", "edges.csv", "--nodes", "nodes.csv", *OPTIONS]
    settings = [text for key, value in SETTINGS.items() for text in ("--set", f"{key}={value}")]
    path = os.pathsep.join([str(Path(infomotif.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "INFOMOTIF_CHECKPOINT_SECONDS": "0.02"}
    return subprocess.Popen(
        [*command, *settings, "--out", out, *more],
        cwd=files,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> None:
    _, err = process.communicate()
    assert process.returncode == 0, err


def wait_for_training(process: subprocess.Popen[str], folder: Path) -> None:
    """Wait until this process writes metrics, or ends."""
    metrics = folder / "metrics.jsonl"
    before = metrics.stat().st_mtime_ns if metrics.exists() else 0
    while process.poll() is None and not (metrics.exists() and metrics.stat().st_mtime_ns != before):
        time.sleep(0.005)


def without_times(value):
    """Leave out what a clock decides."""
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in ("seconds", "cpu_seconds", "created")}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def test_killed_at_random_moments_and_resumed_it_ends_with_the_same_files(files):
    finish(start(files, "whole"))
    killed = 0
    for _ in range(KILLS):
        process = start(files, "broken", "--resume")
        wait_for_training(process, files / "broken")
        time.sleep(random.uniform(0, 0.6))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
    assert killed >= 2
    assert not (files / "broken" / "result.json").exists() or killed < KILLS
    finish(start(files, "broken", "--resume"))

    whole, broken = files / "whole", files / "broken"
    for name in SAME:
        assert (whole / name).read_bytes() == (broken / name).read_bytes(), name
    told = [
        [without_times(json.loads(line)) for line in (folder / "metrics.jsonl").read_text().splitlines()]
        for folder in (whole, broken)
    ]
    assert told[0] == told[1]
    results = [without_times(json.loads((folder / "result.json").read_text())) for folder in (whole, broken)]
    for result in results:
        # The metrics and the result itself say how long everything took.
        del result["checksum"], result["files"]["metrics.jsonl"]
    assert results[0] == results[1]
    names = [sorted(str(path.relative_to(folder)) for path in folder.rglob("*")) for folder in (whole, broken)]
    assert names[0] == names[1]
