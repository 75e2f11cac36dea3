"""Downloads: resumed, checked, whole or not at all; against a server on this machine."""

from __future__ import annotations

import hashlib
import http.server
import io
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from infomotif.datasets import fetch
from infomotif.datasets.download import download, part_path
from infomotif.datasets.fetch import Address, RemoteFile
from infomotif.errors import InputError

BODY = bytes(range(256)) * 1000
SUM = hashlib.sha256(BODY).hexdigest()


class Server(http.server.ThreadingHTTPServer):
    """Serves files by name, and remembers what was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.bodies: dict[str, bytes] = {"/file": BODY}
        self.cut_after: dict[str, int] = {}
        self.ranges = True
        self.asked: list[tuple[str, str | None]] = []

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{path}"


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.server.asked.append((self.path, wanted))
        body = self.server.bodies.get(self.path)
        if body is None:
            self.send_error(404)
            return
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and self.server.ranges else 0
        if start >= len(body):
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        cut = self.server.cut_after.pop(self.path, None)
        self.wfile.write(body[start:] if cut is None else body[start : start + cut])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    yield running
    running.shutdown()
    running.server_close()


def remote(server: Server, *paths: str, sha256: str = SUM) -> RemoteFile:
    return RemoteFile("set/file", sha256, tuple(Address(server.url(path)) for path in paths))


def test_a_file_arrives_whole(server: Server, tmp_path: Path) -> None:
    assert download(remote(server, "/file"), tmp_path / "set" / "file") == []
    assert [p.name for p in (tmp_path / "set").iterdir()] == ["file"]
    assert (tmp_path / "set" / "file").read_bytes() == BODY


def test_a_cut_download_is_continued_at_once(server: Server, tmp_path: Path) -> None:
    server.cut_after["/file"] = 70_000
    assert download(remote(server, "/file"), tmp_path / "file") == []
    assert server.asked == [("/file", None), ("/file", "bytes=70000-")]
    assert (tmp_path / "file").read_bytes() == BODY


def test_an_earlier_part_is_continued(server: Server, tmp_path: Path) -> None:
    file = remote(server, "/file")
    part_path(tmp_path / "file", file.addresses[0]).write_bytes(BODY[:100])
    assert download(file, tmp_path / "file") == []
    assert server.asked == [("/file", "bytes=100-")]
    assert (tmp_path / "file").read_bytes() == BODY


def test_a_server_that_cannot_continue_starts_again(server: Server, tmp_path: Path) -> None:
    server.ranges = False
    file = remote(server, "/file")
    part_path(tmp_path / "file", file.addresses[0]).write_bytes(b"something else")
    assert download(file, tmp_path / "file") == []
    assert (tmp_path / "file").read_bytes() == BODY


def test_a_part_longer_than_the_file_is_fetched_again(server: Server, tmp_path: Path) -> None:
    file = remote(server, "/file")
    part_path(tmp_path / "file", file.addresses[0]).write_bytes(BODY + b"more")
    assert download(file, tmp_path / "file") == []
    assert server.asked == [("/file", f"bytes={len(BODY) + 4}-"), ("/file", None)]


def test_a_wrong_part_is_found_out_by_the_sum_and_not_kept(server: Server, tmp_path: Path) -> None:
    file = remote(server, "/file")
    part_path(tmp_path / "file", file.addresses[0]).write_bytes(b"x" * 100)
    (failure,) = download(file, tmp_path / "file")
    assert "sha256 is" in failure
    assert list(tmp_path.iterdir()) == []
    assert download(file, tmp_path / "file") == []


def test_a_wrong_sum_is_refused_with_both_sums(server: Server, tmp_path: Path) -> None:
    (failure,) = download(remote(server, "/file", sha256="0" * 64), tmp_path / "file")
    assert failure == f"{server.url('/file')}: sha256 is {SUM}, expected {'0' * 64}"
    assert list(tmp_path.iterdir()) == []


def test_the_next_address_is_tried_after_404_and_after_a_wrong_sum(server: Server, tmp_path: Path) -> None:
    server.bodies["/wrong"] = b"other bytes"
    assert download(remote(server, "/none", "/wrong", "/file"), tmp_path / "file") == []
    assert [path for path, _ in server.asked] == ["/none", "/wrong", "/file"]
    assert (tmp_path / "file").read_bytes() == BODY


def test_a_file_that_stays_cut_leaves_only_its_part(server: Server, tmp_path: Path) -> None:
    server.cut_after["/file"] = 70_000
    file = remote(server, "/file")
    (failure,) = download(file, tmp_path / "file", tries=1)
    assert "the connection ended after 70,000 of 256,000 bytes" in failure
    assert [path.suffix for path in tmp_path.iterdir()] == [".part"]


def test_a_member_of_an_archive_is_taken(server: Server, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        info = tarfile.TarInfo("set/file")
        info.size = len(BODY)
        archive.addfile(info, io.BytesIO(BODY))
    server.bodies["/set.tgz"] = packed.getvalue()
    file = RemoteFile("file", SUM, (Address(server.url("/set.tgz"), "set/file"),))
    assert download(file, tmp_path / "file") == []
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == BODY


@pytest.mark.parametrize("member", ["set/none", None])
def test_an_archive_without_the_member_is_refused(server: Server, tmp_path: Path, member: str | None) -> None:
    file = RemoteFile("file", "0" * 64, (Address(server.url("/file"), member or "set/file"),))
    (failure,) = download(file, tmp_path / "file")
    assert "not the expected archive" in failure
    assert not (tmp_path / "file").exists()


def test_only_http_addresses_are_opened(tmp_path: Path) -> None:
    (failure,) = download(RemoteFile("file", SUM, (Address("file:///etc/hostname"),)), tmp_path / "file")
    assert failure == "file:///etc/hostname: not an http address"


def test_obtain_downloads_what_is_missing_and_only_that(server: Server, no_data: Path) -> None:
    file = remote(server, "/file")
    assert fetch.find(file) is None
    assert fetch.obtain([file]) == [no_data / "set" / "file"]
    assert fetch.obtain([file]) == [no_data / "set" / "file"]
    assert len(server.asked) == 1


def test_obtain_refuses_a_changed_file(server: Server, no_data: Path) -> None:
    file = remote(server, "/file")
    (path,) = fetch.obtain([file])
    path.write_bytes(b"changed")
    with pytest.raises(InputError, match=f"set/file: sha256 is [0-9a-f]+, expected {SUM}; delete the file"):
        fetch.obtain([file])


def test_offline_is_one_line_with_what_was_tried_and_the_remedy(no_data: Path) -> None:
    # Port 9 of this machine answers nobody.
    urls = (Address("http://127.0.0.1:9/a"), Address("http://127.0.0.1:9/b"))
    with pytest.raises(InputError) as caught:
        fetch.obtain([RemoteFile("set/file", SUM, urls)])
    line = str(caught.value)
    assert line.startswith("cannot fetch set/file; tried: http://127.0.0.1:9/a: not reachable")
    assert "http://127.0.0.1:9/b: not reachable" in line
    assert line.endswith(f"connect to the network, or put the file under {no_data} or a folder named by INFOMOTIF_DATA")


def test_another_way_is_taken_when_no_address_answers(no_data: Path) -> None:
    def write(folder: Path) -> None:
        (folder / "set").mkdir(parents=True, exist_ok=True)
        (folder / "set" / "file").write_bytes(BODY)

    file = RemoteFile("set/file", SUM, (Address("http://127.0.0.1:9/a"),))
    assert fetch.obtain([file], write) == [no_data / "set" / "file"]


def test_the_data_folder_comes_before_the_cache(no_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = RemoteFile("set/file", SUM)
    own = tmp_path / "own"
    for folder in (own, no_data):
        (folder / "set").mkdir(parents=True)
        (folder / "set" / "file").write_bytes(BODY)
    assert fetch.find(file) == no_data / "set" / "file"
    monkeypatch.setenv("INFOMOTIF_DATA", str(own))
    assert fetch.data_folder() == own
    assert fetch.find(file) == own / "set" / "file"


def test_downloads_go_to_the_cache_if_the_data_folder_is_read_only(
    no_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INFOMOTIF_DATA", str(tmp_path))
    assert fetch.download_folder() == tmp_path
    monkeypatch.setattr("os.access", lambda *_: False)
    assert fetch.download_folder() == no_data
