"""Garbage collection is paused in a block and goes on after it."""

from __future__ import annotations

import gc

import pytest

from infomotif._core.collection import paused_collection


def test_an_inner_block_does_not_resume_for_the_outer_one():
    with paused_collection():
        with paused_collection():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_collection_goes_on_after_an_error():
    with pytest.raises(KeyError), paused_collection():
        raise KeyError
    assert gc.isenabled()


def test_collection_that_was_off_stays_off():
    gc.disable()
    try:
        with paused_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
