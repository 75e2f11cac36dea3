"""Fitted: everything about one trained model, made by fit, written by save and returned by load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infomotif.graph import Graph
from infomotif.graph.targets import nodes_of_types, target_types, unlabelled_types
from infomotif.nn.network import MotifNetwork
from infomotif.training.config import Settings
from infomotif.training.features import FeatureMap
from infomotif.training.session import PreparedTraining, Session
from infomotif.typing import Array


@dataclass(frozen=True, eq=False)
class Fitted:
    """A trained model: what predicts, and what is known about its training.

    Attributes:
        encoder: Name of the encoder; ``module:`` and its class for a custom module.
        settings: All settings of the training.
        random_state: Seed of the training.
        features: How a graph becomes the network's input.
        network: The trained network, with dropout switched off.
        motif_names: Name of each motif.
        motif_patterns: Pattern of each motif.
        classes: Name of each class.
        attribute_names: Names of the training graph's attributes.
        graph_info: Name, size, direction and fingerprint of the training graph.
        schema: Which columns became which attributes, if the training graph came from files.
    """

    encoder: str
    settings: Settings
    random_state: int
    features: FeatureMap
    network: MotifNetwork
    motif_names: tuple[str, ...]
    motif_patterns: tuple[str, ...]
    classes: tuple[str, ...]
    attribute_names: tuple[str, ...]
    graph_info: dict[str, Any]
    schema: dict[str, Any] | None = None

    @classmethod
    def of(cls, session: Session, training: PreparedTraining) -> Fitted:
        """Return the outcome of a finished training."""
        graph = session.graph
        motifs = () if training.index is None else training.index.motifs
        return cls(
            encoder=session.name,
            settings=training.settings,
            random_state=session.seed,
            features=training.features,
            # Threads that predict at the same time share the network, so its mode must not change any more.
            network=training.network.eval(),
            motif_names=tuple(motif.name for motif in motifs),
            motif_patterns=tuple(motif.pattern for motif in motifs),
            classes=tuple(graph.class_names),
            attribute_names=tuple(graph.attribute_names),
            graph_info={
                "name": graph.name,
                "nodes": graph.num_nodes,
                "edges": graph.num_edges,
                "directed": graph.directed,
                "fingerprint": graph.fingerprint(),
                **({"labelled_types": list(target_types(graph))} if unlabelled_types(graph) else {}),
            },
            schema=None if graph.schema is None else graph.schema.to_dict(),
        )

    @property
    def width(self) -> int:
        """Width D of the representations."""
        return int(self.network.classifier.in_features)

    def classified(self, graph: Graph) -> Array:
        """Return the nodes of a graph that have a class: those of the types that had labels in training."""
        types = self.graph_info.get("labelled_types", ())
        known = [name for name in types if name in graph.node_type_names]
        return nodes_of_types(graph, known) if types else np.arange(graph.num_nodes)

    @property
    def needs_index(self) -> bool:
        """Whether predictions need the motifs of a graph to be counted."""
        return self.features.indexed or self.settings.regularizer.readout_in_z
