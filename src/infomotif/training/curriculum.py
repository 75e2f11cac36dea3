"""Algorithm 1: supervised steps with novelty weights, motif weights, InfoMax steps over all nodes, new novelty."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from infomotif.errors import InputError
from infomotif.nn.network import MotifNetwork
from infomotif.training.adam import Adam
from infomotif.training.checkpoint import Checkpoint
from infomotif.training.consistency import motif_targets, ramp
from infomotif.training.distributed import World
from infomotif.training.novelty import novelty_weights
from infomotif.training.settings import Settings
from infomotif.training.sources import Source, View

Record = dict[str, Any]
_LOSSES = ("supervised", "infomax", "consistency")


class TrainingError(InputError):
    """Training cannot go on; the message says at which epoch and what to change."""


@dataclass(frozen=True)
class TrainingData:
    """What training may see: labels of other than training and validation nodes are -1.

    Attributes:
        y: Known classes, -1 elsewhere, [n].
        train: Training nodes, [L].
        val: Validation nodes, possibly none.
    """

    y: Tensor
    train: Tensor
    val: Tensor


@dataclass(frozen=True)
class Batch:
    """Nodes of a step: positions among the training nodes, nodes of the InfoMax loss, or both."""

    labelled: Tensor | None = None
    others: Tensor | None = None

    @property
    def size(self) -> int:
        """How much the batch counts in a step of several."""
        return sum(len(part) for part in (self.labelled, self.others) if part is not None)


@dataclass
class Progress:
    """Where training stands; with the tensors of network and optimisers, all that a checkpoint holds."""

    epoch: int = 0
    best_epoch: int = 0
    best_accuracy: float = -1.0
    best_loss: float = math.inf
    history: list[Record] = field(default_factory=list)


class Curriculum:
    """Trains a network and keeps the state of its best validation epoch.

    Args:
        network: The network, trained in place.
        source: Where its representations come from.
        data: What training may see.
        settings: How to train.
        seed: Randomness of every epoch follows from (seed, epoch), so a resumed run repeats it exactly.
        checkpoint: Where to keep the state, or None.
        on_epoch: Called with every epoch's record.
        world: Processes that train together: each takes its part of a step's batches, gradients are added up.
    """

    def __init__(
        self,
        network: MotifNetwork,
        source: Source,
        data: TrainingData,
        settings: Settings,
        *,
        seed: int = 0,
        checkpoint: Checkpoint | None = None,
        on_epoch: Callable[[Record], None] | None = None,
        world: World | None = None,
    ) -> None:
        self.network, self.source, self.data, self.settings, self.seed = network, source, data, settings, seed
        self.checkpoint, self.on_epoch, self.world = checkpoint, on_epoch, world or World()
        self._steps_done = 0
        self.progress = Progress()
        self.beta = torch.ones(len(data.train), device=data.y.device)
        self.alpha: Tensor | None = None
        self.predicted: Tensor | None = None
        self.best = self._snapshot()
        self.class_weights = self._class_weights()
        parameters = list(network.parameters())
        self.optimizer = Adam(parameters, lr=settings.lr, weight_decay=settings.weight_decay)
        self.mi_optimizer = (
            self.optimizer
            if settings.mi_lr is None
            else Adam(parameters, lr=settings.mi_lr, weight_decay=settings.weight_decay)
        )

    def run(self) -> Progress:
        """Train to the end (or from the checkpoint on), load the best state into the network, and report.

        Raises:
            TrainingError: If a loss is not a finite number.
        """
        if self.checkpoint is not None:
            self._restore(self.checkpoint)
        total = self.settings.warmup_epochs + self.settings.epochs
        self.advance(total)
        self.network.load_state_dict(self.best)
        return self.progress

    def advance(self, until: int) -> Progress:
        """Train up to epoch ``until`` and report; the network stays as it is then, so that training can go on.

        Raises:
            TrainingError: If a loss is not a finite number.
        """
        total = self.settings.warmup_epochs + self.settings.epochs
        while self.progress.epoch < min(until, total) and not self._out_of_patience():
            start = time.perf_counter()
            record = self._epoch(self.progress.epoch)
            record["seconds"] = round(time.perf_counter() - start, 4)
            self.progress.history.append(record)
            self.progress.epoch += 1
            self._save(last=self.progress.epoch == total)
            if self.on_epoch is not None:
                self.on_epoch(record)
        return self.progress

    def _epoch(self, epoch: int) -> Record:
        entropy = np.random.SeedSequence([self.seed, epoch])
        torch.manual_seed(int(entropy.generate_state(1, np.uint64)[0] >> 1))
        generator = np.random.default_rng(entropy.spawn(1)[0])
        self._set_learning_rate(epoch)
        self._steps_done = 0
        self.network.train()
        record: Record = {"epoch": epoch + 1}
        warming = epoch < self.settings.warmup_epochs
        if self.settings.regularize and self.settings.schedule == "joint" and not warming:
            record["loss"], record["mi_loss"] = self._joint_steps(generator)
            record |= self._evaluate()
        else:
            if not warming:
                record["loss"] = self._supervised_steps(generator)
            record |= self._evaluate(warming)
            if self.settings.regularize:
                record["mi_loss"] = self._infomax_steps(generator)
        if self.settings.novelty and self.alpha is not None and not warming:
            self.beta = novelty_weights(self.alpha[self.data.train])
        for name in ("loss", "mi_loss"):
            if not math.isfinite(record.get(name, 0.0)):
                raise self._diverged(f"{'supervised' if name == 'loss' else 'InfoMax'} loss is {record[name]}")
        return record

    def _diverged(self, what: str) -> TrainingError:
        return TrainingError(
            f"the {what} at epoch {self.progress.epoch + 1}; "
            f"lower lr (now {self.settings.lr:g}), set clip, or scale the attributes (normalize)"
        )

    def _supervised_steps(self, generator: np.random.Generator) -> float:
        batches = [Batch(labelled=batch) for batch in self._batches(len(self.data.train), generator)]
        return _mean([self._step(step, self.optimizer, generator)[0] for step in self._steps(batches)])

    def _infomax_steps(self, generator: np.random.Generator) -> float:
        batches = [Batch(others=batch) for batch in self._infomax_batches(generator)]
        return _mean([self._step(step, self.mi_optimizer, generator)[1] for step in self._steps(batches)])

    def _joint_steps(self, generator: np.random.Generator) -> tuple[float, float]:
        labelled = list(self._batches(len(self.data.train), generator))
        others = list(self._infomax_batches(generator))
        # The shorter list goes round again, so that every epoch sees all labels and all nodes.
        count = max(len(labelled), len(others))
        batches = [Batch(labelled[i % len(labelled)], others[i % len(others)]) for i in range(count)]
        losses = [self._step(step, self.optimizer, generator) for step in self._steps(batches)]
        return _mean([loss[0] for loss in losses]), _mean([loss[1] for loss in losses])

    def _steps(self, batches: list[Batch]) -> Iterator[list[Batch]]:
        """Yield the batches of each optimiser step."""
        together = max(self.settings.accumulate, self.world.size)
        for start in range(0, len(batches), together):
            yield batches[start : start + together]

    def _step(self, batches: list[Batch], optimizer: Adam, generator: np.random.Generator) -> Tensor:
        """Move the parameters down the mean loss of ``batches``; return the mean of each of :data:`_LOSSES`."""
        optimizer.zero_grad()
        total = sum(batch.size for batch in batches)
        means = torch.zeros(len(_LOSSES), device=self.data.y.device)
        for number in range(self.world.rank, len(batches), self.world.size):
            own = self._randomness(number) if self.source.reseeds else generator
            losses = self._losses(batches[number], own)
            share = batches[number].size / total
            weighed = [self._weight(name) * loss for name, loss in losses.items()]
            (share * sum(weighed[1:], start=weighed[0])).backward()
            for i, name in enumerate(_LOSSES):
                if name in losses:
                    means[i] += share * losses[name].detach()
        self._add_up(means)
        self._steps_done += 1
        if self.settings.clip is not None:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
        optimizer.step()
        return means

    def _losses(self, batch: Batch, generator: np.random.Generator) -> dict[str, Tensor]:
        labelled = None if batch.labelled is None else self.data.train[batch.labelled]
        view = self.source.view(labelled, batch.others, generator)
        losses = {}
        if batch.labelled is not None:
            losses["supervised"] = self._supervised_loss(view, batch.labelled, generator)
        if batch.others is not None:
            losses["infomax"] = self._infomax_loss(view, generator)
            if self.predicted is not None:
                losses["consistency"] = self._consistency_loss(view, batch.others, generator)
        return losses

    def _supervised_loss(self, view: View, batch: Tensor, generator: np.random.Generator) -> Tensor:
        logits = self.network.head(view.h, view.labelled, generator, view.labelled_instances).logits
        target = self.data.y[self.data.train[batch]]
        losses = F.cross_entropy(logits, target, weight=self.class_weights, reduction="none")
        return (self.beta[batch] * losses).mean()

    def _infomax_loss(self, view: View, generator: np.random.Generator) -> Tensor:
        regularizer = self.network.regularizer
        if regularizer is None:
            raise TypeError("settings.regularize is set but the network has no regulariser")
        weights = torch.ones(len(view.h), regularizer.num_motifs, device=view.h.device)
        if self.settings.task_weights:
            weights = weights / regularizer.num_motifs if self.alpha is None else view.rows_of(self.alpha)
            if self.settings.schedule == "joint":
                weights = weights * regularizer.num_motifs
        return regularizer.loss(
            view.h, view.corrupted, view.others, alpha=weights, generator=generator, drawn=view.others_drawn
        )

    def _consistency_loss(self, view: View, nodes: Tensor, generator: np.random.Generator) -> Tensor:
        regularizer = self.network.regularizer
        if regularizer is None or self.predicted is None or self.alpha is None:
            raise TypeError("settings.consistency is set but nothing was predicted with motifs yet")
        numbers = nodes.cpu().numpy()
        targets = motif_targets(self.predicted, self.alpha, numbers, regularizer.sample(numbers, generator))
        logits = self.network.head(view.h, view.others, generator, view.others_observed).logits
        losses = F.cross_entropy(logits, targets, reduction="none")
        unlabelled = torch.ones(len(self.data.y), device=losses.device)
        unlabelled[self.data.train] = 0.0
        return (unlabelled[nodes] * losses).mean()

    def _weight(self, name: str) -> float:
        if name == "consistency":
            return self.settings.consistency * ramp(self.progress.epoch)
        return self.settings.mi_weight if name == "infomax" and self.settings.schedule == "joint" else 1.0

    def _randomness(self, number: int) -> np.random.Generator:
        """Seed torch for batch ``number`` of this step and return its own generator, the same in every process."""
        entropy = np.random.SeedSequence([self.seed, self.progress.epoch, self._steps_done, number])
        torch.manual_seed(int(entropy.generate_state(1, np.uint64)[0] >> 1))
        return np.random.default_rng(entropy.spawn(1)[0])

    def _add_up(self, means: Tensor) -> None:
        """Add gradients and losses of all processes."""
        if self.world.size == 1:
            return
        parameters = list(self.network.parameters())
        used = torch.tensor([float(p.grad is not None) for p in parameters], device=means.device)
        gradients = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
        self.world.add([means, used, *gradients])
        for parameter, gradient, anywhere in zip(parameters, gradients, used.tolist(), strict=True):
            parameter.grad = gradient if anywhere else None

    @torch.no_grad()
    def _evaluate(self, warming: bool = False) -> Record:
        """Infer all nodes: motif weights for what follows, validation accuracy, and the best state so far."""
        for buffer in self.network.buffers():
            # Statistics of a batch norm are those of a process's own batches.
            self.world.adopt(buffer)
        output = self.source.infer()
        if not torch.isfinite(output.logits).all():
            raise self._diverged("prediction is not a finite number")
        self.alpha = output.alpha
        if self.settings.consistency and self.settings.regularize and not warming:
            self.predicted = output.logits.softmax(dim=1)
        record: Record = {}
        progress, epoch = self.progress, self.progress.epoch + 1
        # A classifier that never saw a label is no candidate.
        better = not warming
        if len(self.data.val):
            logits, target = output.logits[self.data.val], self.data.y[self.data.val]
            found = torch.stack(
                [(logits.argmax(dim=1) == target).double().mean(), F.cross_entropy(logits, target).double()]
            )
            # One process decides, so that none stops while others wait for it.
            accuracy, loss = self.world.adopt(found).tolist()
            record = {"val_accuracy": accuracy, "val_loss": loss}
            better = better and (accuracy, -loss) > (progress.best_accuracy, -progress.best_loss)
            if better:
                progress.best_accuracy, progress.best_loss = accuracy, loss
        if better:
            progress.best_epoch = epoch
            self.best = self._snapshot()
        return record

    def _infomax_batches(self, generator: np.random.Generator) -> Iterator[Tensor]:
        n, share = len(self.data.y), self.settings.mi_share
        if share == 1:
            yield from self._batches(n, generator)
            return
        chosen = torch.from_numpy(np.sort(generator.permutation(n)[: max(1, round(share * n))])).to(self.data.y.device)
        for batch in self._batches(len(chosen), generator):
            yield chosen[batch]

    def _batches(self, count: int, generator: np.random.Generator) -> Iterator[Tensor]:
        size = self.settings.batch_size or (self.source.batch_size or count)
        if size >= count:
            yield torch.arange(count, device=self.data.y.device)
            return
        order = torch.from_numpy(generator.permutation(count)).to(self.data.y.device)
        yield from order.split(size)

    def _class_weights(self) -> Tensor | None:
        if not self.settings.class_weights:
            return None
        counts = torch.bincount(self.data.y[self.data.train], minlength=self.network.classifier.out_features).float()
        present = counts > 0
        return torch.where(present, len(self.data.train) / (present.sum() * counts.clamp(min=1)), 1.0)

    def _set_learning_rate(self, epoch: int) -> None:
        done = epoch / (self.settings.warmup_epochs + self.settings.epochs)
        factor = {
            "constant": 1.0,
            "cosine": 0.5 * (1 + math.cos(math.pi * done)),
            "step": 0.1 ** int(done >= 0.5) * 0.1 ** int(done >= 0.75),
        }[self.settings.lr_schedule]
        for optimizer, rate in ((self.optimizer, self.settings.lr), (self.mi_optimizer, self.settings.mi_lr)):
            optimizer.lr = factor * (self.settings.lr if rate is None else rate)

    def _out_of_patience(self) -> bool:
        patience = self.settings.patience
        since = max(self.progress.best_epoch, self.settings.warmup_epochs)
        return patience is not None and self.progress.epoch - since >= patience

    def _snapshot(self) -> dict[str, Tensor]:
        return {name: value.detach().clone() for name, value in self.network.state_dict().items()}

    def _optimizers(self) -> list[Adam]:
        return [self.optimizer] if self.mi_optimizer is self.optimizer else [self.optimizer, self.mi_optimizer]

    def _save(self, last: bool) -> None:
        if self.checkpoint is None or not self.world.first or not (last or self.checkpoint.due()):
            return
        tensors = {f"network.{k}": v for k, v in self.network.state_dict().items()}
        tensors |= {f"best.{k}": v for k, v in self.best.items()}
        tensors["beta"] = self.beta
        if self.alpha is not None:
            tensors["alpha"] = self.alpha
        if self.predicted is not None:
            tensors["predicted"] = self.predicted
        for i, optimizer in enumerate(self._optimizers()):
            tensors |= {f"optimizer.{i}.{name}": value for name, value in optimizer.state().items()}
        self.checkpoint.save(tensors, dict(self.progress.__dict__))

    def _restore(self, checkpoint: Checkpoint) -> None:
        found = checkpoint.load()
        if found is None:
            return
        tensors, progress = found
        device = self.data.y.device
        self.progress = Progress(**progress)
        self.network.load_state_dict({k[8:]: v for k, v in tensors.items() if k.startswith("network.")})
        self.best = {k[5:]: v.to(device) for k, v in tensors.items() if k.startswith("best.")}
        self.beta = tensors["beta"].to(device)
        self.alpha = tensors["alpha"].to(device) if "alpha" in tensors else None
        self.predicted = tensors["predicted"].to(device) if "predicted" in tensors else None
        for i, optimizer in enumerate(self._optimizers()):
            prefix = f"optimizer.{i}."
            optimizer.load_state({k[len(prefix) :]: v for k, v in tensors.items() if k.startswith(prefix)})
        for record in self.progress.history:
            if self.on_epoch is not None:
                self.on_epoch(record)


def _mean(losses: list[Tensor]) -> float:
    return float(torch.stack(losses).mean())
