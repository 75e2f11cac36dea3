"""Model files: what is saved comes back; broken, foreign or hostile files are refused in one line and run nothing."""

from __future__ import annotations

import errno
import functools
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.base import clone
from torch_geometric.nn import models as pyg

from infomotif import Graph, InfoMotif, load, load_dataset, make_roles
from infomotif._core.checksums import sealed_json
from infomotif._core.files import sha256_file
from infomotif.errors import InputError
from infomotif.nn import ENCODERS
from infomotif.training.checkpoint import load_tensors, save_tensors
from tests.models import make_model


@functools.cache
def roles() -> Graph:
    return make_roles(num_nodes=120)


def quick(encoder="gcn", **options) -> InfoMotif:
    return make_model(encoder, **{"hidden": 8, "heads": 2, "epochs": 2, **options})


@pytest.fixture
def folder(tmp_path) -> Path:
    """A saved model, fresh for each test to break."""
    return fitted().save(tmp_path / "model")


@functools.cache
def fitted() -> InfoMotif:
    return quick().fit(roles())


def change(folder: Path, **changes) -> None:
    """Rewrite entries of model.json, with the right checksum; a dotted name goes into an inner dictionary."""
    path = folder / "model.json"
    value = json.loads(path.read_text())
    for key, item in changes.items():
        outer, _, inner = key.partition("__")
        if inner:
            value[outer][inner] = item
        else:
            value[outer] = item
    value.pop("checksum", None)
    path.write_text(sealed_json(value))


def rewrite_tensors(folder: Path, change_tensors) -> None:
    """Replace the weights and keep the checksum right, as somebody hostile would."""
    path = folder / "model.safetensors"
    tensors, _ = load_tensors(path)
    change_tensors(tensors)
    save_tensors(path, tensors)
    change(folder, weights__sha256=sha256_file(path))


def refused(folder: Path, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("encoder", "options"),
    [
        *((name, {}) for name in ENCODERS),
        ("gcn", {"preset": "base"}),
        ("gcn", {"preset": "joint", "structural_features": "quantiles", "readout_in_z": True}),
        ("gcn", {"preset": "base", "structural_features": "counts"}),
        ("jknet", {"jump": "lstm", "norm": "batch", "gate": "diagonal", "attention": "additive"}),
        ("gcn", {"instance_encoder": "max", "readout": "set2set", "readout_in_z": True}),
        ("gcn", {"preset": "authors"}),
        ("sage", {"aggregator": "lstm", "layers": 3}),
        ("appnp", {"steps": 3, "teleport": 0.4, "layers": 1}),
        ("gcnii", {"jump": "cat", "teleport": 0.4, "layers": 3}),
    ],
)
def test_a_loaded_model_predicts_the_same_to_the_bit(tmp_path, encoder, options):
    model = quick(encoder, **options).fit(roles())
    again = load(model.save(tmp_path / "model"))
    np.testing.assert_array_equal(again.predict_proba(roles()), model.predict_proba(roles()))
    np.testing.assert_array_equal(again.embed(roles()), model.embed(roles()))
    assert again.score(graph=roles()) == model.score(graph=roles())


def test_a_graph_without_attributes_works_too(tmp_path):
    karate = load_dataset("karate")
    model = quick().fit(karate)
    again = load(model.save(tmp_path / "model"))
    np.testing.assert_array_equal(again.predict_proba(karate), model.predict_proba())


def test_a_loaded_model_knows_what_it_is(folder):
    model, again = fitted(), load(folder)
    assert again.settings() == model.settings()
    assert load(quick(random_state=7, epochs=1).fit(roles()).save(folder / "other")).random_state == 7
    assert again.settings_ == model.settings_
    assert again.classes_.tolist() == model.classes_.tolist()
    assert again.motif_names_ == model.motif_names_ == ("M6", "M7")
    assert again.graph_info_ == model.graph_info_
    assert clone(again).settings() == model.settings()


def test_a_loaded_model_needs_a_graph(folder):
    with pytest.raises(InputError, match="a loaded model keeps no graph; give one"):
        load(folder).predict()


def test_a_loaded_model_may_be_saved_again(folder, tmp_path):
    load(folder).save(tmp_path / "again")
    for name in ("model.json", "model.safetensors"):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()


def test_saving_twice_gives_the_same_bytes(folder, tmp_path):
    fitted().save(tmp_path / "again")
    assert (tmp_path / "again" / "model.json").read_bytes() == (folder / "model.json").read_bytes()


def test_the_files_are_plain(folder):
    assert sorted(path.name for path in folder.iterdir()) == ["model.json", "model.safetensors"]
    value = json.loads((folder / "model.json").read_text())
    assert (value["format"], value["version"]) == ("infomotif-model", 5)
    assert value["graph"]["fingerprint"] == roles().fingerprint()
    assert value["weights"] == {"file": "model.safetensors", "sha256": sha256_file(folder / "model.safetensors")}


def test_a_custom_module_comes_back_with_a_module_of_its_kind(tmp_path):
    torch.manual_seed(0)
    model = quick(pyg.GCN(roles().num_attributes, 8, num_layers=2)).fit(roles())
    folder = model.save(tmp_path / "model")
    refused(folder, r"was trained with a custom encoder, GCN; give load\(folder, encoder=...\)")
    module = pyg.GCN(roles().num_attributes, 8, num_layers=2)
    before = [p.clone() for p in module.parameters()]
    again = load(folder, encoder=module)
    np.testing.assert_array_equal(again.predict_proba(roles()), model.predict_proba(roles()))
    assert all(torch.equal(p, b) for p, b in zip(module.parameters(), before, strict=True))
    with pytest.raises(InputError, match="model.json describes"):
        load(folder, encoder=pyg.GCN(roles().num_attributes, 9, num_layers=2))


# Broken files


def test_a_missing_folder_or_file_is_named(folder, tmp_path):
    refused(tmp_path / "nothing", "model.json: no such file; '.*nothing' is not a model folder")
    (folder / "model.safetensors").unlink()
    refused(folder, "model.safetensors: no such file")


def test_a_truncated_description_is_refused_at_every_length(folder):
    path = folder / "model.json"
    whole = path.read_bytes()
    for length in range(0, len(whole) - 2, max(1, len(whole) // 40)):
        path.write_bytes(whole[:length])
        refused(folder, r"model.json: cannot be read \(.*(char|column) \d+")


def test_truncated_weights_are_refused_at_every_length(folder):
    path = folder / "model.safetensors"
    whole = path.read_bytes()
    for length in range(0, len(whole), max(1, len(whole) // 20)):
        path.write_bytes(whole[:length])
        refused(folder, "model.safetensors: sha256 is")


def test_one_flipped_bit_anywhere_in_the_weights_is_noticed(folder):
    path = folder / "model.safetensors"
    whole = path.read_bytes()
    for place in np.random.default_rng(0).integers(0, len(whole), 20):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        refused(folder, "model.safetensors: sha256 is")


def test_weights_that_are_truncated_under_a_right_checksum_are_refused(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-5])
    change(folder, weights__sha256=sha256_file(path))
    refused(folder, "not a readable safetensors file")


@pytest.mark.parametrize("text", ["", "[]", "3", "null", '"infomotif-model"', "{}", '{"format": "other"}'])
def test_another_json_is_refused(folder, text):
    (folder / "model.json").write_text(text)
    refused(folder, "model.json: (not a model description of this package|cannot be read)")


def test_bytes_that_are_not_text_are_refused(folder):
    (folder / "model.json").write_bytes(b"\xff\xfe\x00")
    refused(folder, r"model.json: cannot be read \(.*codec can't decode")


def test_endless_nesting_is_refused(folder):
    (folder / "model.json").write_text("[" * 200_000)
    refused(folder, r"model.json: cannot be read \((nested in more than 100 levels|Expecting)")


def test_a_huge_description_is_not_read(folder, monkeypatch):
    monkeypatch.setenv("INFOMOTIF_MAX_DOCUMENT_BYTES", "10")
    refused(folder, "model.json has more than 10 bytes; if you trust it, raise INFOMOTIF_MAX_DOCUMENT_BYTES")


@pytest.mark.parametrize("version", [0, 3, 7, "5", None, 2.5])
def test_another_version_is_refused(folder, version):
    change(folder, version=version)
    refused(folder, "has version .*; this release reads version 6, so train again")


def test_a_model_of_the_version_before_which_had_no_checksum_loads(folder):
    path = folder / "model.json"
    value = json.loads(path.read_text()) | {"version": 4}
    del value["checksum"]
    path.write_text(json.dumps(value))
    np.testing.assert_array_equal(load(folder).predict_proba(roles()), fitted().predict_proba(roles()))


def test_a_flipped_bit_anywhere_is_refused_with_the_name_of_the_file(folder):
    rng = np.random.default_rng(0)
    for name in ("model.json", "model.safetensors"):
        whole = (folder / name).read_bytes()
        for bit in rng.choice(8 * len(whole), 300, replace=False):
            damaged = bytearray(whole)
            damaged[bit // 8] ^= 1 << (bit % 8)
            (folder / name).write_bytes(damaged)
            refused(folder, name)
        (folder / name).write_bytes(whole)


def test_a_save_that_fails_leaves_the_model_that_was_there(folder, monkeypatch):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def fail(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("infomotif.model.saving.write_text", fail)
    with pytest.raises(KeyboardInterrupt):
        quick().fit(roles()).save(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


# Hostile descriptions


KINDS = {
    "encoder": str, "settings": dict, "random_state": int, "motifs": list, "motif_names": list, "width": int,
    "classes": list, "features": dict, "attribute_names": list, "graph": dict, "weights": dict,
}  # fmt: skip
WORDS = {str: "be text", dict: "hold keys and values", int: "be a whole number", list: "be a list"}


@pytest.mark.parametrize("value", [None, True, 3.5, [], {}, "text", -1], ids=repr)
@pytest.mark.parametrize("key", [*KINDS])
def test_a_value_of_another_kind_is_refused(folder, key, value):
    change(folder, **{key: value if type(value) is not KINDS[key] else None})
    refused(folder, f"model.json: {key} must {WORDS[KINDS[key]]}")


@pytest.mark.parametrize("key", [key for key, kind in KINDS.items() if kind is list])
def test_lists_must_hold_texts(folder, key):
    change(folder, **{key: ["a", 1]})
    refused(folder, rf"model.json: {key}\[1\] must be text \(got 1\)")


@pytest.mark.parametrize("key", ["encoder", "settings", "motifs", "width", "classes", "features", "graph", "weights"])
def test_a_missing_entry_is_refused(folder, key):
    path = folder / "model.json"
    value = json.loads(path.read_text())
    del value[key], value["checksum"]
    path.write_text(sealed_json(value))
    refused(folder, rf"model.json: lacks '{key}'")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"settings__layers": 10**9}, "layers must be at most"),
        ({"settings__layers": 900}, "more layers or motifs than its"),
        ({"settings__layers": -1}, "layers must be at least 1"),
        ({"settings__depth": 2}, "unknown setting 'depth'"),
        ({"settings__preset": "joint"}, "preset"),
        ({"settings__dropout": "half"}, "dropout must be a number"),
        ({"settings__heads": 10**9}, "heads must be at most"),
        ({"settings__heads": 4_001}, "hidden must be a multiple of heads"),
        ({"motifs": ["M6"] * 100_000}, "more layers or motifs than its"),
        ({"motifs": []}, "at least one motif"),
        ({"width": 10**5}, "model.json describes"),
        ({"width": 10**12}, "describes a model that cannot be built"),
        ({"width": 10**40}, "describes a model that cannot be built"),
        ({"width": 0}, "model.json"),
        ({"width": -8}, "describes a model that cannot be built"),
        ({"features__width": 10**11}, "model.json describes"),
        ({"features__width": "280"}, "features must hold"),
        ({"features__width": True}, "features must hold"),
        ({"features__extra": 1}, "features must hold"),
        ({"features__normalize": "l3"}, "unknown normalize 'l3'"),
        ({"features__mean": ["a"]}, "finite numbers"),
        ({"features__mean": [0.0]}, "one deviation above 0 for each mean"),
        ({"features__structural": True}, "features must hold"),
        ({"features__structural": "quintiles"}, "unknown part of an encoding 'quintiles'"),
        ({"features__structural": "counts"}, "columns exactly if structural"),
        ({"features__columns": ["a"]}, "one name for each mean"),
        ({"features__bounds": [[0.5]]}, "bounds for each column"),
        ({"classes": ["a"] * 100_000}, "model.json describes"),
        ({"classes": []}, "model.json describes"),
        ({"encoder": "gan"}, "unknown encoder 'gan'"),
        ({"encoder": "os.system"}, "unknown encoder 'os.system'"),
        ({"encoder": "gat"}, "lacks|describes"),
        ({"schema": [1]}, "schema must hold keys and values"),
    ],
    ids=str,
)
def test_a_description_that_cannot_be_is_refused_at_once(folder, changes, message):
    if "settings__heads" in changes:
        change(folder, encoder="gat")
    change(folder, **changes)
    refused(folder, message)


@pytest.mark.parametrize("name", ["/etc/passwd", "../../secret.safetensors", "other.safetensors", 5])
def test_the_name_of_the_weights_file_leads_nowhere(folder, name):
    change(folder, weights__file=name)
    np.testing.assert_array_equal(load(folder).predict(roles()), fitted().predict())


@pytest.mark.parametrize("checksum", [None, "", "0" * 64, 5])
def test_a_wrong_checksum_is_refused(folder, checksum):
    change(folder, weights__sha256=checksum)
    refused(folder, "model.safetensors: sha256 is")


def test_a_missing_tensor_is_named(folder):
    rewrite_tensors(folder, lambda tensors: tensors.pop("classifier.bias"))
    refused(folder, "model.safetensors: lacks 'classifier.bias'")


def test_a_tensor_too_many_is_named(folder):
    rewrite_tensors(folder, lambda tensors: tensors.update(extra=torch.ones(1)))
    refused(folder, "has unknown tensors such as 'extra'")


def test_a_tensor_of_another_shape_or_precision_is_named(folder):
    rewrite_tensors(folder, lambda tensors: tensors.update({"classifier.bias": torch.ones(5)}))
    refused(folder, r"'classifier.bias' is \[5\] of float32, model.json describes \[4\] of float32")
    rewrite_tensors(folder, lambda tensors: tensors.update({"classifier.bias": torch.ones(4, dtype=torch.int64)}))
    refused(folder, r"'classifier.bias' is \[4\] of int64, model.json describes \[4\] of float32")


def test_a_hostile_pattern_is_refused_when_it_is_needed(tmp_path):
    model = quick(structural_features="centralities").fit(roles())
    folder = model.save(tmp_path / "model")
    change(folder, motifs=["__import__('os').system('true')", "a-b, b-c"])
    with pytest.raises(InputError):
        load(folder).predict(roles())


def test_an_error_while_saving_leaves_the_model_before(folder, monkeypatch):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def fail(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(InputError, match="cannot be written .No space left on device.; make room there"):
        quick(epochs=1).fit(roles()).save(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_base_may_have_more_motifs_as_inputs_than_tensors(tmp_path):
    motifs = ["M6", "M7", "star4", "path4", "cycle4", "paw"]
    model = quick(preset="base", structural_features="centralities", layers=1, motifs=motifs).fit(roles())
    again = load(model.save(tmp_path / "model"))
    np.testing.assert_allclose(again.predict_proba(roles()), model.predict_proba(), atol=1e-6)


def test_motifs_by_other_names_serve_another_graph(tmp_path):
    rng = np.random.default_rng(0)
    u, v = rng.integers(0, 60, (2, 300))
    graph = Graph.from_edges(u, v, num_nodes=60, directed=True, y=np.arange(60) % 2, class_names=["a", "b"])
    model = quick(structural_features="counts", motifs=["021D", "030T"]).fit(graph)
    again = load(model.save(tmp_path / "model"))
    np.testing.assert_allclose(again.predict_proba(graph), model.predict_proba(), atol=1e-6)
