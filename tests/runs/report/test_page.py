"""The page's data and policy: text stays text, and no request is allowed."""

from __future__ import annotations

import json

import pytest

from infomotif.runs.report.page import _inert_json, _policy


@pytest.mark.parametrize("character", ["<", ">", "&", "\u2028", "\u2029"])
def test_no_character_that_an_html_parser_obeys_is_left_in_the_data(character):
    text = _inert_json({"name": f"a{character}!--"})
    assert character not in text
    assert json.loads(text) == {"name": f"a{character}!--"}


def test_the_policy_allows_nothing_but_the_style_and_the_script():
    rules = dict(rule.strip().split(" ", 1) for rule in _policy("style", "script").split(";"))
    assert rules.keys() == {"default-src", "style-src", "script-src", "base-uri", "form-action"}
    assert {rules[name] for name in ("default-src", "base-uri", "form-action")} == {"'none'"}
    assert all(rules[name].startswith("'sha256-") and " " not in rules[name] for name in ("style-src", "script-src"))
