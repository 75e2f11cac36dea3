"""Plots, texts and frames of counts and significance say what was counted."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox
from matplotlib.patches import Circle, Polygon

import infomotif as im
from infomotif.motifs import Motif, catalog, significance
from infomotif.motifs.drawing import drawn_edges
from infomotif.motifs.glyphs import glyph


@pytest.fixture(scope="module")
def karate() -> im.Graph:
    return im.load_dataset("karate")


@pytest.fixture(scope="module")
def index(karate) -> im.MotifIndex:
    return im.MotifIndex(karate, "graphlets4")


@pytest.fixture(scope="module")
def chance(karate):
    return significance(karate, "graphlets4", samples=10)


def axes():
    return Figure(layout="constrained").subplots()


def pictures(ax) -> int:
    return len([artist for artist in ax.artists if isinstance(artist, AnnotationBbox)])


def labels(ax) -> list[str]:
    return [label.get_text() for label in ax.get_xticklabels()]


@pytest.mark.parametrize("motif", catalog().values(), ids=lambda m: m.name)
def test_a_picture_has_every_node_edge_and_arrowhead(motif):
    parts = glyph(motif, 30, "black").get_children()
    edges = list(drawn_edges(motif))
    heads = sum(first + second for _, _, first, second in edges)
    circles = [part for part in parts if isinstance(part, Circle)]
    polygons = [part for part in parts if isinstance(part, Polygon)]
    assert (len(circles), len(polygons), len(parts)) == (motif.size, heads, motif.size + heads + len(edges))


def test_the_census_has_a_bar_and_a_picture_per_motif(index):
    ax = index.plot(ax=axes())
    assert np.allclose([p.get_height() + p.get_y() for p in ax.patches], index.totals)
    assert pictures(ax) == 6
    assert labels(ax) == [motif.name for motif in index.motifs]
    assert ax.get_legend() is None


def test_counts_of_different_size_have_a_logarithmic_scale_unless_told(index, karate):
    assert index.plot(ax=axes()).get_yscale() == "log"
    assert index.plot(log=False, ax=axes()).get_yscale() == "linear"
    assert im.MotifIndex(karate).plot(ax=axes()).get_yscale() == "linear"


def test_random_graphs_are_drawn_next_to_the_graph(index, chance):
    ax = index.plot(chance, ax=axes())
    ends = [p.get_height() + p.get_y() for p in ax.patches]
    assert np.allclose(ends, [*index.totals, *chance.mean])
    assert [t.get_text() for t in ax.get_legend().get_texts()] == [
        "this graph",
        "10 random graphs: mean, 95 % range",
    ]
    z = [f"{value:+.1f}".replace("-", "\N{MINUS SIGN}") for value in chance.z]
    assert set(z) <= {text.get_text() for text in ax.texts}


def test_random_graphs_can_be_asked_for(index, chance):
    ax = index.plot(random_graphs=10, ax=axes())
    assert np.allclose([p.get_height() + p.get_y() for p in ax.patches][6:], chance.mean)


def test_motifs_may_be_a_part_of_the_significance_in_another_order(index, chance):
    part = index.select(["clique4", "path4"])
    ax = part.plot(chance, ax=axes())
    assert np.allclose([p.get_height() + p.get_y() for p in ax.patches][2:], chance.mean[[5, 0]])


def test_significance_of_another_graph_or_other_motifs_is_refused(index, chance, karate):
    other = im.MotifIndex(karate.subgraph(np.arange(30)), "graphlets4")
    with pytest.raises(im.InputError, match="significance is that of another graph"):
        other.plot(chance, ax=axes())
    with pytest.raises(im.InputError, match="significance has no motif 'M6'"):
        im.MotifIndex(karate).plot(chance, ax=axes())


@pytest.mark.parametrize(
    ("options", "message"),
    [({"random_graphs": 0}, "random_graphs must be"), ({"significance": 20}, "significance must be what significance")],
)
def test_other_comparisons_are_refused(index, options, message):
    with pytest.raises(im.InputError, match=message):
        index.plot(**options, ax=axes())


def test_a_motif_that_never_occurs_has_no_bar_but_a_zero():
    graph = im.Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=False)
    ax = im.MotifIndex(graph).plot(random_graphs=3, ax=axes())
    assert "0" in {text.get_text() for text in ax.texts}
    ax.figure.draw_without_rendering()


def test_custom_motifs_are_drawn_whatever_they_are_called(karate):
    odd = Motif("$\\frac{ <b>_", catalog()["paw"].codes, False, "$x$")
    ax = im.MotifIndex(karate, [odd, "M7"]).plot(random_graphs=2, ax=axes())
    ax.figure.draw_without_rendering()
    assert pictures(ax) == 2


def test_edges_of_a_pattern_have_a_line_each():
    graph = im.Graph.from_edges([0, 1, 2], [1, 2, 3], num_nodes=4, directed=True)
    ax = im.MotifIndex(graph, "a->b, b->c, c->d").plot(ax=axes())
    assert labels(ax) == ["a→b\nb→c\nc→d"]


def test_z_scores_are_the_heights_of_the_bars(chance):
    ax = chance.plot(ax=axes())
    assert np.allclose([p.get_height() for p in ax.patches if p.get_width() < 1], chance.z)
    assert pictures(ax) == 6


def test_a_profile_has_length_one(chance):
    heights = [p.get_height() for p in chance.plot(profile=True, ax=axes()).patches]
    assert np.isclose(np.linalg.norm(heights), 1)
    assert np.allclose(heights, chance.z / np.linalg.norm(chance.z))


def test_a_motif_without_a_z_score_has_a_dash():
    ring = im.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], num_nodes=4, directed=False)
    ax = significance(ring, "M7", samples=3).plot(ax=axes())
    assert "–" in {text.get_text() for text in ax.texts}
    ax.figure.draw_without_rendering()


def test_an_instance_of_the_node_is_shaded(karate):
    index = im.MotifIndex(karate)
    ax = index.plot_instance(0, "M7", ax=axes())
    assert ax.get_title() == "An instance of M7 (triangle) at 0 in karate"
    assert len([p for p in ax.patches if isinstance(p, Polygon)]) == 1
    ax = index.plot_instance("0", count=3, ax=axes())
    assert ax.get_title() == "3 of 18 instances of M7 (triangle) at 0 in karate"


def test_a_node_without_an_instance_says_so(karate):
    with pytest.raises(im.InputError, match="node '9' is in no instance of M7"):
        im.MotifIndex(karate).plot_instance(9, "M7", ax=axes())


def test_an_index_prints_as_one_line(karate, index):
    assert repr(im.MotifIndex(karate)) == "MotifIndex('karate', 34 nodes: M6 393, M7 45)"
    assert "\n" not in repr(index)


def test_significance_prints_as_five_lines_and_still_unpacks(chance):
    lines = repr(chance).splitlines()
    assert lines[0] == "Significance of 6 motifs against 10 random graphs, the 4 most notable:"
    assert len(lines) == 5
    assert lines[1].startswith("  path4 path of four: 681, by chance ")
    motifs, totals, *_ = chance
    assert len(motifs) == len(totals) == 6


def test_notebooks_show_a_picture_per_motif(index, chance):
    for page in (index._repr_html_(), chance._repr_html_()):
        assert page.count("<svg") == 6
        assert "681" in page


def test_names_in_notebooks_are_text(karate):
    odd = Motif("<script>", catalog()["paw"].codes, False, '<img src=x> & "')
    index = im.MotifIndex(karate.replace(name="<b>"), [odd])
    for page in (index._repr_html_(), significance(karate, [odd], samples=2)._repr_html_(), odd._repr_html_()):
        assert not any(bad in page for bad in ("<script>", "<img", "<b>"))
        assert "&lt;script&gt;" in page


def test_a_frame_has_a_row_per_node_and_a_column_per_motif_or_orbit(index):
    counts = index.to_frame(kind="arrow")
    assert counts.column_names == ["node", *(motif.name for motif in index.motifs)]
    assert np.array_equal(np.stack(counts.columns[1:], axis=1), index.counts)
    orbits = index.to_frame(orbits=True, kind="arrow")
    assert orbits.column_names == ["node", *index.orbit_names]
    assert np.array_equal(np.stack(orbits.columns[1:], axis=1), index.orbit_counts)


def test_nodes_of_a_frame_have_their_names():
    graph = im.Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=False, names=["a", "b", "c"])
    assert im.MotifIndex(graph).to_frame(kind="arrow").to_pydict() == {
        "node": ["a", "b", "c"],
        "M6": [1, 1, 1],
        "M7": [0, 0, 0],
    }


def test_a_frame_of_significance_has_a_row_per_motif(chance):
    frame = chance.to_frame(kind="arrow").to_pydict()
    assert frame["motif"] == [motif.name for motif in chance.motifs]
    assert frame["total"] == chance.totals.tolist()
    assert frame["z"] == chance.z.tolist()
