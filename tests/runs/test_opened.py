"""Runs that are read back: results and configurations, whole, old or damaged."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from infomotif._core.checksums import sealed_json
from infomotif.errors import InputError
from infomotif.runs.opened import open_run, read_config, read_result
from tests.runs.plans import roles


def write_result(folder, value):
    """Write a result with the right checksum, as somebody hostile would."""
    value.pop("checksum", None)
    try:
        text = sealed_json(value)
    except ValueError:
        # Such a number is refused before the checksum is looked at.
        text = json.dumps(value)
    (folder / "result.json").write_text(text)


def test_a_result_is_read_as_it_was_returned(run):
    folder, result = run
    assert read_result(folder) == result


def test_a_result_with_a_choice_is_read_as_it_was_returned(auto_run):
    folder, result = auto_run
    assert read_result(folder) == result


def test_metrics_are_read_with_their_split_and_model(run):
    folder, _ = run
    metrics = open_run(folder, roles()).metrics()
    assert [(m.split, m.model, m.epoch) for m in metrics[:4]] == [
        (0, "base", 1), (0, "base", 2), (0, "base", 3), (0, "infomotif", 1),
    ]  # fmt: skip
    assert metrics[0].mi_loss is None
    assert metrics[3].mi_loss is not None


def test_a_graph_that_changed_since_is_refused(run):
    folder, _ = run
    with pytest.raises(InputError, match="was trained on other data than"):
        open_run(folder, roles().replace(y=(roles().y + 1) % 4))


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, '{"format": "other"}', '{"format": NaN}'])
def test_a_broken_result_is_named(tmp_path, text):
    (tmp_path / "result.json").write_text(text)
    with pytest.raises(InputError, match=r"result.json: (cannot be read|not a result of this package).*train again"):
        read_result(tmp_path)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("settings", None, "settings must hold keys and values"),
        ("outcome", "x", "outcome: must hold keys and values"),
        ("outcome", {"measure": 1e999}, "cannot be read"),
        ("plan", {"source": {}, "splits": "2"}, "plan: splits must be a whole number"),
        ("trainings", [], "trainings must say how many nodes trained"),
        ("trainings", [{"nodes": 3}], r"trainings\[0\]: lacks 'split'"),
        ("graph", {}, "graph: lacks 'name'"),
        ("choice", {"name": 3}, "choice: name must be text"),
        ("surprise", 1, "unknown key in .*result.json"),
    ],
)
def test_a_damaged_result_is_named_with_its_key(run, tmp_path, key, value, message):
    folder, _ = run
    damaged = json.loads((folder / "result.json").read_text()) | {key: value}
    write_result(tmp_path, damaged)
    with pytest.raises(InputError, match=rf"{message}.*; it was edited or is of another version"):
        read_result(tmp_path)


@pytest.mark.parametrize("key", ["created", "graph", "plan", "settings", "outcome", "trainings", "environment"])
def test_a_result_that_lacks_a_part_is_named(run, tmp_path, key):
    folder, _ = run
    value = json.loads((folder / "result.json").read_text())
    del value[key]
    write_result(tmp_path, value)
    with pytest.raises(InputError, match=f"result.json: lacks '{key}'; it was edited"):
        read_result(tmp_path)


def test_a_choice_of_an_older_version_is_refused_in_one_line(auto_run, tmp_path):
    folder, _ = auto_run
    old = json.loads((folder / "result.json").read_text())
    del old["choice"]["members"]
    write_result(tmp_path, old)
    with pytest.raises(InputError, match="it was edited or is of another version"):
        read_result(tmp_path)


def test_missing_files_are_named(tmp_path):
    with pytest.raises(InputError, match="result.json: no such file; is the run finished"):
        read_result(tmp_path)
    with pytest.raises(InputError, match="config.yaml: no such file; '.*' is not a run folder"):
        read_config(tmp_path)


def test_a_config_that_would_run_code_is_refused(tmp_path):
    (tmp_path / "config.yaml").write_text(f"!!python/object/apply:pathlib.Path.touch [{tmp_path / 'ran'}]")
    with pytest.raises(InputError, match="config.yaml, line 1: not valid YAML"):
        read_config(tmp_path)
    assert not (tmp_path / "ran").exists()


def test_a_folder_without_the_base_opens(run, tmp_path):
    folder, _ = run
    shutil.copytree(folder, tmp_path / "run")
    shutil.rmtree(tmp_path / "run" / "base")
    assert open_run(tmp_path / "run", roles()).subject().base is None


def copied(run, tmp_path):
    folder, _ = run
    return Path(shutil.copytree(folder, tmp_path / "run"))


KEPT = ["config.yaml", "metrics.jsonl", "result.json", "predictions.csv", "model.json", "model.safetensors"]


@pytest.mark.parametrize("name", [*KEPT, "base/model.json", "base/model.safetensors"])
def test_a_flipped_bit_anywhere_is_refused_with_the_name_of_the_file(run, tmp_path, name):
    folder = copied(run, tmp_path)
    whole = (folder / name).read_bytes()
    for bit in np.random.default_rng(0).choice(8 * len(whole), 25, replace=False):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << (bit % 8)
        (folder / name).write_bytes(damaged)
        with pytest.raises(InputError, match=name.rpartition("/")[2]) as caught:
            open_run(folder, roles())
        assert "\n" not in str(caught.value)


def test_a_changed_config_is_refused_before_the_run_is_finished(run, tmp_path):
    folder = copied(run, tmp_path)
    (folder / "result.json").unlink()
    path = folder / "config.yaml"
    path.write_bytes(path.read_bytes().replace(b"ratio: 0.4", b"ratio: 0.5"))
    with pytest.raises(InputError, match="config.yaml: does not match the checksum in its first line"):
        read_config(folder)


def test_a_run_of_the_version_before_which_had_no_checksums_opens(run, tmp_path):
    folder = copied(run, tmp_path)
    old = json.loads((folder / "result.json").read_text()) | {"version": 1}
    del old["checksum"], old["files"]
    (folder / "result.json").write_text(json.dumps(old))
    config = (folder / "config.yaml").read_text()
    (folder / "config.yaml").write_text(config.partition("\n")[2])
    assert open_run(folder, roles()).metrics()
    assert read_result(folder) == run[1]
    assert read_config(folder)["fingerprint"] == roles().fingerprint()
