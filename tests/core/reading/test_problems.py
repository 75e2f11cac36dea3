"""Problems are raised one at a time, or collected."""

import pytest

from infomotif._core.reading.problems import MAX_NOTED, collecting, note, noted, raise_noted, together
from infomotif.errors import InputError


def test_without_a_collection_the_first_problem_is_raised():
    with pytest.raises(InputError, match="first"), noted():
        raise InputError("first")


def test_a_collection_holds_every_problem_once_and_the_one_that_ended_it():
    with collecting() as problems:
        for text in ("a", "b", "a"):
            with noted():
                raise InputError(text)
        raise InputError("c")
    assert [str(problem) for problem in problems] == ["a", "b", "c"]


def test_checks_that_belong_together_end_with_their_first_problem_and_not_with_an_earlier_one():
    reached = []
    with collecting() as problems:
        note(InputError("before"))
        with together():
            pass
        reached.append("after a block without problems")
        with together():
            note(InputError("inside"))
        reached.append("never")
    assert reached == ["after a block without problems"]
    assert [str(problem) for problem in problems] == ["before", "inside"]


def test_nothing_is_built_after_a_problem():
    raise_noted()
    with collecting() as problems:
        note(InputError("a"))
        raise_noted()
        note(InputError("never"))
    assert len(problems) == 1


def test_a_file_in_which_everything_is_wrong_is_not_read_to_its_end():
    with collecting() as problems:
        for number in range(1000):
            note(InputError(str(number)))
    assert len(problems) == MAX_NOTED + 1


def test_other_errors_are_not_kept():
    with pytest.raises(KeyError), collecting():
        raise KeyError("a bug")
