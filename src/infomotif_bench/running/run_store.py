"""Store: every run ever made, one line each, safe for several writers."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from infomotif._core.locks import Claims, waiting_lock
from infomotif.errors import InputError
from infomotif_bench.running.lines import Json, read_line
from infomotif_bench.running.run import BenchRun, Key
from infomotif_bench.running.run_record import ChoiceRecord, RunRecord

RUN, CHOICE, ENVIRONMENT = "run", "choice", "environment"
Environment = Mapping[str, Any]
LOCKS = ".locks"
"""Folder of lock files within a store."""


class Store:
    """A folder with one JSONL file per experiment.

    A line is a run, the choice that a search made, or an environment that runs refer to. Lines are only ever appended,
    under a lock; an incomplete last line, which a killed process may leave, is ignored by readers and dropped by the
    next writer.

    Args:
        folder: The folder; it need not exist yet.

    Example:
        >>> import tempfile
        >>> from infomotif_bench.running.executors import execute
        >>> from infomotif_bench.experiments.schemes import Scheme
        >>> store = Store(Path(tempfile.mkdtemp()))
        >>> run = BenchRun("demo", "karate", "structural-lr", 1, Scheme(0.4), 0, {}, "0000")
        >>> store.add_run(execute(run), {"cores": 2})
        >>> Store(store.folder).find(run).run.method
        'structural-lr'
    """

    def __init__(self, folder: Path) -> None:
        """Read all files."""
        self.folder = Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(f"{self.folder}: is a file; --store takes a folder")
        self.claims = Claims(self.folder / LOCKS)
        self._read_bytes: dict[Path, int] = {}
        self._read_lines: dict[Path, int] = {}
        self._runs: dict[Key, RunRecord] = {}
        self._shared: dict[Key, RunRecord] = {}
        self._choices: dict[Key, ChoiceRecord] = {}
        self._environments: dict[tuple[str, str], Environment] = {}
        self._lock = threading.Lock()
        self.refresh()

    def refresh(self) -> None:
        """Read lines that were appended since, by this process or another."""
        with self._lock:
            for path in sorted(self.folder.glob("*.jsonl")) if self.folder.exists() else ():
                self._refresh_file(path)

    def find(self, run: BenchRun) -> RunRecord | None:
        """Return the record of a run, or None."""
        return self._runs.get(run.key)

    def find_elsewhere(self, run: BenchRun) -> RunRecord | None:
        """Return the record of the same run in another experiment, or None."""
        return self._shared.get(run.shared_key)

    def runs(self, experiment: str) -> list[RunRecord]:
        """Return all runs of an experiment, in the order in which they were made."""
        with self._lock:
            return [record for key, record in self._runs.items() if key[0] == experiment]

    def choice(self, experiment: str, dataset: str, row: str) -> ChoiceRecord | None:
        """Return the last choice that a search made for a row, or None."""
        return self._choices.get((experiment, dataset, row))

    def environment(self, experiment: str, name: str) -> Environment:
        """Return the environment that a record of ``experiment`` refers to."""
        return self._environments.get((experiment, name), {})

    def add_run(self, record: RunRecord, environment: Environment) -> None:
        """Append a run, and the environment it was made in if that is new."""
        name, experiment = environment_name(environment), record.run.experiment
        if (experiment, name) not in self._environments:
            self._append({"kind": ENVIRONMENT, "name": name, **environment}, experiment)
        self._append({"kind": RUN, **replace(record, environment=name).to_json()}, experiment)

    def copy_run(self, run: BenchRun, record: RunRecord) -> None:
        """Append the record of the same run in another experiment, naming that experiment."""
        origin = record.run.experiment
        copied = replace(record, run=run, copied_from=record.copied_from or origin)
        self.add_run(copied, self.environment(origin, record.environment))

    def add_choice(self, choice: ChoiceRecord) -> None:
        """Append the choice of a search, unless the last one of its row is the same."""
        if self.choice(choice.experiment, choice.dataset, choice.row) != choice:
            self._append({"kind": CHOICE, **choice.to_json()}, choice.experiment)

    def _append(self, line: Json, experiment: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{experiment}.jsonl"
        text = json.dumps(line, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        with waiting_lock(self.folder / LOCKS / f"{experiment}.lock"), path.open("ab+") as stream:
            _drop_incomplete_line(stream)
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        with self._lock:
            self._refresh_file(path)

    def _refresh_file(self, path: Path) -> None:
        start = self._read_bytes.get(path, 0)
        if path.stat().st_size < start:
            raise InputError(f"{path}: became shorter while it was in use")
        with path.open("rb") as stream:
            stream.seek(start)
            complete, newline, _ = stream.read().rpartition(b"\n")
        if not newline:
            return
        self._read_bytes[path] = start + len(complete) + 1
        for text in complete.split(b"\n"):
            self._read_lines[path] = self._read_lines.get(path, 0) + 1
            where = f"{path}, line {self._read_lines[path]}"
            line = _parsed(text, where)
            try:
                self._keep(line, path.stem)
            except InputError as error:
                raise InputError(f"{where}: not a record of this store ({error}); remove the line") from None

    def _keep(self, line: Json, experiment: str) -> None:
        kind = line.get("kind")
        if kind in (RUN, CHOICE) and line.get("experiment") != experiment:
            raise InputError(f"it is of experiment '{line.get('experiment')}', which has its own file")
        if kind == RUN:
            record = RunRecord.from_json(line)
            # The first record of a key stays, so a table never changes under its reader.
            self._runs.setdefault(record.run.key, record)
            self._shared.setdefault(record.run.shared_key, record)
        elif kind == CHOICE:
            choice = read_line(ChoiceRecord, line)
            self._choices[choice.experiment, choice.dataset, choice.row] = choice
        elif kind == ENVIRONMENT:
            values = {key: value for key, value in line.items() if key not in ("kind", "name")}
            _check_environment(line.get("name"), values)
            self._environments[experiment, line["name"]] = values
        else:
            raise InputError(f"unknown kind '{kind}'")


def environment_name(environment: Environment) -> str:
    """Return a short name that depends on every value."""
    return hashlib.sha256(json.dumps(dict(environment), sort_keys=True).encode()).hexdigest()[:8]


def _check_environment(name: Any, environment: Environment) -> None:
    if not isinstance(name, str):
        raise InputError(f"name must be text (got {name!r:.40})")
    libraries = environment.get("libraries", {})
    if not isinstance(libraries, dict) or not all(isinstance(version, str) for version in libraries.values()):
        raise InputError("libraries must be names and versions")
    for key, value in environment.items():
        if key != "libraries" and not isinstance(value, str | int | None):
            raise InputError(f"{key} must be text or a number")


def _parsed(text: bytes, where: str) -> Json:
    try:
        value = json.loads(text)
        if b"\\u" in text:
            # Half of a surrogate pair cannot be written again.
            json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise InputError(f"{where}: not JSON; remove the line") from None
    if not isinstance(value, dict):
        raise InputError(f"{where}: not a record; remove the line")
    return value


def _drop_incomplete_line(stream: IO[bytes]) -> None:
    """Cut the file after its last newline; no reader has seen the rest."""
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
