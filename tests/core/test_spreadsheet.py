"""Text that spreadsheets do not run, and back."""

from hypothesis import given
from hypothesis import strategies as st

from infomotif._core.spreadsheet import as_text, from_text


@given(st.text("'=+-@\t\ra1.e ", max_size=8))
def test_every_text_comes_back_and_none_starts_a_formula(text):
    shown = as_text(text)
    assert from_text(shown) == text
    number = shown == text and text[:1] in "+-"
    assert number or not shown.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_different_texts_stay_different():
    texts = ["=x", "'=x", "''=x", "x", "'x", "-1", "'-1"]
    assert len({as_text(text) for text in texts}) == len(texts)
