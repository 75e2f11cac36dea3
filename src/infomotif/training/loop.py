"""Algorithm 1: supervised steps with novelty weights, motif weights, InfoMax steps over all nodes, new novelty."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from infomotif.errors import InputError
from infomotif.nn.network import MotifNetwork, Output
from infomotif.training.batches import Batch, Batches, TrainingData
from infomotif.training.calibration import cool, fitted_temperature
from infomotif.training.checkpoint import Checkpoint
from infomotif.training.config import Settings
from infomotif.training.distributed import World
from infomotif.training.objective import LOSSES, Objective
from infomotif.training.optim import Adam
from infomotif.training.self_training import own_labels, with_labels
from infomotif.training.views import Source

Record = dict[str, Any]


class TrainingError(InputError):
    """Training cannot go on; the message says at which epoch and what to change."""


@dataclass
class Progress:
    """Where training stands; with the tensors of network and optimisers, all that a checkpoint holds.

    ``begun`` is the epoch after which the network was last at its first state: 0, or where self-training began again.
    What is best since then decides when patience ends; what is best of all is kept.
    """

    epoch: int = 0
    begun: int = 0
    round_epoch: int = 0
    round_accuracy: float = -1.0
    round_loss: float = math.inf
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
        self.network, self.source, self.settings, self.seed = network, source, settings, seed
        self.checkpoint, self.on_epoch, self.world = checkpoint, on_epoch, world or World()
        self._steps_done = 0
        self.progress = Progress()
        self.best = self._snapshot()
        self._first = self.best if settings.self_training else {}
        self._begin(data)

    def run(self) -> Progress:
        """Train to the end (or from the checkpoint on), load the best state into the network, and report.

        Raises:
            TrainingError: If a loss is not a finite number.
        """
        if self.checkpoint is not None:
            self._restore(self.checkpoint)
        self.advance(self.settings.total_epochs)
        self.network.load_state_dict(self.best)
        if not len(self.data.val):
            # What is kept is the last step's, which no epoch has looked at.
            self._check(self.source.infer(), self.progress.epoch)
        if self.settings.calibrate:
            val = self.data.val
            cool(self.network.classifier, fitted_temperature(self.source.infer().logits[val], self.data.y[val]))
        return self.progress

    def advance(self, until: int) -> Progress:
        """Train up to epoch ``until`` and report; the network stays as it is then, so that training can go on.

        The second training of ``self_training`` begins only if ``until`` is beyond the epochs of one.

        Raises:
            TrainingError: If a loss is not a finite number.
        """
        both = until > self.settings.round_epochs
        while self.progress.epoch < until:
            if self._round_over() and not (both and self._teach_itself()):
                break
            start = time.perf_counter()
            record = self._epoch(self.progress.epoch)
            record["seconds"] = round(time.perf_counter() - start, 4)
            self.progress.history.append(record)
            self.progress.epoch += 1
            self._save(last=self._round_over())
            if self.on_epoch is not None:
                self.on_epoch(record)
        return self.progress

    def novelty_of(self, nodes: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the last novelty weights of training nodes, without those that self-training added."""
        kept = np.isin(self.data.train.cpu().numpy(), nodes)
        return np.asarray(self.objective.beta.cpu().numpy()[kept])

    def _begin(self, data: TrainingData) -> None:
        """Take what training may see, and begin with everything that depends on it."""
        self.data, settings = data, self.settings
        self.objective = Objective(self.network, data, settings, self.source.index)
        self.batches = Batches(data, settings, self.source.batch_size)
        parameters = list(self.network.parameters())
        self.optimizer = Adam(parameters, lr=settings.lr, weight_decay=settings.weight_decay)
        self.mi_optimizer = (
            self.optimizer
            if settings.mi_lr is None
            else Adam(parameters, lr=settings.mi_lr, weight_decay=settings.weight_decay)
        )

    def _teach_itself(self) -> bool:
        """Begin again at the network's first state with labels its best state is surest of; False without any."""
        progress = self.progress
        if not self.settings.self_training or progress.begun:
            return False
        self.network.load_state_dict(self.best)
        labels = own_labels(self.data, self.source.infer().logits, self.settings.self_training)
        if not (self.world.adopt(labels) >= 0).any():
            return False
        self.network.load_state_dict(self._first)
        progress.begun = progress.round_epoch = progress.epoch
        progress.round_accuracy, progress.round_loss = -1.0, math.inf
        self._begin(with_labels(self.data, labels))
        return True

    def _round_over(self) -> bool:
        return self.progress.epoch - self.progress.begun >= self.settings.round_epochs or self._out_of_patience()

    def _epoch(self, epoch: int) -> Record:
        entropy = np.random.SeedSequence([self.seed, epoch])
        torch.manual_seed(int(entropy.generate_state(1, np.uint64)[0] >> 1))
        generator = np.random.default_rng(entropy.spawn(1)[0])
        since = epoch - self.progress.begun
        self._set_learning_rate(since / self.settings.round_epochs)
        self._steps_done = 0
        self.network.train()
        record: Record = {"epoch": epoch + 1}
        warming = since < self.settings.warmup_epochs
        if self.settings.regularize and self.settings.schedule == "joint" and not warming:
            losses = self._train(self.batches.joint(generator), self.optimizer, generator)
            record["loss"], record["mi_loss"] = losses["supervised"], losses["infomax"]
            record |= self._evaluate()
        else:
            if not warming:
                losses = self._train(self.batches.supervised(generator), self.optimizer, generator)
                record["loss"] = losses["supervised"]
            record |= self._evaluate(warming)
            if self.settings.regularize:
                losses = self._train(self.batches.infomax(generator), self.mi_optimizer, generator)
                record["mi_loss"] = losses["infomax"]
        if not warming:
            self.objective.renew_novelty()
            if not len(self.data.val):
                # Nothing chooses an epoch, so what all of its steps made is kept.
                self.best = self._snapshot()
        for name in ("loss", "mi_loss"):
            if not math.isfinite(record.get(name, 0.0)):
                what = f"{'supervised' if name == 'loss' else 'InfoMax'} loss is {record[name]}"
                raise self._diverged(what, record["epoch"])
        return record

    def _check(self, output: Output, epoch: int) -> None:
        if not torch.isfinite(output.logits).all():
            raise self._diverged("prediction is not a finite number", epoch)

    def _diverged(self, what: str, epoch: int) -> TrainingError:
        lower = f"lr (now {self.settings.lr:g})"
        if self.settings.regularize and self.settings.mi_weight > 1:
            lower = f"mi_weight (now {self.settings.mi_weight:g}) or {lower}"
        remedies = f"lower {lower}, set clip, or scale the attributes (normalize)"
        return TrainingError(f"the {what} at epoch {epoch}; {remedies}")

    def _train(self, batches: list[Batch], optimizer: Adam, generator: np.random.Generator) -> dict[str, float]:
        """Take the steps that ``batches`` make; return the mean over steps of each of :data:`LOSSES`."""
        together = max(self.settings.accumulate, self.world.size)
        starts = range(0, len(batches), together)
        means = [self._step(batches[start : start + together], optimizer, generator) for start in starts]
        return dict(zip(LOSSES, torch.stack(means).mean(dim=0).tolist(), strict=True))

    def _step(self, batches: list[Batch], optimizer: Adam, generator: np.random.Generator) -> Tensor:
        """Move the parameters down the mean loss of ``batches``; return the mean of each of :data:`LOSSES`."""
        optimizer.zero_grad()
        total = sum(batch.size for batch in batches)
        means = torch.zeros(len(LOSSES), device=self.data.y.device)
        for number in range(self.world.rank, len(batches), self.world.size):
            own = self._randomness(number) if self.source.reseeds else generator
            batch = batches[number]
            labelled = None if batch.labelled is None else self.data.train[batch.labelled]
            losses = self.objective.losses(batch, self.source.view(labelled, batch.others, own), own)
            share = batch.size / total
            # Epochs since labels were first learned from.
            epoch = self.progress.epoch - self.progress.begun - self.settings.warmup_epochs
            weighed = [self.objective.weight(name, epoch) * loss for name, loss in losses.items()]
            (share * sum(weighed[1:], start=weighed[0])).backward()
            for i, name in enumerate(LOSSES):
                if name in losses:
                    means[i] += share * losses[name].detach()
        self._add_up(means)
        self._steps_done += 1
        if self.settings.clip is not None:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.clip)
        optimizer.step()
        return means

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
        self._check(output, self.progress.epoch + 1)
        self.objective.observe(output, warming)
        record: Record = {}
        progress, epoch = self.progress, self.progress.epoch + 1
        # A classifier that never saw a label is no candidate.
        better = ahead = not warming
        if len(self.data.val):
            logits, target = output.logits[self.data.val], self.data.y[self.data.val]
            found = torch.stack(
                [(logits.argmax(dim=1) == target).double().mean(), F.cross_entropy(logits, target).double()]
            )
            # One process decides, so that none stops while others wait for it.
            accuracy, loss = self.world.adopt(found).tolist()
            record = {"val_accuracy": accuracy, "val_loss": loss}
            ahead = ahead and (accuracy, -loss) > (progress.round_accuracy, -progress.round_loss)
            better = better and (accuracy, -loss) > (progress.best_accuracy, -progress.best_loss)
            if ahead:
                progress.round_accuracy, progress.round_loss = accuracy, loss
            if better:
                progress.best_accuracy, progress.best_loss = accuracy, loss
        if ahead:
            progress.round_epoch = epoch
        if better:
            progress.best_epoch = epoch
            if len(self.data.val):
                self.best = self._snapshot()
        return record

    def _set_learning_rate(self, done: float) -> None:
        factor = {
            "constant": 1.0,
            "cosine": 0.5 * (1 + math.cos(math.pi * done)),
            "step": 0.1 ** int(done >= 0.5) * 0.1 ** int(done >= 0.75),
        }[self.settings.lr_schedule]
        for optimizer, rate in ((self.optimizer, self.settings.lr), (self.mi_optimizer, self.settings.mi_lr)):
            optimizer.lr = factor * (self.settings.lr if rate is None else rate)

    def _out_of_patience(self) -> bool:
        patience = self.settings.patience
        since = max(self.progress.round_epoch, self.progress.begun + self.settings.warmup_epochs)
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
        tensors |= self.objective.state()
        if self.progress.begun:
            tensors |= {"taught.y": self.data.y, "taught.train": self.data.train}
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
        if self.progress.begun:
            y, train = (tensors[f"taught.{name}"].to(device) for name in ("y", "train"))
            self._begin(TrainingData(y, train, self.data.val))
        self.objective.load_state(tensors)
        for i, optimizer in enumerate(self._optimizers()):
            prefix = f"optimizer.{i}."
            optimizer.load_state({k[len(prefix) :]: v for k, v in tensors.items() if k.startswith(prefix)})
        for record in self.progress.history:
            if self.on_epoch is not None:
                self.on_epoch(record)
