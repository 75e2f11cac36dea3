"""The page about the architecture names rooms, files and functions that exist."""

from __future__ import annotations

import ast
import re
import runpy
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
PICTURE = ROOT / "docs" / "images" / "rooms.svg"
TEXT = PAGE.read_text(encoding="utf-8")


def layers() -> list[set[str]]:
    """Return the rooms of each layer, top first, as import-linter checks them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (contract,) = [c for c in contracts if c["type"] == "layers"]
    return [{room.strip().removeprefix("infomotif.") for room in layer.split("|")} for layer in contract["layers"]]


def test_the_table_of_layers_is_the_contract():
    table = TEXT.split("| layer | what is inside |\n|---|---|\n")[1].split("\n\n")[0]
    assert [set(re.findall(r"`(\w+)`", row.split("|")[1])) for row in table.splitlines()] == layers()


def test_the_picture_shows_the_layers():
    script = runpy.run_path(str(PICTURE.with_suffix(".py")))
    drawn = [{room.name for room in floor} for floor in script["FLOORS"]]
    assert drawn == [layer for layer in layers() if layer != {"errors", "typing"}]


def test_the_picture_is_what_its_script_draws():
    script = runpy.run_path(str(PICTURE.with_suffix(".py")))
    assert PICTURE.read_text(encoding="utf-8") == script["draw"]()


def test_every_path_exists():
    paths = re.findall(r"`((?:src|tests|docs|benchmarks)/[\w./-]+)`", TEXT)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


FIDELITY = (ROOT / "docs" / "concepts" / "fidelity.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "text", [TEXT.split("## The walk")[1].split("\n## ")[0], FIDELITY], ids=["the walk", "statements of the paper"]
)
def test_every_function_that_is_named_exists(text):
    named = re.findall(r"`([\w/]+\.py):([\w.]+)`", text)
    assert len(named) > 10
    missing = []
    for path, name in named:
        found = ast.parse((ROOT / "src" / "infomotif" / path).read_text(encoding="utf-8")).body
        for part in name.split("."):
            inner = [node for node in found if getattr(node, "name", None) == part]
            found = inner[0].body if inner else []
        if not found:
            missing.append(f"{path}:{name}")
    assert missing == []
