"""Colours, legends and text of plots."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from infomotif import InputError
from infomotif._core.display.style import COLOURS, NEUTRAL, categories, legend, literal, own_axes


def test_classes_keep_their_colours_whichever_of_them_are_drawn():
    names = ["a", "b", "c"]
    assert categories(np.array([2, 2]), names).colours == [COLOURS[2], COLOURS[2]]


def test_many_classes_share_grey_but_the_most_frequent_are_named():
    values = np.concatenate([np.repeat(np.arange(30, 38), 5), np.arange(40)])
    drawn = categories(values, [f"class {i}" for i in range(40)])
    assert [name for name, _ in drawn.legend] == [*(f"class {i}" for i in range(30, 38)), "32 other classes"]
    assert drawn.colours[-1] == NEUTRAL


@pytest.mark.parametrize("name", ["$\\frac{", "$x$", "_hidden", "a\nb", "\x1b[31m", "x" * 500, "\ud800", "100 %"])
def test_hostile_names_are_drawn_as_text(name):
    figure = Figure()
    axes = figure.subplots()
    axes.set_title(literal(name))
    legend(axes, [(literal(name), COLOURS[0])])
    figure.draw_without_rendering()
    (shown,) = axes.get_legend().get_texts()
    assert shown.get_text() == literal(name)
    assert len(shown.get_text()) <= 40


def test_axes_must_be_axes():
    with pytest.raises(InputError, match="ax must be a Matplotlib Axes \\(got Figure\\)"):
        own_axes(Figure(), "plot", (1, 1))
