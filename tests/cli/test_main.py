"""The application as a whole: output of any encoding, closed pipes, too little memory, quick answers."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys

import pytest

from infomotif.cli.main import is_closed_pipe, run

pytestmark = pytest.mark.usefixtures("fresh_consoles")


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
@pytest.mark.parametrize(("argument", "code"), [("datasets", 0), ("no→command", 2)])
def test_what_the_encoding_lacks_is_escaped(encoding, argument, code):
    done = subprocess.run(
        [sys.executable, "-m", "infomotif", argument], env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    shown = (done.stderr if code else done.stdout).decode(encoding)
    assert done.returncode == code, shown
    assert "\\u2192" in shown
    assert "Traceback" not in shown


def test_streams_that_cannot_be_reconfigured_are_left_alone(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with pytest.raises(SystemExit) as stop:
        run(["datasets"])
    assert not stop.value.code
    assert "cora" in sys.stdout.getvalue()


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory: 68 GB")])
def test_too_little_memory_is_one_line_and_code_2(monkeypatch, capsys, error):
    def fail(**_):
        raise error

    monkeypatch.setattr("infomotif.cli.main.app", fail)
    with pytest.raises(SystemExit) as stopped:
        run([])
    assert stopped.value.code == 2
    assert capsys.readouterr().err.startswith("error: not enough memory; lower hidden, q")


@pytest.mark.parametrize("argument", ["--help", "--version", "train --help"])
def test_answers_that_need_no_data_import_nothing_heavy(argument):
    code = (
        "import sys, contextlib\n"
        "from infomotif.cli.main import run\n"
        f"with contextlib.suppress(SystemExit):\n    run({argument.split()})\n"
        "heavy = {'torch', 'pandas', 'pyarrow', 'numba', 'scipy', 'networkx', 'sklearn', 'matplotlib', 'numpy'}\n"
        "sys.stderr.write(','.join(sorted(heavy & set(sys.modules))))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout
    assert done.stderr == ""


@pytest.mark.skipif(os.name != "posix", reason="needs a shell of POSIX")
def test_a_reader_that_ends_early_is_told_nothing():
    done = subprocess.run(
        ["bash", "-c", f"'{sys.executable}' -m infomotif datasets | true"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("error", "platform", "closed"),
    [
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), "linux", True),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), "win32", True),
        (OSError(errno.EINVAL, "Invalid argument"), "win32", True),
        (OSError(errno.EINVAL, "Invalid argument"), "linux", False),
        (OSError(errno.EINVAL, "Invalid argument", "a:b"), "win32", False),
        (OSError(errno.ENOSPC, "No space left on device"), "win32", False),
    ],
)
def test_a_closed_pipe_is_told_by_the_systems_number(error, platform, closed):
    assert is_closed_pipe(error, platform) == closed
