"""Without an extra, what needs it says in one line how to install it, and everything else works."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from infomotif._core.extras import EXTRAS, MissingExtraError, needed_for
from infomotif.errors import InputError

ROOT = Path(__file__).parents[2]


def missing(name: str) -> None:
    raise ModuleNotFoundError(f"No module named '{name}'", name=name)


def test_a_missing_package_is_answered_with_the_pip_command():
    with pytest.raises(MissingExtraError, match=r"^training needs PyTorch: pip install 'infomotif\[learn\]'$"):
        with needed_for("training"):
            missing("torch.nn")


@pytest.mark.parametrize("kind", [InputError, ImportError])
def test_the_answer_is_bad_input_and_a_failed_import(kind):
    with pytest.raises(kind), needed_for("drawing"):
        missing("matplotlib")


def test_the_innermost_purpose_is_named():
    with pytest.raises(MissingExtraError, match="^inner needs NetworkX"), needed_for("outer"), needed_for("inner"):
        missing("networkx")


def test_other_missing_modules_stay_what_they_are():
    with pytest.raises(ModuleNotFoundError, match="No module named 'nothing'") as error, needed_for("training"):
        missing("nothing")
    assert type(error.value) is ModuleNotFoundError


def test_every_extra_that_is_named_is_in_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {extra for _, extra in EXTRAS.values()} <= project["optional-dependencies"].keys()


@pytest.mark.slow
def test_the_engine_works_without_any_extra(tmp_path):
    command = [sys.executable, "-P", str(ROOT / "tests" / "without_extras.py"), str(tmp_path), "--block"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
