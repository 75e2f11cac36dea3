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
from infomotif.nn.adjacency import Adjacency
from infomotif.nn.convolutions import Features
from infomotif.nn.encoders import encode, encode_with_corruption
from infomotif.nn.negatives import derangement
from infomotif.nn.network import MotifNetwork
from infomotif.training.adam import Adam
from infomotif.training.checkpoint import Checkpoint
from infomotif.training.novelty import novelty_weights
from infomotif.training.settings import Settings

Record = dict[str, Any]


class TrainingError(InputError):
    """Training cannot go on; the message says at which epoch and what to change."""


@dataclass(frozen=True)
class TrainingData:
    """What training may see: labels of other than training and validation nodes are -1.

    Attributes:
        x: Input features, [n, F].
        adjacency: Who passes messages to whom.
        y: Known classes, -1 elsewhere, [n].
        train: Training nodes, [L].
        val: Validation nodes, possibly none.
    """

    x: Features
    adjacency: Adjacency
    y: Tensor
    train: Tensor
    val: Tensor


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
        data: What training may see.
        settings: How to train.
        seed: Randomness of every epoch follows from (seed, epoch), so a resumed run repeats it exactly.
        checkpoint: Where to keep the state, or None.
        on_epoch: Called with every epoch's record.
    """

    def __init__(
        self,
        network: MotifNetwork,
        data: TrainingData,
        settings: Settings,
        *,
        seed: int = 0,
        checkpoint: Checkpoint | None = None,
        on_epoch: Callable[[Record], None] | None = None,
    ) -> None:
        self.network, self.data, self.settings, self.seed = network, data, settings, seed
        self.checkpoint, self.on_epoch = checkpoint, on_epoch
        self.progress = Progress()
        self.beta = torch.ones(len(data.train), device=data.y.device)
        self.alpha: Tensor | None = None
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
        while self.progress.epoch < total and not self._out_of_patience():
            start = time.perf_counter()
            record = self._epoch(self.progress.epoch)
            record["seconds"] = round(time.perf_counter() - start, 4)
            self.progress.history.append(record)
            self.progress.epoch += 1
            if self.checkpoint is not None and (self.checkpoint.due() or self.progress.epoch == total):
                self._save(self.checkpoint)
            if self.on_epoch is not None:
                self.on_epoch(record)
        self.network.load_state_dict(self.best)
        return self.progress

    def _epoch(self, epoch: int) -> Record:
        entropy = np.random.SeedSequence([self.seed, epoch])
        torch.manual_seed(int(entropy.generate_state(1, np.uint64)[0] >> 1))
        generator = np.random.default_rng(entropy.spawn(1)[0])
        self._set_learning_rate(epoch)
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
        losses = []
        for batch in self._batches(len(self.data.train), generator):
            h = encode(self.network.encoder, self.data.x, self.data.adjacency)
            losses.append(self._step(self._supervised_loss(h, batch, generator), self.optimizer))
        return _mean(losses)

    def _infomax_steps(self, generator: np.random.Generator) -> float:
        losses = []
        for batch in self._infomax_batches(generator):
            h, corrupted = self._encode_both(generator)
            losses.append(self._step(self._infomax_loss(h, corrupted, batch, generator), self.mi_optimizer))
        return _mean(losses)

    def _joint_steps(self, generator: np.random.Generator) -> tuple[float, float]:
        supervised, infomax = [], []
        labelled = list(self._batches(len(self.data.train), generator))
        others = list(self._infomax_batches(generator))
        # The shorter list goes round again, so that every epoch sees all labels and all nodes.
        for step in range(max(len(labelled), len(others))):
            h, corrupted = self._encode_both(generator)
            first = self._supervised_loss(h, labelled[step % len(labelled)], generator)
            second = self._infomax_loss(h, corrupted, others[step % len(others)], generator)
            self._step(first + self.settings.mi_weight * second, self.optimizer)
            supervised.append(first.detach())
            infomax.append(second.detach())
        return _mean(supervised), _mean(infomax)

    def _encode_both(self, generator: np.random.Generator) -> tuple[Tensor, Tensor]:
        x, adjacency, regularizer = self.data.x, self.data.adjacency, self.network.regularizer
        if regularizer is not None and not regularizer.negatives.corrupted:
            h = encode(self.network.encoder, x, adjacency)
            return h, h
        permutation = torch.from_numpy(derangement(adjacency.num_nodes, generator))
        return encode_with_corruption(self.network.encoder, x, adjacency, permutation.to(self.data.y.device))

    def _supervised_loss(self, h: Tensor, batch: Tensor, generator: np.random.Generator) -> Tensor:
        nodes = self.data.train[batch]
        logits = self.network.head(h, nodes, generator).logits
        target = self.data.y[nodes]
        losses = F.cross_entropy(logits, target, weight=self.class_weights, reduction="none")
        return (self.beta[batch] * losses).mean()

    def _infomax_loss(self, h: Tensor, corrupted: Tensor, nodes: Tensor, generator: np.random.Generator) -> Tensor:
        regularizer = self.network.regularizer
        if regularizer is None:
            raise TypeError("settings.regularize is set but the network has no regulariser")
        weights = torch.ones(len(h), regularizer.num_motifs, device=h.device)
        if self.settings.task_weights:
            weights = weights / regularizer.num_motifs if self.alpha is None else self.alpha
            if self.settings.schedule == "joint":
                weights = weights * regularizer.num_motifs
        return regularizer.loss(h, corrupted, nodes, alpha=weights, generator=generator)

    def _step(self, loss: Tensor, optimizer: Adam) -> Tensor:
        optimizer.zero_grad()
        loss.backward()
        if self.settings.clip is not None:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
        optimizer.step()
        return loss.detach()

    @torch.no_grad()
    def _evaluate(self, warming: bool = False) -> Record:
        """Infer all nodes: motif weights for what follows, validation accuracy, and the best state so far."""
        output = self.network.infer(self.data.x, self.data.adjacency)
        if not torch.isfinite(output.logits).all():
            raise self._diverged("prediction is not a finite number")
        self.alpha = output.alpha
        record: Record = {}
        progress, epoch = self.progress, self.progress.epoch + 1
        # A classifier that never saw a label is no candidate.
        better = not warming
        if len(self.data.val):
            logits, target = output.logits[self.data.val], self.data.y[self.data.val]
            accuracy = float((logits.argmax(dim=1) == target).double().mean())
            loss = float(F.cross_entropy(logits, target))
            record = {"val_accuracy": accuracy, "val_loss": loss}
            better = better and (accuracy, -loss) > (progress.best_accuracy, -progress.best_loss)
            if better:
                progress.best_accuracy, progress.best_loss = accuracy, loss
        if better:
            progress.best_epoch = epoch
            self.best = self._snapshot()
        return record

    def _infomax_batches(self, generator: np.random.Generator) -> Iterator[Tensor]:
        n, share = self.data.adjacency.num_nodes, self.settings.mi_share
        if share == 1:
            yield from self._batches(n, generator)
            return
        chosen = torch.from_numpy(np.sort(generator.permutation(n)[: max(1, round(share * n))])).to(self.data.y.device)
        for batch in self._batches(len(chosen), generator):
            yield chosen[batch]

    def _batches(self, count: int, generator: np.random.Generator) -> Iterator[Tensor]:
        size = self.settings.batch_size
        if size is None or size >= count:
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

    def _save(self, checkpoint: Checkpoint) -> None:
        tensors = {f"network.{k}": v for k, v in self.network.state_dict().items()}
        tensors |= {f"best.{k}": v for k, v in self.best.items()}
        tensors["beta"] = self.beta
        if self.alpha is not None:
            tensors["alpha"] = self.alpha
        for i, optimizer in enumerate(self._optimizers()):
            tensors |= {f"optimizer.{i}.{name}": value for name, value in optimizer.state().items()}
        checkpoint.save(tensors, dict(self.progress.__dict__))

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
        for i, optimizer in enumerate(self._optimizers()):
            prefix = f"optimizer.{i}."
            optimizer.load_state({k[len(prefix) :]: v for k, v in tensors.items() if k.startswith(prefix)})
        for record in self.progress.history:
            if self.on_epoch is not None:
                self.on_epoch(record)


def _mean(losses: list[Tensor]) -> float:
    return float(torch.stack(losses).mean())
