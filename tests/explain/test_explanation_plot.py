"""Explanations as pictures, text, tables for notebooks and frames."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox
from matplotlib.patches import Polygon

import infomotif as im
from infomotif.explain import NodeExplanation, explain_graph, explain_node
from tests.explain.conftest import fitted

HOSTILE = "<script>$\\frac{"


@pytest.fixture(scope="module")
def explanation(subject) -> NodeExplanation:
    return explain_node(subject, 7)


def test_a_figure_has_neighbourhood_probabilities_and_weights(explanation):
    figure = Figure(layout="constrained")
    neighbourhood, probabilities, weights = explanation.plot(figure=figure)
    assert {axes.figure for axes in (neighbourhood, probabilities, weights)} == {figure}
    assert neighbourhood.get_title().startswith(f"7 is predicted {explanation.prediction.label}")
    assert len([p for p in neighbourhood.patches if isinstance(p, Polygon)]) == 1
    ordered = sorted(explanation.prediction.probabilities.values(), reverse=True)
    assert np.allclose([p.get_width() for p in probabilities.patches], ordered)
    assert np.allclose([p.get_width() for p in weights.patches], [m.weight for m in explanation.motifs])
    assert len([a for a in weights.artists if isinstance(a, AnnotationBbox)]) == len(explanation.motifs)
    figure.draw_without_rendering()


def test_a_part_of_a_figure_may_hold_the_explanation(explanation):
    left, right = Figure(figsize=(16, 5), layout="constrained").subfigures(1, 2)
    explanation.plot(figure=left)
    assert (len(left.axes), len(right.axes)) == (3, 0)


def test_the_neighbourhood_may_have_axes_of_its_own_and_several_instances(explanation):
    ax = Figure().subplots()
    assert explanation.plot_neighbourhood(instances=3, ax=ax) is ax
    assert len([p for p in ax.patches if isinstance(p, Polygon)]) == min(3, len(explanation.instances))
    assert "3 strongest instances" in ax.get_xlabel()


def test_at_most_so_many_nodes_are_drawn(subject):
    hub = int(subject.graph.degrees.argmax())
    ax = explain_node(subject, hub).plot_neighbourhood(max_nodes=5, ax=Figure().subplots())
    drawn = sum(len(c.get_offsets()) for c in ax.collections if not isinstance(c, LineCollection))
    assert drawn == 5
    assert "are not drawn" in ax.get_xlabel()


def test_a_base_gnn_has_no_weights_to_draw(roles):
    base = fitted(roles, preset="base")
    assert len(base.explain(3).plot(figure=Figure())) == 2
    overview = explain_graph(base.subject())
    assert repr(overview).startswith("Overview(base GNN")
    assert "without motif weights" in overview._repr_html_()
    with pytest.raises(im.InputError, match="a base GNN has no motif weights to draw"):
        overview.plot(ax=Figure().subplots())


def test_an_explanation_without_its_graph_says_so(explanation):
    with pytest.raises(im.InputError, match="holds no graph to draw"):
        replace(explanation, scene=None).plot(figure=Figure())


def test_files_do_not_keep_the_graph(explanation):
    assert "scene" not in explanation.to_dict()
    json.dumps(explanation.to_dict())


def test_an_explanation_prints_as_a_few_short_lines(explanation):
    lines = repr(explanation).splitlines()
    assert lines[0].startswith("NodeExplanation('7': predicted 'role ")
    assert 2 <= len(lines) <= 5


def test_a_notebook_shows_probabilities_weights_and_instances(explanation):
    page = explanation._repr_html_()
    assert page.count("<svg") == len(explanation.motifs)
    for shown in (*explanation.prediction.probabilities, "strongest instances", "role twins"):
        assert shown in page


def test_names_in_a_notebook_are_text_and_can_be_drawn():
    made = im.make_roles(num_nodes=60, seed=2)
    names = [f"{HOSTILE}{i}" for i in range(60)]
    graph = im.Graph.from_edges(
        *made.edges(),
        num_nodes=60,
        directed=False,
        y=made.y,
        names=names,
        class_names=[f"{HOSTILE}{c}" for c in range(4)],
    )
    model = fitted(graph, epochs=3)
    overview, explanation = explain_graph(model.subject()), model.explain(names[0])
    for page in (explanation._repr_html_(), overview._repr_html_()):
        assert "<script>" not in page
        assert "&lt;script&gt;" in page
    explanation.plot(figure=Figure())[0].figure.draw_without_rendering()
    overview.plot(ax=Figure().subplots()).figure.draw_without_rendering()


def test_a_frame_has_a_row_per_member(explanation):
    frame = explanation.to_frame(kind="arrow").to_pydict()
    assert frame["node"] == [member.node for instance in explanation.instances for member in instance.members]
    assert frame["instance"][-1] == len(explanation.instances) - 1


def test_an_overview_is_a_heat_map_of_classes_and_motifs(subject):
    overview = explain_graph(subject)
    ax = overview.plot(ax=Figure().subplots())
    values = ax.images[0].get_array()
    assert np.allclose(values, [overview.weights, *(c.weights for c in overview.classes)])
    assert len([a for a in ax.artists if isinstance(a, AnnotationBbox)]) == len(overview.motifs)
    assert "drawings" not in overview.to_dict()
    assert overview.to_frame(kind="arrow").column_names == ["class", "nodes", *overview.motifs]
    assert repr(overview).startswith("Overview(motif weights M")
