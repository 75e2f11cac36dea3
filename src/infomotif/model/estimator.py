"""InfoMotif: the estimator with fit, predict, embed, explain and save."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from infomotif._core.parallel import thread_count
from infomotif._core.progress import progress as progress_bar
from infomotif._core.seeds import check_seed
from infomotif._core.validate import Config
from infomotif.errors import InputError
from infomotif.explain.node import NodeExplanation, explain_node
from infomotif.explain.subject import Subject
from infomotif.explain.suggest import Suggestion, suggest_nodes
from infomotif.graph import Graph
from infomotif.graph.select import node_numbers
from infomotif.io.adapt import as_graph
from infomotif.model._params import Parameters
from infomotif.model.fitting import Fit, check_index, split_nodes, warn_of_missing_classes, with_labelled_type
from infomotif.model.prediction_sets import COVERAGE, PredictionSets, conformity_scores
from infomotif.model.saving import write_model
from infomotif.motifs import Motif, MotifIndex, motifs_for
from infomotif.nn.encoders import Custom, EncoderConfig, as_encoder
from infomotif.nn.network import MotifNetwork, Output
from infomotif.search.auto import Request
from infomotif.search.choice import Choice
from infomotif.search.fitted import Fitted
from infomotif.search.members import Answer, infer
from infomotif.search.options import Search
from infomotif.training.build import check_negatives, check_weights, hidden_width, make_adjacency
from infomotif.training.config import (
    GROUPS,
    Inputs,
    PredictionMI,
    Regularizer,
    Settings,
    Training,
    given_options,
    new_place,
)
from infomotif.training.device import compute_context, on_device, pick_device
from infomotif.training.distributed import current_world
from infomotif.training.features import FeatureMap
from infomotif.training.presets import make_settings, preset_motifs
from infomotif.training.session import Session
from infomotif.training.splits import Split
from infomotif.typing import Array

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes

_LOG = logging.getLogger(__name__)


class InfoMotif(Parameters):
    """Labels for the nodes of a graph from a few known ones, by simple models, GNNs and the graph's motifs.

    Options are grouped in configuration objects; those that are left out take the preset's value. All options with
    their defaults are listed in the documentation under *Settings*.

    Args:
        encoder: The base GNN: a name such as ``gcn``, a configuration such as ``GAT(heads=4)``, or any module
            ``(x, edge_index) -> [n, d]``. With ``auto`` the preset ``auto`` tries several, and others take ``gcn``.
        preset: ``auto`` tries simple models, GNNs and InfoMotif, and lets validation choose one of them or a mean;
            options that are given stay. ``paper`` is the paper, letter by letter, ``base`` the encoder alone, ``joint``
            has one loss, and z adds h, ``fast`` is joint with 5 instances of a quarter of the nodes per epoch, and
            ``authors`` as the authors' code differs from their paper.
        motifs: A motif set, or a list of names and patterns; ``auto`` goes by the graph. Or the graph's
            :class:`infomotif.MotifIndex`, whose motifs are then not counted again.
        regularizer: Options of the motif regulariser, or :class:`PredictionMI`, which compares the predictions of
            co-members; None trains the base GNN.
        training: How it is trained: epochs, learning rates, batches, ...
        inputs: What the network sees of the graph, such as ``attributes`` or ``attributes+orbits``; :class:`Inputs`
            has all parts, normalisation and edge weights.
        search: How far ``preset="auto"`` goes: its budget, whether the answer may be a mean, ...
        random_state: Seed; the same seed gives the same numbers to the bit on the same machine.
        device: ``auto``, ``cpu``, ``cuda``, ...
        threads: Threads to use; None takes all for graphs of 5000 nodes and more, one for smaller ones. On smaller ones
            torch has one in any case, so that the bits do not depend on it.
        progress: Whether to show a progress bar; None shows it on a terminal.

    Attributes:
        classes_: Name of each class [C].
        motif_weights_: alpha, the weight of each motif for each node [n, T]; None for the base.
        novelty_: beta, the last weight of each training node [L].
        history_: One record per epoch: a dictionary with ``epoch``, ``seconds`` and whatever was measured of ``loss``,
            ``mi_loss``, ``val_accuracy`` and ``val_loss``.
            With ``preset="auto"`` they are those of the member that counts most.
        best_epoch_: The epoch whose state was kept, by validation accuracy, ties by validation loss.
        split_: Training, validation and test nodes.
        answer_: What predicts: one model, or the members of a mean with their weights.
        fitted_: The model that explanations and representations come from.
        measured_: Class probabilities of the training graph before validation nodes trained too [n, C].
        index_: The motifs of the training graph, if the model uses them.
        settings_: All settings of the training.
        calibration_: How much the label of each validation node surprised the model, which :meth:`predict_sets`
            calibrates by.
        choice_: With ``preset="auto"``, what was chosen, why, and what was tried.
        graph_info_: Name, size, direction and fingerprint of the training graph.
        schema_: Which columns became which attributes, if the graph came from files.

    Example:
        >>> import infomotif as im
        >>> graph = im.load_dataset("karate")
        >>> model = im.InfoMotif(im.GCN(hidden=16), preset="paper", training=im.Training(epochs=20), random_state=1)
        >>> model = model.fit(graph, train=[0, 1, 32, 33])
        >>> model.predict().shape, model.motif_weights_.shape
        ((34,), (34, 2))
    """

    encoder: str | EncoderConfig | nn.Module
    preset: str
    motifs: Any
    regularizer: Regularizer | PredictionMI | None
    training: Training
    inputs: Inputs | str
    search: Search
    random_state: int
    device: str
    threads: int | None
    progress: bool | None
    answer_: Answer
    fitted_: Fitted
    graph_: Graph
    index_: MotifIndex | None

    def __init__(
        self,
        encoder: str | EncoderConfig | nn.Module = "auto",
        *,
        preset: str = "auto",
        motifs: Any = "auto",
        regularizer: Regularizer | PredictionMI | None = Regularizer(),  # noqa: B008
        training: Training = Training(),  # noqa: B008
        inputs: Inputs | str = Inputs(),  # noqa: B008
        search: Search = Search(),  # noqa: B008
        random_state: int = 0,
        device: str = "auto",
        threads: int | None = None,
        progress: bool | None = None,
        **moved: Any,
    ) -> None:
        for name in moved:
            raise TypeError(str(self._unknown(name)))
        self.encoder, self.preset, self.motifs = encoder, preset, motifs
        self.regularizer, self.training, self.inputs, self.search = regularizer, training, inputs, search
        self.random_state, self.device, self.threads, self.progress = random_state, device, threads, progress

    def settings(self) -> Settings:
        """Return the preset's settings with this estimator's parameters in place, checked."""
        return make_settings(self.preset, self.encoder, **self._given())

    def check(self, graph: Graph, split: Split) -> None:
        """Reject parameters that cannot work, before any work is done.

        Raises:
            InputError: If a setting, the encoder, the motifs or the device cannot be used.
        """
        settings = self.settings()
        if not isinstance(self.search, Search):
            raise InputError(f"search must be a Search (got {type(self.search).__name__})")
        self._seed()
        pick_device(self.device)
        thread_count(self.threads)
        if settings.training.sampling == "none" and current_world().size > 1:
            raise InputError("sampling=none trains in one process only; leave it out, or start without torchrun")
        if settings.training.patience is not None and len(split.val) == 0:
            raise InputError("patience needs validation nodes; give val, or leave patience out")
        if settings.training.calibrate and len(split.val) == 0:
            raise InputError("calibrate needs validation nodes; give val, or leave calibrate out")
        if settings.needs_motifs or self.preset == "auto":
            check_negatives(settings, self._motifs(graph))
        options = settings.encoder
        if isinstance(options, Custom):
            encoder = options.module
        else:
            with torch.device("meta"):
                encoder = options.build(1, hidden_width(settings, graph))
        check_weights(settings, graph, encoder, options.label)

    def fit(
        self,
        graph: Any,
        train: Any = None,
        val: Any = None,
        *,
        index: MotifIndex | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        on_epoch: Callable[[dict[str, Any]], None] | None = None,
        choice: Choice | None = None,
    ) -> InfoMotif:
        """Train on the labels of ``train`` and keep the epoch with the best validation on ``val``.

        Args:
            graph: A :class:`Graph`, or anything else that :class:`MotifIndex` takes.
            train: Nodes whose labels are learned: a mask or node numbers. By default a PyG graph's masks, its
                ``test_mask`` for :meth:`score` too, else a random 80 % of the labelled nodes.
            val: Nodes that choose the epoch; by default as above the other 20 %. With ``train`` alone there is no
                validation, and the last epoch is kept.
            index: The graph's motifs if they were counted before; those that ``motifs`` names are taken from it.
            checkpoint: A file to keep the state in; if it exists, training goes on from it. The search of
                ``preset="auto"`` is not kept, but comes to the same choice again.
            on_epoch: Called with every epoch's record, as in ``history_``.
            choice: With ``preset="auto"``, what it chose before for the same data; it is then only trained.

        Returns:
            The estimator itself.
        """
        settings = self.settings()
        masks = {name: getattr(graph, f"{name}_mask", None) for name in ("train", "val", "test")}
        graph = as_graph(graph)
        split = split_nodes(graph, train, val, masks, self._seed())
        self.check(graph, split)
        if index is not None:
            check_index(index, graph)
        world = current_world()
        seed, device = self._seed(), pick_device(self.device, world)
        warn_of_missing_classes(graph, split)
        start = time.perf_counter()
        shown = self.progress if world.first else False
        with compute_context(self.threads, graph.num_nodes, device):
            motifs = self._mined(graph, settings, index, shown)
            session = Session(graph, settings.encoder, motifs, seed, device, world)
            fit = Fit(session, split, None if checkpoint is None else Path(checkpoint), on_epoch, shown)
            if self.preset == "auto":
                chosen = fit.choose(self._request(shown), choice)
                choice, outcome, measured = chosen.choice, chosen.outcome, chosen.measured
                answer, main, told = outcome.answer, measured.main, measured.heaviest
                self._keep(graph, chosen.session.index, split, answer, outcome.main.view.infer())
                self.probability_, self.measured_ = outcome.probability, measured.probability
            else:
                choice, main = None, fit.train(settings)
                told, answer = main, Answer.of(self.preset, Fitted.of(session, main))
                self._keep(graph, main.index, split, answer, main.view.infer())
                self.probability_ = self.measured_ = self.output_.logits.softmax(dim=1).cpu().numpy()
        self.choice_, self.novelty_ = choice, main.loop.novelty_of(split.train)
        # Validation nodes may have trained since.
        self.calibration_ = conformity_scores(self.measured_[split.val], graph.y[split.val])
        self.history_ = [] if told is None else [record.to_dict() for record in told.loop.state.history]
        self.best_epoch_ = 0 if told is None else told.loop.state.best_epoch
        self.fit_seconds_ = time.perf_counter() - start
        return self

    def _keep(self, graph: Graph, index: MotifIndex | None, split: Split, answer: Answer, output: Output) -> None:
        self.answer_, self.fitted_, self.graph_, self.index_, self.split_ = answer, answer.fitted, graph, index, split
        self.output_, self.motif_weights_ = output, None if output.alpha is None else output.alpha.cpu().numpy()

    def _request(self, progress: bool | None) -> Request:
        """Return what is asked of the search."""
        given, named = self._given(), self.encoder != "auto"
        return Request(given, self.search, fixed_encoder=named, keep_motifs=self.motifs != "auto", progress=progress)

    @property
    def settings_(self) -> Settings:
        """All settings of the training."""
        return self._fitted().settings

    @property
    def features_(self) -> FeatureMap:
        """How a graph becomes the network's input."""
        return self._fitted().features

    @property
    def network_(self) -> MotifNetwork:
        """The trained network."""
        return self._fitted().network

    @property
    def motif_names_(self) -> tuple[str, ...]:
        """Name of each motif that the model uses."""
        return self._fitted().motif_names

    @property
    def motif_patterns_(self) -> tuple[str, ...]:
        """Pattern of each motif that the model uses."""
        return self._fitted().motif_patterns

    @property
    def classes_(self) -> Array:
        """Name of each class [C]."""
        return np.array(self._fitted().classes)

    @property
    def attribute_names_(self) -> tuple[str, ...]:
        """Names of the training graph's attributes."""
        return self._fitted().attribute_names

    @property
    def graph_info_(self) -> dict[str, Any]:
        """Name, size, direction and fingerprint of the training graph."""
        return self._fitted().graph_info

    @property
    def schema_(self) -> dict[str, Any] | None:
        """Which columns became which attributes, if the training graph came from files."""
        return self._fitted().schema

    def predict(self, graph: Any = None, *, index: MotifIndex | None = None) -> Array:
        """Return the class number of each node [n].

        Args:
            graph: Another graph with the same attributes; by default the training graph.
            index: Its motifs if they were counted before; by default they are counted where the model needs them.
        """
        return np.asarray(self.predict_proba(graph, index=index).argmax(axis=1))

    def predict_proba(self, graph: Any = None, *, index: MotifIndex | None = None) -> Array:
        """Return the probability of each class [n, C]; arguments as for :meth:`predict`."""
        fitted = self._fitted()
        if graph is None:
            self._known_graph()
            return self.probability_.copy()
        target, device = self._compatible(graph), pick_device(self.device)
        with compute_context(self.threads, target.num_nodes, device):
            return self.answer_.probabilities(
                target, len(fitted.classes), partial(self._needed_index, target, index), device
            )

    def predict_sets(
        self,
        graph: Any = None,
        *,
        coverage: float = COVERAGE,
        calibration: Any = None,
        index: MotifIndex | None = None,
    ) -> Array:
        """Return for each node the classes that hold its label with the probability ``coverage``, as a mask [n, C].

        The sets are calibrated on validation nodes (split conformal prediction). If these chose the epoch or the
        settings too, the coverage holds approximately.

        Args:
            graph: As for :meth:`predict`.
            coverage: The share of nodes whose set should hold the label.
            calibration: Labelled nodes of the graph that did not train, a mask or numbers; by default those that
                validated. A loaded model needs them.
            index: As for :meth:`predict`.

        Raises:
            InputError: If there is no node to calibrate on, or the coverage is not between 0 and 1.

        Example:
            >>> import infomotif as im
            >>> model = im.InfoMotif(preset="base", training=im.Training(epochs=20)).fit(im.make_roles(300))
            >>> sets = model.predict_sets(coverage=0.8)
            >>> sets.shape, bool(sets.any(axis=1).all())
            ((300, 4), True)
        """
        probability = self.predict_proba(graph, index=index)
        if calibration is None:
            scores = getattr(self, "calibration_", ())
        else:
            target = self._known_graph() if graph is None else self._compatible(graph)
            scores = self._surprise(np.sort(node_numbers(calibration, target.num_nodes, "calibration")), target)
        if len(scores) == 0:
            raise InputError(
                "there is no node to calibrate on; fit with val, or name labelled nodes that did not train "
                "(calibration=)"
            )
        # After a refit the model that was measured is another one.
        calibrated = self.measured_ if graph is None and calibration is None else None
        return PredictionSets.from_scores(scores, coverage).members(probability, calibrated)

    def _surprise(self, nodes: Array, graph: Graph | None = None) -> Array:
        """Return how much the labels of nodes surprise the model, for calibration."""
        target = self._known_graph() if graph is None else graph
        if target.y is None or (target.y[nodes] < 0).any():
            raise InputError("calibration names nodes without a label; leave them out")
        number = {str(name): c for c, name in enumerate(self.classes_)}
        # Another graph may number its classes differently.
        labels = np.array([number.get(target.class_names[c], -1) for c in target.y[nodes].tolist()], dtype=np.int64)
        return conformity_scores(self.predict_proba(graph)[nodes], labels)

    def embed(self, graph: Any = None, *, index: MotifIndex | None = None) -> Array:
        """Return the final representations z [n, D], of a mean those of the member that explains it.

        Arguments are as for :meth:`predict`.
        """
        return self._infer(graph, index).z.cpu().numpy()

    def plot_map(
        self,
        graph: Any = None,
        *,
        colour: Any = "class",
        index: MotifIndex | None = None,
        max_nodes: int = 20_000,
        seed: int = 0,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw a map of the nodes: their representations in two dimensions, as on the report page.

        Fewer than 50 nodes are laid out by principal components, others by t-SNE; beyond 1,500 nodes t-SNE lays out a
        sample, and every other node lies between its nearest.

        Args:
            graph: As for :meth:`predict`.
            colour: What colours show: ``class``, ``prediction``, ``correct``, ``confidence``, ``split`` or ``motif``
                (the motif of the largest weight); or a number or a name per node.
            index: As for :meth:`predict`.
            max_nodes: How many nodes to draw; of more nodes a random sample.
            seed: Which layout, and which sample.
            ax: Matplotlib axes to draw on; by default those of a new figure.

        Returns:
            The axes.

        Raises:
            InputError: If colours are unknown or cannot be had, or Matplotlib is not installed.

        Example:
            >>> import infomotif as im
            >>> from matplotlib.figure import Figure
            >>> model = im.InfoMotif(preset="joint", training=im.Training(epochs=5))
            >>> model = model.fit(im.load_dataset("karate"), train=[0, 33])
            >>> model.plot_map(colour="prediction", ax=Figure().subplots()).get_title()
            'karate: principal components of the representations'
        """
        from infomotif.model.map_plot import plot_map

        target = self._known_graph() if graph is None else self._compatible(graph)
        return plot_map(self, graph, target, colour, index=index, max_nodes=max_nodes, seed=seed, ax=ax)

    def to_frame(self, graph: Any = None, *, index: MotifIndex | None = None, kind: str | None = None) -> Any:
        """Return the predictions as a data frame: one row per node, with the columns of ``predictions.csv``.

        These are the node, the predicted class, the probability of each class, the label where the graph has labels,
        and for the training graph the part of the split. On a typed graph only types that had labels are listed.

        Args:
            graph: As for :meth:`predict`.
            index: As for :meth:`predict`.
            kind: ``pandas``, ``polars`` or ``arrow`` (a ``pyarrow.Table``); by default the first that is installed.

        Raises:
            InputError: If ``kind`` is unknown or not installed.

        Example:
            >>> import infomotif as im
            >>> model = im.InfoMotif(preset="joint", training=im.Training(epochs=5))
            >>> model = model.fit(im.load_dataset("karate"), train=[0, 33])
            >>> model.to_frame(kind="arrow").column_names
            ['node', 'predicted', 'p(Mr. Hi)', 'p(Officer)', 'label', 'split']
        """
        from infomotif.model.prediction_frame import prediction_frame

        target = self._known_graph() if graph is None else self._compatible(graph)
        split = getattr(self, "split_", None) if graph is None else None
        probability, rows = self.predict_proba(graph, index=index), self._fitted().classified(target)
        return prediction_frame(target, probability, self.classes_.tolist(), split, kind, rows=rows)

    def score(self, nodes: Any = None, graph: Any = None, *, index: MotifIndex | None = None) -> float:
        """Return the accuracy on labelled ``nodes``; by default those that neither trained nor validated."""
        target = self._known_graph() if graph is None else as_graph(graph)
        if target.y is None:
            raise InputError("score needs a graph with labels")
        predicted = self.predict(graph, index=index)
        if nodes is not None:
            chosen = np.sort(node_numbers(nodes, target.num_nodes))
        else:
            chosen = self.split_.test if graph is None else np.flatnonzero(target.y >= 0)
        if len(chosen) == 0:
            raise InputError(
                "score has no labelled node left to test on: all of them trained or validated; keep some back "
                "(split = infomotif.training.random_split(graph.y, 0.6), then fit(graph, split.train, split.val)), or "
                "give nodes"
            )
        if (target.y[chosen] < 0).any():
            raise InputError(f"nodes names {int((target.y[chosen] < 0).sum())} nodes without a label; leave them out")
        # Another graph may number its classes differently, so names are compared.
        names = np.array(target.class_names)[target.y[chosen]]
        return float((self.classes_[predicted[chosen]] == names).mean())

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Write ``model.json`` and ``model.safetensors`` into ``folder``, each whole or not at all."""
        self._fitted()
        return write_model(Path(folder), self.answer_)

    def subject(
        self, graph: Any = None, *, index: MotifIndex | None = None, train: Any = None, base: Any = None
    ) -> Subject:
        """Return the subject of :mod:`infomotif.explain`: this model on its training graph, or on another.

        Args:
            graph: Another graph with the same attributes; a loaded model needs one.
            index: The graph's motifs if they were counted before: those of this model and of ``base``, or more.
            train: The training nodes, a mask or numbers; for the graph that was fitted they are known.
            base: The base GNN, fitted alone, or its probabilities [n, C], to compare with.
        """
        fitted = self._fitted()
        target = self._known_graph() if graph is None else self._compatible(graph)
        device = pick_device(self.device)
        motifs = self._index_of(target, index, fitted) if fitted.motif_patterns else None
        adjacency = make_adjacency(fitted.settings, target, fitted.features)
        x, adjacency = on_device(device, fitted.features.apply(target, motifs), adjacency)
        if train is None and graph is None:
            train = self.split_.train
        return Subject(
            graph=target,
            network=fitted.network.to(device),
            x=x,
            adjacency=adjacency,
            class_names=fitted.classes,
            index=None if fitted.network.regularizer is None else motifs,
            feature_names=fitted.features.names(target.attribute_names),
            train=None if train is None else np.sort(node_numbers(train, target.num_nodes, "train")),
            base=base.predict_proba(target, index=index) if isinstance(base, InfoMotif) else base,
            answer=None if self.answer_.single else self.predict_proba(graph, index=index),
            source=None if self.answer_.single else self.answer_.source,
        )

    def suggest(
        self, count: int = 20, graph: Any = None, *, labelled: Any = None, index: MotifIndex | None = None
    ) -> tuple[Suggestion, ...]:
        """Return the nodes whose labels would teach most; see :func:`infomotif.explain.suggest_nodes`.

        Args:
            count: How many nodes to suggest.
            graph: As for :meth:`predict`.
            labelled: Nodes whose label is known, a mask or numbers. By default those with a label; if all nodes have
                one, those that trained or validated.
            index: As for :meth:`predict`.

        Raises:
            InputError: If no node is left to suggest.

        Example:
            >>> import infomotif as im
            >>> graph = im.load_dataset("karate")
            >>> model = im.InfoMotif(preset="paper", training=im.Training(epochs=20)).fit(graph, train=[0, 33])
            >>> [suggestion.predicted for suggestion in model.suggest(2)]
            ['Officer', 'Mr. Hi']
        """
        target = self._known_graph() if graph is None else self._compatible(graph)
        if labelled is None:
            labelled = np.zeros(target.num_nodes, dtype=bool) if target.y is None else target.y >= 0
            if labelled.all() and graph is None:
                labelled = np.concatenate([self.split_.train, self.split_.val])
        probability = self.predict_proba(graph, index=index)
        try:
            embedding = self.embed(graph, index=index)
        except InputError:
            # Not every model has representations; what it predicts around a node takes their place.
            embedding = None
        return suggest_nodes(
            target,
            probability,
            count,
            labelled=labelled,
            embedding=embedding,
            class_names=self._fitted().classes,
        )

    def explain(
        self,
        node: str | int,
        graph: Any = None,
        *,
        index: MotifIndex | None = None,
        train: Any = None,
        base: Any = None,
        **counts: int,
    ) -> NodeExplanation:
        """Explain the prediction of one node; see :func:`infomotif.explain.explain_node`.

        Args:
            node: The node's name, or its number.
            graph: As for :meth:`subject`.
            index: As for :meth:`subject`.
            train: As for :meth:`subject`.
            base: As for :meth:`subject`.
            counts: How many ``instances``, ``twins`` and ``attributes`` to show.
        """
        return explain_node(self.subject(graph, index=index, train=train, base=base), node, **counts)

    def _infer(self, graph: Any, index: MotifIndex | None) -> Output:
        """Return what the network that explains gives for all nodes."""
        fitted = self._fitted()
        if graph is None:
            self._known_graph()
            return self.output_
        target = self._compatible(graph)
        device = pick_device(self.device)
        with compute_context(self.threads, target.num_nodes, device):
            return infer(fitted, target, partial(self._needed_index, target, index), device)

    def _needed_index(self, graph: Graph, index: MotifIndex | None, fitted: Fitted) -> MotifIndex | None:
        """Return the motifs of a graph that a member needs to predict on it."""
        return self._index_of(graph, index, fitted) if fitted.needs_index else None

    def _index_of(self, graph: Graph, index: MotifIndex | None, fitted: Fitted) -> MotifIndex:
        """Return the index of a member's motifs in a graph: a given one, that of the training, or a new one."""
        if index is not None:
            return check_index(index, graph).select(fitted.motif_patterns)
        if graph is getattr(self, "graph_", None) and self.index_ is not None:
            known = tuple(motif.pattern for motif in self.index_.motifs)
            return self.index_ if known == fitted.motif_patterns else self.index_.select(fitted.motif_patterns)
        return MotifIndex(graph, fitted.motif_patterns)

    def _compatible(self, graph: Any) -> Graph:
        """Return another graph, which must have the attributes of the training graph in their order.

        Raises:
            InputError: If it does not.
        """
        other, names = as_graph(graph), self._fitted().attribute_names
        if names and other.attribute_names != names:
            differs = next((a for a in names if a not in set(other.attribute_names)), "their order")
            raise InputError(f"the graph's attributes differ from those the model was trained on (first: {differs})")
        return other

    def _motifs(self, graph: Graph) -> tuple[Motif, ...]:
        """Return the motifs that the parameter ``motifs`` names for a graph."""
        if isinstance(self.motifs, MotifIndex):
            return check_index(self.motifs, graph).motifs
        chosen = motifs_for(graph, preset_motifs(self.preset, self.motifs, directed=graph.directed))
        return with_labelled_type(chosen, graph) if isinstance(self.motifs, str) and self.motifs == "typed" else chosen

    def _mined(
        self, graph: Graph, settings: Settings, index: MotifIndex | None, progress: bool | None
    ) -> MotifIndex | None:
        """Return the index that a training needs: from one that was made before, or a new one."""
        if not (settings.needs_motifs or self.preset == "auto"):
            return None
        known = self.motifs if index is None else index
        if isinstance(known, MotifIndex):
            return known.select(self._motifs(graph))
        with progress_bar(f"mining motifs of {graph.name}", enabled=progress):
            return MotifIndex(graph, self._motifs(graph))

    def _given(self) -> dict[str, Any]:
        """Return the options that were given, by their flat names."""
        encoder = as_encoder(self.encoder)
        regularizer = Regularizer(enabled=False) if self.regularizer is None else self.regularizer
        if isinstance(regularizer, PredictionMI):
            regularizer = regularizer.regularizer()
        inputs = _as_inputs(self.inputs)
        for name, part in (("regularizer", regularizer), ("training", self.training), ("inputs", inputs)):
            if not isinstance(part, GROUPS[name]):
                raise InputError(f"{name} must be a {GROUPS[name].__name__} (got {type(part).__name__})")
        return given_options(encoder, regularizer, self.training, inputs)

    def _configured(self, parameter: str, value: Any) -> Config:
        """Return a parameter as a configuration object: an encoder by name, and a regulariser that is off, too."""
        if parameter == "encoder":
            return as_encoder(value)
        if parameter == "inputs":
            return super()._configured(parameter, _as_inputs(value))
        return super()._configured(parameter, Regularizer() if parameter == "regularizer" and value is None else value)

    def _unknown(self, name: str) -> InputError:
        """Return the error for an unknown parameter; options name the configuration object that holds them."""
        try:
            return InputError(f"'{name}' is an option of a configuration object: InfoMotif({new_place(name)})")
        except InputError:
            return super()._unknown(name)

    def _seed(self) -> int:
        return check_seed(self.random_state)

    def _fitted(self) -> Fitted:
        if not hasattr(self, "fitted_"):
            from sklearn.exceptions import NotFittedError

            raise NotFittedError("this InfoMotif is not fitted yet; call fit(graph, train=..., val=...) first")
        return self.fitted_

    def _known_graph(self) -> Graph:
        self._fitted()
        if not hasattr(self, "graph_"):
            raise InputError("a loaded model keeps no graph; give one, such as predict(graph)")
        return self.graph_


def _as_inputs(value: Any) -> Any:
    """Return inputs that are named by their features as a configuration object."""
    return Inputs(features=value) if isinstance(value, str) else value
