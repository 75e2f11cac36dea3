"""JSON from outside: sizes and depths have limits, and every failure is one line."""

import pytest

from infomotif._core.reading.documents import parse_json, read_document, read_json
from infomotif.errors import InputError

WORDS = {"missing": "there is none", "remedy": "write it again"}


@pytest.mark.parametrize("text", ["1", '"a"', "[]", "{}", '{"a": [1, {"b": null}]}', "[" * 100 + "]" * 100])
def test_values_come_through(text):
    parse_json(text)


@pytest.mark.parametrize(
    "text", ["[" * 101 + "]" * 101, '{"a":' * 101 + "1" + "}" * 101, "[" * 10**6, "[" * 5000 + "]" * 5000]
)
def test_deep_values_are_refused(text):
    with pytest.raises(ValueError, match=r"more than 100 levels|delimiter|Expecting"):
        parse_json(text)


def test_the_depth_can_be_raised(monkeypatch):
    monkeypatch.setenv("INFOMOTIF_MAX_DEPTH", "200")
    parse_json("[" * 200 + "]" * 200)
    with pytest.raises(ValueError, match="more than 200 levels, see INFOMOTIF_MAX_DEPTH"):
        parse_json("[" * 201 + "]" * 201)


def test_a_file_gives_its_bytes_and_its_value(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"a": 1}')
    assert read_json(path, **WORDS) == (b'{"a": 1}', {"a": 1})


def test_bad_files_are_one_line(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    with pytest.raises(InputError, match="^there is none$"):
        read_json(path, **WORDS)
    for content in (b"{", b"\xff", b"", b"[" * 100_000, b"9" * 5000):
        path.write_bytes(content)
        with pytest.raises(InputError, match="a.json: cannot be read") as caught:
            read_json(path, **WORDS)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 300 + len(str(path))
    monkeypatch.setenv("INFOMOTIF_MAX_DOCUMENT_BYTES", "4999")
    with pytest.raises(InputError, match="more than 4,999 bytes; if you trust it, raise INFOMOTIF_MAX_DOCUMENT_BYTES"):
        read_document(path)
