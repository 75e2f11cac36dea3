"""Tables that can be sorted and searched, in a browser; and text that could be taken for markup."""

from __future__ import annotations

import shutil

import pytest

from infomotif_bench.results.grid import Grid
from infomotif_bench.results.html_page import sortable, table_assets

GRID = Grid(
    "Every cell",
    ("graph", "method", "at", "measured", "over base"),
    (
        ("cora", "GCN", "5 %", "80.9 ± 1.8", ""),
        ("cora", "InfoMotif-GCN", "5 %", "81.7 ± 1.4", "△ +0.8 ± 0.6"),
        ("usa", "GCN", "10 %", "9.5 ± 2.1", ""),
        ("usa", "<b>x</b>", "1 %", "100.0 ± 0.0", "▽ -7.8 ± 6.7"),
    ),
)


def test_text_is_never_markup():
    html = sortable(GRID)
    assert "&lt;b&gt;x&lt;/b&gt;" in html
    assert "<b>" not in html


def test_marks_have_their_colours():
    html = sortable(GRID)
    assert (html.count("im-win"), html.count("im-loss")) == (1, 1)


@pytest.fixture
def opened(tmp_path):
    sync_api = pytest.importorskip("playwright.sync_api")
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("needs Chromium")
    page = tmp_path / "page.html"
    page.write_text(f'<!doctype html><meta charset="utf-8">{sortable(GRID)}{table_assets()}', encoding="utf-8")
    with sync_api.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        tab = chromium.new_page()
        errors: list[str] = []
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("request", lambda request: errors.append(request.url) if not request.url.startswith("file:") else None)
        tab.goto(page.as_uri())
        yield tab
        chromium.close()
    assert errors == []


@pytest.mark.slow
def test_rows_are_sorted_and_searched(opened):
    def column(number: int) -> list[str]:
        return opened.eval_on_selector_all(
            f"tbody tr:not([hidden]) td:nth-child({number})", "cells => cells.map(cell => cell.textContent)"
        )

    def sort_by(name: str) -> None:
        opened.get_by_role("button", name=name, exact=True).click()

    sort_by("measured")
    assert column(4) == ["9.5 ± 2.1", "80.9 ± 1.8", "81.7 ± 1.4", "100.0 ± 0.0"]
    sort_by("measured")
    assert column(4)[0] == "100.0 ± 0.0"
    sort_by("at")
    assert column(3) == ["1 %", "5 %", "5 %", "10 %"]
    # Cells without a figure are last in either direction.
    sort_by("over base")
    assert column(5) == ["▽ -7.8 ± 6.7", "△ +0.8 ± 0.6", "", ""]
    sort_by("over base")
    assert column(5) == ["△ +0.8 ± 0.6", "▽ -7.8 ± 6.7", "", ""]
    sort_by("method")
    assert column(2)[-1] == "InfoMotif-GCN"
    search = opened.get_by_role("searchbox")
    search.fill("gcn CORA")
    assert column(1) == ["cora", "cora"]
    assert opened.get_by_role("status").text_content() == "2 of 4 rows"
    search.fill("nothing like it")
    assert column(1) == []
    search.fill("")
    assert len(column(1)) == 4
