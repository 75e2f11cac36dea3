"""Store: every run ever made, one line each, safe for several writers."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from infomotif._core.files import whole_file
from infomotif._core.locks import Claims
from infomotif.errors import InputError
from infomotif_bench.running.lines import Json, read_line
from infomotif_bench.running.run import BenchRun, Key
from infomotif_bench.running.run_log import LIVE_SUFFIX, LOCKS, Packed, RunLog, log_names
from infomotif_bench.running.run_record import ChoiceRecord, RunRecord

RUN, CHOICE, ENVIRONMENT = "run", "choice", "environment"
Environment = Mapping[str, Any]


class Store:
    """A folder with an archive per experiment, and a JSONL file of what was appended since it was packed.

    A line is a run, the choice that a search made, or an environment that runs refer to. See
    :class:`~infomotif_bench.running.run_log.RunLog` for how lines are appended and packed.

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
        self._logs: dict[str, RunLog] = {}
        self._runs: dict[Key, RunRecord] = {}
        self._shared: dict[Key, RunRecord] = {}
        self._choices: dict[Key, ChoiceRecord] = {}
        self._environments: dict[tuple[str, str], Environment] = {}
        self._lock = threading.Lock()
        self.refresh()

    def refresh(self) -> None:
        """Read lines that were appended since, by this process or another."""
        with self._lock:
            for experiment in log_names(self.folder):
                self._read(experiment)

    def pack(self) -> dict[str, Packed]:
        """Pack the lines of every experiment into its archive; return what that saved.

        Others may read and write the store meanwhile.
        """
        return {experiment: self._log(experiment).pack() for experiment in log_names(self.folder)}

    def unpack(self, out: Path) -> list[Path]:
        """Write every experiment as JSONL into another folder, byte for byte as its lines were appended.

        Raises:
            InputError: If it is the store's own folder, or a file of that name is there already.
        """
        if out.absolute() == self.folder.absolute():
            raise InputError(f"{out}: is the store itself; choose another folder with --out")
        paths = {name: out / f"{name}{LIVE_SUFFIX}" for name in log_names(self.folder)}
        for path in paths.values():
            if path.exists():
                raise InputError(f"{path}: exists already; choose another folder with --out")
        for name, path in paths.items():
            with whole_file(path) as aside:
                aside.write_bytes(self._log(name).to_jsonl())
        return list(paths.values())

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
        with self._lock:
            log = self._log(experiment)
        log.append(line)
        with self._lock:
            self._read(experiment)

    def _log(self, experiment: str) -> RunLog:
        return self._logs.setdefault(experiment, RunLog(self.folder, experiment))

    def _read(self, experiment: str) -> None:
        for where, line in self._log(experiment).new_lines():
            try:
                self._keep(line, experiment)
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
