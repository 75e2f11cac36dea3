"""Several networks side by side: graphlet correlation distances and significance profiles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io.adapt import as_structure
from infomotif.motifs.compare.correlation import distances, graphlet_correlation_matrix
from infomotif.motifs.compare.profile import Profile
from infomotif.motifs.null_models import DEFAULT_NULL
from infomotif.motifs.pattern import Motif
from infomotif.motifs.significance import significance
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

_SHOWN = 6


@dataclass(frozen=True, eq=False, repr=False)
class NetworkComparison:
    """How far networks are apart.

    Attributes:
        names: Name of each network [N].
        correlations: Their graphlet correlation matrices [N, 11, 11].
        distances: Graphlet correlation distance (GCD-11) of every two networks [N, N].
        profiles: Significance profile of each network; empty if they were not asked for.

    Example:
        >>> from infomotif import load_dataset
        >>> karate = load_dataset("karate")
        >>> comparison = compare_networks({"karate": karate, "part": karate.subgraph(range(20))})
        >>> comparison.to_frame(kind="arrow").column_names
        ['network', 'other', 'gcd']
    """

    names: tuple[str, ...]
    correlations: Array
    distances: Array
    profiles: tuple[Profile, ...] = ()

    @property
    def similarities(self) -> Array:
        """Correlation of the profiles of every two networks [N, N].

        Raises:
            InputError: If there are no profiles.
        """
        if not self.profiles:
            raise InputError("the comparison has no profiles; call compare_networks(graphs, samples=100)")
        return np.array([[a.similarity(b) for b in self.profiles] for a in self.profiles])

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the distances as a map with a figure in each cell; light cells are near.

        Args:
            ax: Matplotlib axes to draw on; by default those of a new figure.

        Returns:
            The axes.
        """
        from infomotif.motifs.compare.plots import plot_distances

        return plot_distances(self, ax=ax)

    def plot_profiles(self, *, ax: Axes | None = None) -> Axes:
        """Draw the significance profiles over each other, with error bars; ``ax`` as for :meth:`plot`.

        Raises:
            InputError: If there are no profiles.
        """
        from infomotif.motifs.compare.plots import plot_profiles

        if not self.profiles:
            raise InputError("the comparison has no profiles; call compare_networks(graphs, samples=100)")
        return plot_profiles(dict(zip(self.names, self.profiles, strict=True)), ax=ax)

    def plot_overview(self, *, figure: Figure | SubFigure | None = None) -> Figure | SubFigure:
        """Draw the distances and, if there are any, the profiles below.

        Args:
            figure: A Matplotlib figure to draw on; by default a new one.

        Returns:
            The figure.

        Example:
            >>> from infomotif import load_dataset
            >>> from matplotlib.figure import Figure
            >>> karate = load_dataset("karate")
            >>> comparison = compare_networks([karate, karate.subgraph(range(20))], samples=5)
            >>> len(comparison.plot_overview(figure=Figure(layout="constrained")).subfigs)
            2
        """
        from infomotif.motifs.compare.plots import plot_overview

        return plot_overview(self, figure=figure)

    def to_frame(self, *, kind: str | None = None) -> Any:
        """Return one row per pair of networks as a data frame; ``kind`` as for :meth:`.MotifIndex.to_frame`.

        The column ``gcd`` is the distance; ``profile_correlation`` is there if the networks have profiles.
        """
        from infomotif._core.display.frames import to_frame

        first, second = np.triu_indices(len(self.names), 1)
        columns: list[tuple[str, Any]] = [
            ("network", [self.names[i] for i in first]),
            ("other", [self.names[j] for j in second]),
            ("gcd", self.distances[first, second]),
        ]
        if self.profiles:
            columns.append(("profile_correlation", self.similarities[first, second]))
        return to_frame(columns, kind)

    def __repr__(self) -> str:
        """Name the networks and the nearest pairs, in a few lines."""
        first, second = np.triu_indices(len(self.names), 1)
        order = np.argsort(self.distances[first, second], kind="stable")[:_SHOWN]
        pairs = [
            f"  {self.names[i]} - {self.names[j]}: {self.distances[i, j]:.2f}"
            for i, j in zip(first[order], second[order], strict=True)
        ]
        rest = f", the {_SHOWN} nearest pairs" if len(first) > _SHOWN else ""
        return "\n".join([f"Graphlet correlation distances of {len(self.names)} networks{rest}:", *pairs])

    def _repr_html_(self) -> str:
        """Show the distances as a table."""
        from infomotif._core.display.html import block, heading, strong, table

        rows = [[strong(name), *map(float, row.round(3))] for name, row in zip(self.names, self.distances, strict=True)]
        return block(heading("Graphlet correlation distances", "GCD-11"), table(rows, ("", *self.names)))


def compare_networks(
    graphs: Mapping[str, Any] | Iterable[Any],
    *,
    samples: int = 0,
    motifs: str | Iterable[str | Motif] = "auto",
    null: str = DEFAULT_NULL,
    kind: str | None = None,
    random_state: int = 0,
    threads: int | None = None,
    show_progress: bool | None = None,
) -> NetworkComparison:
    """Compare networks by their graphlet correlations and, if asked for, by their significance profiles.

    Args:
        graphs: Networks by name, or a list of them, which are then called by their own names. Each is a :class:`Graph`
            or anything else that :class:`.MotifIndex` takes.
        samples: Number of random graphs per network for its profile; 0 leaves profiles out.
        motifs: Motifs of the profiles; "auto" means the 13 triads if all networks are directed, else the six
            undirected graphlets of four nodes.
        null: As for :func:`.significance`.
        kind: As for :meth:`.Significance.profile`; by default ``z`` for three nodes and ``ratio`` for more.
        random_state: As for :func:`.significance`.
        threads: As for :func:`.significance`.
        show_progress: As for :func:`.significance`.

    Raises:
        InputError: If there are fewer than two networks.

    Example:
        >>> from infomotif import load_dataset, make_roles
        >>> compare_networks([load_dataset("karate"), make_roles(num_nodes=200)]).names
        ('karate', 'roles')
    """
    named = list(graphs.items()) if isinstance(graphs, Mapping) else [(None, graph) for graph in graphs]
    if len(named) < 2:
        raise InputError(f"graphs must hold at least two networks (got {len(named)})")
    networks = [as_structure(graph) for _, graph in named]
    names = _distinct(
        [graph.name if name is None else str(name) for (name, _), graph in zip(named, networks, strict=True)]
    )
    matrices = np.stack([graphlet_correlation_matrix(graph) for graph in networks])
    profiles: list[Profile] = []
    if samples:
        chosen = _motifs(motifs, networks)
        for graph in networks:
            options: dict[str, Any] = {"threads": threads, "show_progress": show_progress}
            chance = significance(graph, chosen, samples=samples, null=null, random_state=random_state, **options)
            usual = "z" if all(motif.size == 3 for motif in chance.motifs) else "ratio"
            profiles.append(chance.profile(usual if kind is None else kind))
    return NetworkComparison(names, matrices, distances(matrices), tuple(profiles))


def _motifs(motifs: str | Iterable[str | Motif], networks: list[Graph]) -> str | list[str | Motif]:
    if motifs == "auto":
        return "triads" if all(graph.directed for graph in networks) else "graphlets4"
    return motifs if isinstance(motifs, str) else list(motifs)


def _distinct(names: list[str]) -> tuple[str, ...]:
    """Number the names that occur before."""
    found: list[str] = []
    for name in names:
        other, number = name, 1
        while other in found:
            number += 1
            other = f"{name} ({number})"
        found.append(other)
    return tuple(found)
