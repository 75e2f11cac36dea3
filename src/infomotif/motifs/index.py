"""MotifIndex: the motifs of a graph, counted exactly per node and orbit, listed on demand, sampled uniformly."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from infomotif.errors import InputError, unknown_name
from infomotif.graph import Graph
from infomotif.graph.select import node_number, node_numbers
from infomotif.io.adapt import as_structure
from infomotif.motifs.catalog import get_motif
from infomotif.motifs.closure import closure_weights
from infomotif.motifs.colours.adjacency import coloured_adjacency
from infomotif.motifs.colours.census import count_any
from infomotif.motifs.colours.matching import TypeFilter, base_of
from infomotif.motifs.colours.sampling import ColouredSampler, node_instances
from infomotif.motifs.colours.sets import motifs_for
from infomotif.motifs.colours.view import ColouredView
from infomotif.motifs.counting.census import Count, count_motifs
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.edge_orbits import EdgeOrbits, edge_orbit_counts
from infomotif.motifs.counting.five_nodes import orbit_counts5
from infomotif.motifs.counting.listing import iterate_instances
from infomotif.motifs.counting.matching import MAX_STEPS, list_by_search
from infomotif.motifs.motif_adjacency import motif_adjacency
from infomotif.motifs.pattern import LETTERS, Motif
from infomotif.motifs.sampling import Instances, Sampler
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from infomotif.motifs.significance import Significance

_LOG = logging.getLogger(__name__)

_ORCA_3 = ("M6:bc", "M6:a", "M7:abc")
_ORCA_4 = (
    "path4:ad", "path4:bc", "star4:bcd", "star4:a", "cycle4:abcd", "paw:d", "paw:bc", "paw:a", "diamond:cd",
    "diamond:ab", "clique4:abcd",
)  # fmt: skip
ORCA_ORBITS = {3: _ORCA_3, 4: _ORCA_3 + _ORCA_4}
"""Our names of ORCA's orbits from 1 on, by the largest graphlet; orbit 0 is the degree."""
MIN_LISTING_BYTES = 48 << 20
MAX_LISTING_BYTES = 512 << 20
MAX_INSTANCES = 20_000_000


class MotifIndex:
    """The instances of motifs in a graph: exact counts, lists and uniform samples.

    An instance is a set of nodes whose induced subgraph is the motif, with the types that the motif names; where it
    leaves types open, a set that fits in two ways counts twice. Counts are exact. Samples come from lists
    where these are short and from the adjacency elsewhere; the distribution is the same.

    Args:
        graph: A :class:`Graph`, a PyG ``Data``, a NetworkX or igraph graph, a SciPy sparse matrix, an edge index or a
            data frame of edges.
        motifs: "auto", a set of :data:`infomotif.motifs.SETS`, a name or pattern, or a list of these and of motifs. A
            pattern may name types: "a:author->p:paper, b:author->p". The sets "typed" and "signed" hold the motifs of
            three nodes with types or signs that occur in the graph.
        listing_bytes: Memory for lists of instances; by default 8 bytes per neighbour of each node, at least 48 MB
            and at most 512 MB.
        census: Counts from elsewhere, as :func:`infomotif.motifs.counting.census.count_motifs` returns them.
        max_steps: How many steps the search of a motif of five or six nodes may take, by an estimate.

    Attributes:
        graph: The graph, whose node numbers all results refer to.
        motifs: The motifs [T].
        counts: Instances that contain each node [n, T].
        orbit_counts: The graphlet degree vector of each node: instances that contain it in each orbit [n, O]; see
            :attr:`orbit_names`.
        census: Orbit counts, and what samplers propose from, per motif.

    Example:
        >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], num_nodes=4, directed=True)
        >>> index = MotifIndex(graph, ["M1", "M4"])
        >>> index.totals.tolist()
        [2, 1]
        >>> index.instances(3, "M1").tolist()
        [[0, 2, 3], [1, 2, 3]]
    """

    def __init__(
        self,
        graph: Any,
        motifs: str | Iterable[str | Motif] = "auto",
        *,
        listing_bytes: int | None = None,
        census: Sequence[Count] | None = None,
        max_steps: float = MAX_STEPS,
    ) -> None:
        """Count the motifs."""
        graph = as_structure(graph)
        if listing_bytes is None:
            listing_bytes = max(MIN_LISTING_BYTES, min(MAX_LISTING_BYTES, 8 * len(graph.undirected.indices)))
        if listing_bytes < 0:
            raise InputError(f"listing_bytes must not be negative (got {listing_bytes})")
        if isinstance(max_steps, bool) or not isinstance(max_steps, int | float | np.number) or not max_steps > 0:
            raise InputError(f"max_steps must be a positive number (got {max_steps!r})")
        self.graph: Graph = graph
        self._views: dict[bool, DyadGraph] = {}
        self._coloured_views: dict[bool, ColouredView] = {}
        self.motifs = motifs_for(graph, motifs, lambda: self._typed(graph.directed))
        self.listing_bytes = listing_bytes
        self._views |= {
            kind: DyadGraph(graph, directed=kind)
            for kind in {motif.directed for motif in self.motifs}
            if kind not in self._views
        }
        counted = census if census is not None else self._count(float(max_steps))
        self.orbit_counts: Array = _side_by_side([count.orbits for count in counted])
        starts = np.cumsum([0, *(len(motif.orbits) for motif in self.motifs)])[:-1]
        self.counts: Array = np.add.reduceat(self.orbit_counts, starts, axis=1)
        orbits = np.split(self.orbit_counts, starts[1:], axis=1)
        self.census = [Count(columns, count.proposals) for columns, count in zip(orbits, counted, strict=True)]

    def _count(self, max_steps: float) -> list[Count]:
        _LOG.info("counting the motifs of %s", self.graph.name)
        return count_any(self.graph, self._views, self.motifs, coloured_view=self._typed, max_steps=max_steps)

    def gdv(self, size: int = 4) -> Array:
        """Return the graphlet degree vector of each node in ORCA's order, directions ignored.

        Motifs that this index does not have are counted.

        Args:
            size: The most nodes of a graphlet: 3 for the orbits 0 to 3, 4 for 0 to 14, 5 for 0 to 72.

        Returns:
            Counts [n, 4], [n, 15] or [n, 73]. Column 0 is the degree.

        Raises:
            InputError: If the size is not 3, 4 or 5, or a count of five nodes does not fit into 64 bits.

        Example:
            >>> graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], num_nodes=4, directed=False)
            >>> MotifIndex(graph, ["M7"]).gdv(3).tolist()
            [[2, 1, 0, 1], [2, 1, 0, 1], [3, 0, 2, 1], [1, 2, 0, 0]]
        """
        if size == 5:
            return orbit_counts5(self.graph)
        if size not in ORCA_ORBITS:
            raise InputError(f"size must be 3, 4 or 5 (got {size})")
        names = ORCA_ORBITS[size]
        counted = {motif: count.orbits for motif, count in zip(self.motifs, self.census, strict=True)}
        wanted = [get_motif(name) for name in dict.fromkeys(name.partition(":")[0] for name in names)]
        missing = [motif for motif in wanted if motif not in counted]
        view = self._views.get(False) or DyadGraph(self.graph, directed=False)
        for motif, count in zip(missing, count_motifs(view, missing), strict=True):
            counted[motif] = count.orbits
        column_of = {
            f"{motif.name}:{''.join(LETTERS[p] for p in orbit)}": counted[motif][:, o]
            for motif in wanted
            for o, orbit in enumerate(motif.orbits)
        }
        return np.stack([np.diff(view.indptr), *(column_of[name] for name in names)], axis=1).astype(np.int64)

    @property
    def orbit_names(self) -> tuple[str, ...]:
        """Name of each column of :attr:`orbit_counts`: the motif and the letters of its pattern, as in "M2:bc"."""
        return tuple(f"{m.name}:{''.join(LETTERS[p] for p in orbit)}" for m in self.motifs for orbit in m.orbits)

    @cached_property
    def totals(self) -> Array:
        """Number of instances of each motif in the graph [T]."""
        return np.asarray(self.counts.sum(axis=0) // np.array([motif.size for motif in self.motifs]))

    @cached_property
    def coverage(self) -> Array:
        """Share of the nodes that are in at least one instance of each motif [T]."""
        return (self.counts > 0).mean(axis=0) if self.graph.num_nodes else np.zeros(len(self.motifs))

    def select(self, motifs: Iterable[str | Motif]) -> MotifIndex:
        """Return the index of some of these motifs, in the given order and by the given names, without counting again.

        Raises:
            InputError: If a motif is not one of this index.

        Example:
            >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=3, directed=False)
            >>> MotifIndex(graph).select(["M7"]).totals.tolist()
            [1]
        """
        named = [self._named(motif) for motif in motifs]
        if [motif.name for motif in named] == [motif.name for motif in self.motifs]:
            return self
        chosen = [self._number(motif) for motif in named]
        # A set may call a motif by another name than the catalog does; members stay in the order of this index.
        wanted = [replace(self.motifs[t], name=motif.name) for t, motif in zip(chosen, named, strict=True)]
        census = [self.census[t] for t in chosen]
        return MotifIndex(self.graph, wanted, listing_bytes=self.listing_bytes, census=census)

    def sample(
        self, nodes: ArrayLike | None, q: int, generator: np.random.Generator | None = None
    ) -> tuple[Instances, ...]:
        """Draw at most ``q`` instances of every motif for every node, uniformly and without repetition.

        A node with at most ``q`` instances gets each of them once. The samples depend on the generator's state, not on
        the number of threads.

        Args:
            nodes: Node numbers or a mask; None means all nodes.
            q: Maximal number of instances per node and motif.
            generator: Source of randomness; by default a new one with an arbitrary seed.

        Returns:
            One :class:`Instances` per motif: row pointers [nodes + 1] and members [I, k] in the order of the pattern.

        Example:
            >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=3, directed=False)
            >>> wedges, triangles = MotifIndex(graph).sample(None, 5, np.random.default_rng(0))
            >>> triangles.indptr.tolist(), triangles.members[0].tolist()
            ([0, 1, 2, 3], [0, 1, 2])
        """
        n = self.graph.num_nodes
        numbers = np.arange(n, dtype=np.int64) if nodes is None else node_numbers(nodes, n, repeats=True)
        seeds = self.draw_seeds(q, generator)
        return tuple(self.sampler.draw(t, numbers, int(q), seed) for t, seed in enumerate(seeds))

    def draw_seeds(self, q: int, generator: np.random.Generator | None) -> Array:
        """Draw one seed per motif [T]; with the node's number it determines the samples on any machine."""
        if isinstance(q, bool) or not isinstance(q, int | np.integer) or q < 1:
            raise InputError(f"q must be a positive whole number (got {q})")
        source = generator if generator is not None else np.random.default_rng()
        return source.integers(0, 2**64, size=len(self.motifs), dtype=np.uint64)

    def instances(self, node: int, motif: str | Motif) -> Array:
        """List every instance of a motif that contains a node, in ascending order.

        Args:
            node: The node's number.
            motif: Name or pattern of a motif of this index.

        Returns:
            Members in the order of the pattern [I, k].

        Raises:
            InputError: If there are too many to list; sample them instead.
        """
        t, v = self._number(motif), node_number(node, self.graph.num_nodes)
        count = int(self.counts[v, t])
        if count > MAX_INSTANCES:
            raise InputError(f"node {node} is in {count:,} instances of {self.motifs[t].name}; use sample() instead")
        view = self.view(t)
        if self.motifs[t].coloured:
            found = list(node_instances(self._filter(t), base_of(self.motifs[t]), v))
            rows = np.concatenate([np.empty((0, self.motifs[t].size), view.indices.dtype), *found])
            return rows[np.lexsort(rows.T[::-1])]
        listed = np.zeros(self.graph.num_nodes, np.bool_)
        listed[v] = True
        members = np.empty((count, self.motifs[t].size), view.indices.dtype)
        list_by_search(view, self.motifs[t], listed, np.zeros(self.graph.num_nodes, np.int64), members)
        return members[np.lexsort(members.T[::-1])]

    def iter_instances(self, motif: str | Motif, *, batch: int = 100_000) -> Iterator[Array]:
        """Yield all instances of a motif in the graph, each once, in batches [at most ``batch``, k].

        Args:
            motif: Name or pattern of a motif of this index.
            batch: Instances per batch; only one batch is held in memory.

        Example:
            >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=3, directed=False)
            >>> [rows.tolist() for rows in MotifIndex(graph).iter_instances("M7")]
            [[[0, 1, 2]]]
        """
        if batch < 1:
            raise InputError(f"batch must be a positive whole number (got {batch})")
        t = self._number(motif)
        if self.motifs[t].coloured:
            return self._filter(t).iterate(batch)
        return iterate_instances(self.view(t), self.motifs[t], batch)

    def coloured_view(self, motif: int) -> ColouredView:
        """Return the graph with its types as motif number ``motif`` sees it."""
        return self._typed(self.motifs[motif].directed)

    def _typed(self, kind: bool) -> ColouredView:
        """Return the graph with its types, with directions or without."""
        if kind not in self._coloured_views:
            if kind not in self._views:
                self._views[kind] = DyadGraph(self.graph, directed=kind)
            self._coloured_views[kind] = ColouredView(self.graph, self._views[kind])
        return self._coloured_views[kind]

    def _filter(self, motif: int) -> TypeFilter:
        """Return what finds the instances of a coloured motif among those without types."""
        return TypeFilter(self.coloured_view(motif), self.motifs[motif], base_of(self.motifs[motif]))

    def view(self, motif: int) -> DyadGraph:
        """Return the graph as motif number ``motif`` sees it, with directions or without."""
        return self._views[self.motifs[motif].directed]

    def adjacency(self, motif: str | Motif) -> sp.csr_array:
        """Return the motif adjacency matrix: how many instances every two nodes share; symmetric, zero diagonal [n, n].

        Args:
            motif: Name or pattern of a motif of this index.

        Example:
            >>> graph = Graph.from_edges([0, 1, 1], [1, 2, 3], num_nodes=4, directed=False)
            >>> MotifIndex(graph).adjacency("M6").toarray().tolist()
            [[0, 2, 1, 1], [2, 0, 2, 2], [1, 2, 0, 1], [1, 2, 1, 0]]
        """
        t = self._number(motif)
        if self.motifs[t].coloured:
            return coloured_adjacency(self.coloured_view(t), self.motifs[t])
        return motif_adjacency(self.view(t), self.motifs[t])

    def edge_orbits(self) -> EdgeOrbits:
        """Count the graphlets of three and four nodes that contain each edge, per edge orbit, directions ignored.

        The same as :func:`.edge_orbit_counts`, whatever motifs this index has.

        Example:
            >>> graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], num_nodes=4, directed=False)
            >>> MotifIndex(graph).edge_orbits().counts.shape
            (4, 12)
        """
        return edge_orbit_counts(self.graph)

    def closure(self) -> sp.csr_array:
        """Return the closure of each edge, as :func:`.closure_weights` describes it; symmetric [n, n].

        Example:
            >>> graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], num_nodes=4, directed=False)
            >>> MotifIndex(graph).closure()[0, 1]
            np.float64(1.0)
        """
        return closure_weights(self.graph)

    @cached_property
    def sampler(self) -> Sampler | ColouredSampler:
        """The sampler that :meth:`sample` draws from, made on first use."""
        if any(motif.coloured for motif in self.motifs):
            coloured = [self.coloured_view(t) for t in range(len(self.motifs))]
            return ColouredSampler(self.motifs, coloured, self.census, self.listing_bytes)
        views = [self.view(t) for t in range(len(self.motifs))]
        return Sampler(self.motifs, views, self.census, self.listing_bytes)

    def plot(
        self,
        significance: Significance | None = None,
        *,
        random_graphs: int | None = None,
        log: bool | None = None,
        seed: int = 0,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw the motif census: the number of instances of each motif, with a picture of the motif.

        Next to random graphs, if they are asked for: the mean and the middle 95 % of their counts, and the z-scores,
        bold from 2 on.

        Args:
            significance: What :func:`infomotif.motifs.significance` returned for this graph.
            random_graphs: Compare with this many random graphs of the same degrees, if ``significance`` is not given.
            log: Whether the scale is logarithmic; by default where counts differ by more than a factor of 30.
            seed: Which random graphs.
            ax: Matplotlib axes to draw on; by default those of a new figure. A figure that is made with
                ``layout="constrained"`` leaves room for the pictures.

        Returns:
            The axes.

        Raises:
            InputError: If ``significance`` is of another graph or other motifs, or Matplotlib is not installed.

        Example:
            >>> from matplotlib.figure import Figure
            >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=3, directed=False, name="triangle")
            >>> axes = MotifIndex(graph).plot(random_graphs=5, ax=Figure().subplots())
            >>> axes.get_title()
            'Motif census of triangle'
        """
        from infomotif.motifs.motif_plot import plot_census
        from infomotif.motifs.significance import Significance
        from infomotif.motifs.significance import significance as compare

        if significance is not None and not isinstance(significance, Significance):
            raise InputError(f"significance must be what significance() returned (got {type(significance).__name__})")
        if significance is None and random_graphs is not None:
            if isinstance(random_graphs, bool) or not isinstance(random_graphs, int | np.integer) or random_graphs < 1:
                raise InputError(f"random_graphs must be a positive whole number (got {random_graphs!r})")
            significance = compare(self.graph, self.motifs, samples=random_graphs, random_state=seed)
        return plot_census(self, significance, log=log, ax=ax)

    def plot_instance(
        self,
        node: str | int,
        motif: str | Motif | None = None,
        *,
        count: int = 1,
        hops: int = 1,
        max_nodes: int | None = None,
        labels: bool | None = None,
        seed: int = 0,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw the neighbourhood of a node with instances of a motif shaded.

        Args:
            node: Name or number of the node.
            motif: Name or pattern of a motif of this index; by default the one with most edges that the node is in.
            count: How many instances to shade, drawn at random from those of the node.
            hops: As for :meth:`.Graph.plot`.
            max_nodes: As for :meth:`.Graph.plot`.
            labels: As for :meth:`.Graph.plot`.
            seed: Which instances and which layout.
            ax: Matplotlib axes to draw on; by default those of a new figure.

        Returns:
            The axes.

        Raises:
            InputError: If the node is in no instance of the motif, or Matplotlib is not installed.

        Example:
            >>> from matplotlib.figure import Figure
            >>> graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], num_nodes=4, directed=False, name="paw")
            >>> MotifIndex(graph).plot_instance(0, "M7", ax=Figure().subplots()).get_title()
            'An instance of M7 (triangle) at 0 in paw'
        """
        from infomotif.motifs.instance_plot import plot_instance

        options: dict[str, Any] = {"hops": hops, "max_nodes": max_nodes, "labels": labels, "seed": seed, "ax": ax}
        return plot_instance(self, node, None if motif is None else self._number(motif), count, **options)

    def to_frame(self, *, orbits: bool = False, gdv: int | None = None, kind: str | None = None) -> Any:
        """Return the counts as a data frame: one row per node, its name, and one column per motif.

        Args:
            orbits: Whether to have one column per orbit instead: the graphlet degree vectors.
            gdv: Columns ``orbit_0``, ``orbit_1``, ... in ORCA's order instead, up to graphlets of 3, 4 or 5 nodes, as
                :meth:`gdv` counts them.
            kind: ``pandas``, ``polars`` or ``arrow`` (a ``pyarrow.Table``); by default the first that is installed.

        Raises:
            InputError: If two columns have the same name, or ``kind`` is unknown or not installed.

        Example:
            >>> graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], num_nodes=4, directed=False)
            >>> MotifIndex(graph).to_frame(kind="arrow").to_pylist()[2]
            {'node': 2, 'M6': 2, 'M7': 1}
        """
        from infomotif._core.display.frames import to_frame

        nodes = np.arange(self.graph.num_nodes) if self.graph.numbered else self.graph.names
        names: Sequence[str] = self.orbit_names if orbits else [motif.name for motif in self.motifs]
        counts = self.orbit_counts if orbits else self.counts
        if gdv is not None:
            counts = self.gdv(gdv)
            names = [f"orbit_{o}" for o in range(counts.shape[1])]
        columns = [(name, np.ascontiguousarray(counts[:, t])) for t, name in enumerate(names)]
        return to_frame([("node", nodes), *columns], kind)

    def __repr__(self) -> str:
        """Name the graph and the total of each motif, in one line."""
        from infomotif.motifs.motif_text import index_text

        return index_text(self)

    def _repr_html_(self) -> str:
        """Show each motif with its picture, its total and its coverage."""
        from infomotif.motifs.motif_text import index_html

        return index_html(self)

    def _number(self, motif: str | Motif | int) -> int:
        if isinstance(motif, int) and 0 <= motif < len(self.motifs):
            return motif
        wanted = self._named(motif) if isinstance(motif, str | Motif) else None
        if wanted is None or wanted not in self.motifs:
            raise unknown_name("motif of this index", str(getattr(motif, "name", motif)), [m.name for m in self.motifs])
        return self.motifs.index(wanted)

    def _named(self, motif: Any) -> Motif:
        """Return the motif that a name or a pattern means; names of this index come first."""
        if not isinstance(motif, str):
            named: Motif = motif
            return named
        return next((known for known in self.motifs if known.name == motif), None) or get_motif(motif)


def _side_by_side(parts: list[Array]) -> Array:
    """Join columns without a copy if the parts are already the columns of one array."""
    whole = parts[0].base
    if whole is not None and all(part.base is whole for part in parts):
        joined = sum(part.shape[1] for part in parts)
        if whole.ndim == 2 and whole.shape[1] == joined:
            return whole
    return np.concatenate(parts, axis=1)
