"""Real processes that the system kills in the middle of their work, and full disks of real files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from infomotif.io import open_store, save_store
from infomotif.runs import train_run
from tests.fault_injection.test_run import PLAN, numbers
from tests.fault_injection.test_store import made
from tests.runs.plans import is_complete, roles

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="sends SIGKILL")]

DIE = """
import os, signal, sys
from pathlib import Path
from tests.fault_injection.disk import Disk, tried
from tests.fault_injection.{module} import {act}
folder, at = Path(sys.argv[1]), int(sys.argv[2])
tried(Disk(folder, at=at, on_kill=lambda: os.kill(os.getpid(), signal.SIGKILL)), lambda: {act}(folder))
"""


def killed(folder: Path, at: int, module: str, act: str) -> None:
    """Do something in another process, which dies at one of its operations on the disk."""
    command = [sys.executable, "-c", DIE.format(module=module, act=act), str(folder), str(at)]
    done = subprocess.run(
        command, capture_output=True, timeout=300, env=os.environ | {"INFOMOTIF_CHECKPOINT_SECONDS": "0"}
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


@pytest.mark.parametrize("at", [12, 24])
def test_a_store_that_is_replaced_by_a_killed_process_opens(tmp_path: Path, at: int) -> None:
    save_store(made(0), tmp_path / "store")
    old = open_store(tmp_path / "store").fingerprint()
    killed(tmp_path, at, "test_store", "saved")
    assert open_store(tmp_path / "store", verify=True).fingerprint() in (old, made(2).fingerprint())
    save_store(made(2), tmp_path / "store", overwrite=True)
    assert open_store(tmp_path / "store", verify=True).fingerprint() == made(2).fingerprint()
    names = [path.name for path in (tmp_path / "store").iterdir()]
    assert len([name for name in names if name.startswith("arrays-")]) == 1


@pytest.mark.parametrize("at", [60])
def test_a_run_of_a_killed_process_goes_on_to_the_same_numbers(tmp_path: Path, at: int) -> None:
    train_run(PLAN, roles(), tmp_path / "reference", progress=False)
    killed(tmp_path, at, "test_run", "trained")
    assert not is_complete(tmp_path / "run")
    train_run(PLAN, roles(), tmp_path / "run", resume=True, progress=False)
    assert numbers(tmp_path / "run") == numbers(tmp_path / "reference")
    assert is_complete(tmp_path / "run")


FULL = """
import resource, signal, sys
from infomotif.cli.main import run
# A file cannot grow past this, as on a disk without room.
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
run(sys.argv[2:])
"""


def test_training_without_room_ends_with_one_line_and_resumes(tmp_path: Path) -> None:
    words = ["train", "karate", "--preset", "base", "--set", "epochs=2", "--resume", "--out"]
    environment = os.environ | {"INFOMOTIF_CHECKPOINT_SECONDS": "0"}
    command = [sys.executable, "-c", FULL, "3000", *words, str(tmp_path / "full")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 2, done.stderr
    assert len([line for line in done.stderr.splitlines() if "cannot be written" in line]) == 1, done.stderr
    assert "Traceback" not in done.stderr
    for name in ("full", "enough"):
        command = [sys.executable, "-m", "infomotif", *words, str(tmp_path / name)]
        subprocess.run(command, check=True, capture_output=True, timeout=300, env=environment)
    for name in ("model.safetensors", "predictions.csv", "base/model.safetensors"):
        assert (tmp_path / "full" / name).read_bytes() == (tmp_path / "enough" / name).read_bytes()
