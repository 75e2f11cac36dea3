"""Draw roles.svg: what a planted motif with co-varying words looks like.

python docs/images/roles.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from infomotif import Graph
from infomotif.datasets import make_roles

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7")
GREY = "#8a8a8a"
CLASS_WORDS = 80


def planted_pairs() -> set[tuple[int, int]]:
    """Return the edges of planted triangles: the same seed without noise plants the same ones."""
    alone = make_roles(seed=0, noise=0)
    return {(u, v) for u, v in zip(*(ends.tolist() for ends in alone.edges()), strict=True)}


def choose_centre(graph: Graph, planted: set[tuple[int, int]]) -> int:
    """Return a node with two planted triangles, three random edges, and words that show well."""
    x = graph.x.toarray()[:, :CLASS_WORDS]
    indptr, indices, _ = graph.undirected
    for v in range(graph.num_nodes):
        near = indices[indptr[v] : indptr[v + 1]].tolist()
        own = [u for u in near if (v, u) in planted]
        others = [u for u in near if (v, u) not in planted]
        classes = {int(graph.y[u]) for u in others}
        if len(own) == 4 and len(others) == 3 and len(classes) == 3 and int(graph.y[v]) not in classes:
            if any(x[v] @ x[u] for u in own) and x[[v, *own, *others]].any(axis=1).sum() >= 7:
                return v
    raise SystemExit("no node has the wanted neighbourhood")


def draw_neighbourhood(axes: Axes, graph: Graph, centre: int, planted: set[tuple[int, int]]) -> list[int]:
    """Draw the node among its neighbours; return the nodes in the order of their letters."""
    indptr, indices, _ = graph.undirected
    near = indices[indptr[centre] : indptr[centre + 1]].tolist()
    own = [u for u in near if (centre, u) in planted]
    partner = next(u for u in own[1:] if (own[0], u) in planted)
    own = [own[0], partner, *[u for u in own if u not in (own[0], partner)]]
    others = [u for u in near if (centre, u) not in planted]
    angles = dict(zip(own, (150, 90, 30, -30), strict=True)) | dict(zip(others, (195, 238, 281), strict=True))
    place = {u: (np.cos(np.radians(a)), np.sin(np.radians(a))) for u, a in angles.items()} | {centre: (0.0, 0.0)}
    for triangle in ((centre, own[0], own[1]), (centre, own[2], own[3])):
        axes.fill(*zip(*(place[u] for u in triangle), strict=True), color=COLOURS[int(graph.y[centre])], alpha=0.18)
        for a, b in ((0, 1), (1, 2), (0, 2)):
            ends = np.array([place[triangle[a]], place[triangle[b]]])
            axes.plot(*ends.T, color=COLOURS[int(graph.y[centre])], lw=2)
    for u in others:
        axes.plot(*np.array([place[centre], place[u]]).T, color=GREY, lw=1.2, ls=(0, (4, 3)))
    letters = dict(zip([centre, *own, *others], "vabcdpqr", strict=True))
    for u, (px, py) in place.items():
        axes.scatter(px, py, s=420, color=COLOURS[int(graph.y[u])], edgecolor="white", lw=1.5, zorder=3)
        axes.text(px, py, letters[u], color="white", ha="center", va="center", weight="bold", zorder=4)
    axes.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), aspect="equal")
    axes.axis("off")
    axes.set_title("A node v, its two planted triangles\nand its random edges (dashed)")
    return [centre, *own, *others]


def draw_words(axes: Axes, graph: Graph, nodes: list[int]) -> None:
    """Draw which role words each of the nodes has."""
    x = graph.x.toarray()[nodes, :CLASS_WORDS]
    for c in range(4):
        axes.axvspan(20 * c - 0.5, 20 * c + 19.5, color=COLOURS[c], alpha=0.12, lw=0)
        axes.text(20 * c + 9.5, -0.8, f"words of role {c}", color=COLOURS[c], ha="center", fontsize=8, weight="bold")
    for row, u in enumerate(nodes):
        words = np.flatnonzero(x[row])
        axes.scatter(words, [row] * len(words), s=34, color=COLOURS[int(graph.y[u])], zorder=3)
    axes.axhline(4.5, color=GREY, lw=1, ls=(0, (4, 3)))
    axes.set(xlim=(-0.5, 79.5), ylim=(len(nodes) - 0.5, -1.4), xticks=[], yticks=range(len(nodes)))
    axes.set_yticklabels("vabcdpqr", weight="bold")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title("Their words: alike in the triangles,\nunlike along random edges")


def draw_shares(axes: Axes, graph: Graph, planted: set[tuple[int, int]]) -> None:
    """Draw how often the ends of an edge have a role word in common."""
    x = graph.x.toarray()[:, :CLASS_WORDS]
    source, target = graph.edges()
    common = (x[source] * x[target]).sum(axis=1) > 0
    inside = np.array([pair in planted for pair in zip(source.tolist(), target.tolist(), strict=True)])
    shares = [100 * common[inside].mean(), 100 * common[~inside].mean()]
    bars = axes.bar(["planted", "random"], shares, color=["#444444", GREY], width=0.6)
    axes.bar_label(bars, [f"{share:.1f} %" for share in shares])
    axes.set(ylim=(0, max(shares) * 1.2), yticks=[])
    axes.spines[["top", "left", "right"]].set_visible(False)
    axes.set_title("Edges whose ends\nshare a role word")


def main() -> None:
    """Write the picture beside this script."""
    # Plain text and a fixed salt keep the file the same from run to run.
    mpl.rcParams.update({"font.size": 9, "axes.titlesize": 10, "svg.fonttype": "none", "svg.hashsalt": "roles"})
    graph = make_roles(seed=0)
    planted = planted_pairs()
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.8), width_ratios=(1.1, 2, 0.7), layout="constrained")
    nodes = draw_neighbourhood(axes[0], graph, choose_centre(graph, planted), planted)
    draw_words(axes[1], graph, nodes)
    draw_shares(axes[2], graph, planted)
    target = Path(__file__).with_suffix(".svg")
    figure.savefig(target, metadata={"Date": None})


if __name__ == "__main__":
    main()
