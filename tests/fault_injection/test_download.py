"""Downloads: after every fault the file is missing or whole, and the next download succeeds."""

from __future__ import annotations

from pathlib import Path

from infomotif.datasets.download import download
from tests.datasets.test_download import BODY, Server, remote, server
from tests.fault_injection.disk import every_fault

__all__ = ["server"]


def test_a_download_is_whole_or_missing_whatever_happens(server: Server, tmp_path: Path) -> None:  # noqa: F811
    template = tmp_path / "template"
    template.mkdir()

    def act(folder: Path) -> None:
        download(remote(server, "/file"), folder / "set" / "file")

    def check(folder: Path, outcome: str) -> None:
        target = folder / "set" / "file"
        assert not target.exists() or target.read_bytes() == BODY
        assert download(remote(server, "/file"), target) == []
        assert target.read_bytes() == BODY
        assert [path.name for path in target.parent.iterdir()] == ["file"]

    assert every_fault(template, tmp_path, act, check) > 40
