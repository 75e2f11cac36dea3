"""Seeds that users give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from infomotif._core.seeds import check_seed
from infomotif.errors import InputError


@pytest.mark.parametrize("seed", [0, 2**63 - 1, np.int8(3), np.uint64(7)])
def test_whole_numbers_become_python_integers(seed: Any) -> None:
    assert type(check_seed(seed)) is int
    assert check_seed(seed) == seed


@pytest.mark.parametrize("seed", [-1, 2**63, np.uint64(2**63), True, 0.0, None, "1"])
def test_other_values_are_refused_by_the_name_of_the_parameter(seed: Any) -> None:
    with pytest.raises(InputError, match=r"seed must be a whole number from 0 to 2\*\*63 - 1 \(got"):
        check_seed(seed, "seed")


def test_a_caller_may_allow_more_bits() -> None:
    assert check_seed(2**64 - 1, bits=64) == 2**64 - 1
