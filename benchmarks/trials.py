"""Ideas that are not part of the package, each over InfoMotif-GCN (joint), judged on validation nodes alone.

    python benchmarks/trials.py                          # roles, Cora and Citeseer, 10 splits; goes on where it stopped
    python benchmarks/trials.py --ideas DropEdge --datasets cora
    python benchmarks/trials.py --store trials.jsonl     # where the runs are kept

With 1 % of the labels, width 64, weight decay 0.0005, learning rate 0.01, 100 epochs, nothing searched. The validation
nodes are halved: one half chooses the epoch, as a user's would, the other judges. No test label is read. What gains
would become a setting; what does not is listed in docs/what-did-not-help.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F
from rich.console import Console
from rich.table import Table
from torch import Tensor

import infomotif as im
from infomotif._core.progress import progress
from infomotif._core.statistics import paired_difference, spread
from infomotif.motifs import significance
from infomotif.nn.encoders import as_encoder, encode
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.regularizer import MotifAttention
from infomotif.nn.regularizer.pairs import PairPlan
from infomotif.training import TrainingLoop, make_settings, novelty_weights
from infomotif.training.calibration import fitted_temperature
from infomotif.training.distributed import World
from infomotif.training.losses import Objective
from infomotif.training.session import PreparedTraining, Session
from infomotif.training.splits import Split
from infomotif.training.views import FullGraphView
from infomotif_bench.experiments.schemes import Scheme

SETTINGS = {"hidden": 64, "weight_decay": 0.0005}
LABELS = Scheme.parse("1 %")
BINS, LAST, DROPPED, SAMPLES, STRENGTH = 10, 10, 0.2, 50, 3.0


class DropEdge(FullGraphView):
    """Every pass of training goes over a random part of the edges."""

    def encode(self, labelled, others, generator):
        """Encode without a fifth of the edges."""
        whole = self.adjacency
        pattern = whole.neighbours
        rows = np.repeat(np.arange(pattern.num_rows), np.diff(pattern.indptr))
        up = rows < pattern.indices
        keep = generator.random(int(up.sum())) >= DROPPED
        source, target = rows[up][keep], pattern.indices[up][keep]
        ones = np.ones(2 * len(source), dtype=np.float32)
        ends = (np.concatenate([source, target]), np.concatenate([target, source]))
        kept = sp.csr_array((ones, ends), shape=(pattern.num_rows,) * 2)
        self.adjacency = Adjacency(kept.indptr, kept.indices)
        try:
            return super().encode(labelled, others, generator)
        finally:
            self.adjacency = whole


class ClassNovelty(Objective):
    """A training node is novel if its motif weights are uncommon in its own class."""

    def renew_novelty(self) -> None:
        """Measure the distance to the mean of the node's class."""
        if self.alpha is None:
            return
        alpha, y = self.alpha[self.data.train], self.data.y[self.data.train]
        means = torch.stack(
            [alpha[y == c].mean(dim=0) if (y == c).any() else alpha[0] for c in range(int(y.max()) + 1)]
        )
        self.beta = novelty_weights(alpha - means[y])


class Contrast(Objective):
    """The InfoMax loss written out, so that its parts can be exchanged."""

    second: Callable[[], Tensor] | None = None
    """Gives the representations whose instances are told apart; by default those of the summaries."""
    softmax = False
    """Whether an instance is told from all negatives of its owner at once (InfoNCE)."""

    def infomax(self, encoded, generator):
        regularizer, h = self.network.regularizer, encoded.h
        batch = encoded.others.numpy()
        weights = torch.ones(len(h), regularizer.num_motifs)
        if self.alpha is not None:
            weights = self.alpha * regularizer.num_motifs
        instances = h if self.second is None else self.second()
        total = h.new_zeros(())
        pairs = zip(*regularizer.draw(self.index, batch, generator), strict=True)
        for t, (observed, (others, corrupted)) in enumerate(pairs):
            plan, negative = (PairPlan.build(batch, drawn, len(h)) for drawn in (observed, others))
            if plan.num_instances == 0:
                continue
            head = regularizer.heads[t]
            g = head.gate(h[plan.index("rows", h.device)])
            summary = head.readout(plan, g, head.encoder(plan, g))
            logits, owners = [], []
            for each, source in ((plan, instances), (negative, encoded.corrupted if corrupted else instances)):
                g = head.gate(source[each.index("rows", h.device)])
                logits.append(head.discriminator(each, g, head.encoder(each, g), summary))
                count = torch.from_numpy(np.diff(each.inst_ptr).astype(np.int64))
                owners.append(torch.arange(len(count)).repeat_interleave(count))
            scale = weights[plan.index("owners", h.device), t] / (len(batch) * regularizer.num_motifs)
            if self.softmax:
                total = total + (scale * mean_by(owners[0], self._against_all(logits, owners), len(scale))).sum()
                continue
            for sign, logit, owner in zip((-1, 1), logits, owners, strict=True):
                total = total + (scale / 2 * mean_by(owner, F.softplus(sign * logit), len(scale))).sum()
        return total

    @staticmethod
    def _against_all(logits: list[Tensor], owners: list[Tensor]) -> Tensor:
        """Return -log(e^p / (e^p + sum of e^n over the owner's negatives)) of each instance."""
        (positive, negative), (owner, other) = logits, owners
        count = int(owner.max()) + 1
        top = negative.new_full((count,), -torch.inf).scatter_reduce(0, other, negative.detach(), "amax")
        total = negative.new_zeros(count).index_add(0, other, (negative - top[other]).exp())
        return F.softplus((total.log() + top)[owner] - positive)


class Averaged(TrainingLoop):
    """The mean weights of the last epochs in the place of the best epoch."""

    def run(self):
        """Train to the end and load the mean."""
        epochs = self.settings.training.epochs
        self.advance(epochs - LAST)
        states = []
        for epoch in range(epochs - LAST, epochs):
            self.advance(epoch + 1)
            states.append(self.snapshot())
        mean = {name: torch.stack([state[name] for state in states]).mean(dim=0) for name in states[0]}
        self.network.load_state_dict(mean)
        return self.state


class Prior(MotifAttention):
    """Motif weights that start at what significance says of a motif."""

    prior: Tensor

    def forward(self, gated):
        """Add the logarithm of the prior before the softmax."""
        scores = torch.stack([g @ self.weight[0] for g in gated], dim=1)
        alpha = (scores + self.prior.log()).softmax(dim=1)
        return sum(alpha[:, t : t + 1] * g for t, g in enumerate(gated)), alpha


def weighted_messages(graph: im.Graph, dealt_anew: bool) -> Adjacency:
    """Return edges that count 1 + 3 log(1 + triangles), or these weights on other edges."""
    csr, n = graph.undirected, graph.num_nodes
    edges = sp.csr_array((np.ones(len(csr.indices)), csr.indices, csr.indptr), shape=(n, n))
    more = sp.csr_array(edges.multiply(im.MotifIndex(graph, "undirected").adjacency("M7")).astype(np.float64))
    more.data = np.log1p(more.data)
    if dealt_anew:
        upper = sp.triu(edges, 1).tocoo()
        weights = np.random.default_rng(0).permutation(np.asarray(more[upper.row, upper.col]).ravel())
        half = sp.csr_array((weights, (upper.row, upper.col)), shape=(n, n))
        more = half + half.T
    whole = sp.csr_array(edges + STRENGTH * more)
    whole.sort_indices()
    return Adjacency(whole.indptr, whole.indices, weights=whole.data)


def mean_by(owner: Tensor, values: Tensor, count: int) -> Tensor:
    """Return the mean of the values of each owner, 0 without any."""
    number = torch.bincount(owner, minlength=count).clamp(min=1)
    return values.new_zeros(count).index_add(0, owner, values) / number


def plain(training: PreparedTraining, graph: im.Graph) -> TrainingLoop:
    return training.loop


def with_view(training: PreparedTraining, graph: im.Graph) -> TrainingLoop:
    view = training.view
    training.loop.view = DropEdge(training.network, view.x, view.adjacency, view.device, view.index)
    return training.loop


def with_objective(kind: type[Objective], **changes) -> Callable[[PreparedTraining, im.Graph], TrainingLoop]:
    def change(training: PreparedTraining, graph: im.Graph) -> TrainingLoop:
        loop, view = training.loop, training.view
        objective = kind(training.network, loop.data, training.settings, training.index)
        for name, value in changes.items():
            setattr(objective, name, value)
        if "second" in changes:
            objective.second = lambda: encode(training.network.encoder, view.x, view.adjacency)
        loop.objective = objective
        return loop

    return change


def averaged(training: PreparedTraining, graph: im.Graph) -> TrainingLoop:
    old = training.loop
    return Averaged(training.network, training.view, old.data, training.settings, seed=old.seed)


def with_prior(training: PreparedTraining, graph: im.Graph) -> TrainingLoop:
    regularizer = training.network.regularizer
    z = np.abs(np.nan_to_num(significance(graph, training.index.motifs, samples=SAMPLES).z)) + 1e-3
    attention = Prior(training.network.classifier.in_features)
    attention.weight, attention.prior = regularizer.attention.weight, torch.from_numpy(z / z.sum()).float()
    regularizer.attention = attention
    return training.loop


def with_weights(dealt_anew: bool = False) -> Callable[[PreparedTraining, im.Graph], TrainingLoop]:
    def change(training: PreparedTraining, graph: im.Graph) -> TrainingLoop:
        training.view.adjacency = weighted_messages(graph, dealt_anew)
        return training.loop

    return change


@dataclass(frozen=True)
class Idea:
    """What is changed: the preset, its settings, the motifs, or the training."""

    change: Callable[[PreparedTraining, im.Graph], TrainingLoop] = plain
    preset: str = "joint"
    motifs: str = "auto"
    against: tuple[str, ...] = ("joint",)
    settings: dict[str, float] = field(default_factory=dict)


IDEAS = {
    "GCN": Idea(preset="base", against=()),
    "joint": Idea(against=("GCN",)),
    "DropEdge": Idea(with_view),
    "novelty within the class": Idea(with_objective(ClassNovelty)),
    "InfoNCE": Idea(with_objective(Contrast, softmax=True)),
    "two augmentations": Idea(with_objective(Contrast, second=None)),
    "mean of the last 10 epochs": Idea(averaged),
    "all 13 triads": Idea(motifs="triads"),
    "z-scores as prior weights": Idea(with_prior),
    "GCN with triangle weights": Idea(with_weights(), preset="base", against=("GCN",)),
    "triangles weigh messages": Idea(with_weights()),
    "these weights on other edges": Idea(with_weights(dealt_anew=True)),
    "GCN with self-training": Idea(preset="base", against=("GCN",), settings={"self_training": 0.2}),
    "joint with self-training": Idea(against=("joint", "GCN with self-training"), settings={"self_training": 0.2}),
}
DIRECTED = ("all 13 triads", "z-scores as prior weights")
"""Without directions wedges and triangles make up for each other, and their z-scores are of one size."""


def calibration(logits: Tensor, y: Tensor) -> tuple[float, float]:
    """Return expected calibration error and negative log-likelihood."""
    p = logits.softmax(dim=1)
    sure, guess = p.max(dim=1)
    right = (guess == y).float()
    place = (sure * BINS).long().clamp(max=BINS - 1)
    gaps = torch.zeros(BINS).index_add(0, place, right - sure).abs()
    return float(gaps.sum() / len(y)), float(F.cross_entropy(logits, y))


def trial(graph: im.Graph, index: im.MotifIndex, idea: Idea, number: int) -> dict[str, float]:
    """Train on one split and judge on the half of its validation nodes that chose nothing."""
    split = LABELS.split(graph, number)
    val = np.random.default_rng(number).permutation(split.val)
    chooses, judges = np.sort(val[::2]), np.sort(val[1::2])
    session = Session(graph, as_encoder("gcn"), index, number, torch.device("cpu"), World())
    training = session.training(
        make_settings(idea.preset, **SETTINGS, **idea.settings), Split(split.train, chooses, split.test)
    )
    idea.change(training, graph).run()
    logits = training.view.infer().logits
    y = torch.tensor(graph.y)
    t = fitted_temperature(logits[chooses], y[chooses])
    raw, cooled = (calibration(logits[judges] / heat, y[judges]) for heat in (1.0, t))
    accuracy = float((logits[judges].argmax(dim=1) == y[judges]).float().mean())
    return {"accuracy": accuracy, "ece": raw[0], "nll": raw[1], "cooled_ece": cooled[0], "cooled_nll": cooled[1]}


Runs = dict[tuple[str, str, int], dict[str, float]]


def kept(path: Path) -> Runs:
    """Return the runs of the store."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    runs = [json.loads(line) for line in lines]
    return {(run.pop("dataset"), run.pop("idea"), run.pop("split")): run for run in runs}


def compared(own: dict[int, dict[str, float]], runs: Runs, dataset: str, against: str) -> str:
    """Return the paired difference of an idea to another, or nothing where there are no pairs."""
    other = {s: run for (d, i, s), run in runs.items() if (d, i) == (dataset, against)}
    both = sorted(set(own) & set(other))
    if len(both) < 2:
        return ""
    return str(paired_difference(*([each[s]["accuracy"] for s in both] for each in (own, other))))


def errors(own: dict[int, dict[str, float]]) -> str:
    """Return the mean calibration error in percent without and with a temperature."""
    means = [100 * np.mean([run[key] for run in own.values()]) for key in ("ece", "cooled_ece") if own]
    return " to ".join(f"{mean:.1f}" for mean in means)


def shown(runs: Runs, datasets: list[str]) -> list[Table]:
    """Return accuracies with their differences, and calibration with and without a temperature."""
    table = Table(title="Accuracy on validation nodes that chose nothing, 1 % of the labels")
    heat = Table(title="Calibration error in percent, and with a temperature chosen on the other half")
    for heading in ("idea", "against", *datasets):
        table.add_column(heading)
    for heading in ("method", *datasets):
        heat.add_column(heading)
    for name, idea in IDEAS.items():
        own = {d: {s: run for (e, i, s), run in runs.items() if (e, i) == (d, name)} for d in datasets}
        measured = [str(spread([run["accuracy"] for run in own[d].values()])) if own[d] else "" for d in datasets]
        for number, against in enumerate(idea.against or ("",)):
            differences = [compared(own[d], runs, d, against) for d in datasets]
            cells = [f"{a}, {b}" if b else a for a, b in zip(measured, differences, strict=True)]
            table.add_row(*((name, against, *cells) if number == 0 else ("", against, *differences)))
        if name in ("GCN", "joint"):
            heat.add_row(name, *(errors(own[d]) for d in datasets))
    return [table, heat]


def main() -> None:
    """Run what is missing and print everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--datasets", default="roles,cora,citeseer")
    parser.add_argument("--ideas", default=",".join(IDEAS))
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--store", type=Path, default=Path(__file__).with_suffix(".jsonl"))
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    datasets, ideas = arguments.datasets.split(","), arguments.ideas.split(",")
    unknown = [name for name in ideas if name not in IDEAS]
    if unknown:
        parser.error(f"there is no idea '{unknown[0]}'; ideas are {', '.join(IDEAS)}")
    runs = kept(arguments.store)
    with progress("trials", len(datasets) * len(ideas) * arguments.splits) as advance:
        for dataset in datasets:
            graph = im.load_dataset(dataset)
            for name in ideas:
                idea = IDEAS[name]
                if name in DIRECTED and not graph.directed:
                    continue
                index = im.MotifIndex(graph, idea.motifs)
                for number in range(arguments.splits):
                    if (dataset, name, number) not in runs:
                        run = trial(graph, index, idea, number)
                        runs[dataset, name, number] = run
                        line = json.dumps({"dataset": dataset, "idea": name, "split": number, **run})
                        with arguments.store.open("a", encoding="utf-8") as stream:
                            stream.write(line + "\n")
                    advance(1, f"{dataset}, {name}")
    console = Console(width=200)
    for table in shown(runs, datasets):
        console.print(table)


if __name__ == "__main__":
    main()
