"""Split schemes: their names, their keys, and the splits they give."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infomotif.errors import InputError
from infomotif_bench.experiments.graphs import bench_graph, split_of
from infomotif_bench.experiments.schemes import Scheme


@pytest.mark.parametrize(
    ("text", "scheme", "name", "key"),
    [
        (0.2, Scheme(0.2), "20 %", "0.2"),
        ("0.2", Scheme(0.2), "20 %", "0.2"),
        ("1 %", Scheme(0.01), "1 %", "0.01"),
        ("2.5%", Scheme(0.025), "2.5 %", "0.025"),
        ("3 a class", Scheme(per_class=3), "3 per class", "3 a class"),
        ("3 per class", Scheme(per_class=3), "3 per class", "3 a class"),
        ("5 %, validation train", Scheme(0.05, validation="train"), "5 %", "5 %, validation train"),
        ("5 %, validation 0.1", Scheme(0.05, validation=0.1), "5 %", "5 %, validation 0.1"),
        (
            "5 %, validation train, region 0.2", Scheme(0.05, validation="train", region=0.2), "5 %",
            "5 %, validation train, region 0.2",
        ),
    ],
)  # fmt: skip
def test_names_and_keys(text, scheme, name, key):
    assert Scheme.parse(text) == scheme
    assert (scheme.name, scheme.key) == (name, key)


@given(
    st.one_of(
        st.builds(Scheme, st.integers(1, 400).map(lambda n: n / 1000), validation=st.sampled_from([0.1, 0.2, "train"])),
        st.builds(Scheme, per_class=st.integers(1, 99), validation=st.sampled_from([0.1, 0.2, "train"])),
        st.builds(
            Scheme,
            st.integers(1, 10).map(lambda n: n / 100),
            validation=st.just("train"),
            region=st.sampled_from([0.2, 0.5]),
        ),
    )
)
def test_a_scheme_is_read_back_from_its_text_and_its_line(scheme):
    assert Scheme.parse(scheme.text) == scheme
    assert Scheme.from_json(json.loads(json.dumps(scheme.to_json()))) == scheme


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Scheme.parse("half"), r"labels must have the form 0.2, '20 %' or '3 per class' \(got 'half'\)"),
        (lambda: Scheme.parse("3 each class"), "labels must have the form"),
        (lambda: Scheme(0.9), "ratio must be above 0 and below 0.8"),
        (lambda: Scheme(0.0), "ratio must be above 0"),
        (lambda: Scheme(0.6, validation="train"), "below 0.5"),
        (lambda: Scheme(), "either a share or a number per class"),
        (lambda: Scheme(0.1, 3), "either a share or a number per class"),
        (lambda: Scheme(per_class=0), "labels per class must be at least 1"),
        (lambda: Scheme(per_class=3, validation="train", region=0.2), "not in a region"),
        (lambda: Scheme(0.1, validation="test"), "validation must be 'train' or a share above 0 and below 1"),
        (lambda: Scheme(0.1, validation=0.0), "validation must be 'train' or a share above 0 and below 1"),
        (lambda: Scheme(0.1, region=0.2), "needs 'validation: train'"),
        (lambda: Scheme(0.15, validation="train", region=0.2), "hold twice the share"),
    ],
)
def test_what_cannot_be_is_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_a_number_per_class_is_the_same_of_each_class():
    y = bench_graph("brazil").y
    split = split_of("brazil", "3 a class", 4)
    assert np.bincount(y[split.train]).tolist() == [3, 3, 3, 3]
    assert len(split.val) == 26


@pytest.mark.parametrize(("labels", "least"), [("20 a class", 14), ("20 a class, validation train", 10)])
def test_a_small_class_leaves_a_third_for_testing(labels, least):
    y = bench_graph("brazil").y
    splits = [split_of("brazil", labels, number) for number in range(20)]
    counts = np.array([np.bincount(y[split.train]) for split in splits])
    assert counts.min() >= least
    assert counts.max() < 20
    left = np.mean([np.bincount(y[split.test]) for split in splits], axis=0) / np.bincount(y)
    assert left.min() > 0.3


@pytest.mark.parametrize("labels", ["1 %", "5 %", "3 a class"])
def test_as_many_validate_as_train(labels):
    split = split_of("karate", f"{labels}, validation train", 0)
    assert len(split.train) == len(split.val) > 0


def test_a_number_too_long_to_read_is_refused():
    with pytest.raises(InputError, match="labels must have the form"):
        Scheme.parse("9" * 5000 + " a class")
