"""Fields state what is allowed once; checks, parsing, records and tables follow from them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from infomotif._core.validate import Config, config, conform, fields_of, from_mapping, inherited, rows_of, setting
from infomotif.errors import InputError


@config
class Box(Config):
    width: int = setting(default=3, at_least=1, limit=1000, help="How wide it is.")
    share: float = setting(default=0.5, at_least=0, below=1, help="How full it is.")
    colour: str = setting(default="red", choices=("red", "blue"), help="Its colour.")
    depth: int | None = setting(default=None, above=0, help="How deep it is; none is flat.")
    open: bool = setting(default=False, help="Whether it is open.")

    def check(self) -> None:
        if self.open and self.depth is None:
            raise InputError("a flat box cannot be open; set depth")


@config
class WideBox(Box):
    width: int = inherited(Box, "width", default=30)


@dataclasses.dataclass(frozen=True)
class Shelf:
    name: str
    boxes: tuple[Box, ...]
    weights: dict[str, float] = dataclasses.field(default_factory=dict)
    note: str | None = None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"width": 0}, r"width must be at least 1 \(got 0\)"),
        ({"width": 1001}, r"width must be at most 1,000 \(got 1001\)"),
        ({"width": 2.5}, r"width must be a whole number \(got 2.5\)"),
        ({"width": True}, r"width must be a whole number \(got True\)"),
        ({"share": 1.0}, r"share must be at least 0 and below 1 \(got 1.0\)"),
        ({"share": float("inf")}, "share must be a finite number"),
        ({"share": 10**400}, "share must be a finite number"),
        ({"colour": "rde"}, "unknown colour 'rde': did you mean 'red'"),
        ({"colour": 3}, r"colour must be one of red, blue \(got 3\)"),
        ({"depth": 0}, r"depth must be above 0 \(got 0\)"),
        ({"open": 1}, r"open must be yes or no \(got 1\)"),
        ({"open": True}, "a flat box cannot be open"),
        ({"widht": 1}, "unknown option of Box 'widht': did you mean 'width'"),
    ],
    ids=str,
)
def test_a_wrong_value_is_named_with_what_is_allowed(values, message):
    with pytest.raises(InputError, match=message):
        Box(**values)


def test_numpy_scalars_and_whole_numbers_are_taken_as_plain_values():
    box = Box(width=np.int64(4), share=np.float32(0.25), open=np.bool_(False))
    assert [type(value) for value in (box.width, box.share, box.open)] == [int, float, bool]
    assert Box(share=0).share == 0.0


def test_what_was_given_is_known_and_survives_a_replacement():
    box = Box(colour="red").replace(width=7)
    assert box.given == {"width": 7, "colour": "red"}
    assert Box().given == {}


def test_a_box_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Box().width = 4  # type: ignore[misc]


def test_a_subclass_changes_a_default_and_keeps_the_rule():
    assert WideBox().width == 30
    with pytest.raises(InputError, match="width must be at least 1"):
        WideBox(width=0)


def test_scikit_learn_clones_it():
    box = Box(width=4)
    assert clone(box) is box


def test_options_by_position_are_refused():
    with pytest.raises(TypeError, match="Box takes its options by name"):
        Box(3)


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [("width", "4", 4), ("share", "1e-3", 0.001), ("open", "YES", True), ("depth", "none", None), ("depth", "2", 2)],
)
def test_texts_are_parsed_by_the_type_of_the_field(field, text, value):
    assert fields_of(Box)[field].parse(text) == value


def test_a_text_of_another_type_is_explained():
    with pytest.raises(InputError, match=r"width must be a whole number \(got 'wide'\)"):
        fields_of(Box)["width"].parse("wide")


def test_a_record_is_read_with_everything_in_it():
    shelf = from_mapping(Shelf, {"name": "a", "boxes": [{"width": 4}, {}], "weights": {"x": 1}}, "shelf.json")
    assert shelf == Shelf("a", (Box(width=4), Box()), {"x": 1.0})


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ([], "shelf.json: must hold keys and values"),
        ({"name": "a"}, "shelf.json: lacks 'boxes'"),
        ({"name": "a", "boxes": [], "colour": 3}, "unknown key in shelf.json: 'colour'"),
        ({"name": 3, "boxes": []}, r"shelf.json: name must be text \(got 3\)"),
        ({"name": "a", "boxes": 3}, "shelf.json: boxes must be a list"),
        ({"name": "a", "boxes": [{"width": 0}]}, r"shelf.json: boxes\[0\]: width must be at least 1"),
        ({"name": "a", "boxes": [], "weights": {"x": "y"}}, r"shelf.json: weights.x must be a number"),
        ({"name": "a", "boxes": [], "weights": {3: 1}}, "weights must hold keys and values"),
    ],
    ids=str,
)
def test_a_broken_record_is_explained_by_its_place(record, message):
    with pytest.raises(InputError, match=message):
        from_mapping(Shelf, record, "shelf.json")


def test_a_message_never_shows_a_whole_large_value():
    with pytest.raises(InputError) as error:
        conform("x" * 10_000, int, "width")
    assert len(str(error.value)) < 200


def test_anything_is_what_it_is():
    thing = object()
    assert conform(thing, Any, "thing") is thing


def test_the_table_lists_every_field():
    rows = {row[0]: row[1:] for row in rows_of(Box)}
    assert rows["width"] == ("3", "whole number, at least 1", "How wide it is.")
    assert rows["colour"] == ("red", "one of red, blue", "Its colour.")
    assert rows["depth"] == ("none", "whole number, above 0, or none", "How deep it is; none is flat.")
