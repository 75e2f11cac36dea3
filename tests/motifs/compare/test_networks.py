"""Several networks are compared in one call."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import infomotif as im
from infomotif.errors import InputError
from infomotif.motifs import (
    compare_networks,
    graphlet_correlation_distance,
    graphlet_correlation_matrix,
    plot_correlations,
    significance,
)
from tests.motifs import brute_force


@pytest.fixture(scope="module")
def graphs() -> dict[str, im.Graph]:
    made = {f"random {seed}": brute_force.random_graph(100, 400 + 200 * seed, directed=True) for seed in range(2)}
    return {**made, "roles": im.make_roles(num_nodes=200)}


@pytest.fixture(scope="module")
def comparison(graphs):
    return compare_networks(graphs, samples=10)


def test_distances_are_those_of_each_pair(graphs, comparison):
    for i, a in enumerate(graphs.values()):
        for j, b in enumerate(graphs.values()):
            assert comparison.distances[i, j] == pytest.approx(graphlet_correlation_distance(a, b), abs=1e-12)


def test_a_mixture_of_kinds_is_compared_by_four_nodes(graphs, comparison):
    kinds = {graph.directed for graph in graphs.values()}
    expected = "triads" if kinds == {True} else "graphlets4"
    assert [m.name for m in comparison.profiles[0].motifs] == list(im.motifs.SETS[expected])
    mixed = compare_networks([*graphs.values(), im.load_dataset("karate")], samples=2)
    assert [m.name for m in mixed.profiles[0].motifs] == list(im.motifs.SETS["graphlets4"])
    assert mixed.profiles[0].kind == "ratio"


def test_profiles_are_those_of_significance(graphs):
    directed = {name: graph for name, graph in graphs.items() if graph.directed}
    compared = compare_networks(directed, samples=8, null="degrees", random_state=3)
    for graph, profile in zip(directed.values(), compared.profiles, strict=True):
        alone = significance(graph, "triads", samples=8, null="degrees", random_state=3).profile()
        np.testing.assert_array_equal(profile.values, alone.values)


def test_similarities_are_symmetric_with_ones(comparison):
    values = comparison.similarities
    np.testing.assert_allclose(values, values.T)
    np.testing.assert_allclose(np.diag(values), 1)


def test_profiles_are_left_out_unless_asked_for(graphs):
    plain = compare_networks(graphs)
    assert plain.profiles == ()
    for call in (lambda: plain.similarities, plain.plot_profiles):
        with pytest.raises(InputError, match="has no profiles"):
            call()


def test_equal_names_are_numbered():
    karate = im.load_dataset("karate")
    assert compare_networks([karate, karate, karate]).names == ("karate", "karate (2)", "karate (3)")


def test_one_network_cannot_be_compared():
    with pytest.raises(InputError, match="at least two networks"):
        compare_networks([im.load_dataset("karate")])


def test_a_frame_has_a_row_per_pair(comparison):
    frame = comparison.to_frame(kind="arrow").to_pydict()
    assert list(frame) == ["network", "other", "gcd", "profile_correlation"]
    assert frame["gcd"] == [comparison.distances[i, j] for i, j in ((0, 1), (0, 2), (1, 2))]


def test_prompts_and_notebooks_show_the_distances(comparison):
    assert repr(comparison).splitlines()[0] == "Graphlet correlation distances of 3 networks:"
    assert len(repr(comparison).splitlines()) == 4
    assert comparison._repr_html_().count("<tr>") == 4


def test_plots_show_every_network(comparison, graphs):
    ax = comparison.plot(ax=Figure(layout="constrained").subplots())
    assert [label.get_text() for label in ax.get_xticklabels()] == list(graphs)
    assert f"{comparison.distances[0, 1]:.2f}" in {text.get_text() for text in ax.texts}
    profiles = comparison.plot_profiles(ax=Figure(layout="constrained").subplots())
    assert [text.get_text() for text in profiles.get_legend().get_texts()] == list(graphs)
    for axes in (ax, profiles):
        axes.figure.draw_without_rendering()


def test_a_matrix_is_drawn_with_its_figures():
    matrix = graphlet_correlation_matrix(im.load_dataset("karate"))
    ax = plot_correlations(matrix, ax=Figure(layout="constrained").subplots())
    assert len(ax.texts) == 121
    with pytest.raises(InputError, match="graphlet correlation matrix"):
        plot_correlations(matrix[:3])
