"""Downloads that resume, are checked, and appear whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import os
import tarfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from infomotif._core.files import whole_file
from infomotif._core.progress import progress
from infomotif._core.reading.limits import DOWNLOAD
from infomotif.datasets.fetch import Address, RemoteFile

_SECONDS = 30
_CHUNK = 1 << 16
_SCHEMES = ("https://", "http://")


class Cut(OSError):
    """The connection ended before the whole file had arrived."""


def download(file: RemoteFile, target: Path, *, tries: int = 3) -> list[str]:
    """Fetch a file from the first address that has it; return what went wrong, empty on success.

    What arrived of a broken download is kept next to the target and continued next time.

    Args:
        file: The file.
        target: Where it goes.
        tries: How often a download that breaks off is continued at once.
    """
    failures = []
    for address in file.addresses:
        part = part_path(target, address)
        try:
            _receive(address, part, tries)
            with _unpacked(address, part) as whole:
                problem = file.check(whole)
                if problem is None:
                    with whole_file(target) as aside:
                        aside.write_bytes(whole.read_bytes())
        except (OSError, http.client.HTTPException, ValueError, tarfile.TarError, KeyError) as error:
            failures.append(f"{address.url}: {_why(error)}")
            continue
        # A file with a wrong sum cannot be continued.
        part.unlink(missing_ok=True)
        if problem is None:
            return []
        failures.append(f"{address.url}: {problem}")
    return failures or [f"{file.path}: no address is known"]


def part_path(target: Path, address: Address) -> Path:
    """Return where a download is kept until it is whole; each address has its own, as mirrors may differ."""
    mark = hashlib.sha256(address.url.encode()).hexdigest()[:8]
    return target.with_name(f".{target.name}.{mark}.part")


def _receive(address: Address, part: Path, tries: int) -> None:
    if not address.url.startswith(_SCHEMES):
        raise ValueError("not an http address")
    part.parent.mkdir(parents=True, exist_ok=True)
    for attempt in range(tries):
        try:
            _continue(address.url, part)
            return
        except (Cut, TimeoutError, ConnectionError, http.client.HTTPException):
            if attempt == tries - 1:
                raise


def _continue(url: str, part: Path) -> None:
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"User-Agent": "infomotif"})  # noqa: S310 - the scheme was checked
    if have:
        request.add_header("Range", f"bytes={have}-")
    try:
        response = urllib.request.urlopen(request, timeout=_SECONDS)  # noqa: S310 - the scheme was checked
    except urllib.error.HTTPError as error:
        if have and error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            # Either nothing is left to fetch or the part is not of this file; only starting again tells.
            part.unlink()
            _continue(url, part)
            return
        raise
    with response:
        resumed = response.status == http.HTTPStatus.PARTIAL_CONTENT and _starts_at(response, have)
        if not resumed:
            have = 0
        length = response.headers.get("Content-Length")
        total = None if length is None else have + int(length)
        if total is not None and total > DOWNLOAD.value:
            raise DOWNLOAD.exceeded("it has")
        with part.open("ab" if resumed else "wb") as out, progress(url.rpartition("/")[2], total) as advance:
            advance(have)
            have += _copy(response, out, advance, DOWNLOAD.value - have)
            out.flush()
            os.fsync(out.fileno())
        if total is not None and have < total:
            raise Cut(f"the connection ended after {have:,} of {total:,} bytes")


def _starts_at(response: Any, have: int) -> bool:
    return str(response.headers.get("Content-Range", "")).startswith(f"bytes {have}-")


def _copy(response: Any, out: IO[bytes], advance: Any, limit: int) -> int:
    copied = 0
    try:
        while chunk := response.read(_CHUNK):
            out.write(chunk)
            copied += len(chunk)
            if copied > limit:
                raise DOWNLOAD.exceeded("it has")
            advance(len(chunk))
    except http.client.IncompleteRead as error:
        out.write(error.partial)
        copied += len(error.partial)
    return copied


@contextlib.contextmanager
def _unpacked(address: Address, part: Path) -> Iterator[Path]:
    if address.member is None:
        yield part
        return
    member = part.with_suffix(".member")
    try:
        with tarfile.open(part) as archive:
            stream = archive.extractfile(address.member)
            if stream is None:
                raise KeyError(address.member)
            with stream, member.open("wb") as out:
                _copy(stream, out, lambda step: None, DOWNLOAD.value)
        yield member
    finally:
        member.unlink(missing_ok=True)


def _why(error: BaseException) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"HTTP {error.code} {error.reason}"
    if isinstance(error, urllib.error.URLError):
        return f"not reachable ({error.reason})"
    if isinstance(error, tarfile.TarError | KeyError):
        return f"not the expected archive ({_first_line(error)})"
    return _first_line(error)


def _first_line(error: BaseException) -> str:
    """Return the first line of a message; tarfile adds one for each kind of compression it tried."""
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__
