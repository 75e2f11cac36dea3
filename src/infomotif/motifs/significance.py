"""Significance: are motifs more or less frequent than in random graphs, by default with the same degrees?"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from infomotif._core.parallel import parallel_calls, thread_count
from infomotif._core.progress import progress
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io.adapt import as_structure
from infomotif.motifs.colours.census import count_any
from infomotif.motifs.colours.sets import motifs_for
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.null_models import DEFAULT_NULL, get_null_model, random_graph
from infomotif.motifs.null_models.registry import SWITCHES_PER_EDGE
from infomotif.motifs.pattern import Motif
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from infomotif.motifs.compare.profile import Profile


class Significance(NamedTuple):
    """Motif totals compared with those of random graphs.

    Attributes:
        motifs: The motifs [T].
        totals: Instances in the graph [T].
        mean: Mean of the random graphs' totals [T].
        std: Their standard deviation [T].
        z: (total - mean) / std, NaN where all random graphs agree [T].
        p_more: Share of all graphs, this one included, with at least as many instances [T].
        p_fewer: Share of all graphs, this one included, with at most as many instances [T].
        samples: Totals of each random graph [R, T].
        null: Name of the null model that made the random graphs.

    Example:
        >>> ring = Graph.from_edges([0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3], num_nodes=6, directed=False)
        >>> significance(ring, "M7", samples=50).to_frame(kind="arrow").column_names
        ['motif', 'pattern', 'total', 'mean', 'std', 'z', 'p_more', 'p_fewer']
    """

    motifs: tuple[Motif, ...]
    totals: Array
    mean: Array
    std: Array
    z: Array
    p_more: Array
    p_fewer: Array
    samples: Array
    null: str = DEFAULT_NULL

    def profile(self, kind: str = "z") -> Profile:
        """Return the significance profile of Milo et al. (2004), with error bars: a vector of length 1.

        Args:
            kind: ``z`` divides the z-scores by their Euclidean length. ``ratio`` does so with (total - mean) /
                (total + mean + 4), which depends less on the size of a network; Milo et al. use it for four nodes.

        Example:
            >>> ring = Graph.from_edges([0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3], num_nodes=6, directed=False)
            >>> significance(ring, samples=50).profile().values.round(2).tolist()
            [-0.71, 0.71]
        """
        from infomotif.motifs.compare.profile import profile_of

        return profile_of(self, kind)

    def plot(self, *, profile: bool = False, ax: Axes | None = None) -> Axes:
        """Draw the z-score of each motif with a picture of the motif; grey means less than 2 away from 0.

        Args:
            profile: Whether to draw :meth:`profile` instead, so that networks of different size can be compared.
            ax: Matplotlib axes to draw on; by default those of a new figure. A figure that is made with
                ``layout="constrained"`` leaves room for the pictures.

        Returns:
            The axes. A dash marks a motif without a z-score, where all random graphs agree.

        Example:
            >>> from matplotlib.figure import Figure
            >>> ring = Graph.from_edges([0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3], num_nodes=6, directed=False)
            >>> significance(ring, samples=50).plot(ax=Figure().subplots()).get_ylabel()
            'z-score'
        """
        from infomotif.motifs.motif_plot import plot_significance

        return self.profile().plot(ax=ax) if profile else plot_significance(self, ax=ax)

    def to_frame(self, *, kind: str | None = None) -> Any:
        """Return one row per motif as a data frame; ``kind`` as for :meth:`.MotifIndex.to_frame`."""
        from infomotif._core.display.frames import to_frame

        texts = [("motif", [m.name for m in self.motifs]), ("pattern", [m.pattern for m in self.motifs])]
        figures = ("mean", "std", "z", "p_more", "p_fewer")
        return to_frame([*texts, ("total", self.totals), *((name, getattr(self, name)) for name in figures)], kind)

    def __repr__(self) -> str:
        """Name the motifs that differ most from chance, in at most five lines."""
        from infomotif.motifs.motif_text import significance_text

        return significance_text(self)

    def _repr_html_(self) -> str:
        """Show each motif with its picture, its total, and what chance gives."""
        from infomotif.motifs.motif_text import significance_html

        return significance_html(self)


def significance(
    graph: Any,
    motifs: str | Iterable[str | Motif] = "auto",
    *,
    samples: int = 100,
    null: str = DEFAULT_NULL,
    random_state: int = 0,
    switches: int = SWITCHES_PER_EDGE,
    threads: int | None = None,
    show_progress: bool | None = None,
) -> Significance:
    """Compare motif totals with those of random graphs, by default with every node's in-, out- and reciprocal degree.

    Args:
        graph: A :class:`Graph`, a PyG ``Data`` or a NetworkX graph.
        motifs: As for :class:`MotifIndex`.
        samples: Number of random graphs R.
        null: What the random graphs keep: the name of a null model of :data:`infomotif.motifs.NULL_MODELS`.
        random_state: Seed; the same seed gives the same result, whatever the number of threads.
        switches: Attempted moves per edge in each random graph.
        threads: Number of random graphs that are made at the same time.
        show_progress: Whether to show a progress bar, or without a terminal a line every few seconds; by default only
            on a terminal.

    Example:
        >>> ring = Graph.from_edges([0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3], num_nodes=6, directed=False)
        >>> result = significance(ring, "M7", samples=50)
        >>> int(result.totals[0]), bool(result.z[0] > 0)
        (2, True)
    """
    for name, value in (("samples", samples), ("switches", switches)):
        if value < 1:
            raise InputError(f"{name} must be a positive whole number (got {value})")
    if isinstance(random_state, bool) or not isinstance(random_state, int | np.integer) or random_state < 0:
        raise InputError(f"random_state must be a whole number from 0 on (got {random_state!r})")
    get_null_model(null)
    graph = as_structure(graph)
    chosen = motifs_for(graph, motifs)
    get_null_model(null).check(graph)
    seeds = np.random.default_rng(random_state).integers(0, 2**64, size=samples, dtype=np.uint64)
    totals = np.array(_totals(graph, chosen))
    at_once = 4 * thread_count(threads)
    random_totals: list[list[int]] = []
    with progress("random graphs", total=samples, enabled=show_progress) as advance:
        for start in range(0, samples, at_once):
            batch = seeds[start : start + at_once]
            calls = [partial(_random_totals, graph, chosen, seed, null, switches) for seed in batch]
            random_totals += parallel_calls(calls, threads=threads)
            advance(len(batch))
    drawn = np.array(random_totals, np.int64)
    mean, std = drawn.mean(axis=0), drawn.std(axis=0, ddof=1) if samples > 1 else np.zeros(len(chosen))
    z = np.divide(totals - mean, std, out=np.full(len(chosen), np.nan), where=std > 0)
    p_more = (1 + (drawn >= totals).sum(axis=0)) / (1 + samples)
    p_fewer = (1 + (drawn <= totals).sum(axis=0)) / (1 + samples)
    return Significance(chosen, totals, mean, std, z, p_more, p_fewer, drawn, null)


def _random_totals(graph: Graph, motifs: tuple[Motif, ...], seed: np.uint64, null: str, switches: int) -> list[int]:
    return _totals(random_graph(graph, seed, null=null, switches=switches), motifs)


def _totals(graph: Graph, motifs: tuple[Motif, ...]) -> list[int]:
    views = {kind: DyadGraph(graph, directed=kind) for kind in {motif.directed for motif in motifs}}
    counts = count_any(graph, views, motifs)
    return [int(count.orbits.sum()) // motif.size for motif, count in zip(motifs, counts, strict=True)]
