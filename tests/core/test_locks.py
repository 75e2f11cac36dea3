"""Locks exclude other processes, end with their process, and never stop work where a disk has none."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from infomotif._core.locks import Claims, exclusive_lock, waiting_lock
from infomotif.errors import InputError

HOLD = """
import sys
from pathlib import Path
from infomotif._core.locks import Claims, exclusive_lock, waiting_lock
path = Path(sys.argv[2])
if sys.argv[1] == "claim":
    held = Claims(path)
    assert held.take("one")
else:
    held = exclusive_lock(path, "no") if sys.argv[1] == "exclusive" else waiting_lock(path)
    held.__enter__()
print("held", flush=True)
sys.stdin.readline()
"""


@contextmanager
def held_elsewhere(kind: str, path: Path) -> Iterator[subprocess.Popen[str]]:
    """Let another process hold a lock while the block runs; it is killed at the end."""
    command = [sys.executable, "-c", HOLD, kind, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline().strip() == "held"
        yield process
        process.kill()


@pytest.fixture
def disk_without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every lock fail as some network disks do."""
    fcntl = pytest.importorskip("fcntl")

    def fail(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", fail)


def test_an_exclusive_lock_is_refused_to_others_with_the_message(tmp_path):
    with held_elsewhere("exclusive", tmp_path / "lock"), pytest.raises(InputError, match="^busy here$"):
        with exclusive_lock(tmp_path / "lock", "busy here"):
            pass


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM] if hasattr(signal, "SIGKILL") else [signal.SIGTERM])
def test_a_lock_ends_with_its_process(tmp_path, end):
    with held_elsewhere("exclusive", tmp_path / "lock") as process:
        process.send_signal(end)
        process.wait(timeout=60)
        with exclusive_lock(tmp_path / "lock", "busy"):
            pass


def test_a_lock_file_that_is_there_already_holds_nothing(tmp_path):
    (tmp_path / "lock").write_text("left by an earlier version")
    with exclusive_lock(tmp_path / "lock", "busy"):
        pass
    with exclusive_lock(tmp_path / "lock", "busy"):
        pass


def test_a_lock_is_free_again_after_an_error(tmp_path):
    with pytest.raises(KeyError), exclusive_lock(tmp_path / "lock", "busy"):
        raise KeyError
    with exclusive_lock(tmp_path / "lock", "busy"):
        pass


def test_the_folder_of_a_held_lock_may_be_removed(tmp_path):
    folder = tmp_path / "state"
    folder.mkdir()
    with exclusive_lock(folder / "lock", "busy"):
        (folder / "lock").unlink()
        folder.rmdir()
    assert not folder.exists()


def test_a_waiting_lock_waits_for_other_processes(tmp_path):
    entered = threading.Event()

    def enter() -> None:
        with waiting_lock(tmp_path / "lock"):
            entered.set()

    with held_elsewhere("waiting", tmp_path / "lock") as process:
        waiter = threading.Thread(target=enter)
        waiter.start()
        assert not entered.wait(0.2)
        process.kill()
        process.wait(timeout=60)
        assert entered.wait(60)
        waiter.join()


def test_threads_of_one_process_wait_for_each_other(tmp_path):
    inside, most = [], []

    def enter() -> None:
        for _ in range(20):
            with waiting_lock(tmp_path / "lock"):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=enter) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 60


def test_a_claim_belongs_to_one_process_until_it_ends(tmp_path):
    claims = Claims(tmp_path / "claims")
    with held_elsewhere("claim", tmp_path / "claims"):
        assert not claims.take("one")
        assert claims.take("two")
    assert claims.take("one")
    claims.close()


def test_who_holds_a_claim_may_take_it_again_and_drop_it(tmp_path):
    claims, others = Claims(tmp_path), Claims(tmp_path)
    assert claims.take("one")
    assert claims.take("one")
    assert not others.take("one")
    claims.drop("one")
    assert others.take("one")


def test_dropping_what_is_not_held_does_nothing(tmp_path):
    Claims(tmp_path / "claims").drop("one")
    Claims(tmp_path / "claims").close()
    assert not (tmp_path / "claims").exists()


def test_closed_claims_leave_no_files_not_even_of_killed_processes(tmp_path):
    with held_elsewhere("claim", tmp_path) as process:
        process.kill()
        process.wait(timeout=60)
    assert list(tmp_path.iterdir())
    claims = Claims(tmp_path)
    assert claims.take("two")
    claims.close()
    assert not list(tmp_path.iterdir())


def test_closing_leaves_the_claims_of_others(tmp_path):
    with held_elsewhere("claim", tmp_path):
        Claims(tmp_path).close()
        assert not Claims(tmp_path).take("one")


@pytest.mark.usefixtures("disk_without_locks")
def test_a_disk_without_locks_stops_nobody(tmp_path):
    with exclusive_lock(tmp_path / "lock", "busy"), waiting_lock(tmp_path / "other"):
        assert Claims(tmp_path / "claims").take("one")


def test_a_lock_that_cannot_be_opened_is_an_error(tmp_path):
    (tmp_path / "lock").mkdir()
    with pytest.raises(OSError, match="lock"), exclusive_lock(tmp_path / "lock", "busy"):
        pass
