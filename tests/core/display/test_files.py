"""Tables and figures become files by the ending of their names."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from matplotlib.figure import Figure

from infomotif._core.display.files import save_figure, write_table
from infomotif.errors import InputError


@pytest.fixture
def table() -> pa.Table:
    return pa.table({"name": ["a,b", 'say "x"', None], "count": [1, 2, 3], "z": [0.5, float("nan"), None]})


def test_a_csv_file_quotes_what_it_must_and_leaves_missing_values_empty(table, tmp_path):
    write_table(table, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == 'name,count,z\n"a,b",1,0.5\n"say ""x""",2,\n,3,\n'


def test_a_parquet_file_holds_the_same_table(table, tmp_path):
    write_table(table, tmp_path / "t.parquet")
    assert pq.read_table(tmp_path / "t.parquet").schema == table.schema


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_figure_has_the_format_of_its_ending_and_the_same_bytes_again(ending, start, tmp_path):
    contents = []
    for name in ("a", "b"):
        figure = Figure()
        figure.subplots().plot([1, 2])
        save_figure(figure, tmp_path / f"{name}.{ending}")
        contents.append((tmp_path / f"{name}.{ending}").read_bytes())
    assert contents[0] == contents[1]
    assert contents[0].startswith(start)


def test_other_endings_are_refused(table, tmp_path):
    with pytest.raises(InputError, match=r"--out must end in .csv or .parquet \(got"):
        write_table(table, tmp_path / "t.xlsx", what="--out")
    with pytest.raises(InputError, match="must end in .svg, .png or .pdf"):
        save_figure(Figure(), tmp_path / "t.gif")


def test_a_file_that_cannot_be_written_leaves_nothing_behind(table, tmp_path):
    (tmp_path / "t.csv").mkdir()
    with pytest.raises(InputError):
        write_table(table, tmp_path / "t.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
