"""Checkpoints: whole or not at all, of this training or refused, nothing in them is run."""

from __future__ import annotations

import errno
import json
import pickle
from pathlib import Path

import pytest
import torch

from infomotif.errors import InputError
from infomotif.training import Checkpoint
from infomotif.training.checkpoint import load_tensors, save_tensors

TRAINING = {"seed": 1, "settings": {"lr": 0.1}}


def saved(path: Path) -> Checkpoint:
    checkpoint = Checkpoint(path, TRAINING)
    checkpoint.save({"a": torch.arange(3.0), "b": torch.zeros(())}, {"epoch": 2, "best_loss": float("inf")})
    return checkpoint


def test_nothing_kept_is_nothing_found(tmp_path):
    assert Checkpoint(tmp_path / "state", TRAINING).load() is None


def test_state_comes_back_to_the_bit(tmp_path):
    saved(tmp_path / "state")
    tensors, state = Checkpoint(tmp_path / "state", TRAINING).load()
    assert torch.equal(tensors["a"], torch.arange(3.0))
    assert tensors["b"].shape == ()
    assert state == {"epoch": 2, "best_loss": float("inf")}


def test_a_file_of_another_training_is_refused(tmp_path):
    saved(tmp_path / "state")
    with pytest.raises(InputError, match="belongs to a run with other settings, data or seed"):
        Checkpoint(tmp_path / "state", {"seed": 2}).load()


def test_a_file_without_state_is_refused(tmp_path):
    save_tensors(tmp_path / "plain", {"a": torch.ones(2)})
    with pytest.raises(InputError, match="written by another version of infomotif"):
        Checkpoint(tmp_path / "plain", TRAINING).load()


def test_a_truncated_file_is_refused_at_every_length(tmp_path):
    path = tmp_path / "state"
    saved(path)
    whole = path.read_bytes()
    for length in [0, 1, 7, 8, 20, len(whole) // 2, len(whole) - 1]:
        path.write_bytes(whole[:length])
        with pytest.raises(InputError, match="not a readable safetensors file"):
            Checkpoint(path, TRAINING).load()


def test_a_header_that_claims_a_huge_size_is_refused_without_allocating(tmp_path):
    path = tmp_path / "huge"
    header = b'{"a":{"dtype":"F32","shape":[1000000000000],"data_offsets":[0,4000000000000]}}'
    path.write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(InputError, match="not a readable safetensors file"):
        load_tensors(path)
    path.write_bytes((2**62).to_bytes(8, "little") + header)
    with pytest.raises(InputError, match="not a readable safetensors file"):
        load_tensors(path)


def test_a_pickle_is_refused_and_not_run(tmp_path):
    class Hostile:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "ran",))

    (tmp_path / "model").write_bytes(pickle.dumps(Hostile()))
    with pytest.raises(InputError, match="not a readable safetensors file"):
        load_tensors(tmp_path / "model")
    assert not (tmp_path / "ran").exists()


def test_missing_files_and_folders_are_named(tmp_path):
    with pytest.raises(InputError, match="nothing: no such file"):
        load_tensors(tmp_path / "nothing")
    with pytest.raises(InputError, match="not a readable safetensors file"):
        load_tensors(tmp_path)


def test_an_error_while_writing_leaves_the_file_before(tmp_path, monkeypatch):
    checkpoint = saved(tmp_path / "state")

    def fail(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(InputError, match="state: cannot be written .No space left.*make room there"):
        checkpoint.save({"a": torch.zeros(1)}, {})
    assert checkpoint.load()[1]["epoch"] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def test_the_interval_comes_from_the_environment(tmp_path, monkeypatch):
    assert Checkpoint(tmp_path / "state", TRAINING).every == 10
    monkeypatch.setenv("INFOMOTIF_CHECKPOINT_SECONDS", "0.5")
    assert Checkpoint(tmp_path / "state", TRAINING).every == 0.5
    monkeypatch.setenv("INFOMOTIF_CHECKPOINT_SECONDS", "0")
    assert Checkpoint(tmp_path / "state", TRAINING).due()
    assert not Checkpoint(tmp_path / "state", TRAINING, every=1000).due()


@pytest.mark.parametrize("value", ["soon", "-1", "nan"])
def test_an_interval_that_is_not_a_number_is_refused(tmp_path, monkeypatch, value):
    monkeypatch.setenv("INFOMOTIF_CHECKPOINT_SECONDS", value)
    with pytest.raises(InputError, match="INFOMOTIF_CHECKPOINT_SECONDS must be a number of seconds"):
        Checkpoint(tmp_path / "state", TRAINING)


def test_a_flipped_bit_anywhere_is_refused_with_the_name_of_the_file(tmp_path):
    path = tmp_path / "state"
    saved(path)
    whole = path.read_bytes()
    for bit in range(0, 8 * len(whole), 7):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << (bit % 8)
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="state: "):
            Checkpoint(path, TRAINING).load()


def test_a_checkpoint_of_the_version_before_which_had_no_checksum_loads(tmp_path):
    about = {"format": "4", "job": json.dumps(TRAINING, sort_keys=True), "state": json.dumps({"epoch": 2})}
    save_tensors(tmp_path / "state", {"a": torch.ones(2)}, about)
    assert Checkpoint(tmp_path / "state", TRAINING).load()[1] == {"epoch": 2}
