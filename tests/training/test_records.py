"""Records: what an epoch measured, and where a loop stands, as files hold them."""

from __future__ import annotations

import json
import math

import pytest

from infomotif.training.records import EpochRecord, LoopState, Validation


def test_what_was_not_measured_is_absent_from_files():
    assert EpochRecord(3, mi_loss=0.5, seconds=0.25).to_dict() == {"epoch": 3, "mi_loss": 0.5, "seconds": 0.25}


@pytest.mark.parametrize("record", [EpochRecord(1), EpochRecord(2, 0.5, 0.25, 1.0, 0.0, 0.125)])
def test_a_record_comes_back_from_its_file(record):
    assert EpochRecord.from_dict(json.loads(json.dumps(record.to_dict()))) == record


def test_a_record_with_an_unknown_key_is_refused():
    with pytest.raises(TypeError):
        EpochRecord.from_dict({"epoch": 1, "mood": "good"})


def test_a_state_comes_back_from_its_checkpoint():
    state = LoopState(epoch=5, round_start=3, best_epoch=2, best_accuracy=0.5, history=[EpochRecord(1, 0.5)])
    assert LoopState.from_dict(json.loads(json.dumps(state.to_dict()), parse_constant=float)) == state


def test_checkpoints_keep_their_keys():
    keys = "epoch begun round_epoch round_accuracy round_loss best_epoch best_accuracy best_loss history"
    assert LoopState().to_dict().keys() == set(keys.split())


def test_a_new_round_forgets_the_best_of_the_one_before_but_not_of_all():
    state = LoopState(epoch=5, round_epoch=2, round_accuracy=0.5, round_loss=1.0, best_epoch=2, best_accuracy=0.5)
    state.start_round()
    assert (state.round_start, state.round_epoch, state.round_accuracy, state.round_loss) == (5, 5, -1.0, math.inf)
    assert (state.best_epoch, state.best_accuracy) == (2, 0.5)


def test_validations_are_compared_by_accuracy_and_ties_by_loss():
    assert Validation(0.5, 2.0).beats(0.4, 1.0)
    assert Validation(0.5, 1.0).beats(0.5, 2.0)
    assert not Validation(0.5, 1.0).beats(0.5, 1.0)
    assert not Validation(0.4, 0.1).beats(0.5, 2.0)
