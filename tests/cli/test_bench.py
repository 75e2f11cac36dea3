"""The door to the laboratory: listed without importing it, opened when it is called."""

from __future__ import annotations

import subprocess
import sys

import pytest

from infomotif.cli.bench import HELP
from infomotif.cli.main import run

pytestmark = pytest.mark.usefixtures("fresh_consoles")

LOADED = """
import sys
from infomotif.cli.main import run
try:
    run(sys.argv[1:])
except SystemExit:
    print("infomotif_bench" in sys.modules)
"""


@pytest.mark.parametrize(("arguments", "loaded"), [(["--help"], "False"), (["bench", "--help"], "True")])
def test_only_its_own_help_imports_the_laboratory(arguments, loaded):
    done = subprocess.run([sys.executable, "-c", LOADED, *arguments], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == loaded


def test_it_is_listed_with_its_help(capsys):
    with pytest.raises(SystemExit):
        run(["--help"])
    listed = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert f"bench {HELP}" in listed


@pytest.mark.parametrize("package", ["matplotlib", "joblib", "gensim", "torch"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(package, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(SystemExit) as stopped:
        run(["bench"])
    told = capsys.readouterr().err.strip()
    assert stopped.value.code == 2
    assert told.endswith(f"infomotif bench needs {package}: pip install 'infomotif[bench]'")
    assert len(told.splitlines()) == 1
