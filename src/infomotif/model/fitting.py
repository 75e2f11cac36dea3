"""Fit: one call of ``InfoMotif.fit`` with its progress bars, checkpoint and callback, and checks of its arguments."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from infomotif._core.progress import progress as progress_bar
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.targets import target_types
from infomotif.motifs import Motif, MotifIndex
from infomotif.search.auto import Request, choose
from infomotif.search.choice import Choice
from infomotif.search.realise import Outcome, Realisation
from infomotif.training.config import Settings
from infomotif.training.records import EpochRecord
from infomotif.training.session import PreparedTraining, Session, visible_labels
from infomotif.training.splits import Split, fixed_split, random_split

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Chosen:
    """What ``preset="auto"`` came to.

    Attributes:
        session: What all trainings shared, with the motifs that are used.
        choice: What was chosen, and why.
        outcome: What predicts.
        measured: What its accuracy is measured on: the same before validation nodes trained too.
    """

    session: Session
    choice: Choice
    outcome: Outcome
    measured: Outcome


@dataclass(frozen=True)
class Fit:
    """The trainings of one fit.

    Attributes:
        session: What all trainings share.
        split: Training, validation and test nodes.
        checkpoint: The file that keeps the state of the training, if any.
        on_epoch: Called with the record of every epoch, as ``history_`` holds it.
        progress: Whether to show progress bars; None shows them on a terminal.
    """

    session: Session
    split: Split
    checkpoint: Path | None = None
    on_epoch: Callable[[dict[str, Any]], None] | None = None
    progress: bool | None = None

    def train(self, settings: Settings) -> PreparedTraining:
        """Train with these settings to the end."""
        epochs, encoder = settings.training.total_epochs, self.session.name
        name = f"InfoMotif-{encoder}" if settings.regularize else encoder
        with progress_bar(f"training {name}", epochs, enabled=self.progress) as advance:

            def report(record: EpochRecord) -> None:
                advance(1, _describe(record))
                self._call_back(record)

            _LOG.info("training %s for at most %d epochs: %s", encoder, epochs, settings)
            training = self.session.training(settings, self.split, checkpoint=self.checkpoint, on_epoch=report)
            training.loop.run()
        return training

    def choose(self, request: Request, known: Choice | None = None) -> Chosen:
        """Choose what predicts by validation, and train it.

        Args:
            request: What is asked of the search.
            known: A choice that was made before for the same request; it is only trained.
        """
        session, choice, outcome = self.session, known, None
        if choice is None:
            session, choice, outcome = choose(session, self.split, request)
        elif session.index is not None:
            session = replace(session, index=session.index.select(choice.motifs))
        if outcome is None:
            outcome = self._realised(session, choice, on_epoch=self._call_back, checkpoint=self.checkpoint)
        elif outcome.heaviest is not None:
            for record in outcome.heaviest.loop.state.history:
                self._call_back(record)
        if not (request.search.refit and choice.tried and len(self.split.val)):
            return Chosen(session, choice, outcome, outcome)
        refitted = self._realised(session, choice, refit=True, trained=outcome.explaining)
        return Chosen(session, choice, refitted, outcome)

    def _realised(self, session: Session, choice: Choice, **options: Any) -> Outcome:
        return Realisation(session, choice, self.split, progress=self.progress, **options).run()

    def _call_back(self, record: EpochRecord) -> None:
        if self.on_epoch is not None:
            self.on_epoch(record.to_dict())


def split_nodes(graph: Graph, train: Any, val: Any, masks: Mapping[str, Any], seed: int) -> Split:
    """Return the split that the arguments of fit mean: given nodes, a PyG graph's masks, or a random split.

    Raises:
        InputError: If the graph has too few classes, or the nodes do not fit together.
    """
    if graph.y is None or graph.num_classes < 2:
        raise InputError(
            f"{graph.name} must have labels of at least two classes (got {graph.num_classes}){_label_hint(graph)}"
        )
    if train is None and val is None:
        if masks["train"] is not None:
            return fixed_split(graph.y, **masks)
        if masks["val"] is not None:
            raise InputError("the graph has a val_mask without a train_mask; add it, or give train and val")
        return random_split(graph.y, 0.8, val=0.2, seed=seed)
    if train is None:
        raise InputError("val needs train; give both, or neither")
    return fixed_split(graph.y, train, val)


def _label_hint(graph: Graph) -> str:
    """Return how to name the labels, with a column that may hold them."""
    texts = [] if graph.schema is None else [c for c in graph.schema.columns if c.kind == "categorical"]
    column = min(texts, key=lambda c: len(c.categories), default=None)
    if graph.y is not None:
        return ""
    if column is None:
        return "; name them when the graph is read, as in from_networkx(graph, label=...) or read_csv(..., label=...)"
    return f"; name them when the graph is read, such as from_networkx(graph, label='{column.name}')"


def check_index(index: Any, graph: Graph) -> MotifIndex:
    """Return the index if it belongs to this graph.

    Raises:
        InputError: If it is not an index, or of a graph with other edges.
    """
    if not isinstance(index, MotifIndex):
        raise InputError(f"index must be a MotifIndex of the graph (got {type(index).__name__})")
    other = index.graph
    if other is not graph:
        same = other.directed == graph.directed and all(
            np.array_equal(one, two) for one, two in zip(other.csr[:2], graph.csr[:2], strict=True)
        )
        if not same:
            raise InputError(
                f"the motif index is of another graph ({other.name}, {other.num_nodes} nodes) than {graph.name} "
                f"({graph.num_nodes} nodes); make it with MotifIndex(graph)"
            )
    return index


def warn_of_missing_classes(graph: Graph, split: Split) -> None:
    """Warn of classes that no training node has."""
    counts = np.bincount(visible_labels(graph, split)[split.train], minlength=graph.num_classes)
    missing = [graph.class_names[c] for c in np.flatnonzero(counts == 0)]
    if missing:
        warnings.warn(f"no training node has class {', '.join(missing)}; it will hardly be predicted", stacklevel=3)


def _describe(record: EpochRecord) -> str:
    parts = []
    if record.loss is not None:
        parts.append(f"loss {record.loss:.3f}")
    if record.mi_loss is not None:
        parts.append(f"InfoMax {record.mi_loss:.4f}")
    if record.val_accuracy is not None:
        parts.append(f"validation {100 * record.val_accuracy:.1f} %")
    return ", ".join(parts)


def with_labelled_type(motifs: Sequence[Motif], graph: Graph) -> tuple[Motif, ...]:
    """Return the motifs that a node of a labelled type can be in; the InfoMax loss covers no other nodes.

    Raises:
        InputError: If there is none.

    Example:
        >>> from infomotif.motifs import motifs_for
        >>> ends, kinds = ([0, 1, 2], [1, 2, 3]), ["movie", "actor", "agent", "agent"]
        >>> graph = Graph.from_edges(*ends, num_nodes=4, directed=False, node_types=kinds, y=[0, -1, -1, -1])
        >>> [motif.pattern for motif in with_labelled_type(motifs_for(graph, "typed"), graph)]
        ['a:actor-b:agent, a-c:movie']
    """
    types = target_types(graph)
    kept = tuple(m for m in motifs if not types or not m.node_types or {"", *types} & set(m.node_types))
    if not kept:
        raise InputError(
            f"no motif of three nodes has a node of the labelled type {' or '.join(types)}; name patterns instead"
        )
    return kept
