"""Try to break what is promised, and count: kills, signals, flipped bits, full disks, bombs, threads, two at once.

``python benchmarks/reliability.py --scale 0.2`` makes a fifth of the tries; ``--only kill flip`` some rows. A failure
is a torn or lost file, other bits than an undisturbed run, a traceback, a crash, a hang, or a change that nobody
notices.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SECONDS = 300
TRAIN = ["train", "karate", "--preset", "paper", "--splits", "2", "--set", "epochs=30", "--set", "hidden=16"]
KEPT = ("predictions.csv", "model.safetensors", "config.yaml")
Row = tuple[int, list[str]]


def command(*words: str, folder: Path, **options: object) -> subprocess.Popen[str]:
    """Start a command in a folder; its streams go to a file there."""
    environment = {**os.environ, "INFOMOTIF_CHECKPOINT_SECONDS": "0", "XDG_STATE_HOME": str(folder / "state-home")}
    environment |= dict(options.pop("environment", {}))  # type: ignore[call-overload]
    log = (folder / "log.txt").open("a")
    launcher = options.pop("launcher", ["-m", "infomotif"])
    return subprocess.Popen(
        [sys.executable, *launcher, *words], cwd=folder, env=environment, stdout=log, stderr=log, **options
    )  # type: ignore[call-overload]


def ended(process: subprocess.Popen[str]) -> int | None:
    """Return the exit code of a process; None if it hangs."""
    try:
        return process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


def bad_log(folder: Path) -> str:
    """Return what a log must not hold."""
    text = (folder / "log.txt").read_text(errors="replace")
    return "traceback" if "Traceback" in text else "a fault" if "a fault of infomotif" in text else ""


def same(folder: Path, other: Path) -> bool:
    """Return whether two runs hold the same bits."""
    return all((folder / name).read_bytes() == (other / name).read_bytes() for name in KEPT)


class Place:
    """A folder for the tries, with an undisturbed run, a store and files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def new(self) -> Path:
        """Return a new folder."""
        return Path(tempfile.mkdtemp(dir=self.folder))

    def whole_run(self) -> Path:
        """Return an undisturbed run."""
        path = self.folder / "whole"
        if not path.exists():
            path.mkdir()
            if ended(command(*TRAIN, "--out", "run", folder=path)) != 0:
                raise SystemExit((path / "log.txt").read_text())
        return path / "run"


def struck(place: Place, rng: random.Random, tries: int, number: int, wanted: tuple[int | None, ...]) -> Row:
    """Send a signal to ``train`` at random moments, then let it go on: the bits must be those of an undisturbed run."""
    failures = []
    whole = place.whole_run()
    began = time.monotonic()
    ended(command(*TRAIN, "--out", "again", folder=place.folder))
    usual = time.monotonic() - began
    for i in range(tries):
        folder = place.new()
        process = command(*TRAIN, "--out", "run", folder=folder)
        time.sleep(rng.uniform(0.2, 1.0) * usual)
        process.send_signal(number)
        code = ended(process)
        if code not in (*wanted, 0):
            failures.append(f"try {i}: exit code {code} after signal {number}")
        # The run's own options, without repeating them, where it has begun.
        words = (
            ["train", "--resume", "--out", "run"]
            if (folder / "run" / "config.yaml").exists()
            else [*TRAIN, "--out", "run"]
        )
        if ended(command(*words, folder=folder)) != 0 or bad_log(folder):
            failures.append(f"try {i}: does not go on; {bad_log(folder)}")
        elif not same(folder / "run", whole):
            failures.append(f"try {i}: other bits")
        shutil.rmtree(folder, ignore_errors=True)
    return tries, failures


def killed_bench(place: Place, rng: random.Random, tries: int) -> Row:
    """Kill ``bench`` and start it again: every run is there once."""
    (place.folder / "mine.yaml").write_text(
        "title: Mine\nkind: accuracy\ndatasets: [karate]\nratios: [0.4]\nsplits: 4\n"
        "rows:\n- {name: lr, method: structural-lr}\n"
    )
    failures = []
    for i in range(tries):
        folder = place.new()
        words = ["bench", str(place.folder / "mine.yaml"), "--store", "store", "--json"]
        process = command(*words, folder=folder)
        time.sleep(rng.uniform(2, 12))
        process.kill()
        process.wait()
        if ended(command(*words, folder=folder)) != 0 or bad_log(folder):
            failures.append(f"try {i}: {(folder / 'log.txt').read_text()[-300:]}")
    return tries, failures


def killed_convert(place: Place, rng: random.Random, tries: int) -> Row:
    """Kill ``convert --overwrite``: the store opens, and the next one leaves nothing behind."""
    folder = place.new()
    ends = [(rng.randrange(20_000), rng.randrange(20_000)) for _ in range(200_000)]
    (folder / "e.csv").write_text("source,target\n" + "".join(f"n{a},n{b}\n" for a, b in ends))
    words = ["convert", "--edges", "e.csv", "store", "--overwrite"]
    failures = []
    if ended(command(*words[:-1], folder=folder)) != 0:
        return tries, [(folder / "log.txt").read_text()[-300:]]
    for i in range(tries):
        process = command(*words, folder=folder)
        time.sleep(rng.uniform(1, 10))
        process.kill()
        process.wait()
        if ended(command("datasets", "verify", "store", folder=folder)) != 0:
            failures.append(f"try {i}: the store is torn")
    if ended(command(*words, folder=folder)) != 0 or list(folder.glob(".*.part")) or bad_log(folder):
        failures.append("something is left behind")
    return tries, failures


def flipped_store(place: Place, rng: random.Random, tries: int) -> Row:
    """Flip one bit of the arrays of a store: opening it must name the file."""
    import infomotif as im
    from infomotif.errors import InputError

    store = place.new() / "store"
    im.save_store(im.make_roles(num_nodes=300), store)
    failures = []
    arrays = sorted(store.glob("*.npy"))
    for i in range(tries):
        path = rng.choice(arrays)
        whole = path.read_bytes()
        data = bytearray(whole)
        data[rng.randrange(128, len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        try:
            im.MotifIndex(im.open_store(store))
            failures.append(f"try {i}: {path.name} passed unseen")
        except InputError as error:
            if path.name not in str(error):
                failures.append(f"try {i}: {error}")
        path.write_bytes(whole)
    return tries, failures


def flipped_model(place: Place, rng: random.Random, tries: int) -> Row:
    """Flip one bit of ``model.json``: loading must refuse it."""
    from infomotif.errors import InputError
    from infomotif.model.saving import load

    folder = place.new() / "model"
    shutil.copytree(place.whole_run(), folder)
    whole = (folder / "model.json").read_bytes()
    failures = []
    for i in range(tries):
        data = bytearray(whole)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        (folder / "model.json").write_bytes(data)
        try:
            load(folder)
            failures.append(f"try {i}: passed unseen")
        except InputError:
            pass
    return tries, failures


def special_inputs(place: Place, rng: random.Random, tries: int) -> Row:
    """Give commands files that are bombs, pipes, devices, of NULs, deep or wide: one line, exit code 2, soon."""
    folder = place.new()
    bomb = "\n".join(
        ["a0: &a0 {k: 1}", *(f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 9)}]}}" for i in range(1, 10))]
    )
    (folder / "bomb.yaml").write_text(bomb)
    (folder / "alias.yaml").write_text(bomb.replace("<<: ", "").replace("{[", "[").replace("]}", "]"))
    (folder / "deep.yaml").write_text("a: " + "[" * 100_000)
    (folder / "nul.csv").write_bytes(bytes(100_000))
    (folder / "wide.csv").write_text("source,target" + ",c" * 1_100_000 + "\na,b\n")
    os.mkfifo(folder / "pipe.csv")
    for name, start in (
        ("bomb.csv.gz", b"source,target\na,"),
        ("bomb.txt.gz", b""),
        ("bomb.graphml.gz", b"<graphml><graph>"),
    ):
        with gzip.open(folder / name, "wb", compresslevel=1) as stream:
            stream.write(start)
            for _ in range(1100):
                stream.write(b"x" * (1 << 20))
    (folder / "enc.graphml").write_text('<?xml version="1.0" encoding="no-such-thing"?><graphml/>')
    (folder / "bad.csv").write_text("source,target\n" + "x" * 300_000 + ",b,c\n")
    run = folder / "run"
    cases: list[tuple[str, list[str]]] = [("config", ["train", "karate", "--config", name]) for name in
        ("bomb.yaml", "alias.yaml", "deep.yaml", "nul.csv", "/dev/zero", "pipe.csv", ".")]  # fmt: skip
    cases += [("edges", [verb, "--edges", name]) for verb in ("motifs", "doctor") for name in
        ("nul.csv", "wide.csv", "pipe.csv", "/dev/zero", "/dev/stdin", "bomb.csv.gz", "bomb.txt.gz", "bomb.graphml.gz",
         "enc.graphml", "bad.csv", ".", "none.csv")]  # fmt: skip
    files = ("result.json", "metrics.jsonl", "config.yaml", "model.json", "predictions.csv", "model.safetensors")
    cases += [(name, ["report", "run"]) for name in files] + [(name, ["predict", "run"]) for name in files[2:4]]
    failures = []
    chosen = rng.sample(cases, min(tries, len(cases)))
    for kind, words in chosen:
        if words[-1] == "run":
            shutil.rmtree(run, ignore_errors=True)
            shutil.copytree(place.whole_run(), run)
            (run / kind).write_text("[" * 100_000)
        log = folder / "log.txt"
        log.unlink(missing_ok=True)
        code = ended(command(*words, folder=folder, preexec_fn=limit_memory, stdin=subprocess.PIPE))
        text = log.read_text(errors="replace")
        lines = [line for line in text.splitlines() if line.startswith("error: ")]
        if code != 2 or bad_log(folder) or not lines or max(map(len, lines)) > 1500:
            failures.append(f"{' '.join(words)} ({kind}): exit code {code}, {text[-200:]!r}")
    return len(chosen), failures


def limit_memory() -> None:
    """Let a command have 12 GB of addresses, as its libraries take much that they never use."""
    resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))


def full_disk(place: Place, rng: random.Random, tries: int) -> Row:
    """Let ``train`` write no file beyond some size: one line, exit code 2, and it goes on with more room."""
    failures = []
    for _ in range(tries):
        folder, size = place.new(), rng.randrange(2_000, 40_000)

        def limit(size: int = size) -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        code = ended(command(*TRAIN, "--out", "run", folder=folder, preexec_fn=limit))
        if code not in (0, 2) or bad_log(folder):
            failures.append(f"{size} bytes: exit code {code}, {(folder / 'log.txt').read_text()[-200:]!r}")
        elif ended(command(*TRAIN, "--out", "run", "--resume", folder=folder)) != 0:
            failures.append(f"{size} bytes: does not go on")
        elif not same(folder / "run", place.whole_run()):
            failures.append(f"{size} bytes: other bits")
    return tries, failures


def threads(place: Place, rng: random.Random, tries: int) -> Row:
    """Train with one, two and three threads: the same bits."""
    failures = []
    for dataset, preset in (("karate", "paper"), ("roles", "joint"))[: max(1, tries // 2)]:
        folder = place.new()
        for count in ("1", "2", "3"):
            words = ["train", dataset, "--preset", preset, "--set", "epochs=3", "--threads", count, "--out", count]
            if ended(command(*words, folder=folder)) != 0:
                failures.append((folder / "log.txt").read_text()[-200:])
        first = [(folder / "1" / name).read_bytes() for name in KEPT[:2]]
        for count in ("2", "3"):
            if [(folder / count / name).read_bytes() for name in KEPT[:2]] != first:
                failures.append(f"{dataset}: {count} threads give other bits")
    return 2 * max(1, tries // 2), failures


def two_at_once(place: Place, rng: random.Random, tries: int) -> Row:
    """Start two ``train`` into one folder: one trains, one is refused, and the bits are right."""
    failures = []
    for i in range(tries):
        folder = place.new()
        both = [command(*TRAIN, "--out", "run", "--resume", folder=folder) for _ in range(2)]
        codes = sorted(str(ended(process)) for process in both)
        if codes not in (["0", "2"], ["0", "0"]) or bad_log(folder) or not same(folder / "run", place.whole_run()):
            failures.append(f"try {i}: exit codes {codes}")
    return tries, failures


def own_tests(*names: str) -> Callable[[Place, random.Random, int], Row]:
    """Return a row that runs tests of the suite, each with many tries of its own."""

    def run(place: Place, rng: random.Random, tries: int) -> Row:
        words = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *names]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        last = done.stdout.strip().splitlines()[-1]
        passed = int(next((word for word, what in itertools.pairwise(last.split()) if what.startswith("passed")), "0"))
        return passed, [] if done.returncode == 0 else [last]

    return run


def rows() -> Iterator[tuple[str, str, int, Callable[[Place, random.Random, int], Row]]]:
    """Yield key, title, tries and function of each row."""
    yield "kill", "SIGKILL `train`, real command, then `train --resume --out RUN`", 40, (
        lambda p, r, n: struck(p, r, n, signal.SIGKILL, (-9,)))  # fmt: skip
    yield "term", "SIGTERM `train`", 12, lambda p, r, n: struck(p, r, n, signal.SIGTERM, (-15,))
    yield "int", "SIGINT `train`", 15, lambda p, r, n: struck(p, r, n, signal.SIGINT, (130, -2, 1))
    yield "bench", "SIGKILL `bench`", 20, killed_bench
    yield "convert", "SIGKILL `convert --overwrite`", 12, killed_convert
    yield "flip", "one flipped bit in a store's array data", 80, flipped_store
    yield "model", "one flipped bit in `model.json`", 600, flipped_model
    yield "special", "special inputs, real command", 100, special_inputs
    yield "disk", "full disk while training", 14, full_disk
    yield "threads", "determinism: threads", 4, threads
    yield "two", "two `train` at once", 12, two_at_once
    yield "points", "crash points enumerated (tests/fault_injection)", 1, own_tests("tests/fault_injection")
    yield (
        "download",
        "hostile downloads (tests/datasets/test_download.py)",
        1,
        own_tests("tests/datasets/test_download.py"),
    )
    yield "page", "hostile page in Chromium (tests/e2e/test_report.py)", 1, own_tests("tests/e2e/test_report.py")
    yield "torchrun", "torchrun rank killed (tests/e2e/test_torchrun.py)", 1, own_tests("tests/e2e/test_torchrun.py")


def main() -> int:
    """Run the rows and print the table."""
    keys = [key for key, *_ in rows()]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the tries")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="*", choices=keys, default=keys)
    options = parser.parse_args()
    total = 0
    sys.stdout.write("| test | tries | failures |\n|---|--:|--:|\n")
    with tempfile.TemporaryDirectory(prefix="infomotif-reliability-") as folder:
        place = Place(Path(folder))
        for key, title, tries, row in rows():
            if key in options.only:
                count, failures = row(
                    place, random.Random(f"{options.seed}-{key}"), max(1, round(tries * options.scale))
                )
                total += len(failures)
                sys.stdout.write(f"| {title} | {count} | {len(failures)} |\n")
                sys.stdout.flush()
                sys.stderr.write("".join(f"{key}: {failure}\n" for failure in failures))
    sys.stdout.write(
        f"\n{total} failures; fuzzed readers: python -m tests.fuzz; mutations: python -m tests.mutations\n"
    )
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
