"""YAML that people write: plain values come through, anything else is one line."""

from __future__ import annotations

import pytest

from infomotif._core.reading.yaml import parse_yaml, read_yaml
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
        (f"a: {'[' * 3000}", "more than 100 levels"),
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


def aliases(levels: int, merge: bool) -> str:
    """Return a text of some hundred bytes whose last value stands for 9 ** levels values."""
    lines = ["a0: &a0 {k: 1}"]
    for level in range(1, levels):
        names = ", ".join([f"*a{level - 1}"] * 9)
        lines.append(f"a{level}: &a{level} " + (f"{{<<: [{names}]}}" if merge else f"[{names}]"))
    return "\n".join(lines)


@pytest.mark.parametrize("merge", [True, False])
def test_aliases_that_multiply_are_refused_at_once(merge):
    with pytest.raises(InputError, match=r"my.yaml, line \d: .*more than 100,000, see INFOMOTIF_MAX_YAML_VALUES"):
        parse_yaml(aliases(9, merge), "my.yaml")
    parse_yaml(aliases(4, merge), "my.yaml")


def test_the_number_of_values_can_be_raised(monkeypatch):
    text = "[" + "1, " * 100_000 + "]"
    with pytest.raises(InputError, match="INFOMOTIF_MAX_YAML_VALUES"):
        parse_yaml(text, "my.yaml")
    monkeypatch.setenv("INFOMOTIF_MAX_YAML_VALUES", "5")
    parse_yaml("[1, 2, 3, 4]", "my.yaml")
    with pytest.raises(InputError, match="INFOMOTIF_MAX_YAML_VALUES"):
        parse_yaml("[1, 2, 3, 4, 5]", "my.yaml")


@pytest.mark.parametrize("text", ["&a [*a]", "&a {b: *a}", "a: &a\n  <<: *a"])
def test_an_alias_within_what_it_names_is_refused(text):
    with pytest.raises(InputError, match="an alias within what it names"):
        parse_yaml(text, "my.yaml")


def test_depth_is_limited():
    parse_yaml("[" * 99 + "]" * 99, "my.yaml")
    with pytest.raises(InputError, match="more than 100 levels, see INFOMOTIF_MAX_DEPTH"):
        parse_yaml("[" * 101 + "]" * 101, "my.yaml")
