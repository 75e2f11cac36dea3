"""Damaged files of a run end in one line, and no page is written from them."""

from __future__ import annotations

import json
import shutil

import pytest

from infomotif.cli.main import run
from tests.commands import karate_run
from tests.runs.plans import reseal

pytestmark = pytest.mark.usefixtures("fresh_consoles")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return karate_run(tmp_path_factory.mktemp("runs") / "karate")


@pytest.fixture
def folder(whole, tmp_path):
    copy = tmp_path / "run"
    shutil.copytree(whole, copy)
    (copy / "report.html").unlink(missing_ok=True)
    return copy


def refused(capsys, folder) -> str:
    with pytest.raises(SystemExit) as stop:
        run(["report", str(folder)])
    told = capsys.readouterr().err.strip()
    assert stop.value.code == 2
    assert len(told.splitlines()) == 1
    assert not (folder / "report.html").exists()
    return told


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("settings", None, "result.json: settings must hold keys and values"),
        ("outcome", "x", "result.json: outcome: must hold keys and values"),
        ("trainings", [], "result.json: trainings must say how many nodes"),
        ("trainings", [{"nodes": 3}], "result.json: trainings[0]: lacks 'split'"),
    ],
)
def test_a_damaged_result_is_one_line(capsys, folder, key, value, message):
    reseal(folder, json.loads((folder / "result.json").read_text()) | {key: value})
    assert message in refused(capsys, folder)


def test_a_result_with_a_number_that_is_not_finite_is_one_line(capsys, folder):
    path = folder / "result.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"outcome": {"measure": float("nan")}}))
    assert "result.json: cannot be read (Out of range float values" in refused(capsys, folder)


def test_a_file_that_was_changed_is_one_line_with_its_name(capsys, folder):
    path = folder / "predictions.csv"
    path.write_bytes(path.read_bytes() + b" ")
    assert "predictions.csv: does not have the checksum in result.json" in refused(capsys, folder)


def test_a_result_without_settings_is_one_line(capsys, folder):
    result = json.loads((folder / "result.json").read_text())
    del result["settings"]
    reseal(folder, result)
    assert "result.json: lacks 'settings'" in refused(capsys, folder)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("split", "x", "split must be a whole number (got 'x')"),
        ("split", -1, "split must be at least 0 (got -1)"),
        ("split", 0.5, "split must be a whole number (got 0.5)"),
        ("model", 3, "model must be text (got 3)"),
        ("loss", "abc", "loss must be a number (got 'abc')"),
        ("mi_loss", [], "mi_loss must be a number (got [])"),
    ],
)
def test_damaged_metrics_are_one_line_with_its_number(capsys, folder, field, value, message):
    path = folder / "metrics.jsonl"
    lines = path.read_text().splitlines()
    lines[1] = json.dumps(json.loads(lines[1]) | {field: value})
    # A torn line is not read, but it is counted.
    path.write_text("\n".join([lines[0], '{"split": 0, "mo', *lines[1:]]) + "\n")
    reseal(folder)
    assert f"metrics.jsonl, line 3: {message}; remove the line or train again" in refused(capsys, folder)


def test_numbers_that_are_not_finite_are_left_out_of_the_curves(capsys, folder):
    path = folder / "metrics.jsonl"
    lines = path.read_text().splitlines()
    lines[0] = json.dumps(json.loads(lines[0]) | {"loss": float("nan")})
    path.write_text("\n".join(lines) + "\n")
    reseal(folder)
    with pytest.raises(SystemExit) as stop:
        run(["report", str(folder)])
    assert not stop.value.code
    assert (folder / "report.html").exists()


def test_predictions_that_were_truncated_are_refused(capsys, folder):
    path = folder / "predictions.csv"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:10]))
    reseal(folder)
    told = refused(capsys, folder)
    assert "predictions.csv: holds [" in told
    assert "but the run had [" in told
