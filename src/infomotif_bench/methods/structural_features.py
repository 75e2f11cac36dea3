"""Classifiers of hand-made structural features, without any learned representation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from sklearn.ensemble import ExtraTreesClassifier

from infomotif._core.validate import Config, config, setting
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import motif_encodings
from infomotif.training.splits import Split
from infomotif.typing import Array
from infomotif_bench.methods.base import MAX_COUNT, SIMPLE, MethodOutput, Options
from infomotif_bench.methods.embeddings.base import EmbeddingMethod


@dataclass(frozen=True, kw_only=True)
class StructuralLogistic(EmbeddingMethod):
    """Logistic regression on degree, motif counts, core number, clustering and PageRank.

    It has no settings: the strength C is chosen on each split's validation nodes.
    """

    group: str = SIMPLE
    attributes: bool = False

    def embed(self, graph: Graph, settings: Options, seed: int) -> Array:
        """Return the features of each node."""
        return motif_encodings(graph, "centralities").values


def _check_share(value: float | str) -> None:
    if value not in ("sqrt", "log2") and not (isinstance(value, float) and 0 < value <= 1):
        raise InputError(f"max_features must be sqrt, log2 or a share such as 0.5, at most 1.0 (got {value!r})")


@config
class TreeSettings(Config):
    """The settings of :class:`StructuralTrees`."""

    trees: int = setting(default=300, at_least=1, at_most=MAX_COUNT, help="Number of trees.")
    min_samples_leaf: int = setting(default=1, at_least=1, at_most=MAX_COUNT, help="Fewest training nodes in a leaf.")
    max_features: float | str | None = setting(
        default="sqrt", check=_check_share, help="Features tried per split: sqrt, log2, a share, or none for all."
    )
    class_weight: str | None = setting(default=None, choices=("balanced",), help="Whether rare classes count more.")


@dataclass(frozen=True, kw_only=True)
class StructuralTrees(StructuralLogistic):
    """Extremely randomised trees on the same features."""

    options: ClassVar[type[Config]] = TreeSettings

    def predict(self, graph: Graph, split: Split, settings: Options, seed: int) -> MethodOutput:
        """Grow the trees on the training nodes."""
        if graph.y is None:
            raise InputError(f"{graph.name} has no labels to learn from")
        features = motif_encodings(graph, "centralities").values
        options: dict[str, Any] = {key: value for key, value in settings.items() if key != "trees"}
        if isinstance(options["max_features"], int):
            # scikit-learn would read a whole number as a number of features, not as a share.
            options["max_features"] = float(options["max_features"])
        model = ExtraTreesClassifier(settings["trees"], random_state=seed, n_jobs=1, **options)
        model.fit(features[split.train], graph.y[split.train])
        return MethodOutput(model.predict(features))


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
