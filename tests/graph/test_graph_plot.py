"""Pictures of graphs hold the right nodes, edges, shades and names."""

from __future__ import annotations

import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Polygon

import infomotif as im

HOSTILE = ["$\\frac{", "_a", "<script>", "x" * 300, "b\nc", "\x1b[31m"]


def axes():
    return Figure().subplots()


def drawn_nodes(ax) -> int:
    points = [c for c in ax.collections if not isinstance(c, LineCollection)]
    return sum(len(c.get_offsets()) for c in points)


def texts(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


def star(leaves: int, **options) -> im.Graph:
    ends = np.arange(1, leaves + 1)
    return im.Graph.from_edges(np.zeros(leaves, int), ends, num_nodes=leaves + 1, directed=False, **options)


def test_a_small_graph_is_drawn_as_a_whole():
    karate = im.load_dataset("karate")
    ax = karate.plot(ax=axes())
    assert drawn_nodes(ax) == 34
    assert sum(len(c.get_segments()) for c in ax.collections if isinstance(c, LineCollection)) == 78
    assert sorted(texts(ax)) == sorted(karate.names.tolist())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["Mr. Hi", "Officer"]


def test_the_given_axes_are_used_and_returned():
    ax = axes()
    assert im.load_dataset("karate").plot(0, ax=ax) is ax


def test_a_large_graph_needs_a_node():
    with pytest.raises(im.InputError, match=r"has 401 nodes, more than the 400 .* choose one with node="):
        star(400).plot(ax=axes())


def test_a_limit_can_be_raised():
    assert drawn_nodes(star(400).plot(max_nodes=401, ax=axes())) == 401


def test_a_neighbourhood_has_the_neighbours():
    karate = im.load_dataset("karate")
    ax = karate.plot("0", ax=axes())
    assert drawn_nodes(ax) == 17
    assert ax.get_xlabel() == ""


def test_of_a_hub_so_many_are_drawn_and_the_rest_is_counted():
    ax = star(300).plot(0, ax=axes())
    assert drawn_nodes(ax) == 60
    assert ax.get_xlabel() == "241 more nodes within 1 hop are not drawn"


@pytest.mark.parametrize("count", [1, 3])
def test_every_instance_is_shaded_and_drawn(count):
    graph = star(300)
    ax = graph.plot(5, instances=[[5, 0, 290 + i] for i in range(count)], max_nodes=2, ax=axes())
    assert len([p for p in ax.patches if isinstance(p, Polygon)]) == count
    assert drawn_nodes(ax) == 2 + count


def test_one_instance_may_be_given_by_names():
    graph = star(3, names=["hub", "a", "b", "c"])
    ax = graph.plot("a", instances=["a", "hub", "b"], ax=axes())
    assert len([p for p in ax.patches if isinstance(p, Polygon)]) == 1


def test_directed_edges_have_arrows_and_mutual_ones_two_heads():
    graph = im.Graph.from_edges([0, 1, 1], [1, 0, 2], num_nodes=3, directed=True)
    arrows = [p for p in graph.plot(ax=axes()).patches if isinstance(p, FancyArrowPatch)]
    assert sorted(type(arrow.get_arrowstyle()).__name__ for arrow in arrows) == ["CurveFilledAB", "CurveFilledB"]


def test_hostile_names_are_drawn():
    graph = star(5, names=HOSTILE, y=[0, 1, 2, 3, 4, 5], class_names=HOSTILE, name=HOSTILE[0])
    ax = graph.plot(0, ax=axes())
    ax.figure.draw_without_rendering()
    assert len(texts(ax)) >= 1
    assert len(ax.get_legend().get_texts()) == 6


def test_names_do_not_overlap():
    graph = star(50, names=[f"a rather long name {i}" for i in range(51)])
    figure = Figure(figsize=(6, 5), layout="constrained")
    ax = graph.plot(0, ax=figure.subplots())
    figure.draw_without_rendering()
    renderer = figure._get_renderer()
    boxes = [text.get_window_extent(renderer).padded(-2) for text in ax.texts]
    assert 3 < len(boxes) <= 51
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_names_can_be_left_out():
    assert texts(star(3).plot(labels=False, ax=axes())) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"node": "nobody"}, "no node is named 'nobody'"),
        ({"node": 99}, r"node must lie in 0\.\.3"),
        ({"node": 0, "hops": 0}, "hops must be a positive whole number"),
        ({"node": 0, "max_nodes": True}, "max_nodes must be a positive whole number"),
        ({"node": 0, "max_nodes": 10**6}, "max_nodes must be at most 1,000"),
        ({"node": 0, "instances": "0"}, "instances must be a list of nodes"),
        ({"node": 0, "instances": [9]}, r"instances must lie in 0\.\.3"),
        ({"ax": "here"}, "ax must be a Matplotlib Axes"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options, message):
    with pytest.raises(im.InputError, match=message):
        star(3).plot(**options)


def test_a_graph_without_nodes_edges_or_labels_can_be_drawn():
    empty = im.Graph.from_edges([], [], num_nodes=0, directed=True)
    assert drawn_nodes(empty.plot(ax=axes())) == 0
    assert drawn_nodes(im.Graph.from_edges([], [], num_nodes=3, directed=False).plot(ax=axes())) == 3


def test_settings_of_matplotlib_stay_as_they_are():
    before = dict(matplotlib.rcParams)
    im.load_dataset("karate").plot(0, ax=axes())
    assert dict(matplotlib.rcParams) == before


def test_with_axes_pyplot_is_not_imported():
    code = (
        "import sys, infomotif as im; from matplotlib.figure import Figure;"
        "im.load_dataset('karate').plot(0, ax=Figure().subplots()); sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_a_notebook_shows_sizes_classes_and_attributes():
    page = im.load_dataset("karate")._repr_html_()
    for shown in ("karate", "34 nodes, 78 undirected edges", "Mr. Hi", "Officer", "<svg", "maximum 17"):
        assert shown in page


def test_names_in_a_notebook_are_text():
    graph = star(3, name="<script>", y=[0, 0, 0, -1], class_names=["<img src=x>"], x=np.eye(4), attribute_names='<&>"')
    page = graph._repr_html_()
    assert not any(bad in page for bad in ("<script", "<img"))
    assert "&lt;script&gt;" in page


def test_many_classes_are_summed_up_in_a_notebook():
    graph = star(39, y=np.arange(40))
    assert "28 more classes" in graph._repr_html_()
