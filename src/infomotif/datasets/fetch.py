"""Where the files of a dataset are: INFOMOTIF_DATA, the user's cache folder, or a download into it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from infomotif._core.files import sha256_file
from infomotif.errors import InputError

VARIABLE = "INFOMOTIF_DATA"


@dataclass(frozen=True)
class Address:
    """Where a file can be downloaded: a URL, and the member to take if the URL is a tar archive."""

    url: str
    member: str | None = None


@dataclass(frozen=True)
class RemoteFile:
    """A file of a dataset.

    Args:
        path: Its path below the data folder.
        sha256: The sum of its bytes.
        addresses: Where it can be downloaded, tried in order.
        accept: Says whether a file with another sum holds the same content after all, for files that
            exist in several versions.
    """

    path: str
    sha256: str
    addresses: tuple[Address, ...] = ()
    accept: Callable[[Path], bool] | None = None

    def check(self, path: Path) -> str | None:
        """Return what is wrong with the bytes at ``path``, or None if they are as they should be."""
        found = sha256_file(path)
        if found == self.sha256 or (self.accept is not None and self.accept(path)):
            return None
        return f"sha256 is {found}, expected {self.sha256}"


LastResort = Callable[[Path], None]


def cache_folder() -> Path:
    """Return the user's cache folder for datasets."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("infomotif", appauthor=False)) / "data"


def data_folder() -> Path:
    """Return INFOMOTIF_DATA if it is set, else the user's cache folder."""
    given = os.environ.get(VARIABLE)
    return Path(given).expanduser() if given else cache_folder()


def find(file: RemoteFile) -> Path | None:
    """Return where the file is on this machine, or None."""
    for folder in dict.fromkeys((data_folder(), cache_folder())):
        if (folder / file.path).is_file():
            return folder / file.path
    return None


def download_folder() -> Path:
    """Return where downloads go: the data folder, or the cache folder if that one is read-only."""
    folder = data_folder()
    nearest = next(parent for parent in (folder, *folder.parents) if parent.exists())
    return folder if os.access(nearest, os.W_OK) else cache_folder()


def obtain(files: Sequence[RemoteFile], last_resort: LastResort | None = None) -> list[Path]:
    """Return the paths of all files, downloading those that this machine lacks.

    Args:
        files: The files.
        last_resort: Writes the missing files below a folder in another way, after all addresses failed.

    Raises:
        InputError: If a file on this machine has a wrong checksum, or one cannot be fetched.
    """
    missing = [file for file in files if find(file) is None]
    if missing:
        _fetch(missing, last_resort)
    paths = []
    for file in files:
        path = find(file)
        if path is None:
            raise InputError(f"{file.path} was fetched but is gone again; check the folder {download_folder()}")
        problem = file.check(path)
        if problem is not None:
            raise InputError(f"{path}: {problem}; delete the file so that it is fetched again")
        paths.append(path)
    return paths


def _fetch(files: Sequence[RemoteFile], last_resort: LastResort | None) -> None:
    from infomotif.datasets.download import download

    folder = download_folder()
    tried: list[str] = []
    for file in files:
        failures = download(file, folder / file.path)
        if failures:
            tried += failures
            break
    else:
        return
    if last_resort is not None:
        try:
            last_resort(folder)
            return
        except InputError as error:
            tried.append(str(error))
    raise InputError(
        f"cannot fetch {file.path}; tried: {'; '.join(tried)}; connect to the network, or put the file under "
        f"{folder} or a folder named by {VARIABLE}"
    )
