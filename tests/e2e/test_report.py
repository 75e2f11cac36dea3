"""The page of a run in a real browser: no request, no error, and hostile names stay names."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest

import infomotif as im
from infomotif.runs import RunPlan, train_run
from infomotif.runs.opened import read_result
from infomotif.runs.report import write_report
from infomotif.runs.report.node_views import MAX_NODES

pytestmark = pytest.mark.slow

HOSTILE = (
    "<script>window.pwned = 1</script>",
    "</script><img src=x onerror='window.pwned = 2'>",
    '"><svg onload=window.pwned=3>',
    "<!--<script>",
    "%%DATA%%",
    "a & b &lt; c",
    "line\u2028separator",
    "__proto__",
    "100% 名前 #node=x",
    "javascript:window.pwned=4",
)


def hostile_graph() -> im.Graph:
    plain = im.make_roles(num_nodes=60, num_classes=3, class_word_rate=0.3, seed=2)
    rows, cols = plain.edges()
    names = [*HOSTILE, *(f"n{v}" for v in range(len(HOSTILE), 60))]
    words = [f"<b>word {j}</b>" for j in range(plain.num_attributes)]
    classes = ["<script>window.pwned=5</script>", "</script>two", "three & more"]
    return im.Graph.from_edges(
        rows, cols, num_nodes=60, directed=False, x=plain.x, y=plain.y, class_names=classes, names=names,
        attribute_names=words, name="<script>window.pwned=6</script>",
    )  # fmt: skip


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("page") / "run"
    plan = RunPlan(source={}, settings={"epochs": 8, "hidden": 16}, ratio=0.3, splits=2)
    train_run(plan, hostile_graph(), folder, progress=False)
    return folder / "report.html"


class Watched:
    """A page with everything it said and asked for."""

    def __init__(self, browser, **options):
        self.page = browser.new_page(**options)
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, path: Path, fragment: str = ""):
        self.page.goto(path.as_uri() + fragment)
        self.page.wait_for_selector("html[data-ready]")
        return self.page


@pytest.fixture
def watched(browser):
    made = []

    def make(**options) -> Watched:
        made.append(Watched(browser, **options))
        return made[-1]

    yield make
    for one in made:
        assert one.said == []
        assert all(url.startswith("file:") for url in one.asked), one.asked
        assert one.page.evaluate("window.pwned") is None
        one.page.close()


def test_every_section_is_there_and_the_network_is_not_used(report, watched):
    one = watched()
    page = one.open(report)
    for section in ("summary", "training", "quality", "motifs", "surroundings", "map", "nodes"):
        assert page.locator(f"section#{section}").is_visible(), section
    assert len(set(one.asked)) == 1
    assert page.locator("h1").inner_text() == "<script>window.pwned=6</script>"
    assert "Content-Security-Policy" in report.read_text(encoding="utf-8")


def searched(folder: Path, splits: int = 1, **options) -> Path:
    given = {"epochs": 4, "q": 3, **options.pop("settings", {})}
    search = {"budget": "8 trainings", **options}
    plan = RunPlan(source={}, encoder="auto", preset="auto", settings=given, search=search, ratio=0.4, splits=splits)
    train_run(plan, hostile_graph(), folder, progress=False)
    return folder / "report.html"


def test_everything_that_was_tried_is_listed(tmp_path, watched):
    page = watched().open(searched(tmp_path / "run"))
    choice = json.loads((tmp_path / "run" / "result.json").read_text())["choice"]
    assert page.locator("#tried .lead").inner_text() == f"Chosen: {choice['name']}."
    assert page.locator("#tried tbody tr").count() == len(choice["tried"])
    voters = {f"{member['name']} ✓" for member in choice["members"] if member["weight"]}
    assert set(page.locator("#tried tbody b").all_inner_texts()) == voters


def test_a_page_of_a_mean_says_what_it_is_made_of(tmp_path, watched):
    folder = searched(tmp_path / "run").parent
    result = read_result(folder)
    members = tuple(
        replace(member, weight=0.5, motifs=False) for member in (*result.choice.members, *result.choice.members)[:2]
    )
    choice = replace(result.choice, members=members, main=0, name="mean of 2")
    write_report(folder, hostile_graph(), replace(result, choice=choice))
    page = watched().open(folder / "report.html", "#node=n42")
    lead = page.locator("#summary .lead").inner_text()
    assert lead.startswith("Mean of 2 models reaches ")
    assert "95 % interval" in lead
    assert "No part that is made of motifs counts in the predictions." in lead
    assert page.locator("#node-title").inner_text() == "n42"


def test_without_motifs_the_page_has_no_section_of_motifs(tmp_path, watched):
    page = watched().open(searched(tmp_path / "run", with_motifs=False), "#node=n42")
    assert page.locator("section#motifs").count() == 0
    assert "InfoMotif" not in page.locator("#tried tbody").inner_text()


def test_of_several_splits_the_page_shows_each_accuracy(tmp_path, watched):
    page = watched().open(searched(tmp_path / "run", splits=2, ensemble=False))
    assert "over 2 splits" in page.locator("#summary .lead").inner_text()
    assert page.locator("#summary table").first.locator("tbody tr").count() == 2


def test_a_run_without_a_search_lists_nothing_tried(report, watched):
    assert watched().open(report).locator("section#tried").count() == 0


def test_hostile_names_are_shown_as_they_are(report, watched):
    page = watched().open(report)
    page.fill("#search", "<script>")
    assert page.locator("#nodes tbody tr").first.locator("button").inner_text() == HOSTILE[0]
    for name in HOSTILE:
        page.goto(report.as_uri() + "#node=" + quote(name, safe=""))
        page.wait_for_selector("dialog[open]")
        assert page.locator("#node-title").text_content() == name
        assert page.locator("dialog script, dialog img").count() == 0


def test_search_filter_and_sort(report, watched):
    page = watched().open(report)
    rows = page.locator("#nodes tbody tr")
    page.fill("#search", "n4")
    assert page.locator("#found").inner_text() == "10 nodes of 60"
    page.fill("#search", "")
    page.select_option("#by-split", label="test")
    shown = int(page.locator("#found").inner_text().split()[0])
    assert 0 < shown < 60
    page.select_option("#by-split", "")
    page.select_option("#by-outcome", label="wrong")
    assert int(page.locator("#found").inner_text().split()[0]) < 60
    page.select_option("#by-outcome", "")
    header = page.locator("#nodes th", has_text="neighbours")
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    first = int(rows.first.locator("td").nth(6).inner_text())
    page.locator("#nodes th", has_text="neighbours").locator("button").click()
    assert int(rows.first.locator("td").nth(6).inner_text()) > first
    page.get_by_role("button", name="Next").click()
    assert "page 2" in page.locator(".pages").inner_text()


def test_a_node_opens_by_click_and_closes_by_key(report, watched):
    page = watched().open(report)
    page.fill("#search", "n42")
    page.locator("#nodes tbody button").first.click()
    page.wait_for_selector("dialog[open]")
    assert page.evaluate("location.hash") == "#node=n42"
    assert page.locator("#node-title").inner_text() == "n42"
    for heading in ("Probabilities", "Motif weights", "Instances that count most", "Role twins", "Labels within reach"):
        assert page.locator("dialog h3", has_text=heading).count() == 1
    assert page.locator("dialog svg.scene .dot").count() > 2
    assert page.locator("dialog .hull").get_attribute("d").startswith("M")
    twin = page.locator("dialog table tbody button").first
    name = twin.inner_text()
    twin.click()
    page.wait_for_function("name => document.getElementById('node-title').textContent === name", arg=name)
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="hidden")
    assert page.evaluate("location.hash") == ""


def test_a_deep_link_opens_its_node_and_an_unknown_one_says_so(report, watched):
    one = watched()
    page = one.open(report, "#node=n17")
    assert page.locator("#node-title").inner_text() == "n17"
    page.evaluate("location.hash = '#node=nobody'")
    page.wait_for_function("document.getElementById('node-title').textContent === 'No such node'")


def test_hop_distances_and_labels_agree_with_the_library(report, watched):
    from infomotif.graph.neighbourhoods import hop_distances

    graph = hostile_graph()
    page = watched().open(report, "#node=n17")
    distance = hop_distances(graph, 17)
    for row in page.locator("dialog table tbody tr").all():
        cells = row.locator("td").all_inner_texts()
        assert int(cells[3]) == distance[graph.index_of(cells[0])]
    within = int(((distance > 0) & (distance <= 2)).sum())
    assert f"of the {within} nodes within 2 hops" in page.locator("dialog").inner_text()


def test_everything_works_by_keyboard(report, watched):
    page = watched().open(report)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.locator("#search").focus()
    page.keyboard.type("n42")
    page.locator("#nodes tbody button").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    second = page.locator("dialog .cards > li").nth(1)
    second.get_by_role("button", name="Show").focus()
    assert second.get_attribute("class") == "on"
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="hidden")
    picture = "document.querySelector('canvas').toDataURL()"
    before = page.evaluate(picture)
    page.locator("canvas").focus()
    page.keyboard.press("+")
    assert page.evaluate(picture) != before


def test_dark_mode_follows_the_system_and_the_button(report, watched):
    colour = "getComputedStyle(document.body).backgroundColor"
    page = watched(color_scheme="dark").open(report)
    dark = page.evaluate(colour)
    page.click("#theme")
    light = page.evaluate(colour)
    assert dark != light
    assert page.locator("#theme").inner_text() == "Dark"
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate(colour) == light


def test_colours_have_enough_contrast(report, watched):
    script = """() => {
      const style = getComputedStyle(document.documentElement);
      const light = (name) => {
        const hex = style.getPropertyValue(name).trim().slice(1);
        const parts = [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
        const [r, g, b] = parts.map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
      const text = ["--ink", "--muted", "--accent", "--good", "--bad"].map((name) => [name, contrast(name, "--card")]);
      return text.filter(([, value]) => value < 4.5);
    }"""
    for scheme in ("light", "dark"):
        assert watched(color_scheme=scheme).open(report).evaluate(script) == []


def test_a_phone_needs_no_sideways_scrolling(report, watched):
    page = watched(viewport={"width": 360, "height": 740}).open(report, "#node=n17")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate("document.getElementById('node').scrollWidth") <= 360


def test_pictures_have_text_alternatives(report, watched):
    page = watched().open(report, "#node=n17")
    missing = page.evaluate(
        "[...document.querySelectorAll('svg:not([aria-hidden])')].filter(s => !s.getAttribute('aria-label') && "
        "!s.querySelector('title')).length"
    )
    assert missing == 0
    unnamed = page.evaluate("[...document.querySelectorAll('button')].filter(b => !b.innerText && !b.ariaLabel).length")
    assert unnamed == 0


def test_the_map_is_coloured_as_chosen_and_opens_nodes(report, watched):
    page = watched().open(report)
    page.select_option("#colour", "motif")
    assert "M6 wedge" in page.locator("#map .legend").inner_text() or "M7" in page.locator("#map .legend").inner_text()
    page.locator("#map .legend button").first.click()
    assert page.locator("#map .legend button").first.get_attribute("aria-pressed") == "true"
    content = json.loads(re.search(r'id="data">(.*?)</script>', report.read_text(encoding="utf-8"), re.S).group(1))
    page.select_option("#colour", "predicted")
    box = page.locator("canvas").bounding_box()
    x = 12 + content["nodes"]["x"][20] / 10000 * (box["width"] - 24)
    y = 12 + content["nodes"]["y"][20] / 10000 * (box["height"] - 24)
    page.locator("canvas").click(position={"x": x, "y": y})
    page.wait_for_selector("dialog[open]")


def test_a_large_graph_is_sampled_and_says_so(report, watched):
    assert MAX_NODES == 20_000
    before = report.read_text(encoding="utf-8")
    try:
        write_report(report.parent, hostile_graph(), read_result(report.parent), max_nodes=25)
        page = watched().open(report)
        assert "a random sample of 25" in page.locator("#map").inner_text()
        assert page.locator("#found").inner_text() == "25 nodes of 25"
        page.locator("#nodes tbody button").first.click()
        page.wait_for_selector("dialog[open]")
    finally:
        report.write_text(before, encoding="utf-8")


@pytest.mark.parametrize("directed", [True, False])
def test_graphs_without_attributes_or_test_nodes_get_a_page_too(directed, tmp_path, watched):
    rng = np.random.default_rng(0)
    graph = im.Graph.from_edges(
        rng.integers(0, 30, 80), rng.integers(0, 30, 80), num_nodes=32, directed=directed, y=np.arange(32) % 2
    )
    plan = RunPlan(source={}, settings={"epochs": 3, "hidden": 8}, ratio=0.5, val=0.5)
    train_run(plan, graph, tmp_path / "run", progress=False)
    page = watched().open(tmp_path / "run" / "report.html", "#node=31")
    assert "no motif instance" in page.locator("dialog").inner_text()
    assert "validation nodes" in page.locator("#quality").inner_text()


def test_a_page_that_cannot_be_made_does_not_fail_the_run(tmp_path):
    plan = RunPlan(source={}, settings={"epochs": 2}, ratio=0.3)
    folder = tmp_path / "run"
    with pytest.warns(UserWarning, match="report.html could not be made .*it is a folder"):
        train_run(plan, im.load_dataset("karate"), folder, progress=False, on_start=(folder / "report.html").mkdir)
    assert (folder / "result.json").exists()
