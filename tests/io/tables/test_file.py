"""A table file is the same whole and in blocks, and its columns are read again only where they must be."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from infomotif.errors import InputError
from infomotif.io.tables.file import TableFile

TEXT = "id,day,age\n" + "".join(f"n{i},2024-01-{i:02d},{i}\n" for i in range(1, 29))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "table.csv").write_text(TEXT)
    return tmp_path / "table.csv"


def test_a_whole_file_is_one_table(path: Path) -> None:
    (table,) = TableFile(path).tables(["age", "id"], {})
    assert (len(table), table.data.column_names) == (28, ["age", "id"])


def test_blocks_hold_the_same_rows_and_know_their_lines(path: Path) -> None:
    tables = list(TableFile(path, whole=False, block=64).tables(["id"], {}))
    assert len(tables) > 3
    assert [text for table in tables for text in table.data.column(0).to_pylist()] == [f"n{i}" for i in range(1, 29)]
    assert tables[2].where(0, "id") == f"{path} line {tables[2].first + 2}, column 'id'"


def test_parquet_blocks_count_rows(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": list(range(3000))}), tmp_path / "t")
    tables = list(TableFile(tmp_path / "t", whole=False, block=8192).tables(["id"], {}))
    assert sum(map(len, tables)) == 3000
    assert tables[-1].where(0) == f"{tmp_path / 't'} row {tables[-1].first + 1}"


def test_columns_are_kept_until_another_type_is_wanted(path: Path) -> None:
    file = TableFile(path)
    (first,) = file.tables(["id", "day"], {})
    path.write_text(TEXT.replace("n1,", "x1,").replace("2024", "1999"))
    (again,) = file.tables(["id", "day"], {"day": pa.string()})
    assert again.data.column("id") is not None
    assert again.data.column("id").to_pylist() == first.data.column("id").to_pylist()
    assert again.data.column("day").to_pylist()[0] == "1999-01-01"


@pytest.mark.parametrize(
    ("kinds", "whole_type"),
    [
        ({pa.int64()}, pa.int64()),
        ({pa.int64(), pa.null()}, pa.int64()),
        ({pa.int64(), pa.float64()}, pa.float64()),
        ({pa.null()}, pa.null()),
        ({pa.date32()}, pa.string()),
        ({pa.int64(), pa.string()}, pa.string()),
    ],
)
def test_the_type_of_a_column_follows_from_its_blocks(path: Path, kinds: set[pa.DataType], whole_type: object) -> None:
    assert TableFile(path).type_of("age", kinds) == whole_type


def test_a_missing_column_is_answered_with_the_nearest(path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: no column 'agee'; did you mean 'age'\? columns: id, day, age"):
        TableFile(path).require("agee", "--ignore")
