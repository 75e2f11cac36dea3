"""The candidates of ``preset="auto"``, as data: the simplest first, and what each of them costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from infomotif.training.presets import PRESETS

CHEAP, NETWORK, MOTIF = "cheap", "network", "infomotif"
"""Stages: cheap candidates all train to the end, networks race, InfoMotif is tried over the best encoder."""


@dataclass(frozen=True)
class Candidate:
    """One thing to try.

    Attributes:
        name: Its name.
        what: What it does, in a few words.
        stage: When it is tried: :data:`CHEAP`, :data:`NETWORK` or :data:`MOTIF`.
        encoder: The encoder's name; None takes the best encoder so far, or trains no network at all.
        settings: Settings by their flat names.
        spreading: Options of labels that spread over the predictions, if they do.
        over: Name of the candidate whose network it takes instead of training one.
        needs: What there must be: ``attributes``, ``few labels``, ``weights`` or ``edges``.
        motifs: Whether it is made of motifs.
        priority: Where work is limited, candidates with the largest number are left out first.
    """

    name: str
    what: str
    stage: str
    encoder: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    spreading: Mapping[str, Any] | None = None
    over: str | None = None
    needs: tuple[str, ...] = ()
    motifs: bool = False
    priority: int = 0


_PLAIN = {**PRESETS["base"], "epochs": 100, "patience": 30, "weight_decay": 5e-4, "hidden": 64, "lr": 0.02}
# A linear model learns nothing from its own labels.
_LINEAR = {**_PLAIN, "layers": 1, "activation": "none", "dropout": 0.0, "hidden": 32, "lr": 0.05, "self_training": 0.0}
_JOINT = {**PRESETS["fast"], "epochs": 60, "patience": 30, "weight_decay": 5e-4, "hidden": 64, "lr": 0.02}


_ALTERNATE = {"epochs": 60, "patience": 30, "weight_decay": 5e-4, "hidden": 64}
# Recipe of the trials in which it was found; a second training by its own labels adds nothing to it.
_INFORMATION = {"prediction_mi": 0.3, "prediction_over": "edges", "prediction_start": 20, "self_training": 0.0}
_VIEWS = {
    **{"pretrain": "views", "probe": True, "warmup_epochs": 30, "mi_lr": 0.003},
    **{"hidden": 128, "activation": "elu", "normalize": "l2"},
}
_FAR = {"teleport": 0.05, "steps": 20}
_CLOSURE = "labels spread most along edges that close"
_ORBITS = "motif encodings become inputs"
_WEIGHTS = "messages weigh as the edges"
_CLOSED = "messages weigh most along edges that close many triangles"


def _made_of_motifs(inputs: str) -> bool:
    return any(part in inputs for part in ("counts", "centralities", "orbits"))


def _spreading(name: str, what: str, *, closure: int, priority: int) -> Candidate:
    options = {"share": 0.9, "steps": 30, "closure": closure}
    return Candidate(name, what, CHEAP, spreading=options, needs=("edges",), motifs=closure > 0, priority=priority)


def _regression(name: str, what: str, inputs: str, *needs: str, priority: int) -> Candidate:
    settings, needed = {**_LINEAR, "inputs": inputs}, needs or ("edges",)
    motifs = _made_of_motifs(inputs)
    return Candidate(name, what, CHEAP, "mlp", settings, needs=needed, motifs=motifs, priority=priority)


def _network(name: str, what: str, encoder: str, inputs: str, *needs: str, priority: int, **more: Any) -> Candidate:
    settings = {**_PLAIN, "inputs": inputs, **more}
    needed = needs if encoder in ("mlp", "sage") and needs else (*needs, "edges")
    motifs = _made_of_motifs(inputs) or "closure" in more
    return Candidate(name, what, NETWORK, encoder, settings, needs=needed, motifs=motifs, priority=priority)


CANDIDATES = (
    _spreading("label propagation", "labels spread along the edges", closure=0, priority=1),
    _regression("regression", "logistic regression on attributes", "attributes", "attributes", priority=1),
    _regression("regression on degree", "logistic regression on log degree and its square", "degree", priority=1),
    Candidate(
        "correct and smooth",
        "labels correct and smooth the regression",
        CHEAP,
        over="regression",
        spreading={"share": 0.8, "steps": 30},
        needs=("attributes", "edges"),
        priority=2,
    ),
    _spreading("label propagation, closure", f"{_CLOSURE} many triangles", closure=1, priority=4),
    _spreading("label propagation, closure squared", f"{_CLOSURE} very many triangles", closure=2, priority=3),
    _regression(
        "regression on centralities",
        "logistic regression on degree, motif counts, core number, clustering and PageRank",
        "centralities",
        priority=2,
    ),
    _regression("regression on orbits", "logistic regression on motif encodings", "orbits+neighbours", priority=4),
    _regression(
        "regression on both",
        "logistic regression on attributes and motif encodings",
        "attributes+orbits",
        "attributes",
        "edges",
        priority=5,
    ),
    _network("MLP on orbits", f"no messages; {_ORBITS}", "mlp", "orbits+neighbours", priority=4),
    _network("APPNP", "predictions spread by personalised PageRank", "appnp", "attributes", priority=0),
    _network(
        "APPNP, prediction MI",
        "APPNP; predictions of neighbours are made to tell about each other",
        "appnp",
        "attributes",
        "attributes",
        "few labels",
        priority=2,
        **_INFORMATION,
    ),
    _network(
        "APPNP, far",
        "APPNP that reaches 20 steps",
        "appnp",
        "attributes",
        "attributes",
        "few labels",
        priority=2,
        **_FAR,
    ),
    _network("GCN", "graph convolutions", "gcn", "attributes", priority=2),
    _network("GraphSAGE", "a node and the mean of its neighbours", "sage", "attributes", "attributes", priority=4),
    _network("MLP", "no messages", "mlp", "attributes", "attributes", priority=5),
    _network(
        "GCN, views",
        "GCN that first learns without labels, from two views of the graph",
        "gcn",
        "attributes",
        "attributes",
        "few labels",
        priority=2,
        **_VIEWS,
    ),
    _network("GAT", "messages weighted by attention", "gat", "attributes", "attributes", priority=7),
    _network("APPNP, weights", f"APPNP; {_WEIGHTS}", "appnp", "attributes", "weights", priority=2, edge_weights=True),
    _network("GCN, weights", f"GCN; {_WEIGHTS}", "gcn", "attributes", "weights", priority=3, edge_weights=True),
    _network("APPNP, closure", f"APPNP; {_CLOSED}", "appnp", "attributes", priority=3, closure=2),
    _network("GCN, closure", f"GCN; {_CLOSED}", "gcn", "attributes", priority=4, closure=2),
    _network("APPNP, orbits", f"APPNP; {_ORBITS}", "appnp", "attributes+orbits", priority=3),
    _network("GCN, orbits", f"GCN; {_ORBITS}", "gcn", "attributes+orbits", priority=5),
    _network("GraphSAGE, orbits", f"GraphSAGE; {_ORBITS}", "sage", "attributes+orbits", priority=3),
    Candidate(
        "InfoMotif, joint",
        "supervised and InfoMax loss are minimised together",
        MOTIF,
        settings=_JOINT,
        motifs=True,
        priority=3,
    ),
    Candidate(
        "InfoMotif, paper",
        "Algorithm 1 as published, in one batch of all nodes",
        MOTIF,
        settings=_ALTERNATE,
        motifs=True,
        priority=8,
    ),
)
"""All candidates; a name is unique, and of equally good ones the first is taken."""
