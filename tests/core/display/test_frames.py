"""Columns become a frame of the library that is installed, or of the one that is chosen."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from infomotif import InputError
from infomotif._core.display import frames

COLUMNS = [("node", np.array(["a", "b"])), ("count", np.array([3, 4], dtype=np.uint32)), ("label", ["x", None])]


@pytest.mark.parametrize(("kind", "made"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame), ("arrow", pa.Table)])
def test_every_kind_holds_the_same_values(kind, made):
    frame = frames.to_frame(COLUMNS, kind)
    assert isinstance(frame, made)
    assert [list(frame[name]) for name in ("node", "count")] == [["a", "b"], [3, 4]] or kind == "arrow"
    table = frame if kind == "arrow" else frame.to_arrow() if kind == "polars" else pa.Table.from_pandas(frame)
    assert table.to_pydict() == {"node": ["a", "b"], "count": [3, 4], "label": ["x", None]}


@pytest.mark.parametrize(
    ("hidden", "chosen"),
    [(set(), pd.DataFrame), ({"pandas"}, pl.DataFrame), ({"pandas", "polars"}, pa.Table)],
    ids=["pandas first", "then polars", "then arrow"],
)
def test_the_first_library_that_is_installed_is_taken(hidden, chosen, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(frames, "find_spec", lambda name: None if name in hidden else find(name))
    assert isinstance(frames.to_frame(COLUMNS), chosen)


def test_a_kind_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(InputError, match="^kind='polars' needs polars: pip install polars$"):
        frames.to_frame(COLUMNS, "polars")


def test_an_unknown_kind_is_refused():
    with pytest.raises(InputError, match="unknown kind of frame 'panda': did you mean 'pandas'"):
        frames.to_frame(COLUMNS, "panda")


def test_two_columns_of_the_same_name_are_refused():
    with pytest.raises(InputError, match="two columns of the frame are named 'node'"):
        frames.to_frame([*COLUMNS, ("node", [1, 2])])


def test_names_that_are_not_valid_text_are_written_out():
    assert frames.to_frame([("node", ["\ud800", "b"])], "arrow").to_pydict() == {"node": ["\\ud800", "b"]}


def test_a_frame_of_counts_does_not_import_torch():
    code = (
        "import sys, infomotif as im; im.MotifIndex(im.load_dataset('karate')).to_frame();"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
