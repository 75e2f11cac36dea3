"""Spreads, paired differences, and the corrected resampled t-test."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from infomotif._core.statistics import Difference, corrected_resampled_test, paired_difference, spread

OURS, BASE = [0.82, 0.85, 0.81, 0.86, 0.84], [0.80, 0.84, 0.80, 0.83, 0.84]


def test_without_test_nodes_it_is_the_paired_t_test():
    expected = stats.ttest_rel(OURS, BASE).pvalue
    assert corrected_resampled_test(np.subtract(OURS, BASE), train=10, test=0) == pytest.approx(expected)


def test_the_correction_is_nadeau_and_bengios():
    difference = np.subtract(OURS, BASE)
    statistic = difference.mean() / (difference.std(ddof=1) * math.sqrt(1 / 5 + 20 / 60))
    assert corrected_resampled_test(difference, 60, 20) == pytest.approx(2 * stats.t.sf(statistic, 4))


def test_the_correction_is_never_kinder():
    plain = corrected_resampled_test(np.subtract(OURS, BASE), 60, 0)
    assert plain < corrected_resampled_test(np.subtract(OURS, BASE), 60, 20)
    assert corrected_resampled_test(np.subtract(OURS, BASE), 60, 20) < corrected_resampled_test(
        np.subtract(OURS, BASE), 20, 60
    )


@pytest.mark.parametrize("ours", [[17 / 26, 18 / 26], [18 / 26, 19 / 26], [0.692308, 0.730769]])
def test_equal_differences_do_not_say_how_they_vary(ours):
    found = paired_difference(ours, [0.653846, 0.692308], sizes=(79, 26))
    assert (found.half_width, found.p_value, found.clear) == (0.0, 1.0, False)
    assert found.verdict() == "no clear difference"


def test_paired_difference_has_the_interval_of_students_t():
    found = paired_difference(OURS, BASE, sizes=(60, 20))
    low, high = stats.ttest_rel(OURS, BASE).confidence_interval(0.95)
    assert found.mean == pytest.approx((low + high) / 2)
    assert found.half_width == pytest.approx((high - low) / 2)
    assert found.p_value == pytest.approx(corrected_resampled_test(np.subtract(OURS, BASE), 60, 20))
    assert paired_difference(OURS, BASE).p_value is None


def test_one_split_has_no_interval_and_no_verdict():
    found = paired_difference([0.8], [0.7], sizes=(10, 10))
    assert (found.half_width, found.p_value) == (None, None)
    assert found.verdict() == "one split gives no verdict; more with --splits"


@pytest.mark.parametrize(
    ("mean", "verdict"), [(0.02, "win"), (-0.02, "loss"), (0.005, "no clear difference"), (0.0, "no clear difference")]
)
def test_verdicts_go_by_the_interval(mean, verdict):
    assert Difference(mean, 0.01, 5).verdict() == verdict


def test_a_difference_that_needs_one_of_its_pairs_is_not_steady():
    even = [0.020, 0.021, 0.019, 0.022, 0.018]
    assert paired_difference(even, [0.0] * 5).steady
    # Without the third pair the interval includes 0.
    hanging = paired_difference([0.05, 0.0, 0.03, 0.021, 0.035], [0.0] * 5)
    assert hanging.clear
    assert not hanging.steady


def test_two_pairs_are_never_steady():
    assert not paired_difference([0.8, 0.81], [0.7, 0.7]).steady


def test_spread_of_one_value_has_no_deviation():
    assert str(spread([0.5])) == "50.0 (1 split)"


@pytest.mark.parametrize(("right", "nodes"), [(15, 23), (0, 9), (9, 9), (500, 1000)])
def test_the_interval_of_one_split_is_that_of_wilson(right: int, nodes: int) -> None:
    expected = stats.binomtest(right, nodes).proportion_ci(0.95, method="wilson")
    assert spread([right / nodes], nodes=nodes).interval == pytest.approx((expected.low, expected.high))


def test_the_interval_of_several_splits_is_that_of_student() -> None:
    values = [0.8, 0.85, 0.83, 0.7]
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert spread(values).interval == pytest.approx((expected.low, expected.high))


def test_one_value_without_its_nodes_has_no_interval() -> None:
    assert spread([0.5]).interval is None
    assert spread([0.5]).interval_text == ""
