"""Settings from the command line: types of the chosen methods, one value for all of them."""

from __future__ import annotations

import pytest

from infomotif.errors import InputError
from infomotif.training.config import parse_setting
from infomotif_bench.experiments.settings import parse_changes
from infomotif_bench.methods import METHODS, get_method


def parsed(text: str, *names: str):
    (value,) = parse_changes([text], [get_method(name) for name in names]).values()
    return value


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("p=0.5", "node2vec", 0.5),
        ("q=0.5", "node2vec", 0.5),
        ("q=2", "node2vec", 2.0),
        ("negatives=3", "node2vec", 3),
        ("compress=no", "struc2vec", False),
        ("weights=binary", "motif2vec", "binary"),
        ("hash_rows=8", "demonet", 8),
        ("hash_rows=none", "demonet", None),
        ("class_weight=balanced", "structural-trees", "balanced"),
        ("motifs=triads", "infomotif-gcn", "triads"),
        ("q=5", "infomotif-gcn-auto", 5),
        ("hidden=none", "dgi", None),
        ("novelty=no", "infomotif-gcn", False),
    ],
)
def test_values_have_the_type_of_the_methods_default(text, name, value):
    found = parsed(text, name)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("text", ["lr=1", "epochs=3", "hidden=8", "layers=2", "dropout=0", "weight_decay=1e-4"])
def test_what_all_methods_share_is_read_as_before_so_that_keys_stay(text):
    key, value = parse_setting(text)
    found = parse_changes([text], list(METHODS.values()))[key]
    assert found == value
    assert type(found) is type(value)


def test_two_methods_that_read_a_value_differently_are_named():
    with pytest.raises(InputError, match="negatives is 5 to node2vec and '5' to gcn; choose one"):
        parsed("negatives=5", "node2vec", "gcn")


def test_one_name_for_two_things_is_refused():
    with pytest.raises(InputError, match="q is 4.0 to node2vec and 4 to infomotif-gcn; choose one"):
        parsed("q=4", "node2vec", "infomotif-gcn")


def test_the_last_of_two_values_counts():
    assert parsed("lr=0.1", "gcn") == 0.1
    assert parse_changes(["lr=0.1", "lr=0.2"], [get_method("gcn")]) == {"lr": 0.2}


def test_many_methods_are_counted_and_not_listed():
    named = f"node2vec, motif2vec, struc2vec and {len(METHODS) - 3} more"
    with pytest.raises(InputError, match=f"unknown setting of {named} 'nothing'"):
        parse_changes(["nothing=1"], list(METHODS.values()))


def test_a_word_that_may_be_a_number():
    assert parsed("max_features=1.0", "structural-trees") == 1.0
    assert parsed("max_features=log2", "structural-trees") == "log2"
