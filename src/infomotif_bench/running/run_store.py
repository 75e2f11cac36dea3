"""Store: every run ever made, one line each, safe for several writers."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from infomotif._core.locks import Claims, exclusive
from infomotif.errors import InputError
from infomotif_bench.running.run import Job, Key, Record, check_record, record_key

RUN, CHOICE, ENVIRONMENT = "run", "choice", "environment"


class Store:
    """A folder with a JSONL file an experiment.

    A line is a run, the choice that a search made, or an environment that runs refer to. Lines are only ever appended,
    under a lock; a torn last line, as a kill leaves it, is dropped by the next writer and does not count for readers.

    Args:
        folder: The folder; it need not exist yet.

    Example:
        >>> import tempfile
        >>> from infomotif_bench.running.run import run_job
        >>> from infomotif_bench.experiments.schemes import Scheme
        >>> store = Store(Path(tempfile.mkdtemp()))
        >>> job = Job("demo", "karate", "structural-lr", 1, Scheme(0.4), 0, {}, "0000")
        >>> store.add_run(run_job(job), {"cores": 2})
        >>> Store(store.folder).find(job)["method"]
        'structural-lr'
    """

    def __init__(self, folder: Path) -> None:
        """Read what is there."""
        self.folder = Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(f"{self.folder}: is a file; --store takes a folder")
        self.claims = Claims(self.folder / ".claims")
        self._read: dict[Path, int] = {}
        self._lines: dict[Path, int] = {}
        self._runs: dict[Key, Record] = {}
        self._same: dict[Key, Record] = {}
        self._choices: dict[tuple[str, str, str], Record] = {}
        self._environments: dict[tuple[str, str], Record] = {}
        self._lock = threading.Lock()
        self.refresh()

    def refresh(self) -> None:
        """Read what was appended since, by this process or another."""
        with self._lock:
            for path in sorted(self.folder.glob("*.jsonl")) if self.folder.exists() else ():
                self._refresh_file(path)

    def find(self, job: Job) -> Record | None:
        """Return the record of a job, or None."""
        return self._runs.get(job.key)

    def find_elsewhere(self, job: Job) -> Record | None:
        """Return the record of the same run in another experiment, or None."""
        return self._same.get(job.run_key)

    def runs(self, experiment: str) -> list[Record]:
        """Return all runs of an experiment, in the order in which they were made."""
        with self._lock:
            return [record for record in self._runs.values() if record["experiment"] == experiment]

    def choice(self, experiment: str, dataset: str, row: str) -> Record | None:
        """Return the last choice that a search made for a row, or None."""
        return self._choices.get((experiment, dataset, row))

    def environment(self, experiment: str, name: str) -> Record:
        """Return the environment that a record of ``experiment`` refers to."""
        return self._environments.get((experiment, name), {})

    def add_run(self, record: Record, environment: Record) -> None:
        """Append a run, and the environment it was made in if that is new.

        Raises:
            ValueError: If it is no outcome of a run, which then is not written.
        """
        name = environment_name(environment)
        experiment = record["experiment"]
        check_record({**record, "environment": name})
        if (experiment, name) not in self._environments:
            self._append({"kind": ENVIRONMENT, "name": name, **environment}, experiment)
        self._append({"kind": RUN, **record, "environment": name}, experiment)

    def copy_run(self, job: Job, found: Record) -> None:
        """Append the record of the same run in another experiment, saying so."""
        environment = self.environment(found["experiment"], found.get("environment", ""))
        copied = {**found, **job.to_record(), "copied_from": found.get("copied_from", found["experiment"])}
        self.add_run({k: v for k, v in copied.items() if k not in ("kind", "environment")}, environment)

    def add_choice(self, experiment: str, dataset: str, row: str, details: Record) -> None:
        """Append what a search chose, unless the last choice of this row says the same."""
        record = {"kind": CHOICE, "experiment": experiment, "dataset": dataset, "row": row, **details}
        if self.choice(experiment, dataset, row) != record:
            self._append(record, experiment)

    def _append(self, record: Record, experiment: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{experiment}.jsonl"
        line = json.dumps(record, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        with path.open("ab+") as stream, exclusive(stream):
            _repair(stream)
            stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())
        with self._lock:
            self._refresh_file(path)

    def _refresh_file(self, path: Path) -> None:
        start = self._read.get(path, 0)
        if path.stat().st_size < start:
            raise InputError(f"{path}: became shorter while it was in use")
        with path.open("rb") as stream:
            stream.seek(start)
            whole, newline, _ = stream.read().rpartition(b"\n")
        if not newline:
            return
        self._read[path] = start + len(whole) + 1
        for line in whole.split(b"\n"):
            self._lines[path] = self._lines.get(path, 0) + 1
            self._keep(_parsed(line, path, self._lines[path]), path)

    def _keep(self, record: Record, path: Path) -> None:
        try:
            if record["kind"] in (RUN, CHOICE) and record["experiment"] != path.stem:
                raise ValueError(f"of experiment '{record['experiment']}', whose file is another")
            if record["kind"] == RUN:
                key = record_key(record)
                check_record(record)
                # The first record of a key stays, so a table never changes under its reader.
                self._runs.setdefault(key, record)
                self._same.setdefault(key[1:], record)
            elif record["kind"] == CHOICE:
                self._choices[record["experiment"], record["dataset"], record["row"]] = record
            elif record["kind"] == ENVIRONMENT:
                details = {k: v for k, v in record.items() if k not in ("kind", "name")}
                _check_environment(details)
                self._environments[path.stem, record["name"]] = details
            else:
                raise ValueError(f"unknown kind '{record['kind']}'")
        except (KeyError, TypeError, ValueError) as error:
            what = f"lacks {error}" if isinstance(error, KeyError) else str(error)
            where = f"{path}, line {self._lines[path]}"
            raise InputError(f"{where}: not a record of this store ({what}); remove the line") from None


def environment_name(environment: Record) -> str:
    """Return a short name that depends on every value."""
    import hashlib

    return hashlib.sha256(json.dumps(environment, sort_keys=True).encode()).hexdigest()[:8]


def _check_environment(environment: Record) -> None:
    libraries = environment.get("libraries", {})
    if not isinstance(libraries, dict) or not all(isinstance(version, str) for version in libraries.values()):
        raise ValueError("libraries must be names and versions")
    for key, value in environment.items():
        if key != "libraries" and not isinstance(value, str | int | None):
            raise ValueError(f"{key} must be text or a number")


def _parsed(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
        if b"\\u" in line:
            # Half of a pair of surrogates is no text that could be written.
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise InputError(f"{path}, line {number}: not JSON; remove the line") from None
    if not isinstance(value, dict):
        raise InputError(f"{path}, line {number}: not a record; remove the line")
    return value


def _repair(stream: IO[bytes]) -> None:
    """Drop a torn last line: it has no end, so nobody has read it."""
    end = stream.seek(0, os.SEEK_END)
    for start in _backwards(end):
        stream.seek(start)
        tail = stream.read(end - start)
        if tail.endswith(b"\n") or end == 0:
            return
        if (cut := tail.rfind(b"\n")) >= 0:
            stream.truncate(start + cut + 1)
            return
    if end:
        stream.truncate(0)


def _backwards(end: int) -> Iterator[int]:
    start = end
    while start > 0:
        start = max(0, start - (1 << 16))
        yield start
