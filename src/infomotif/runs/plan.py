"""RunPlan: which models a run trains, on which splits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.model.estimator import InfoMotif
from infomotif.model.prediction_sets import COVERAGE, check_coverage
from infomotif.search.options import Search
from infomotif.training.config import estimator_options
from infomotif.training.splits import Split, fixed_split, random_split

BASE, OURS = "base", "infomotif"


@dataclass(frozen=True)
class RunPlan:
    """What a run trains: the base GNN and InfoMotif on the same splits, or what ``preset="auto"`` chooses on each.

    Attributes:
        source: Where the graph comes from, as a command or a reader can find it again.
        encoder: Name of the encoder; ``auto`` lets ``preset="auto"`` choose.
        preset: Preset of the InfoMotif model; the base shares every other setting. With ``auto`` each split's
            labels choose what predicts, and there is no base.
        settings: Changes to the preset.
        search: Options of :class:`infomotif.Search`.
        motifs: Motif set, or a list of motifs.
        ratio: Share of the labelled nodes that train.
        val: Share that validates.
        splits: Number of splits; split s is drawn with seed ``seed + s``.
        seed: First seed.
        device: Where to compute.
        threads: Number of threads, or None.
        coverage: The share of nodes whose set of classes in ``predictions.csv`` holds the label.
    """

    source: dict[str, Any]
    encoder: str = "gcn"
    preset: str = "paper"
    settings: dict[str, Any] = field(default_factory=dict)
    search: dict[str, Any] = field(default_factory=dict)
    motifs: Any = "auto"
    ratio: float = 0.2
    val: float = 0.2
    splits: int = 1
    seed: int = 0
    device: str = "auto"
    threads: int | None = None
    coverage: float = COVERAGE

    def __post_init__(self) -> None:
        """Refuse a coverage that is not a share.

        Raises:
            InputError: If it is not between 0 and 1.
        """
        check_coverage(self.coverage)

    def model(self, kind: str, split: int, *, progress: bool | None = None) -> InfoMotif:
        """Return an unfitted model.

        Args:
            kind: :data:`BASE` or :data:`OURS`; the base has every setting of InfoMotif but the regulariser.
            split: Number of the split.
            progress: Whether to show bars; None shows them on a terminal.
        """
        preset, settings, search = self.preset, self.settings, Search(**self.search)
        if kind == BASE:
            # A published training has its batches and inputs for the base too.
            preset = preset if preset in ("paper", "authors") else "base"
            # Without InfoMax there is nothing to warm up by.
            settings = {**settings, "regularize": False, **({"warmup_epochs": 0} if preset == "authors" else {})}
        return InfoMotif(
            **estimator_options(self.encoder, settings),
            preset=preset,
            motifs=self.motifs,
            # Only the first split's model is kept, and the others only measure.
            search=search if split == 0 else search.replace(refit=False),
            random_state=self.seed + split,
            device=self.device,
            threads=self.threads,
            progress=progress,
        )

    @property
    def kinds(self) -> tuple[str, ...]:
        """The models that are trained on each split, in order."""
        return (OURS,) if self.preset == "auto" else (BASE, OURS)

    @property
    def needs_motifs(self) -> bool:
        """Whether a training uses the graph's motifs."""
        return self.preset == "auto" or any(self.model(kind, 0).settings().needs_motifs for kind in self.kinds)

    def split(self, graph: Graph, number: int, train: Any = None) -> Split:
        """Return split ``number``; with fixed ``train`` nodes only validation and test nodes are drawn."""
        if graph.y is None:
            raise InputError(f"{graph.name} has no labels to learn from; give a label column")
        seed = self.seed + number
        if train is None:
            return random_split(graph.y, self.ratio, val=self.val, seed=seed)
        if not 0 <= self.val < 1:
            raise InputError(f"val must be at least 0 and below 1 (got {self.val})")
        fixed = fixed_split(graph.y, train)
        rest = np.random.default_rng(seed).permutation(fixed.test)
        count = round(self.val * int((graph.y >= 0).sum()))
        return Split(fixed.train, np.sort(rest[:count]), np.sort(rest[count:]))

    def all_splits(self, graph: Graph, train: Any = None) -> list[Split]:
        """Return every split of the run, as :meth:`split` draws them."""
        return [self.split(graph, number, train) for number in range(self.splits)]
