"""Mutations that a reviewer made by hand: each takes away one promise, and the named tests must notice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    """A change of one place.

    Attributes:
        title: What is lost.
        file: The file below ``src``.
        old: Text that is there once.
        new: What replaces it.
        tests: Tests that should fail, as pytest takes them.
    """

    title: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


MUTATIONS = (
    Mutation(
        "files are copied over, not renamed", "infomotif/_core/files.py",
        "aside.chmod(mode)\n                os.replace(aside, target)",
        "aside.chmod(mode)\n                shutil.copyfile(aside, target)",
        ("tests/fault_injection/test_files.py",),
    ),
    Mutation(
        "bytes are not flushed", "infomotif/_core/files.py",
        '    with path.open("r+b") as stream:\n        os.fsync(stream.fileno())', "    pass",
        ("tests/fault_injection/test_files.py",),
    ),
    Mutation(
        "names in folders are not flushed", "infomotif/_core/files.py",
        '    if os.name != "posix":\n        return\n    descriptor', '    if os.name:\n        return\n    descriptor',
        ("tests/fault_injection/test_files.py",),
    ),
    Mutation(
        "'<' reaches the page", "infomotif/runs/report/page.py", 'for character in "<>&', 'for character in ">&',
        ("tests/runs/report/test_page.py",),
    ),
    Mutation(
        "the page may load anything", "infomotif/runs/report/page.py", "default-src 'none'", "default-src *",
        ("tests/runs/report/test_page.py",),
    ),
    Mutation(
        "two benches append at once", "infomotif_bench/running/run_log.py",
        'with waiting_lock(self._lock), self.live.open("ab+") as stream:', 'with self.live.open("ab+") as stream:',
        ("tests/bench/running/test_run_log.py", "tests/bench/running/test_run_store.py"),
    ),
    Mutation(
        "arrays of a store are unpickled", "infomotif/io/store/arrays.py",
        'np.lib.format.open_memmap(path, mode="r")', "np.load(path, allow_pickle=True)",
        ("tests/io/store/test_store.py",),
    ),
    Mutation(
        "a resumed optimizer starts again", "infomotif/training/loop.py",
        '            optimizer.load_state(_part(tensors, f"optimizer.{i}."))', "            pass",
        ("tests/training/test_loop.py", "tests/model/test_estimator.py"),
    ),
    Mutation(
        "weights are not compared with their checksum", "infomotif/model/saving.py",
        "    if checksum != expected:\n", "    if False:\n", ("tests/model/test_saving.py",),
    ),
    Mutation(
        "model.json is not compared with its checksum", "infomotif/_core/checksums.py",
        "if (required or KEY in value) and not is_sealed(text, value.get(KEY)):", "if False:",
        ("tests/core/test_checksums.py", "tests/model/test_saving.py"),
    ),
    Mutation(
        "kernels see indices beyond the graph", "infomotif/io/store/check.py",
        "    if worst == 2:\n", "    if False:\n", ("tests/io/store/test_store.py",),
    ),
    Mutation(
        "a store may name arrays elsewhere", "infomotif/io/store/description.py",
        "(arrays and not GENERATION.fullmatch(arrays))", "False", ("tests/io/store/test_store.py",),
    ),
    Mutation(
        "downloads are not compared with their sum", "infomotif/datasets/fetch.py",
        "if found == self.sha256 or", "if True or", ("tests/datasets/test_download.py",),
    ),
    Mutation(
        "terminals obey names", "infomotif/cli/console.py",
        "Segment(printable(segment.text), segment.style)", "segment", ("tests/cli/test_doctor.py",),
    ),
    Mutation(
        "two processes train into one folder", "infomotif/_core/locks.py",
        "    if not _acquired(lock, wait=False):\n        raise InputError(message)", "    _acquired(lock, wait=False)",
        ("tests/core/test_locks.py",),
    ),
    Mutation(
        "YAML makes objects", "infomotif/_core/reading/yaml.py", "class _Loader(yaml.SafeLoader):",
        "class _Loader(yaml.UnsafeLoader):", ("tests/core/reading/test_yaml.py",),
    ),
    Mutation(
        "aliases multiply", "infomotif/_core/reading/yaml.py", "if max(size, self._values) > YAML_VALUES.value:",
        "if False:", ("tests/core/reading/test_yaml.py",),
    ),
    Mutation(
        "formulas reach predictions.csv", "infomotif/_core/spreadsheet.py",
        'return f"\'{value}" if', 'return value if', ("tests/core/test_spreadsheet.py",),
    ),
)  # fmt: skip
