"""Significance: are motifs more or less frequent than in random graphs with the same degrees?"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from infomotif._core.parallel import parallel_calls, thread_count
from infomotif._core.progress import progress
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io.adapt import as_structure
from infomotif.motifs.catalog import select_motifs
from infomotif.motifs.counting.census import count_motifs
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.kernels.switching import switch_edges
from infomotif.motifs.pattern import Motif, flip
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SWITCHES_PER_EDGE = 10


class Significance(NamedTuple):
    """Motif totals compared with those of random graphs with the same in-, out- and reciprocal degrees.

    Attributes:
        motifs: The motifs [T].
        totals: Instances in the graph [T].
        mean: Mean of the random graphs' totals [T].
        std: Their standard deviation [T].
        z: (total - mean) / std, NaN where all random graphs agree [T].
        p_more: Share of all graphs, this one included, with at least as many instances [T].
        p_fewer: Share of all graphs, this one included, with at most as many instances [T].
        samples: Totals of each random graph [R, T].

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

    def plot(self, *, profile: bool = False, ax: Axes | None = None) -> Axes:
        """Draw the z-score of each motif with a picture of the motif; grey means less than 2 away from 0.

        Args:
            profile: Whether to draw the significance profile of Milo et al. (2004) instead: z-scores divided by their
                Euclidean length, so that networks of different size can be compared.
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

        return plot_significance(self, profile=profile, ax=ax)

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
    random_state: int = 0,
    switches: int = SWITCHES_PER_EDGE,
    threads: int | None = None,
    show_progress: bool | None = None,
) -> Significance:
    """Compare motif totals with those of random graphs that keep every node's in-, out- and reciprocal degree.

    Args:
        graph: A :class:`Graph`, a PyG ``Data`` or a NetworkX graph.
        motifs: As for :class:`MotifIndex`.
        samples: Number of random graphs R.
        random_state: Seed; the same seed gives the same result, whatever the number of threads.
        switches: Attempted moves per edge in each random graph.
        threads: Number of random graphs that are made at the same time.
        show_progress: Whether to show a progress bar; by default only on a terminal.

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
    graph = as_structure(graph)
    chosen = select_motifs(motifs, directed=graph.directed)
    seeds = np.random.default_rng(random_state).integers(0, 2**64, size=samples, dtype=np.uint64)
    totals = np.array(_totals(graph, chosen))
    at_once = 4 * thread_count(threads)
    random_totals: list[list[int]] = []
    with progress("random graphs", total=samples, enabled=show_progress) as advance:
        for start in range(0, samples, at_once):
            batch = seeds[start : start + at_once]
            calls = [partial(_random_totals, graph, chosen, seed, switches) for seed in batch]
            random_totals += parallel_calls(calls, threads=threads)
            advance(len(batch))
    drawn = np.array(random_totals, np.int64)
    mean, std = drawn.mean(axis=0), drawn.std(axis=0, ddof=1) if samples > 1 else np.zeros(len(chosen))
    z = np.divide(totals - mean, std, out=np.full(len(chosen), np.nan), where=std > 0)
    p_more = (1 + (drawn >= totals).sum(axis=0)) / (1 + samples)
    p_fewer = (1 + (drawn <= totals).sum(axis=0)) / (1 + samples)
    return Significance(chosen, totals, mean, std, z, p_more, p_fewer, drawn)


def random_graph(graph: Graph, seed: int | np.uint64, *, switches: int = SWITCHES_PER_EDGE) -> Graph:
    """Return a random graph with the same in-, out- and reciprocal degree of every node.

    Moves switch the ends of two edges, or rearrange all edges among the three or four nodes of two edges: these turn
    directed 3-cycles, and move single and mutual edges together. All graphs that the moves reach are equally likely in
    the long run. For an undirected graph these are all with the same degrees. For a directed graph of up to four nodes
    they are too; of five nodes, 3 % of the possible degrees allow graphs that no move reaches.

    Example:
        >>> graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], num_nodes=4, directed=True)
        >>> random_graph(graph, 1).degrees.tolist()
        [2, 2, 2, 2]
    """
    view = DyadGraph(graph, directed=True)
    rows = np.repeat(np.arange(graph.num_nodes), np.diff(view.indptr))
    single = view.codes == 1
    mutual = (view.codes == 3) & (rows < view.indices)
    source = np.concatenate([rows[single], rows[mutual]]).astype(np.int64)
    target = np.concatenate([view.indices[single], view.indices[mutual]]).astype(np.int64)
    singles = int(single.sum())
    switch_edges(source, target, singles, graph.num_nodes, switches, np.uint64(seed), *rearrangements())
    if graph.directed:
        back = slice(singles, None)
        source, target = np.concatenate([source, target[back]]), np.concatenate([target, source[back]])
    return Graph.from_edges(source, target, num_nodes=graph.num_nodes, directed=graph.directed, name=graph.name)


@cache
def rearrangements() -> tuple[Array, Array, Array]:
    """Group the arrangements of edges among three nodes, then among four, by the degrees of these nodes.

    An arrangement is a number whose digits to base 4 are the codes of the pairs in ascending order.

    Returns:
        For each arrangement, where its group begins and how many members it has; and the members, ascending.
    """
    first: list[int] = []
    count: list[int] = []
    members: list[int] = []
    for k in (3, 4):
        pairs = list(combinations(range(k), 2))
        groups: dict[tuple[int, ...], list[int]] = {}
        keys = []
        for number, codes in enumerate(product(range(4), repeat=len(pairs))):
            degrees = [0] * (3 * k)
            for (i, j), code in zip(pairs, codes, strict=True):
                if code:
                    degrees[3 * i + code - 1] += 1
                    degrees[3 * j + flip(code) - 1] += 1
            keys.append(tuple(degrees))
            groups.setdefault(keys[-1], []).append(number)
        begin = {}
        for key, group in groups.items():
            begin[key] = len(members)
            members += group
        first += [begin[key] for key in keys]
        count += [len(groups[key]) for key in keys]
    return np.array(first, np.int64), np.array(count, np.int64), np.array(members, np.int64)


def _random_totals(graph: Graph, motifs: tuple[Motif, ...], seed: np.uint64, switches: int) -> list[int]:
    return _totals(random_graph(graph, seed, switches=switches), motifs)


def _totals(graph: Graph, motifs: tuple[Motif, ...]) -> list[int]:
    total_of: dict[Motif, int] = {}
    for kind in {motif.directed for motif in motifs}:
        group = [motif for motif in motifs if motif.directed == kind]
        counts = count_motifs(DyadGraph(graph, directed=kind), group)
        total_of.update((m, int(count.orbits.sum()) // m.size) for m, count in zip(group, counts, strict=True))
    return [total_of[motif] for motif in motifs]
