"""JSON files and lines with checksums: appended one at a time, torn and changed ones passed over or refused."""

from __future__ import annotations

import pytest

from infomotif._core.checksums import append_line, read_lines, to_lines
from infomotif.errors import InputError


def test_a_missing_file_has_no_records(tmp_path):
    assert read_lines(tmp_path / "none.jsonl") == []


def test_a_torn_last_line_is_not_read_and_not_joined_with_the_next(tmp_path):
    path = tmp_path / "log.jsonl"
    append_line(path, {"a": 1})
    with path.open("a") as stream:
        stream.write('{"a": 2, "to')
    assert read_lines(path) == [(1, {"a": 1})]
    append_line(path, {"a": 3})
    assert read_lines(path) == [(1, {"a": 1}), (3, {"a": 3})]


def test_lines_that_hold_no_record_are_passed_over(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'[1]\n{\n\xff\n{"a": 1}\n' + b"[" * 100_000 + b"\n")
    assert read_lines(path) == [(4, {"a": 1})]


def test_text_of_records_is_read_back(tmp_path):
    records = [{"a": 1}, {"b": "ü\n"}]
    (tmp_path / "log.jsonl").write_text(to_lines(records), encoding="utf-8")
    assert [record for _, record in read_lines(tmp_path / "log.jsonl")] == records


def test_a_durable_line_that_was_changed_is_not_read(tmp_path):
    path = tmp_path / "log.jsonl"
    for number in (1, 2):
        append_line(path, {"a": number}, durable=True)
    assert read_lines(path) == [(1, {"a": 1}), (2, {"a": 2})]
    path.write_bytes(path.read_bytes().replace(b'"a": 1', b'"a": 3'))
    assert read_lines(path) == [(2, {"a": 2})]


def test_a_line_that_cannot_be_written_is_one_line(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        append_line(tmp_path, {"a": 1})
