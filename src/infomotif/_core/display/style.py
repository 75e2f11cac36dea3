"""What all plots share: axes, colours, legends, and text that Matplotlib takes literally."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif._core.extras import needed_for
from infomotif.errors import InputError, printable
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

# The report page has the same colours; they can be distinguished with the common colour vision deficiencies.
COLOURS = ("#0072b2", "#e08a00", "#008f68", "#c25a94", "#3a9fd8", "#cc5200", "#a39400", "#3c4653")
NEUTRAL = "#a3abb5"
LINK = "#98a1ac"
SHADE = "#f0b429"
MORE, FEWER = "#cc5200", "#0072b2"
MAX_CLASSES = len(COLOURS)
_LONGEST = 28


def own_axes(ax: Axes | None, what: str, size: tuple[float, float]) -> Axes:
    """Return the axes that somebody gave, or those of a new figure.

    Args:
        ax: The given axes, or None.
        what: What is drawn, for the message if Matplotlib is missing.
        size: Width and height of a new figure in inches.

    Raises:
        InputError: If ``ax`` is something else, or Matplotlib is not installed.
    """
    with needed_for(what):
        from matplotlib.axes import Axes
    if ax is not None:
        if not isinstance(ax, Axes):
            raise InputError(f"ax must be a Matplotlib Axes (got {type(ax).__name__})")
        return ax
    # Only pyplot's figures appear in notebooks by themselves; with ax= pyplot is not imported.
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=size, layout="constrained")[1]


def own_figure(figure: Figure | SubFigure | None, what: str, size: tuple[float, float]) -> Figure | SubFigure:
    """Return the figure that somebody gave, or a new one; arguments as for :func:`own_axes`."""
    with needed_for(what):
        from matplotlib.figure import FigureBase
    if figure is not None:
        if not isinstance(figure, FigureBase):
            raise InputError(f"figure must be a Matplotlib Figure or SubFigure (got {type(figure).__name__})")
        return figure
    import matplotlib.pyplot as plt

    return plt.figure(figsize=size, layout="constrained")


def root_figure(ax: Axes) -> Figure:
    """Return the figure that axes belong to, also if a part of it holds them.

    Raises:
        InputError: If they belong to none.
    """
    from matplotlib.figure import Figure

    part: Any = ax.figure
    while part is not None and not isinstance(part, Figure):
        part = part.figure
    if part is None:
        raise InputError("ax belongs to no figure; make it with figure.subplots()")
    found: Figure = part
    return found


def arranged(ax: Axes) -> bool:
    """Return whether the figure makes room for what is outside of its axes."""
    return root_figure(ax).get_layout_engine() is not None


def ink(ax: Axes) -> Any:
    """Return the colour of text on the axes, whatever style is in use."""
    return ax.xaxis.label.get_color()


def literal(text: object, longest: int = _LONGEST) -> str:
    r"""Return text that Matplotlib shows as it is: one line, not too long, dollars no mathematics.

    Example:
        >>> literal("a$b$"), literal("long name", 6)
        ('a\\$b\\$', 'long …')
    """
    line = " ".join(printable(str(text)).split()).encode("utf-8", "backslashreplace").decode()
    line = line if len(line) <= longest else line[: longest - 1] + "…"
    return line.replace("$", r"\$")


def compact(number: float) -> str:
    """Return a count in at most five characters.

    Example:
        >>> [compact(n) for n in (0, 393, 1234, 56789, 999_999, 3_400_000)]
        ['0', '393', '1.2k', '57k', '1M', '3.4M']
    """
    if abs(number) < 1000:
        return f"{number:.3g}"
    for unit, name in ((1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")):
        rounded = float(f"{number / unit:.2g}")
        if abs(rounded) < 1000:
            return f"{rounded:g}{name}"
    return f"{number:.1e}"


@dataclass(frozen=True)
class Categories:
    """Colours of categories: one per entry, and what the legend says.

    Attributes:
        colours: Colour of each entry.
        legend: Name and colour of each category that occurs.
    """

    colours: list[str]
    legend: list[tuple[str, str]]


def categories(values: Array, names: Sequence[str], *, unknown: str = "no label", what: str = "classes") -> Categories:
    """Give each category a colour.

    With more categories than colours, the most frequent ones have a colour and the others share grey.

    Args:
        values: Number of the category of each entry; -1 where it is unknown.
        names: Name of each category.
        unknown: What the legend calls entries without a category.
        what: What the categories are, in the plural.

    Example:
        >>> categories(np.array([0, 1, -1]), ["a", "b"]).legend
        [('a', '#0072b2'), ('b', '#e08a00'), ('no label', '#a3abb5')]
    """
    numbers = np.asarray(values, dtype=np.int64)
    size = np.bincount(numbers[numbers >= 0], minlength=len(names))
    if len(names) <= MAX_CLASSES:
        colour_of = {c: COLOURS[c] for c in range(len(names))}
    else:
        frequent = np.sort(np.argsort(-size, kind="stable")[:MAX_CLASSES]).tolist()
        colour_of = dict(zip(frequent, COLOURS, strict=True))
    legend = [(literal(names[c]), colour) for c, colour in colour_of.items() if size[c]]
    rest = int(sum(1 for c in range(len(names)) if size[c] and c not in colour_of))
    if rest:
        legend.append((f"{rest} other {what}", NEUTRAL))
    if (numbers < 0).any():
        legend.append((unknown, NEUTRAL))
    return Categories([colour_of.get(c, NEUTRAL) for c in numbers.tolist()], legend)


def legend(ax: Axes, entries: Sequence[tuple[str, Any]], *, title: str | None = None, below: float = 0) -> None:
    """Name markers outside the axes, or inside where the figure does not arrange its axes itself.

    Args:
        ax: The axes.
        entries: Text and marker of each entry; a colour stands for a dot of this colour.
        title: Heading of the legend.
        below: Put the legend this many points below the axes, not to the right of them.
    """
    from matplotlib.lines import Line2D
    from matplotlib.transforms import ScaledTranslation

    if not entries:
        return
    handles = [
        Line2D([], [], marker="o", linestyle="", markersize=7, color=entry) if isinstance(entry, str) else entry
        for _, entry in entries
    ]
    figure = root_figure(ax)
    place: dict[str, Any] = {"loc": "upper right" if below else "best"}
    if arranged(ax):
        place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "frameon": False}
        if below:
            shifted = ax.transAxes + ScaledTranslation(0, -below / 72, figure.dpi_scale_trans)
            place |= {"loc": "upper center", "bbox_to_anchor": (0.5, 0.0), "bbox_transform": shifted}
            place["ncols"] = len(entries)
    # Labels that begin with "_" would be left out, so texts are set afterwards.
    numbers = [str(i) for i in range(len(entries))]
    box = ax.legend(handles, numbers, title=title, fontsize=9, **place)
    for shown, (text, _) in zip(box.get_texts(), entries, strict=True):
        shown.set_text(text)


def headline(ax: Axes, text: str, *, pad: float = 6) -> None:
    """Write a title, on several lines if it is long."""
    ax.set_title(wrapped(ax, text, 11), fontsize=11, pad=pad)


def wrapped(ax: Axes, text: str, size: float) -> str:
    """Return text on as many lines as it takes not to be wider than the axes, nearly."""
    # Legends and neighbours may still make the axes narrower.
    width = 0.85 * ax.get_window_extent().width * 72 / root_figure(ax).dpi
    letters = max(24, int(width / (0.52 * size)))
    return "\n".join(part for line in text.split("\n") for part in textwrap.wrap(line, letters, break_long_words=False))


def bare(ax: Axes) -> None:
    """Hide the frame and the ticks of axes whose coordinates mean nothing."""
    ax.set_xticks([])
    ax.set_yticks([])
    for spine in ax.spines.values():
        spine.set_visible(False)


def light(ax: Axes) -> None:
    """Hide the frame above and to the right, and draw faint lines across."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.grid(axis="y", color=LINK, alpha=0.25, linewidth=0.6)
    ax.set_axisbelow(True)
