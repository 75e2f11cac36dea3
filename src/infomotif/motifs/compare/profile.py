"""Significance profiles: the direction in which a network's motifs differ from chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif.errors import InputError, unknown_name
from infomotif.motifs.null_models import DEFAULT_NULL
from infomotif.motifs.pattern import Motif
from infomotif.motifs.significance import Significance, significance
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS = ("z", "ratio")
INTERVAL = (2.5, 97.5)
"""Percentiles of the resampled profiles that error bars reach to."""
_RESAMPLES = 1000
_FEW = 4
"""What Milo et al. add to the denominator of a ratio, so that rare motifs do not look important."""


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """The significance profile of a network: one value per motif, together a vector of length 1.

    Error bars tell how much the values depend on which random graphs were drawn: the random graphs are drawn again
    from themselves 1,000 times. More random graphs make them shorter.

    Attributes:
        motifs: The motifs [T].
        values: The normalised z-scores or ratios [T]; NaN where all random graphs agree and z is undefined.
        low: Lower ends of the 95 % error bars [T].
        high: Their upper ends [T].
        std: Standard errors of the values [T].
        z: The z-scores [T].
        kind: ``z`` or ``ratio``.
        null: Name of the null model.
        samples: Number of random graphs.

    Example:
        >>> from infomotif import load_dataset
        >>> from infomotif.motifs import significance
        >>> profile = significance(load_dataset("karate"), "graphlets4", samples=20).profile()
        >>> round(float(np.linalg.norm(profile.values)), 6)
        1.0
        >>> round(profile.similarity(profile), 6)
        1.0
    """

    motifs: tuple[Motif, ...]
    values: Array
    low: Array
    high: Array
    std: Array
    z: Array
    kind: str
    null: str
    samples: int

    def similarity(self, other: Profile) -> float:
        """Return the correlation of two profiles over the motifs that both have, as in Milo et al. (2004).

        NaN if fewer than two motifs have a value in both, or one of the profiles is constant there.

        Raises:
            InputError: If the profiles are of different motifs or kinds.
        """
        if self.motifs != other.motifs or self.kind != other.kind:
            raise InputError("profiles to compare must be of the same motifs and the same kind")
        both = np.isfinite(self.values) & np.isfinite(other.values)
        a, b = (
            values[both] - values[both].mean() if both.any() else values[both] for values in (self.values, other.values)
        )
        length = float(np.linalg.norm(a) * np.linalg.norm(b))
        return float(np.clip(a @ b / length, -1, 1)) if both.sum() > 1 and length > 0 else float("nan")

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the profile with its error bars and a picture of each motif; grey means a z-score within 2 of 0.

        Args:
            ax: Matplotlib axes to draw on; by default those of a new figure.

        Returns:
            The axes. A dash marks a motif without a z-score.

        Example:
            >>> from infomotif import load_dataset
            >>> from infomotif.motifs import significance
            >>> from matplotlib.figure import Figure
            >>> profile = significance(load_dataset("karate"), "graphlets4", samples=20).profile()
            >>> profile.plot(ax=Figure().subplots()).get_ylabel()
            'normalised z-score'
        """
        from infomotif.motifs.compare.plots import plot_profile

        return plot_profile(self, ax=ax)

    def to_frame(self, *, kind: str | None = None) -> Any:
        """Return one row per motif as a data frame; ``kind`` as for :meth:`.MotifIndex.to_frame`."""
        from infomotif._core.display.frames import to_frame

        texts = [("motif", [m.name for m in self.motifs]), ("pattern", [m.pattern for m in self.motifs])]
        figures = [("profile", self.values), ("low", self.low), ("high", self.high), ("std", self.std), ("z", self.z)]
        return to_frame([*texts, *figures], kind)

    def __repr__(self) -> str:
        """Name the motifs and their values in one line."""
        shown = ", ".join(f"{m.name} {_text(v)}" for m, v in zip(self.motifs, self.values.tolist(), strict=True))
        return f"Profile({self.samples} random graphs: {shown})"

    def _repr_html_(self) -> str:
        """Show each motif with its picture, its value and the error bar."""
        from infomotif._core.display.html import block, heading, table
        from infomotif.motifs.motif_plot import against
        from infomotif.motifs.motif_text import drawing, named

        rows = [
            [drawing(motif), named(motif), _text(value), f"{_text(low)} to {_text(high)}", _text(z, 1)]
            for motif, value, low, high, z in zip(
                self.motifs, *(a.tolist() for a in (self.values, self.low, self.high, self.z)), strict=True
            )
        ]
        header = ("", "motif", "profile", "95 % error bar", "z")
        return block(heading("Significance profile", against(self.samples, self.null)), table(rows, header))


def profile_of(chance: Significance, kind: str = "z") -> Profile:
    """Return the profile of a significance, as :meth:`.Significance.profile` describes it."""
    if kind not in KINDS:
        raise unknown_name("kind of profile", str(kind), KINDS)
    totals, drawn = np.asarray(chance.totals, float), np.asarray(chance.samples, float)
    count = len(drawn)
    values = _normalised(_scores(totals, np.asarray(chance.mean), np.asarray(chance.std), kind))
    centre = drawn.mean(axis=0)
    apart = drawn - centre
    # How often each random graph is drawn again, instead of lists of them.
    again = np.random.default_rng(0).multinomial(count, np.full(count, 1 / count), size=_RESAMPLES).astype(float)
    shift = again @ apart / count
    square = np.maximum(again @ apart**2 / count - shift**2, 0)
    # All draws may be of equal graphs, which says nothing about z.
    spread = np.sqrt(square * count / max(1, count - 1))
    spread[square <= 1e-12 * (apart**2).mean(axis=0)] = 0
    resampled = _normalised(_scores(totals, centre + shift, spread, kind))
    known = np.isfinite(values)
    low, high, std = (np.full(len(values), np.nan) for _ in range(3))
    if count > 1 and known.any():
        part = resampled[:, known]
        part = np.where(np.isfinite(part), part, values[known])
        low[known], high[known] = np.percentile(part, INTERVAL, axis=0)
        std[known] = part.std(axis=0, ddof=1)
    return Profile(chance.motifs, values, low, high, std, np.asarray(chance.z), kind, chance.null, count)


def triad_profile(
    graph: Any,
    *,
    samples: int = 100,
    null: str = DEFAULT_NULL,
    random_state: int = 0,
    threads: int | None = None,
    show_progress: bool | None = None,
) -> Profile:
    """Return the triad significance profile (TSP) of a directed network: its profile over the 13 connected triads.

    Args:
        graph: A directed :class:`Graph`, or anything else that :class:`.MotifIndex` takes.
        samples: As for :func:`.significance`.
        null: As for :func:`.significance`.
        random_state: As for :func:`.significance`.
        threads: As for :func:`.significance`.
        show_progress: As for :func:`.significance`.

    Example:
        >>> from infomotif import Graph
        >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 0, 0], num_nodes=4, directed=True)
        >>> len(triad_profile(ring, samples=5).values)
        13
    """
    options: dict[str, Any] = {"threads": threads, "show_progress": show_progress}
    return significance(graph, "triads", samples=samples, null=null, random_state=random_state, **options).profile()


def _scores(totals: Array, mean: Array, std: Array, kind: str) -> Array:
    if kind == "ratio":
        return np.asarray((totals - mean) / (totals + mean + _FEW))
    return np.asarray(np.divide(totals - mean, std, out=np.full(np.shape(std), np.nan), where=std > 0))


def _normalised(scores: Array) -> Array:
    """Return scores as vectors of length 1; those that are not defined count as 0."""
    length = np.sqrt(np.nansum(scores**2, axis=-1, keepdims=True))
    return np.asarray(scores / np.where(length > 0, length, 1))


def _text(value: float, digits: int = 2) -> str:
    return f"{value:+.{digits}f}" if np.isfinite(value) else "undefined"
