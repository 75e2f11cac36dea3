"""Names that are imported when first used, and names that are gone."""

from __future__ import annotations

import pytest

from infomotif._core.lazy import lazy_names


def test_a_name_that_is_gone_names_the_new_one():
    with pytest.raises(ImportError, match=r"infomotif\.training\.Curriculum is now infomotif\.training\.TrainingLoop"):
        from infomotif.training import Curriculum  # noqa: F401


def test_an_unknown_name_is_an_attribute_error():
    get, _ = lazy_names("here", {"sqrt": "math"}, renamed={"root": "sqrt"})
    with pytest.raises(AttributeError, match="module 'here' has no attribute 'cube'"):
        get("cube")
