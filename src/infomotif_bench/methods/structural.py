"""Classifiers of hand-made structural features: what a node's place tells without any learning of representations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sklearn.ensemble import ExtraTreesClassifier

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs.structural import structural_columns
from infomotif.training.splits import Split
from infomotif_bench.methods.base import SIMPLE, Options, Prediction
from infomotif_bench.methods.checks import check_whole
from infomotif_bench.methods.embeddings.base import EmbeddingMethod


@dataclass(frozen=True, kw_only=True)
class StructuralLogistic(EmbeddingMethod):
    """Logistic regression on degree, motif counts, core number, clustering and PageRank."""

    group: str = SIMPLE
    attributes: bool = False

    def defaults(self) -> dict[str, Any]:
        """Return no settings: the strength C is chosen on each split's validation nodes."""
        return {}

    def embed(self, graph: Graph, settings: Options, seed: int) -> Any:
        """Return the features of each node."""
        return structural_columns(graph).values


@dataclass(frozen=True, kw_only=True)
class StructuralTrees(StructuralLogistic):
    """Extremely randomised trees on the same features."""

    def defaults(self) -> dict[str, Any]:
        """Return the settings."""
        return {"trees": 300, "min_samples_leaf": 1, "max_features": "sqrt", "class_weight": None}

    def check(self, settings: Options) -> None:
        """Refuse what scikit-learn refuses."""
        super().check(settings)
        for key in ("trees", "min_samples_leaf"):
            check_whole(settings, key, 1)
        share = settings.get("max_features", "sqrt")
        if share not in (None, "sqrt", "log2") and not (isinstance(share, float) and 0 < share <= 1):
            raise InputError(f"max_features must be sqrt, log2 or a share such as 0.5, at most 1.0 (got {share!r})")
        if settings.get("class_weight") not in (None, "balanced"):
            raise InputError(f"class_weight must be none or balanced (got {settings['class_weight']!r})")

    def predict(self, graph: Graph, split: Split, settings: Options, seed: int) -> Prediction:
        """Grow the trees on the training nodes."""
        if graph.y is None:
            raise InputError(f"{graph.name} has no labels to learn from")
        features = structural_columns(graph).values
        options: Mapping[str, Any] = {key: value for key, value in settings.items() if key != "trees"}
        model = ExtraTreesClassifier(settings["trees"], random_state=seed, n_jobs=1, **options)
        model.fit(features[split.train], graph.y[split.train])
        return Prediction(model.predict(features))


LOGISTIC = StructuralLogistic(name="structural-lr", title="Structural features, logistic regression", version=2)
"""Logistic regression on structural features."""

EXTRA_TREES = StructuralTrees(
    name="structural-trees",
    title="Structural features, ExtraTrees",
    version=2,
    labels=False,
    search={"min_samples_leaf": (1, 2, 4), "max_features": ("sqrt", 1.0), "class_weight": (None, "balanced")},
)
"""Trees on structural features."""
