"""Files appear whole, where links lead, with the permissions of any other file."""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from infomotif._core.files import whole_file, whole_folder, write_text
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import save_store

posix = pytest.mark.skipif(os.name != "posix", reason="of POSIX systems alone")


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the file system refuse what Windows refuses."""
    rename = os.replace

    def replace(source: Path, target: Path) -> None:
        if Path(target).is_dir():
            raise PermissionError(13, "Access is denied")
        rename(source, target)

    # Writing nothing fails where the file is open for reading alone, as flushing does on Windows.
    monkeypatch.setattr(os, "fsync", lambda descriptor: os.write(descriptor, b""))
    monkeypatch.setattr(os, "replace", replace)


@pytest.fixture
def private() -> Iterator[None]:
    """Set a umask that leaves nothing to others."""
    before = os.umask(0o077)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    real, link = tmp_path / "other" / "real.csv", tmp_path / "link.csv"
    link.symlink_to(real)
    for text in ("made", "replaced"):
        write_text(link, text)
        assert link.is_symlink()
        assert real.read_text() == text
    assert [path.name for path in real.parent.iterdir()] == ["real.csv"]


@posix
def test_a_link_to_a_folder_stays(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with whole_folder(tmp_path / "link") as aside:
        (aside / "note").write_text("whole")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "note").read_text() == "whole"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]


@posix
def test_a_pipe_stays_and_gets_the_bytes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "x" * 200_000)
    reader.join()
    assert got == ["x" * 200_000]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@posix
def test_a_device_stays_and_gets_the_bytes() -> None:
    master, slave = os.openpty()
    device = Path(os.ttyname(slave))
    write_text(device, "whole")
    assert os.read(master, 100) == b"whole"
    assert device.is_char_device()
    os.close(master)
    os.close(slave)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be written \(it is a folder\); choose another path"):
        write_text(tmp_path, "")


def test_nothing_is_left_of_what_failed(tmp_path: Path) -> None:
    def fail(path: Path) -> None:
        with whole_file(path) as aside:
            aside.write_text("half")
            raise KeyError

    (tmp_path / "old").write_text("old")
    for name in ("old", "new"):
        with pytest.raises(KeyError):
            fail(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_text() == "old"


def test_new_files_have_the_usual_permissions(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("")
    write_text(tmp_path / "whole", "")
    assert mode(tmp_path / "whole") == mode(plain)


@posix
@pytest.mark.usefixtures("private")
def test_the_umask_decides_the_permissions_of_files_and_stores(tmp_path: Path) -> None:
    write_text(tmp_path / "whole", "")
    assert mode(tmp_path / "whole") == 0o600
    save_store(Graph.from_edges([0], [1], num_nodes=2, directed=True), tmp_path / "store")
    assert mode(tmp_path / "store") == 0o700
    assert {mode(path) for path in (tmp_path / "store").iterdir()} == {0o600}


@posix
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    write_text(path, "old")
    path.chmod(0o640)
    write_text(path, "new")
    assert mode(path) == 0o640


@pytest.mark.usefixtures("windows")
def test_files_and_folders_appear_on_windows(tmp_path: Path) -> None:
    for text in ("made", "replaced"):
        write_text(tmp_path / "file", text)
        assert (tmp_path / "file").read_text() == text
    (tmp_path / "folder").mkdir()
    with whole_folder(tmp_path / "folder") as aside:
        (aside / "note").write_text("whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_what_killed_processes_left_is_removed_by_the_next_write(tmp_path: Path) -> None:
    (tmp_path / ".note.1-0123abcd.part").write_text("half")
    (tmp_path / ".store.2-0123abcd.part").mkdir()
    (tmp_path / ".store.0123abcd.part").mkdir()
    write_text(tmp_path / "note", "whole")
    with whole_folder(tmp_path / "store") as aside:
        (aside / "note").write_text("whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["note", "store"]


@posix
def test_what_is_being_written_and_what_is_of_others_stays(tmp_path: Path) -> None:
    kept = {".other.1-0123abcd.part", ".note.0123abcd.part", ".note.txt"}
    for name in kept:
        (tmp_path / name).write_text("mine")
    with whole_file(tmp_path / "note") as first:
        first.write_text("first")
        write_text(tmp_path / "note", "second")
        assert first.exists()
    assert (tmp_path / "note").read_text() == "first"
    assert {path.name for path in tmp_path.iterdir()} == {"note", *kept}


def test_a_folder_that_an_earlier_version_moved_aside_stays_while_it_is_all_there_is(tmp_path: Path) -> None:
    (tmp_path / ".store.0123abcd.old").mkdir()
    with pytest.raises(KeyError), whole_folder(tmp_path / "store"):
        raise KeyError
    assert (tmp_path / ".store.0123abcd.old").exists()


def test_a_full_disk_is_one_line_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"note: cannot be written \(No space left on device\); make room there"):
        with whole_file(tmp_path / "note"):
            raise OSError(errno.ENOSPC, "No space left on device")


def test_an_error_of_a_file_that_is_read_meanwhile_stays_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), whole_file(tmp_path / "note") as aside:
        aside.write_bytes((tmp_path / "missing").read_bytes())
