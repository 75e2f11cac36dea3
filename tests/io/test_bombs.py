"""Small files that ask for gigabytes, endless ones, and ones that are not text: one short line each, soon."""

from __future__ import annotations

import gzip
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from infomotif.errors import InputError
from infomotif.io import convert_csv, read_csv, read_edge_list, read_graphml

SMALL = 1 << 20


@pytest.fixture
def small_limits(monkeypatch):
    monkeypatch.setenv("INFOMOTIF_MAX_UNPACKED_BYTES", str(4 * SMALL))
    monkeypatch.setenv("INFOMOTIF_MAX_LINE_BYTES", str(SMALL))


def refused(read, *arguments):
    with pytest.raises(InputError) as caught:
        read(*arguments)
    line = str(caught.value)
    assert "\n" not in line
    assert len(line) < 400
    return line


READERS = [
    pytest.param(read_csv, b"source,target\n", b"a,b\n", id="csv"),
    pytest.param(
        lambda path: convert_csv(path, None, path.parent / "store"), b"source,target\n", b"a,b\n", id="convert"
    ),
    pytest.param(read_edge_list, b"", b"a b\n", id="edge list"),
    pytest.param(read_graphml, b"<graphml><graph>", b"<node/>\n", id="graphml"),
]


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize(("read", "start", "line"), READERS)
def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path, read, start, line):
    if read is read_graphml:
        line = b"<!-- " + b"x" * 100 + b" -->\n"
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(start + line * (6 * SMALL // len(line))))
    assert (
        "bomb.gz: unpacks to more than 4,194,304 bytes; if you trust it, raise INFOMOTIF_MAX_UNPACKED_BYTES"
        in refused(read, path)
    )


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize(("read", "start", "line"), READERS)
def test_a_line_that_is_too_long_is_refused(tmp_path, read, start, line):
    path = tmp_path / "long"
    text = b"a," if b"source" in start else b'<node id="' if start else b""
    path.write_bytes(start + text + b"x" * 3 * SMALL)
    assert "more than 1,048,576 bytes; if you trust it, raise INFOMOTIF_MAX_LINE_BYTES" in refused(read, path)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("read", [read_csv, READERS[1].values[0]])
def test_a_quoted_field_that_is_too_long_is_refused(tmp_path, read):
    path = tmp_path / "quoted.csv"
    path.write_bytes(b'source,target\na,"' + b"x\n" * 20 * SMALL + b'"\n')
    assert "INFOMOTIF_MAX_LINE_BYTES" in refused(read, path)


@pytest.mark.usefixtures("small_limits")
def test_a_graphml_value_that_is_too_long_is_refused(tmp_path):
    path = tmp_path / "a.graphml"
    head = '<graphml><key id="k"/><graph><node id="a"><data key="k">'
    path.write_text(head + "x\n" * 3 * SMALL + "</data></node></graph></graphml>")
    assert "a value has more than 1,048,576 bytes" in refused(read_graphml, path)


def test_limits_can_be_raised(tmp_path, monkeypatch):
    path = tmp_path / "wide.csv"
    path.write_text("source,target," + ",".join(f"c{i}" for i in range(98)) + "\na,b" + ",1" * 98 + "\n")
    monkeypatch.setenv("INFOMOTIF_MAX_COLUMNS", "99")
    assert "line 1 has more than 99 columns; if you trust it, raise INFOMOTIF_MAX_COLUMNS" in refused(read_csv, path)
    monkeypatch.setenv("INFOMOTIF_MAX_COLUMNS", "100")
    assert read_csv(path).num_nodes == 2


def test_too_many_columns_are_refused_before_they_are_split(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("source,target" + ",c" * 1_000_000 + "\na,b\n")
    assert "more than 1,000,000 columns" in refused(read_csv, path)


def test_packed_columns_of_parquet_count_as_what_they_unpack_to(tmp_path, monkeypatch):
    rows = 2 * SMALL
    pq.write_table(
        pa.table({"source": pa.array(np.zeros(rows, np.int64)), "target": np.ones(rows, np.int64)}), tmp_path / "e"
    )
    assert read_csv(tmp_path / "e").num_nodes == 2
    monkeypatch.setenv("INFOMOTIF_MAX_UNPACKED_BYTES", str(SMALL))
    assert "unpacks to more than" in refused(read_csv, tmp_path / "e")


@pytest.mark.parametrize("read", [read_csv, read_edge_list, read_graphml])
def test_pipes_and_devices_are_refused(tmp_path, read):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero", "/dev/null"):
        assert refused(read, path) == f"{path}: is a pipe or a device; save what it holds as a file and name that"


@pytest.mark.parametrize("read", [read_csv, read_edge_list, read_graphml])
def test_a_file_of_nul_bytes_is_refused_in_a_short_line(tmp_path, read):
    (tmp_path / "nul").write_bytes(bytes(100_000))
    assert "nul line 1: " in refused(read, tmp_path / "nul")


def test_a_nul_byte_within_a_table_is_refused_with_its_line(tmp_path):
    path = tmp_path / "e.csv"
    path.write_bytes(b"source,target\na,b\nb,c\0\n")
    for read in (read_csv, READERS[1].values[0]):
        assert refused(read, path) == f"{path} line 3: holds a NUL byte, so it is not text; save the file as UTF-8 text"


@pytest.mark.parametrize("encoding", ["no-such-thing", "hex", "utf-7", "idna"])
def test_an_unknown_encoding_is_refused(tmp_path, encoding):
    path = tmp_path / "a.graphml"
    path.write_text(f'<?xml version="1.0" encoding="{encoding}"?><graphml><graph/></graphml>')
    assert "a.graphml line 1: " in refused(read_graphml, path)


def test_ids_and_labels_of_16_bit_numbers_are_read(tmp_path):
    ids = pa.array(np.arange(4, dtype=np.float16))
    pq.write_table(pa.table({"source": ids[:3], "target": ids[1:]}), tmp_path / "e")
    pq.write_table(pa.table({"id": ids, "label": ids, "x": ids}), tmp_path / "n")
    graph = read_csv(tmp_path / "e", tmp_path / "n")
    assert (graph.names.tolist(), graph.class_names, graph.num_attributes) == (
        ["0", "1", "2", "3"],
        ("0", "1", "2", "3"),
        1,
    )
