"""The application as a whole: output of any encoding, too little memory."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from infomotif.cli.main import run

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
