"""Draw instances.svg, infomax.svg, novelty.svg, reach.svg, auto.svg and labelling.svg, the diagrams of the docs.

python docs/images/diagrams.py
"""

from __future__ import annotations

import itertools
import sys
from math import exp
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from svg import GREY, LINE, ORANGE, PURPLE, TEAL, box, line, node, picture, text

Spot = tuple[float, float]

LAST_HOP = 6
"""Nodes as far from every label as this, or farther, are shown together."""
NODES_BY_HOP = (25, 85, 590, 840, 571, 211, 163)
OF_LABELS = (1.0, 0.48, 0.08, 0.0, 0.0, 0.0, 0.0)
OF_INFOMAX = (0.69, 1.0, 0.80, 0.70, 0.68, 0.69, 0.70)
"""As :func:`gradients_by_hop` returns them."""


WAYS = {"random": "at random", "uncertain": "by uncertainty", "suggest": "as suggested"}
LABELLING = {
    "Cora": (
        21,
        {
            "random": (61.5, 72.2, 76.8, 78.9, 80.4, 80.6),
            "uncertain": (61.5, 74.3, 77.7, 79.9, 81.3, 81.9),
            "suggest": (61.5, 73.6, 79.7, 80.8, 81.6, 83.2),
        },
    ),
    "USA": (
        12,
        {
            "random": (42.9, 55.5, 58.2, 59.1, 60.0, 61.2),
            "uncertain": (42.9, 50.5, 52.7, 55.9, 57.3, 56.7),
            "suggest": (42.9, 53.8, 55.8, 58.0, 58.5, 60.2),
        },
    ),
}
"""First number of labels and mean test accuracy in percent, 20 labels apart, by ``benchmarks/labelling.py``."""


def shade(spots: list[Spot], colour: str) -> str:
    """Return a shaded area with rounded corners around spots."""
    points = " ".join(f"{x:g},{y:g}" for x, y in spots)
    style = f'fill="{colour}" stroke="{colour}" stroke-width="34" opacity="0.25"'
    return f'<polygon points="{points}" {style} stroke-linejoin="round"/>'


def instances() -> str:
    """Draw a graph with an instance of the triangle, an instance of the wedge, and three nodes that are no wedge."""
    spots = {"a": (90, 50), "b": (50, 130), "c": (150, 120), "d": (250, 90), "e": (330, 40), "f": (330, 140)}
    edges = ("ab", "bc", "ac", "cd", "de", "df")
    parts = [shade([spots[v] for v in "abc"], TEAL), shade([spots[v] for v in "edf"], ORANGE)]
    parts += [line(spots[u], spots[v], gap=14) for u, v in edges]
    parts += [node(*spot, TEAL if v in "abc" else ORANGE, v) for v, spot in spots.items()]
    parts.append(text(100, 185, "{a, b, c}: a triangle"))
    parts.append(text(300, 185, "{d, e, f}: a wedge"))
    x = 400
    told = (
        ("Triangle", "1 instance: abc"),
        ("Wedge", "5 instances: acd, bcd, cde, cdf, edf"),
        ("Not a wedge", "abc, because a-b, b-c and a-c"),
        ("", "are all edges: it is a triangle."),
    )
    for i, (name, what) in enumerate(told):
        parts.append(text(x, 50 + 34 * i, name, anchor="start", weight="bold"))
        parts.append(text(x + 105, 50 + 34 * i, what, anchor="start"))
    return picture(790, 205, "A graph of six nodes with an instance of the triangle and one of the wedge", parts)


def infomax() -> str:
    """Draw how the InfoMax loss comes about."""
    parts = [
        box(10, 20, 150, 58, GREY, ("attributes X,", "edges A")),
        box(10, 180, 150, 58, ORANGE, ("shuffled X,", "edges A")),
        box(210, 20, 120, 58, PURPLE, ("encoder f", "any GNN")),
        box(210, 180, 120, 58, PURPLE, ("encoder f", "the same")),
        box(370, 20, 170, 58, TEAL, ("instances e", "of node v's motifs")),
        box(370, 100, 170, 58, TEAL, ("summary s", "mean over instances")),
        box(370, 180, 170, 58, ORANGE, ("negatives", "the same instances")),
        box(600, 100, 160, 58, PURPLE, ("discriminator", "real or shuffled?")),
        line((160, 49), (208, 49), heads=">"),
        line((160, 209), (208, 209), heads=">"),
        line((330, 49), (368, 49), heads=">", colour=TEAL),
        line((330, 209), (368, 209), heads=">", colour=ORANGE),
        line((455, 78), (455, 98), heads=">", colour=TEAL),
        line((540, 129), (598, 129), heads=">", colour=TEAL),
        line((540, 49), (640, 98), heads=">", colour=TEAL),
        line((540, 209), (640, 160), heads=">", colour=ORANGE),
        text(600, 62, "real: score up", anchor="start"),
        text(600, 205, "shuffled: score down", anchor="start"),
        line((270, 178), (270, 80), dashed=True),
        text(260, 134, "one set of weights", anchor="end"),
    ]
    title = "The InfoMax loss: a discriminator learns to tell real motif instances of a node from shuffled ones"
    return picture(780, 258, title, parts)


def novelty() -> str:
    """Draw training nodes by the weight of one motif, their size the novelty weight."""
    weights = (0.12, 0.22, 0.32, 0.42, 0.52, 0.94)
    mean = sum(weights) / len(weights)
    raw = [exp(2 * (w - mean) ** 2) for w in weights]  # two motifs: both coordinates differ by as much
    beta = [len(weights) * value / sum(raw) for value in raw]
    left, width, y = 60, 600, 90
    parts = [line((left, y), (left + width, y), colour=LINE)]
    centre = left + width * mean
    parts += [line((centre, y + 12), (centre, y + 42), dashed=True), text(centre, y + 60, "mean of the training nodes")]
    for w, b in zip(weights, beta, strict=True):
        x = left + width * w
        parts.append(node(x, y, ORANGE if w > 0.8 else TEAL, radius=7 * b**2))
        parts.append(text(x, y - 26 if w > 0.8 else y - 16, f"{b:.2f}", weight="bold"))
    parts += [
        text(left, y + 28, "all wedge", anchor="start"),
        text(left + width, y + 28, "all triangle", anchor="end"),
        text(
            left + width / 2, 22, "Where each of six training nodes gets its motif weights; the number is its novelty"
        ),
    ]
    return picture(
        720, 165, "Six training nodes on a line of motif weights; the one far from the mean counts most", parts
    )


def gradients_by_hop() -> list[list[float]]:
    """Return nodes by hops to the nearest label, and the mean gradient of both losses by their attributes.

    Cora, 1 % labels, a GCN of two layers before training; gradients are relative to the largest mean.
    """
    import numpy as np
    import torch

    from infomotif import MotifIndex, load_dataset
    from infomotif.graph.neighbourhoods import hop_distances
    from infomotif.training import make_settings, random_split
    from infomotif.training.distributed import World
    from infomotif.training.session import Session

    graph = load_dataset("cora")
    split, settings = random_split(graph.y, 0.01), make_settings("paper", dropout=0.0, batch_size=None)
    session = Session(graph, settings.encoder, MotifIndex(graph), 0, torch.device("cpu"), World())
    training = session.training(settings, split)
    view, objective = training.view, training.loop.objective
    view.x = view.x.to_dense().clone().requires_grad_()
    hops = np.minimum(hop_distances(graph, split.train), LAST_HOP)
    rows = [np.bincount(hops).tolist()]
    for name in ("supervised", "infomax"):
        generator = np.random.default_rng(0)
        encoded = view.encode(training.loop.data.train, torch.arange(graph.num_nodes), generator)
        given = (torch.arange(len(split.train)),) if name == "supervised" else ()
        (gradient,) = torch.autograd.grad(getattr(objective, name)(encoded, *given, generator), view.x)
        means = np.bincount(hops, gradient.norm(dim=1).numpy()) / np.bincount(hops)
        rows.append((means / means.max()).round(2).tolist())
    return rows


def reach() -> str:
    """Draw how far from the labels attributes have a gradient, for both losses."""
    left, step, bar, tall = 215, 76, 46, 66
    parts = [
        text(left + 3.5 * step - 15, 20, "Mean gradient by a node's attributes, by its distance to the nearest label")
    ]
    for row, (name, values, colour) in enumerate(
        (("supervised loss", OF_LABELS, PURPLE), ("InfoMax loss", OF_INFOMAX, TEAL))
    ):
        ground = 114 + 104 * row
        parts += [text(20, ground - 12, name, anchor="start", weight="bold")]
        parts += [line((left - 12, ground), (left + 7 * step - 20, ground))]
        for hop, value in enumerate(values):
            x = left + step * hop
            height = tall * value
            parts.append(
                box(x, ground - height, bar, height, colour)
                if value
                else text(x + bar / 2, ground - 8, "0", weight="bold")
            )
    for y, name in ((244, "hops to a label"), (264, "nodes")):
        parts.append(text(20, y, name, anchor="start"))
    for hop, count in enumerate(NODES_BY_HOP):
        x = left + step * hop + bar / 2
        parts += [text(x, 244, f"{hop}" if hop < LAST_HOP else f"{hop} or more"), text(x, 264, f"{count:,}")]
    edge = left + 3 * step - 15
    parts.append(line((edge, 36), (edge, 268), colour=ORANGE, dashed=True))
    parts.append(text(edge + 8, 48, "two layers reach no farther", anchor="start", fill=ORANGE))
    title = (
        "The supervised loss has no gradient by attributes beyond two hops of a label, the InfoMax loss has one by all"
    )
    return picture(770, 276, title, parts)


def auto() -> str:
    """Draw what preset auto does."""
    parts = [
        box(10, 20, 175, 62, GREY, ("1. Simple models", "train to the end")),
        box(210, 20, 175, 62, PURPLE, ("2. Networks race", "the best three finish")),
        box(410, 20, 175, 62, PURPLE, ("3. InfoMotif", "over the best of them")),
        box(610, 20, 170, 62, TEAL, ("4. Validate", "one model or a mean")),
        line((185, 51), (208, 51), heads=">"),
        line((385, 51), (408, 51), heads=">"),
        line((585, 51), (608, 51), heads=">"),
        text(97, 106, "label propagation,"),
        text(97, 124, "logistic regression"),
        text(297, 106, "APPNP, GCN, GraphSAGE, ...,"),
        text(297, 124, "with and without motif counts"),
        text(497, 106, "never stopped for"),
        text(497, 124, "starting slowly"),
        line((695, 82), (695, 150), heads=">"),
        box(610, 152, 170, 48, TEAL, ("5. Measure, calibrate",)),
        line((610, 176), (587, 176), heads=">"),
        box(410, 152, 175, 48, GREY, ("6. Train on all labels",)),
        line((410, 176), (387, 176), heads=">"),
        text(297, 182, "predictions, reasons, report"),
    ]
    return picture(
        790, 215, "What preset auto does: simple models, networks, InfoMotif, then validation decides", parts
    )


def labelling() -> str:
    """Draw how accuracy grows with labels that are chosen at random, by uncertainty, or as suggested."""
    wide, tall, top = 300, 190, 46
    colours = {"random": GREY, "uncertain": ORANGE, "suggest": TEAL}
    parts = []
    for panel, (name, (first, curves)) in enumerate(LABELLING.items()):
        left, ground = 60 + panel * 395, top + tall
        values = [value for curve in curves.values() for value in curve]
        low, high = 5 * (min(values) // 5), 5 * (max(values) // 5 + 1)
        steps = len(next(iter(curves.values()))) - 1
        parts.append(text(left + wide / 2, 24, f"{name}: test accuracy, %", weight="bold"))
        for level in range(int(low), int(high) + 1, 5):
            y = ground - tall * (level - low) / (high - low)
            parts += [line((left, y), (left + wide, y), width=0.5), text(left - 8, y + 5, f"{level}", anchor="end")]
        parts += [text(left + wide * k / steps, ground + 22, f"{first + 20 * k}") for k in range(steps + 1)]
        parts.append(text(left + wide / 2, ground + 42, "labels"))
        for way, curve in curves.items():
            spots = [(left + wide * k / steps, ground - tall * (v - low) / (high - low)) for k, v in enumerate(curve)]
            parts += [line(a, b, colour=colours[way], width=2.5) for a, b in itertools.pairwise(spots)]
            parts += [node(x, y, colours[way], radius=4) for x, y in spots]
    for k, (way, what) in enumerate(WAYS.items()):
        x = 150 + 190 * k
        parts += [node(x, 302, colours[way], radius=5), text(x + 12, 307, what, anchor="start")]
    return picture(
        770, 320, "Accuracy by the number of labels, chosen at random, by uncertainty or as suggested", parts
    )


PICTURES = {
    "instances": instances,
    "infomax": infomax,
    "novelty": novelty,
    "reach": reach,
    "auto": auto,
    "labelling": labelling,
}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        Path(__file__).with_name(f"{name}.svg").write_text(draw(), encoding="utf-8")
