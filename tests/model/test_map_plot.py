"""Maps show every node in the colour that is asked for; predictions become frames."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import infomotif as im
from infomotif.model.map_plot import COLOURINGS
from infomotif.model.plane import plane
from infomotif.training import random_split


@pytest.fixture(scope="module")
def model() -> im.InfoMotif:
    graph = im.make_roles(num_nodes=80, seed=1)
    split = random_split(graph.y, 0.3)
    training = im.Training(epochs=5)
    return im.InfoMotif(im.GCN(hidden=8), preset="paper", training=training, progress=False).fit(
        graph, split.train, split.val
    )


def axes():
    return Figure(layout="constrained").subplots()


def names(ax) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.mark.parametrize("colour", COLOURINGS)
def test_every_colouring_shows_all_nodes(model, colour):
    ax = axes()
    assert model.plot_map(colour=colour, ax=ax) is ax
    (points,) = ax.collections
    assert len(points.get_offsets()) == 80
    ax.figure.draw_without_rendering()


def test_points_are_those_of_the_report_page(model):
    ax = model.plot_map(colour="confidence", ax=axes())
    expected, method = plane(model.embed())
    drawn = np.asarray(ax.collections[0].get_offsets())
    assert np.allclose(np.sort(drawn, axis=0), np.sort(expected, axis=0))
    assert ax.get_title() == f"roles: {method} of the representations"


def test_legends_name_classes_and_parts(model):
    assert names(model.plot_map(ax=axes())) == ["role 0", "role 1", "role 2", "role 3"]
    assert names(model.plot_map(colour="split", ax=axes())) == ["training", "validation", "test"]
    assert set(names(model.plot_map(colour="correct", ax=axes()))) <= {"right", "wrong"}


def test_values_per_node_may_be_given(model):
    numbers = model.plot_map(colour=model.graph_.degrees, ax=axes())
    assert len(numbers.figure.axes) == 2
    words = model.plot_map(colour=["even", "odd"] * 40, ax=axes())
    assert names(words) == ["even", "odd"]


def test_a_sample_of_a_large_graph_is_drawn(model):
    ax = model.plot_map(max_nodes=60, ax=axes())
    assert len(ax.collections[0].get_offsets()) == 60
    assert ax.get_xlabel() == "20 more nodes are not drawn"


def test_another_graph_can_be_shown(model):
    other = im.make_roles(num_nodes=60, seed=2)
    assert len(model.plot_map(other, colour="correct", ax=axes()).collections[0].get_offsets()) == 60


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colour": "colour"}, "unknown colour 'colour'"),
        ({"colour": [1, 2, 3]}, "hold a value per node, 80 in all"),
        ({"max_nodes": 0}, "max_nodes must be a positive whole number"),
        ({"graph": im.make_roles(num_nodes=60), "colour": "split"}, "colour='split' needs the graph"),
        ({"graph": im.make_roles(num_nodes=60).replace(y=None, class_names=None)}, "has no labels"),
    ],
)
def test_what_cannot_be_drawn_is_refused(model, options, message):
    with pytest.raises(im.InputError, match=message):
        model.plot_map(**options, ax=axes())


def test_a_base_gnn_has_no_motifs_to_colour_by(model):
    base = im.InfoMotif(preset="base", training=im.Training(epochs=2), progress=False).fit(model.graph_, np.arange(20))
    with pytest.raises(im.InputError, match="base GNN without motif weights"):
        base.plot_map(colour="motif", ax=axes())


def test_motifs_are_those_of_the_largest_weight(model):
    shown = {model.motif_names_[t] for t in model.motif_weights_.argmax(axis=1)}
    assert set(names(model.plot_map(colour="motif", ax=axes()))) == shown


def test_a_frame_has_the_columns_of_the_file_of_predictions(model):
    frame = model.to_frame(kind="arrow").to_pydict()
    assert list(frame) == ["node", "predicted", *(f"p(role {c})" for c in range(4)), "label", "split"]
    assert frame["predicted"] == model.classes_[model.predict()].tolist()
    assert np.allclose(frame["p(role 2)"], model.predict_proba()[:, 2])
    assert [frame["split"].count(part) for part in ("train", "val", "test")] == [
        len(part) for part in (model.split_.train, model.split_.val, model.split_.test)
    ]
    assert "split" not in model.to_frame(im.make_roles(num_nodes=60), kind="arrow").column_names
