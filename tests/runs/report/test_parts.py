"""Parts of the page are computed once, and again when anything changed that they follow from."""

from __future__ import annotations

import json
import shutil

import pytest

from infomotif.runs.opened import open_run
from infomotif.runs.report.page import write_report
from infomotif.runs.report.parts import PARTS_FILE, PageParts
from tests.runs.plans import reseal, roles


@pytest.fixture
def folder(run, tmp_path):
    copy = tmp_path / "run"
    shutil.copytree(run[0], copy)
    return copy


def value_in(folder, compute, **parameters):
    parts = PageParts(open_run(folder, roles()))
    value = parts.value("number", compute, **parameters)
    parts.keep()
    return value


def never():
    raise AssertionError("computed again")


def test_training_keeps_what_takes_long(folder):
    names = {key.partition(" ")[0] for key in json.loads((folder / PARTS_FILE).read_text())["values"]}
    assert names == {"significance", "map", "faithfulness"}


def test_the_next_page_is_the_same(run, folder):
    written = (folder / "report.html").read_text(encoding="utf-8")
    assert write_report(folder, roles(), run[1]).read_text(encoding="utf-8") == written
    (folder / PARTS_FILE).unlink()
    assert write_report(folder, roles(), run[1]).read_text(encoding="utf-8") == written


def test_a_value_is_computed_once(folder):
    assert value_in(folder, lambda: 3) == 3
    assert value_in(folder, never) == 3


def test_other_parameters_are_another_value(folder):
    value_in(folder, lambda: 3, seed=0)
    assert value_in(folder, lambda: 4, seed=1) == 4
    assert value_in(folder, never, seed=0) == 3


@pytest.mark.parametrize("name", ["model.json", "predictions.csv", "base/model.json"])
def test_a_file_that_changed_makes_them_compute_again(folder, name):
    value_in(folder, lambda: 3)
    path = folder / name
    text = path.read_text(encoding="utf-8")
    if name.endswith(".json"):
        path.write_text(json.dumps(json.loads(text) | {"note": "changed"}), encoding="utf-8")
    else:
        path.write_text(text + "\n", encoding="utf-8")
    reseal(folder)
    assert value_in(folder, lambda: 4) == 4


@pytest.mark.parametrize("damage", ["", "[]", "{}", '{"of": 1, "checksum": 2, "values": 3}', "edited"])
def test_a_damaged_file_counts_as_empty(folder, damage):
    value_in(folder, lambda: 3)
    path = folder / PARTS_FILE
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"number":3', '"number":5') if damage == "edited" else damage, encoding="utf-8")
    assert value_in(folder, lambda: 4) == 4
