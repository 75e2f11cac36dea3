"""The mutations by hand can still be made, and operators change what they say."""

from pathlib import Path

import pytest

from tests.mutations.by_hand import MUTATIONS
from tests.mutations.operators import mutants

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.title)
def test_the_place_of_a_mutation_is_there_once(mutation):
    assert (ROOT / "src" / mutation.file).read_text().count(mutation.old) == 1
    assert all((ROOT / test).exists() for test in mutation.tests)


def test_operators_make_one_change_each():
    source = "def f(x):\n    g(x)\n    if x < 3 and not x:\n        return x + 1\n    return 7\n"
    found = {(line, kind): text for line, kind, text in mutants(source)}
    assert found[3, "comparison"].count("x <= 3") == 1
    assert "x < 3 or not x" in found[3, "and / or"]
    assert "if False" in found[3, "condition"]
    assert "x - 1" in found[4, "arithmetic"]
    assert "return 8" in found[5, "constant"]
    assert "g(x)" not in found[2, "call left out"]
    assert len(set(found.values())) == len(found)
