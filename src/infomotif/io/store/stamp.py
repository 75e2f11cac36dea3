"""Stamps: which files of a graph store were checked, so that it is not checked again until one of them changes."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from infomotif._core.files import write_text
from infomotif.errors import InputError
from infomotif.io.store.description import Description

NAME = ".checked"
FORMAT = "infomotif checked store 1"
_GRAIN = 100_000_000
_COARSE_GRAIN = 2_000_000_000


@dataclass(frozen=True)
class Stamp:
    """What is written down of a check: the description's checksum, and size, times and number of each file.

    The stamp lies in the store, or in the user's cache folder if the store cannot be written. A stamp of another user
    does not count, and one that comes with a copied or unpacked store does not fit: nobody can choose the time at which
    the system says that a file was changed.

    Attributes:
        store: The folder of the store.
        text: What the stamp says.
        settled: Whether all files are older than the clock of the file system can tell apart; younger ones may still
            change without being noticed.
    """

    store: Path
    text: str
    settled: bool

    @classmethod
    def of(cls, about: Description) -> Stamp:
        """Return the stamp of a store as it is now, to be left once it was checked."""
        states = {name: (about.folder / name).stat() for name in about.file_names()}
        files = {name: [s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino] for name, s in states.items()}
        times = [when for s in states.values() for when in (s.st_mtime_ns, s.st_ctime_ns)]
        grain = _COARSE_GRAIN if all(when % 1_000_000_000 == 0 for when in times) else _GRAIN
        text = json.dumps({"format": FORMAT, "description": about.digest, "files": files})
        return cls(about.store, text, time.time_ns() - max(times) > grain)

    def is_left(self) -> bool:
        """Return whether this user checked these very files before."""
        return self.settled and any(_read(path) == self.text for path in self._places())

    def leave(self) -> None:
        """Write down that the files were checked; where that cannot be done, they are checked again next time."""
        for path in self._places() if self.settled else ():
            try:
                write_text(path, self.text)
            except (InputError, OSError):
                continue
            return

    def _places(self) -> Iterator[Path]:
        yield self.store / NAME
        import platformdirs

        name = hashlib.sha256(os.fsencode(self.store.resolve())).hexdigest()[:32]
        yield Path(platformdirs.user_cache_dir("infomotif", appauthor=False)) / "stores" / f"{name}.json"


def _read(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8") as stream:
            if hasattr(os, "getuid") and os.fstat(stream.fileno()).st_uid != os.getuid():
                return None
            return stream.read()
    except (OSError, ValueError):
        return None
