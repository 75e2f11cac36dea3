"""Portfolio: the candidates that make sense for a graph, its labels and the fixed settings, within a budget."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.nn.encoders import Custom, EncoderConfig, as_encoder
from infomotif.search.candidates import CANDIDATES, CHEAP, MOTIF, NETWORK, Candidate
from infomotif.search.halving import FINISHERS, RUNGS
from infomotif.search.options import Budget
from infomotif.search.work import epoch_seconds, usual_seconds
from infomotif.training.build import takes_weights
from infomotif.training.config import Settings, Training
from infomotif.training.presets import plain_settings

_SHAPE = {"layers", "activation"}
"""Settings that make a regression something else."""


@dataclass(frozen=True)
class Entry:
    """A candidate with all its settings; None without a network of its own."""

    candidate: Candidate
    encoder: EncoderConfig
    settings: Settings | None


@dataclass(frozen=True)
class Portfolio:
    """What may be tried.

    Attributes:
        graph: The graph.
        encoder: The encoder that the user named; for InfoMotif before any other was tried.
        fixed: Whether it was named, so that no other is tried.
        given: Settings that the user fixed, by their flat names.
        few: Whether few nodes train.
        with_motifs: Whether candidates that are made of motifs may be tried.
        regularizes: Whether the graph has motif instances, so that InfoMotif can be tried.
        labels: How many nodes train.
    """

    graph: Graph
    encoder: EncoderConfig
    fixed: bool
    given: Mapping[str, Any]
    few: bool
    with_motifs: bool = True
    regularizes: bool = True
    labels: int = 0

    def entries(self, stage: str, best: Entry | None = None) -> list[Entry]:
        """Return the candidates of a stage, the simplest first; those that became equal are there once.

        Args:
            stage: :data:`CHEAP`, :data:`NETWORK` or :data:`MOTIF`.
            best: The best network so far, whose encoder and inputs InfoMotif takes.
        """
        entries: list[Entry] = []
        for candidate in self._known(stage):
            if not self._possible(candidate):
                continue
            try:
                entry = self._entry(candidate, best)
            except InputError:
                # It contradicts what the user fixed.
                continue
            known = [(e.encoder, e.settings, e.candidate.spreading) for e in entries]
            if (entry.encoder, entry.settings, candidate.spreading) not in known:
                entries.append(entry)
        return entries

    def within(self, budget: Budget, folds: int) -> tuple[dict[str, list[Entry]], tuple[str, ...]]:
        """Return the candidates of each stage that fit into a budget, and the names of those that do not."""
        stages = {stage: self.entries(stage) for stage in (CHEAP, NETWORK, MOTIF)}
        limit = math.inf
        if budget.trainings is None:
            limit = usual_seconds(self.graph) if budget.seconds is None else budget.seconds
        left_out: list[str] = []
        while True:
            count = sum(map(len, stages.values()))
            cost = self.seconds(stages, folds)
            if count <= 1 or (cost <= limit and count <= (budget.trainings or count)):
                return stages, tuple(left_out)
            # Of equally promising ones the last, which costs most.
            found = [e.candidate for each in reversed(stages.values()) for e in reversed(each)]
            out = max(found, key=lambda candidate: candidate.priority)
            stages = {stage: [e for e in each if e.candidate is not out] for stage, each in stages.items()}
            left_out.append(out.name)

    def seconds(self, stages: Mapping[str, Sequence[Entry]], folds: int) -> float:
        """Return about how many seconds of one thread it takes to try these candidates."""
        total = sum(self._whole(e) for e in stages[CHEAP])
        costs = [self._whole(e) for e in stages[NETWORK]]
        before = 0.0
        for share, part in RUNGS:
            count = max(FINISHERS, round(part * len(costs)))
            total += (share - before) / (2 if self.few else 1) * sum(sorted(costs, reverse=True)[:count])
            before = share
        total += (1 - before / (2 if self.few else 1)) * sum(sorted(costs, reverse=True)[:FINISHERS])
        return folds * (total + sum(self._whole(e) for e in stages[MOTIF]))

    def _whole(self, entry: Entry) -> float:
        if entry.settings is None:
            return 0.05
        return entry.settings.training.total_epochs * epoch_seconds(entry.settings, self.graph)

    def _known(self, stage: str) -> list[Candidate]:
        if not self.fixed:
            return [candidate for candidate in CANDIDATES if candidate.stage == stage]
        named = [c for c in CANDIDATES if c.stage == stage and c.stage != CHEAP]
        if stage != NETWORK:
            return named
        label, kind = self.encoder.label, named[0]
        plain = {**kind.settings, "inputs": "attributes"}
        base = Candidate(label, "the encoder alone", NETWORK, settings=plain)
        orbits = {**plain, "inputs": "attributes+orbits"}
        more = replace(
            base, name=f"{label}, orbits", what="motif encodings become inputs", settings=orbits, motifs=True
        )
        heavy = {**plain, "edge_weights": True}
        weights = replace(base, name=f"{label}, weights", what="messages weigh as the edges", settings=heavy)
        return [base, replace(weights, needs=("weights",)), more]

    def _possible(self, candidate: Candidate) -> bool:
        graph, given = self.graph, self.given
        has = {
            "attributes": graph.x is not None or "inputs" in given,
            "few labels": self.few,
            "edges": graph.num_edges > 0,
            "weights": self._weighted(),
        }
        if not all(has[need] for need in candidate.needs) or (candidate.motifs and not self.with_motifs):
            return False
        if candidate.stage == MOTIF:
            schedule = candidate.settings.get("schedule", Training().schedule)
            # With another schedule it would not be what its name says.
            return self.regularizes and given.get("regularize", True) and given.get("schedule", schedule) == schedule
        if given.get("regularize", False):
            return False
        if isinstance(self.encoder, Custom) and "orbits" in candidate.settings.get("inputs", ""):
            # A custom module expects inputs of a certain width.
            return False
        if candidate.settings.get("layers") == 1 and given.keys() & _SHAPE:
            return False
        # With other inputs it would not be what its name says.
        return "inputs" not in given or candidate.settings.get("inputs", "attributes") == "attributes"

    def _entry(self, candidate: Candidate, best: Entry | None) -> Entry:
        encoder = self.encoder if candidate.encoder is None else as_encoder(candidate.encoder)
        own = dict(candidate.settings)
        if candidate.stage == MOTIF and best is not None and best.settings is not None:
            encoder = encoder if self.fixed else best.settings.encoder
            inputs = best.settings.inputs
            own |= {"inputs": inputs.features, "edge_weights": inputs.edge_weights, "closure": inputs.closure}
        if candidate.encoder is None and candidate.stage == CHEAP or candidate.over is not None:
            return Entry(candidate, encoder, None)
        if own.get("layers") == 1 and self.labels:
            # About the usual strength of a logistic regression, whose penalty does not grow with the labels.
            own["weight_decay"] = min(MAX_DECAY, max(own["weight_decay"], 0.5 / self.labels))
        if "mi_share" in own:
            # On large graphs a step over fewer nodes says as much about all of them.
            own["mi_share"] = min(own["mi_share"], max(MIN_SHARE, MI_NODES / max(1, self.graph.num_nodes)))
        if self.graph.x is None and own.get("inputs") == "attributes+orbits":
            own["inputs"] = "orbits"
        own["calibrate"] = True
        if self.few:
            own.setdefault("self_training", PSEUDO_LABELS)
        settings = plain_settings(encoder, **{**own, **self.given})
        return Entry(candidate, settings.encoder, settings)

    def _weighted(self) -> bool:
        weights = self.graph.csr.weights
        if weights is None or not len(weights) or weights.min() < 0 or (weights == 1).all():
            return False
        if isinstance(self.encoder, Custom):
            return takes_weights(self.encoder.module)
        with torch.device("meta"):
            return takes_weights(self.encoder.build(1, 8))


MAX_DECAY = 0.02
MI_NODES, MIN_SHARE = 1000, 0.02
"""How many nodes an InfoMax step of the search covers at most, and which share of them at least."""
PSEUDO_LABELS = 0.2
"""Where few nodes train, the share of the others that a second training labels by the first."""
