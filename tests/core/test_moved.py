"""Modules of earlier versions answer with their new place."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import pytest

import infomotif
from infomotif._core.moved import MOVED


@pytest.mark.parametrize("old", MOVED)
def test_an_old_module_names_the_new_one(old):
    with pytest.raises(ModuleNotFoundError, match=f"^{old} moved to {MOVED[old]}$"):
        import_module(old)


@pytest.mark.parametrize("new", sorted(set(MOVED.values())))
def test_the_new_module_is_there(new):
    assert find_spec(new) is not None


def test_from_import_names_the_new_module():
    with pytest.raises(ImportError, match=r"^infomotif\.estimator moved to infomotif\.model$"):
        from infomotif import estimator  # noqa: F401


def test_a_module_within_an_old_one_names_the_new_one():
    with pytest.raises(ImportError, match=r"^infomotif\.bench moved to infomotif_bench$"):
        import_module("infomotif.bench.graphs")


def test_attribute_access_names_the_new_module():
    with pytest.raises(AttributeError, match=r"^infomotif\.loading moved to infomotif\.model$"):
        _ = infomotif.loading


def test_other_names_are_missing_as_ever():
    with pytest.raises(ModuleNotFoundError, match="No module named 'infomotif.nothing'"):
        import_module("infomotif.nothing")
    with pytest.raises(AttributeError, match="module 'infomotif' has no attribute 'nothing'"):
        _ = infomotif.nothing
