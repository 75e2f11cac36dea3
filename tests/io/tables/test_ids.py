"""Ids by number, and ids that come in pieces."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from infomotif.io.tables.ids import IdTable, counted, distinct_ids
from infomotif.io.tables.labels import in_order
from tests.io.strategies import any_text, plain_text


@settings(deadline=None, max_examples=50)
@given(st.lists(any_text, unique=True), st.lists(any_text))
def test_the_table_of_ids_is_exact(ids: list[str], asked: list[str]) -> None:
    found = IdTable(pa.array(ids, pa.string())).numbers(pa.array(asked, pa.string()))
    assert found.tolist() == [ids.index(text) if text in ids else -1 for text in asked]


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.text("ab\0", min_size=1, max_size=8), unique=True, max_size=8), st.lists(st.text("ab\0", max_size=9))
)
def test_the_table_of_short_ids_is_exact(ids: list[str], asked: list[str]) -> None:
    found = IdTable(pa.array(ids, pa.string())).numbers(pa.array([*asked, *ids], pa.string()))
    assert found.tolist() == [ids.index(text) if text in ids else -1 for text in [*asked, *ids]]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.lists(plain_text | st.integers(-20, 20).map(str) | st.just("-0"), max_size=5), max_size=4))
def test_ids_that_come_in_pieces_are_put_in_order(pieces: list[list[str]]) -> None:
    found = distinct_ids(pa.array(piece, pa.string()) for piece in pieces)
    assert found.to_pylist() == in_order({text for piece in pieces for text in piece})


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text("abü", min_size=0, max_size=20), max_size=40))
def test_the_first_repetition_is_found(texts: list[str]) -> None:
    repeated = next(((row, texts.index(text)) for row, text in enumerate(texts) if text in texts[:row]), None)
    assert IdTable(pa.array(texts, pa.string())).repeated == repeated


def test_chunks_and_slices_are_looked_up_as_one_column() -> None:
    ids = IdTable(pa.array(["x", "a", "b", "c"])[1:])
    column = pa.chunked_array([["c", "a"], [], ["x", "b"]], pa.string())
    assert ids.numbers(column).tolist() == [2, 0, -1, 1]
    assert ids.numbers(column.slice(1)).tolist() == [0, -1, 1]
    assert ("a" in ids, "x" in ids, len(ids)) == (True, False, 3)


def test_ids_that_are_their_numbers_need_not_be_kept() -> None:
    assert counted(pa.array(["0", "1", "2"]))
    assert not counted(pa.array(["0", "2", "1"]))
    assert not counted(pa.array(["00", "1"]))
