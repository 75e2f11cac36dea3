"""Quotes are followed the same in pieces of any size, and as a plain loop does it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infomotif.errors import InputError
from infomotif.io import read_csv
from infomotif.io.tables.file import TableFile
from infomotif.io.tables.quotes import Quotes


def fault(text: str) -> tuple[int, int | None] | None:
    """Return the line on which the first wrong quote opens, and that on which it closes, None if nowhere."""
    fields, at, line = text.removeprefix("\ufeff"), 0, 1
    while at < len(fields):
        if fields[at] == '"':
            opened, at = line, at + 1
            while at < len(fields) and (fields[at] != '"' or fields[at + 1 : at + 2] == '"'):
                line += fields[at] == "\n"
                at += 2 if fields[at] == '"' else 1
            if at >= len(fields):
                return opened, None
            at += 1
            if line > opened and at < len(fields) and fields[at] not in ",\r\n":
                return opened, line
        while at < len(fields) and fields[at] not in ",\r\n":
            at += 1
        line += fields[at : at + 1] == "\n"
        at += 1
    return None


def found(text: str, size: int) -> tuple[int, int | None] | None:
    quotes, data = Quotes("f", ","), text.encode()
    try:
        for start in range(0, len(data), size):
            quotes.feed(data[start : start + size])
        quotes.end()
    except InputError as error:
        words = str(error).split()
        return int(words[2].rstrip(":")), int(words[words.index("closed") + 3]) if "inside" in words else None
    return None


@settings(deadline=None)
@given(st.text('a,"\n\r', max_size=30), st.booleans(), st.integers(3, 12))
def test_pieces_of_any_size_tell_the_same(text: str, mark: bool, size: int) -> None:
    whole = "\ufeff" * mark + text
    assert found(whole, size) == found(whole, 1000) == fault(whole)


@pytest.mark.parametrize("note", ['"Dr." Smith', 'say "hi"', '""', '"a ""b"" c"', '"two\nlines"', "5'11\""])
def test_quotes_that_end_on_their_line_or_field_are_read(tmp_path: Path, note: str) -> None:
    (tmp_path / "edges.csv").write_text(f"source,target,note\na,b,{note}\nb,c,x\n")
    assert read_csv(tmp_path / "edges.csv").num_edges == 2


@pytest.mark.parametrize("whole", [True, False])
def test_quoted_line_breaks_may_cross_blocks(tmp_path: Path, whole: bool) -> None:
    lines = "".join(f'{i},"{i}\n{i}""{i}"\n' for i in range(300))
    (tmp_path / "nodes.csv").write_text("id,label\n" + lines)
    tables = list(TableFile(tmp_path / "nodes.csv", whole=whole, block=64).tables(["label"], {}))
    assert [text for table in tables for text in table.data.column(0).to_pylist()] == [
        f'{i}\n{i}"{i}' for i in range(300)
    ]
    assert (len(tables) == 1) == whole
