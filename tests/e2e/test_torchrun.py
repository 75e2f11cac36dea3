"""Several processes under torchrun: the same numbers as one, also when a process is lost on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

OPTIONS = ["--ratio", "0.5", "--set", "hidden=16", "--set", "batch_size=8", "--set", "sampling=neighbours"]
TORCHRUN = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]


def start(
    folder: Path, *options: str, ranks: int = 1, restarts: int = 2, **environment: str
) -> subprocess.Popen[bytes]:
    launcher = [*TORCHRUN, "--max-restarts", str(restarts)] if ranks == 2 else []
    command = [sys.executable, *launcher, "-m", "infomotif", "train", "karate", "--out", str(folder), *OPTIONS]
    log = (folder.parent / f"{folder.name}.log").open("wb")
    own = {**os.environ, "OMP_NUM_THREADS": "1", **environment}
    return subprocess.Popen([*command, *options], stdout=log, stderr=subprocess.STDOUT, env=own, cwd=folder.parent)


def losses(folder: Path) -> list[tuple[str, float, float]]:
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [(line["model"], line["loss"], line.get("mi_loss", 0.0)) for line in lines]


def log_of(folder: Path) -> str:
    return (folder.parent / f"{folder.name}.log").read_text(errors="replace")[-3000:]


@pytest.mark.parametrize(("preset", "rounds"), [("paper", 2), ("auto", 1)])
def test_two_processes_learn_as_one_with_the_same_batches(tmp_path, preset, rounds):
    both, alone = tmp_path / "both", tmp_path / "alone"
    options = ["--preset", preset, "--set", "epochs=4", "--set", f"self_training={rounds - 1}"]
    runs = {both: start(both, *options, ranks=2), alone: start(alone, *options, "--set", "accumulate=2")}
    for folder, run in runs.items():
        assert run.wait(timeout=240) == 0, log_of(folder)
    for one, other in zip(losses(both), losses(alone), strict=True):
        assert one[0] == other[0]
        assert one[1:] == pytest.approx(other[1:], rel=1e-4, abs=1e-6)
    # Without a search there is a base to compare with.
    assert len(losses(both)) == (4 if preset == "auto" else 8) * rounds
    # Several processes try nothing; one of them says so.
    assert log_of(both).count("warning: preset auto takes 'joint'") == (preset == "auto")


def test_a_killed_process_does_not_lose_the_run(tmp_path):
    hurt, whole = tmp_path / "hurt", tmp_path / "whole"
    epochs = ("--preset", "paper", "--set", "epochs=40")
    run = start(hurt, *epochs, ranks=2, INFOMOTIF_CHECKPOINT_SECONDS="0")
    deadline = time.monotonic() + 120
    while not (hurt / "metrics.jsonl").exists() or len(losses(hurt)) < 5:
        assert run.poll() is None, log_of(hurt)
        assert time.monotonic() < deadline, log_of(hurt)
        time.sleep(0.02)
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    os.kill(int(children[-1]), signal.SIGKILL)
    assert run.wait(timeout=240) == 0, log_of(hurt)
    assert "exitcode: -9" in (tmp_path / "hurt.log").read_text(errors="replace")
    again = start(whole, *epochs, ranks=2)
    assert again.wait(timeout=240) == 0, log_of(whole)
    assert losses(hurt) == losses(whole)
    assert (hurt / "predictions.csv").read_bytes() == (whole / "predictions.csv").read_bytes()


def test_the_process_that_survives_says_so_in_one_line(tmp_path):
    hurt = tmp_path / "hurt"
    run = start(hurt, "--preset", "paper", "--set", "epochs=2000", ranks=2, restarts=0)
    deadline = time.monotonic() + 120
    while not (hurt / "metrics.jsonl").exists():
        assert run.poll() is None, log_of(hurt)
        assert time.monotonic() < deadline, log_of(hurt)
        time.sleep(0.02)
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    os.kill(int(children[-1]), signal.SIGKILL)
    assert run.wait(timeout=240) != 0
    log = (tmp_path / "hurt.log").read_text(errors="replace")
    # torchrun may end the other process before it has noticed.
    assert log.count("error: another process of this training was lost") <= 1
    assert "[rank" not in log
    assert "infomotif/cli/main.py" not in log


def test_bad_input_is_refused_once_and_writes_nothing(tmp_path):
    bad = tmp_path / "bad"
    assert start(bad, "--set", "sampling=none", ranks=2, restarts=0).wait(timeout=240) != 0
    assert not bad.exists()
    log = (tmp_path / "bad.log").read_text(errors="replace")
    assert log.count("error: sampling=none") == 1
    assert "[rank" not in log
