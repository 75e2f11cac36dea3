"""Profiles follow the definition of Milo et al. (2004), with error bars of the right length."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import infomotif as im
from infomotif.errors import InputError
from infomotif.motifs import plot_profiles, significance, triad_profile
from tests.motifs import brute_force


@pytest.fixture(scope="module")
def graph() -> im.Graph:
    return brute_force.random_graph(40, 500, directed=True)


@pytest.fixture(scope="module")
def chance(graph):
    return significance(graph, "triads", samples=60)


def test_a_profile_is_the_z_scores_divided_by_their_length(chance):
    drawn = chance.samples.astype(float)
    z = (chance.totals - drawn.mean(axis=0)) / drawn.std(axis=0, ddof=1)
    np.testing.assert_allclose(chance.profile().values, z / np.sqrt((z**2).sum()))


def test_a_ratio_profile_follows_its_definition(chance):
    mean = chance.samples.mean(axis=0)
    delta = (chance.totals - mean) / (chance.totals + mean + 4)
    np.testing.assert_allclose(chance.profile("ratio").values, delta / np.sqrt((delta**2).sum()))


def test_error_bars_equal_a_plain_bootstrap(chance):
    rng = np.random.default_rng(7)
    values = []
    for _ in range(1500):
        drawn = chance.samples[rng.integers(0, len(chance.samples), len(chance.samples))].astype(float)
        z = (chance.totals - drawn.mean(axis=0)) / drawn.std(axis=0, ddof=1)
        values.append(z / np.linalg.norm(z))
    profile = chance.profile()
    np.testing.assert_allclose(profile.std, np.std(values, axis=0, ddof=1), rtol=0.15)
    low, high = np.percentile(values, (2.5, 97.5), axis=0)
    np.testing.assert_allclose(profile.low, low, atol=0.05)
    np.testing.assert_allclose(profile.high, high, atol=0.05)


def test_more_random_graphs_make_error_bars_shorter(graph, chance):
    few = significance(graph, "triads", samples=15).profile()
    assert chance.profile().std.mean() < few.std.mean()


def test_a_motif_without_a_z_score_has_no_value_and_counts_as_zero():
    graph = im.load_dataset("karate")
    result = significance(graph, ["M7", "clique4"], samples=20)
    fixed = result._replace(
        samples=np.where([False, True], 11, result.samples), std=result.std * [1, 0], z=result.z * [1, np.nan]
    )
    profile = fixed.profile()
    assert abs(profile.values[0]) == 1
    assert np.isnan([profile.values[1], profile.low[1], profile.std[1]]).all()
    assert "undefined" in repr(profile)


def test_one_random_graph_gives_no_error_bar(graph):
    profile = significance(graph, "M4", samples=1).profile("ratio")
    assert np.isnan(profile.low).all()
    assert np.isfinite(profile.values).all()


def test_the_triad_profile_is_that_of_the_13_triads(graph, chance):
    profile = triad_profile(graph, samples=60)
    np.testing.assert_array_equal(profile.values, chance.profile().values)
    assert len(profile.motifs) == 13


def test_similarity_is_the_correlation(chance, graph):
    one, other = chance.profile(), significance(graph, "triads", samples=30, null="erdos-renyi").profile()
    assert one.similarity(other) == pytest.approx(np.corrcoef(one.values, other.values)[0, 1])
    assert one.similarity(one) == pytest.approx(1)


def test_profiles_of_other_motifs_are_not_compared(chance, graph):
    other = significance(graph, "directed", samples=5).profile()
    for call in (
        lambda: chance.profile().similarity(other),
        lambda: plot_profiles({"a": chance.profile(), "b": other}),
    ):
        with pytest.raises(InputError, match="same motifs"):
            call()


def test_an_unknown_kind_is_answered_with_the_known_ones(chance):
    with pytest.raises(InputError, match="unknown kind of profile 'ratios': did you mean 'ratio'"):
        chance.profile("ratios")


def test_an_undirected_graph_has_no_triad_profile():
    with pytest.raises(InputError, match="has directions but the graph has none"):
        triad_profile(im.load_dataset("karate"), samples=2)


def test_a_frame_has_a_row_per_motif(chance):
    frame = chance.profile().to_frame(kind="arrow").to_pydict()
    assert list(frame) == ["motif", "pattern", "profile", "low", "high", "std", "z"]
    assert frame["profile"] == chance.profile().values.tolist()


def test_a_notebook_shows_a_picture_per_motif(chance):
    assert chance.profile()._repr_html_().count("<svg") == 13


def test_bars_are_the_values_and_whiskers_the_error_bars(chance):
    profile = chance.profile()
    ax = profile.plot(ax=Figure(layout="constrained").subplots())
    np.testing.assert_allclose([bar.get_height() for bar in ax.patches], profile.values)
    (whiskers,) = [c for c in ax.collections if len(c.get_segments()) == 13]
    ends = np.array([segment[:, 1] for segment in whiskers.get_segments()])
    np.testing.assert_allclose(ends, np.stack([profile.low, profile.high], axis=1), atol=1e-12)


def test_profiles_of_several_networks_have_a_line_each(chance):
    ax = plot_profiles({"one": chance.profile(), "two": chance.profile()}, ax=Figure(layout="constrained").subplots())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one", "two"]
    ax.figure.draw_without_rendering()
    with pytest.raises(InputError, match="at least one profile"):
        plot_profiles({})
