"""Method: the one interface of everything that the bench compares, and the result of a run."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from infomotif._core.seeds import check_seed
from infomotif._core.validate import Config, FieldInfo, config, fields_of
from infomotif.errors import InputError, unknown_name
from infomotif.graph import Graph
from infomotif.training.splits import Split, fixed_split
from infomotif.typing import Array

Options = Mapping[str, Any]

NAME = re.compile(r"[A-Za-z0-9._-]+")
"""The form of names of methods, rows and experiments, which are parts of commands, keys and file names."""

MAX_TRIALS = 5
"""Most settings that a search may try for a method, so that all have the same budget."""
MAX_GRID_TRIALS = 12
"""Most combinations of settings, where an experiment tries all of them."""
MAX_COUNT = 10_000_000
"""Largest value of settings that count something."""
MAX_LR = 1e37
"""Largest learning rate that 32-bit floats can multiply with."""

PROXIMITY = "Proximity-based graph embedding methods"
STRUCTURAL = "Structural graph embedding methods"
STANDARD = "Standard graph neural networks"
STRUCTURAL_NETWORKS = "Structural graph neural networks"
MOTIF_REGULARIZED = "Motif-regularized graph neural networks (InfoMotif)"
SIMPLE = "Without message passing"


@dataclass(frozen=True)
class MethodOutput:
    """The predictions of a method.

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
    """The scores of a method's predictions.

    Attributes:
        test_accuracy: Share of test nodes that were right.
        val_accuracy: Share of validation nodes that were right.
        correct: Which test nodes were right, in the order of ``split.test``.
        best_epoch: The epoch that was kept, if there are epochs.
        details: Further values that the method reports.
    """

    test_accuracy: float
    val_accuracy: float
    correct: NDArray[np.bool_]
    best_epoch: int | None
    details: Options


@config
class NoSettings(Config):
    """The settings of a method that has none."""


@dataclass(frozen=True, kw_only=True)
class Method(ABC):
    """A way to label nodes: a subclass says how, an instance is a row of a table.

    Subclasses declare their settings as ``options``, a configuration class whose fields state default and range;
    defaults, checks and the parsing of ``--set`` follow from it. One that needs no checks may override
    :meth:`defaults` instead.

    Attributes:
        options: The configuration class of the method's settings.
        name: Its name in commands and experiments.
        title: Title of its row.
        group: Heading above its row.
        version: Raised when its behaviour changes, so that results of an older version are not reused.
        attributes: Whether it uses attributes (X in the paper's tables).
        labels: Whether representations are learned with labels (Y in the paper's tables).
        base: Name of the method that it builds on and is compared with, split by split.
        chooses: Whether it may turn out to be its base, so that a difference says nothing about what it adds.
        search: Values to try of each setting, the first being where the search starts; at most :data:`MAX_TRIALS`
            trials.
    """

    options: ClassVar[type[Config]] = NoSettings

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
    def predict(self, graph: Graph, split: Split, settings: Options, seed: int) -> MethodOutput:
        """Label all nodes.

        Args:
            graph: The graph; only training and validation nodes have a label, -1 elsewhere.
            split: Which nodes train and which validate.
            settings: A value for each of :meth:`defaults`.
            seed: Decides all randomness.
        """

    @property
    def fields(self) -> Mapping[str, FieldInfo]:
        """The declared settings of this method, by name."""
        return fields_of(self.options)

    def defaults(self) -> dict[str, Any]:
        """Return every setting that the method takes, with its default."""
        return {name: info.default for name, info in self.fields.items()}

    def check(self, settings: Options) -> None:
        """Refuse settings that the method does not take, and values that cannot work.

        Raises:
            InputError: Naming the setting and what is allowed.
        """
        known = self.defaults()
        for key in settings:
            if key not in known:
                raise unknown_name(f"setting of {self.name}", key, known)
        self.options(**{key: value for key, value in settings.items() if key in self.fields})

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
        """Return how many settings a search tries if it goes through one setting after the other."""
        return 1 + sum(len(values) - 1 for values in self.search.values())

    def run(self, graph: Graph, split: Split, settings: Options, seed: int) -> Outcome:
        """Predict without ever seeing a test label, then score.

        Raises:
            InputError: If the split names a node twice or one without a label, or the seed or a setting is not
                allowed.

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
        visible = np.full(graph.num_nodes, -1)
        for part in (split.train, split.val):
            visible[part] = graph.y[part]
        complete = {**self.defaults(), **self.differing(settings)}
        output = self.predict(graph.replace(y=visible), split, complete, seed)
        right = output.labels == graph.y
        return Outcome(
            test_accuracy=_share(right[split.test]),
            val_accuracy=_share(right[split.val]),
            correct=right[split.test],
            best_epoch=output.best_epoch,
            details=dict(output.details),
        )


def _share(right: NDArray[np.bool_]) -> float:
    return float(right.mean()) if len(right) else float("nan")
