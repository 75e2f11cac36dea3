"""Method: the one interface of all baselines, and what a run of one gives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infomotif._core.seeds import check_seed
from infomotif.errors import InputError, unknown_name
from infomotif.graph import Graph
from infomotif.training.splits import Split, fixed_split
from infomotif.typing import Array

Options = Mapping[str, Any]

TRIALS = 5
"""Most settings that a search may try for a method, so that all have the same budget."""
GRID_TRIALS = 12
"""Most combinations of settings, where an experiment tries all of them."""

PROXIMITY = "Proximity-based graph embedding methods"
STRUCTURAL = "Structural graph embedding methods"
STANDARD = "Standard graph neural networks"
STRUCTURAL_NETWORKS = "Structural graph neural networks"
MOTIF_REGULARIZED = "Motif-regularized graph neural networks (InfoMotif)"
SIMPLE = "Without message passing"


@dataclass(frozen=True)
class Prediction:
    """What a method says.

    Attributes:
        labels: Class number of each node, [n].
        best_epoch: The epoch that was kept, for methods that train in epochs.
        details: Plain values worth keeping, such as the chosen regularisation.
    """

    labels: Array
    best_epoch: int | None = None
    details: Options = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """A prediction, scored.

    Attributes:
        test_accuracy: Share of test nodes that were right.
        val_accuracy: Share of validation nodes that were right.
        correct: Which test nodes were right, in the order of ``split.test``.
        best_epoch: The epoch that was kept, if there are epochs.
        details: What the method says besides.
    """

    test_accuracy: float
    val_accuracy: float
    correct: NDArray[np.bool_]
    best_epoch: int | None
    details: Options


@dataclass(frozen=True, kw_only=True)
class Method(ABC):
    """A way to label nodes: a subclass says how, an instance is a row of a table.

    A new method is one file with a subclass (or an instance of :class:`TrainedNetwork`) and one line in the registry.

    Attributes:
        name: What commands and experiments call it.
        title: Title of its row.
        group: Heading that its row stands under.
        version: Raised when its behaviour changes, so that kept results of an older one are not taken for it.
        attributes: Whether it uses attributes (X in the paper's tables).
        labels: Whether representations are learned with labels (Y in the paper's tables).
        base: Name of the method it builds on and is compared with in pairs.
        chooses: Whether it may turn out to be its base, so that its differences are no claim for what it adds.
        search: Values to try of each setting, the first being where the search starts; at most :data:`TRIALS` trials.
    """

    name: str
    title: str
    group: str
    version: int = 1
    attributes: bool = True
    labels: bool = True
    base: str | None = None
    chooses: bool = False
    search: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    @abstractmethod
    def defaults(self) -> dict[str, Any]:
        """Return every setting that the method takes, with its default."""

    @abstractmethod
    def predict(self, graph: Graph, split: Split, settings: Options, seed: int) -> Prediction:
        """Label all nodes.

        Args:
            graph: The graph; only training and validation nodes have a label, -1 elsewhere.
            split: Which nodes train and which validate.
            settings: A value for each of :meth:`defaults`.
            seed: Decides all randomness.
        """

    def check(self, settings: Options) -> None:
        """Refuse settings that the method does not take, and (in subclasses) values that cannot work.

        Raises:
            InputError: Naming the setting and what is allowed.
        """
        known = self.defaults()
        for key in settings:
            if key not in known:
                raise unknown_name(f"setting of {self.name}", key, known)

    def differing(self, settings: Options) -> dict[str, Any]:
        """Return the settings that differ from the defaults, in a fixed order, after checking them.

        Example:
            >>> from infomotif_bench.methods import get_method
            >>> get_method("gcn").differing({"lr": 0.001, "dropout": 0.5})
            {'lr': 0.001}
        """
        self.check(settings)
        known = self.defaults()
        plain = {key: value.item() if isinstance(value, np.generic) else value for key, value in settings.items()}
        return {key: plain[key] for key in sorted(plain) if plain[key] != known[key]}

    def trials(self) -> int:
        """Return how many settings a search tries: one setting after the other, the best so far kept."""
        return 1 + sum(len(values) - 1 for values in self.search.values())

    def run(self, graph: Graph, split: Split, settings: Options, seed: int) -> Outcome:
        """Predict without ever seeing a test label, then score.

        Raises:
            InputError: If the split names a node twice or one without a label, or the seed or a setting cannot be.

        Example:
            >>> import infomotif as im
            >>> from infomotif_bench.methods import get_method
            >>> from infomotif.training import random_split
            >>> graph = im.load_dataset("karate")
            >>> outcome = get_method("structural-lr").run(graph, random_split(graph.y, 0.4), {}, seed=0)
            >>> len(outcome.correct), 0 <= outcome.test_accuracy <= 1
            (13, True)
        """
        if graph.y is None:
            raise InputError(f"{graph.name} has no labels to learn from")
        check_seed(seed, "seed")
        split = fixed_split(graph.y, split.train, split.val, split.test)
        if (graph.y[split.test] < 0).any():
            raise InputError("test names nodes without a label; leave them out")
        seen = np.full(graph.num_nodes, -1)
        for part in (split.train, split.val):
            seen[part] = graph.y[part]
        complete = {**self.defaults(), **self.differing(settings)}
        found = self.predict(graph.replace(y=seen), split, complete, seed)
        right = found.labels == graph.y
        return Outcome(
            test_accuracy=_share(right[split.test]),
            val_accuracy=_share(right[split.val]),
            correct=right[split.test],
            best_epoch=found.best_epoch,
            details=dict(found.details),
        )


def _share(right: NDArray[np.bool_]) -> float:
    return float(right.mean()) if len(right) else float("nan")
