"""Small SVG: the same picture in fewer bytes."""

from __future__ import annotations

import io
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from infomotif_bench.results.figures import to_svg
from infomotif_bench.results.svg import small_svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def figure():
    figure = Figure(figsize=(5, 3), layout="constrained")
    for axis in figure.subplots(1, 2):
        axis.errorbar(range(8), np.arange(8) ** 2, yerr=2, fmt="o", label="a <b> & c")
        axis.plot(range(8), range(8))
        axis.fill_between(range(8), 0, range(8), alpha=0.2)
        axis.set_title("50 % of it")
    figure.legend(*figure.axes[0].get_legend_handles_labels())
    return figure


def large(figure) -> str:
    stream = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "infomotif", "svg.fonttype": "none"}):
        figure.savefig(stream, format="svg", metadata={"Date": None}, bbox_inches="tight")
    return stream.getvalue()


def test_it_is_less_than_half_and_says_where_it_is_from(figure):
    text = to_svg(figure, "made by hand & eye")
    assert len(text) < len(large(figure)) / 2
    assert ElementTree.fromstring(text).find(f"{NAMESPACE}desc").text == "made by hand & eye"


def test_it_is_the_same_again(figure):
    assert to_svg(figure, "x") == to_svg(figure, "x")


def test_all_text_stays_text(figure):
    before, after = (
        [element.text for element in ElementTree.fromstring(text).iter(f"{NAMESPACE}text")]
        for text in (large(figure), to_svg(figure, "x"))
    )
    assert before == after
    assert "a <b> & c" in after


def test_every_reference_has_its_target(figure):
    root = ElementTree.fromstring(to_svg(figure, "x"))
    names = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(names) == len(set(names))
    for element in root.iter():
        for value in element.attrib.values():
            if value.startswith(("#", "url(#")):
                assert value.strip("url()").lstrip("#") in names


def test_lines_of_one_style_become_one_path_and_stay_where_they_were():
    text = (
        '<svg xmlns="http://www.w3.org/2000/svg"><g id="x">'
        '<path d="M 1.23456 2.5 L 30.06 40" style="fill: none; stroke: #000"/>'
        '<path d="M 5 6 L 7 8" style="fill: none; stroke: #000"/><path d="M 0 0 L 1 1" style="fill: #fff"/></g></svg>'
    )
    root = ElementTree.fromstring(small_svg(text, ""))
    assert [path.get("d") for path in root.iter(f"{NAMESPACE}path")] == ["M1.23 2.5L30.1 40M5 6L7 8", "M0 0L1 1"]
