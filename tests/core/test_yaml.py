"""YAML that people write: plain values come through, anything else is one line."""

from __future__ import annotations

import pytest

from infomotif._core.yaml import parse_yaml, read_yaml
from infomotif.errors import InputError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("a: 1", {"a": 1}),
        ("\ufeffa: 1", {"a": 1}),
        ("1: a\n'1': b", {1: "a", "1": "b"}),
        ("x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3}", {"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": 3}}),
        ("x: &x {a: 1}\ny: &y {b: 2}\nz: {<<: [*x, *y]}", {"x": {"a": 1}, "y": {"b": 2}, "z": {"a": 1, "b": 2}}),
        ("n: 9223372036854775807", {"n": 2**63 - 1}),
    ],
)
def test_plain_values_come_through(text, value):
    assert parse_yaml(text, "my.yaml") == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\na: 2", "my.yaml, line 2: .*'a' appears twice"),
        ("yes: a\ntrue: b", "'true' appears twice"),
        ("1: a\n0x1: b", "'0x1' appears twice"),
        ("b: {a: 1, a: 2}", "line 1: .*'a' appears twice"),
        ("? [1]\n: 2", "line 1"),
        ("a: [", "line 1"),
        ("a:\t- 1", "line 1"),
        ("a: \x00", "not valid YAML"),
        ("a: 2024-13-45", "month"),
        ("a: !!timestamp abc", "not valid YAML"),
        ("a: !!bool maybe", "not valid YAML"),
        ("a: !!int ''", "not valid YAML"),
        ('a: "\\UFFFFFFFF"', "not valid YAML"),
        ("a: 9223372036854775808", "more than 63 bits"),
        (f"a: 0x{'f' * 5000}", "more than 63 bits"),
        (f"a: {'[' * 3000}", "too deep"),
        ("!!python/object/apply:os.getcwd []", "line 1"),
    ],
)
def test_anything_else_is_one_line(text, message):
    with pytest.raises(InputError, match=message) as refused:
        parse_yaml(text, "my.yaml")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (None, "no such file; name another"),
        (b"\xff", "cannot be read"),
        (b"- 1", r"must hold keys and values, such as 'encoder: gat'"),
        (b"a: [", "not valid YAML"),
    ],
)
def test_a_file_without_keys_and_values_is_refused_in_one_line(tmp_path, contents, message):
    path = tmp_path / "my.yaml"
    if contents is not None:
        path.write_bytes(contents)
    with pytest.raises(InputError, match=rf"my\.yaml.*: {message}") as refused:
        read_yaml(path, missing="name another", example="encoder: gat")
    assert "\n" not in str(refused.value)


def test_a_file_gives_its_keys_and_values(tmp_path):
    (tmp_path / "my.yaml").write_text("encoder: gat\nsplits: 3", encoding="utf-8")
    assert read_yaml(tmp_path / "my.yaml", missing="") == {"encoder": "gat", "splits": 3}
