"""Algorithm 1: supervised steps with novelty weights, motif weights, InfoMax steps over all nodes, new novelty."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from infomotif.errors import InputError
from infomotif.nn.network import MotifNetwork
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif.training.batches import Batch, Batches, TrainingData
from infomotif.training.calibration import apply_temperature, fitted_temperature
from infomotif.training.checkpoint import Checkpoint
from infomotif.training.config import Settings
from infomotif.training.distributed import World
from infomotif.training.losses import LOSSES, Objective, decorrelation
from infomotif.training.optim import Adam
from infomotif.training.records import EpochRecord, LoopState, Validation
from infomotif.training.self_training import pseudo_labels, with_pseudo_labels
from infomotif.training.views import FullGraphView, GraphView, ProbeView


class TrainingError(InputError):
    """Training cannot go on; the message says at which epoch and what to change."""


class TrainingLoop:
    """Trains a network and keeps the state of its best validation epoch.

    Args:
        network: The network, trained in place.
        view: The graph, from which its representations come.
        data: What training may see.
        settings: How to train.
        seed: Randomness of every epoch follows from (seed, epoch), so a resumed run repeats it exactly.
        checkpoint: Where to keep the state, or None.
        on_epoch: Called with every epoch's record.
        world: Processes that train together: each takes its part of a step's batches, gradients are added up.
        pairs: The distribution over pairs of co-members [n, n], where predictions of co-members are compared.
    """

    def __init__(
        self,
        network: MotifNetwork,
        view: GraphView,
        data: TrainingData,
        settings: Settings,
        *,
        seed: int = 0,
        checkpoint: Checkpoint | None = None,
        on_epoch: Callable[[EpochRecord], None] | None = None,
        world: World | None = None,
        pairs: SparseMatrix | None = None,
    ) -> None:
        self.network, self.view, self.settings, self.seed = network, view, settings, seed
        self.pairs = pairs
        self.checkpoint, self.on_epoch, self.world = checkpoint, on_epoch, world or World()
        self._steps_done = 0
        self.temperature = 1.0
        self.state = LoopState()
        self.best = self.snapshot()
        self._initial = self.best if settings.training.self_training else {}
        self._prepare_round(data)

    def run(self) -> LoopState:
        """Train to the end (or from the checkpoint on), load the best state into the network, and report.

        Raises:
            TrainingError: If a loss is not a finite number.
        """
        if self.checkpoint is not None:
            self._restore(self.checkpoint)
        self.advance(self.settings.training.total_epochs)
        self.network.load_state_dict(self.best)
        if not len(self.data.val):
            # The last step's network is kept, which no evaluation has seen.
            self._require_finite(self.view.infer().logits, self.state.epoch)
        if self.settings.training.calibrate:
            val = self.data.val
            self.temperature = fitted_temperature(self.view.infer().logits[val], self.data.y[val])
            apply_temperature(self.network.classifier, self.temperature)
        return self.state

    def advance(self, until: int) -> LoopState:
        """Train up to epoch ``until`` and report; the network stays as it is then, so that training can go on.

        The second round of ``self_training`` starts only if ``until`` is beyond the epochs of one.

        Raises:
            TrainingError: If a loss is not a finite number.
        """
        both = until > self.settings.training.round_epochs
        while self.state.epoch < until:
            if self._round_over() and not (both and self._start_self_training()):
                break
            record = self._epoch(self.state.epoch)
            self.state.history.append(record)
            self.state.epoch += 1
            self._save(last=self._round_over())
            if self.on_epoch is not None:
                self.on_epoch(record)
        return self.state

    def novelty_of(self, nodes: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the last novelty weights of training nodes, without those that self-training added."""
        kept = np.isin(self.data.train.cpu().numpy(), nodes)
        return np.asarray(self.objective.beta.cpu().numpy()[kept])

    def snapshot(self) -> dict[str, Tensor]:
        """Return a copy of the network's state."""
        return {name: value.detach().clone() for name, value in self.network.state_dict().items()}

    def _prepare_round(self, data: TrainingData) -> None:
        """Take what training may see, and make everything that depends on it."""
        self.data, settings = data, self.settings
        self.objective = Objective(self.network, data, settings, self.view.index, self.pairs)
        self.batches = Batches(data, settings, self.view.batch_size, self.view.neighbours)
        parameters = list(self.network.parameters())
        self.optimizer = Adam(parameters, lr=settings.training.lr, weight_decay=settings.training.weight_decay)
        self.mi_optimizer = (
            self.optimizer
            if settings.training.mi_lr is None
            else Adam(parameters, lr=settings.training.mi_lr, weight_decay=settings.training.weight_decay)
        )

    def _start_self_training(self) -> bool:
        """Start again from the network's first state with the most certain predictions as labels; False if none."""
        if not self.settings.training.self_training or self.state.round_start:
            return False
        self.network.load_state_dict(self.best)
        labels = pseudo_labels(self.data, self.view.infer().logits, self.settings.training.self_training)
        if not (self.world.adopt(labels) >= 0).any():
            return False
        encoder = {f"encoder.{name}": value for name, value in self.network.encoder.state_dict().items()}
        # An encoder that has learned without labels need not do so again.
        self.network.load_state_dict(self._initial | (encoder if self.settings.training.probe else {}))
        self.state.start_round()
        self._prepare_round(with_pseudo_labels(self.data, labels))
        return True

    def _round_over(self) -> bool:
        return self._labelled_epoch >= self.settings.training.epochs or self._out_of_patience()

    @property
    def _warmup(self) -> int:
        """Epochs without labels in this round."""
        again = self.state.round_start > 0 and self.settings.training.probe
        return 0 if again else self.settings.training.warmup_epochs

    def _epoch(self, epoch: int) -> EpochRecord:
        start = time.perf_counter()
        generator = _seeded(self.seed, epoch)
        since = epoch - self.state.round_start
        self._set_learning_rate(since / self.settings.training.round_epochs)
        self._steps_done = 0
        self.network.train()
        warming = since < self._warmup
        if warming and self.settings.training.pretrain == "views":
            return EpochRecord(epoch + 1, mi_loss=self._compare_views(generator), seconds=_seconds_since(start))
        probing = self.settings.training.probe and not warming
        if probing and isinstance(self.view, FullGraphView):
            self.view = ProbeView(self.network, self.view)
        regularize = self.settings.regularize and not probing
        loss = mi_loss = None
        if regularize and self.settings.training.schedule == "joint" and not warming:
            means = self._train(self.batches.joint(generator), self.optimizer, generator)
            loss, mi_loss = means["supervised"], means["infomax"]
            validation = self._evaluate()
        else:
            if not warming:
                compared = self.pairs is not None and self._labelled_epoch >= self.settings.regularizer.prediction_start
                batches = self.batches.supervised(generator, with_all=compared)
                means = self._train(batches, self.optimizer, generator)
                loss, mi_loss = means["supervised"], means["prediction"] if compared else None
            validation = self._evaluate(warming)
            if regularize:
                means = self._train(self.batches.infomax(generator), self.mi_optimizer, generator)
                mi_loss = means["infomax"]
        if not warming:
            self.objective.renew_novelty()
            if not len(self.data.val):
                # Nothing chooses an epoch, so the network after all of its steps is kept.
                self.best = self.snapshot()
        for name, value in (("supervised", loss), ("InfoMax", mi_loss)):
            if value is not None and not math.isfinite(value):
                raise self._diverged(f"{name} loss is {value}", epoch + 1)
        accuracy, val_loss = (None, None) if validation is None else validation
        return EpochRecord(epoch + 1, loss, mi_loss, accuracy, val_loss, _seconds_since(start))

    def _compare_views(self, generator: np.random.Generator) -> float:
        """Take a step towards representations that two random views of the graph share; return the loss."""
        self.mi_optimizer.zero_grad()
        nodes = torch.arange(len(self.data.y), device=self.data.y.device)
        views = [self.view.encode(None, nodes, generator).h for _ in range(2)]
        one, two = (view if isinstance(view, Tensor) else view.h for view in views)
        loss = decorrelation(one, two)
        value = float(loss.detach())
        if not math.isfinite(value):
            raise self._diverged(f"loss of two views is {value}", self.state.epoch + 1)
        loss.backward()
        if self.settings.training.clip is not None:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.training.clip)
        self.mi_optimizer.step()
        return value

    def _require_finite(self, result: Tensor | None, epoch: int) -> None:
        if result is not None and not torch.isfinite(result).all():
            raise self._diverged("prediction is not a finite number", epoch)

    def _diverged(self, problem: str, epoch: int) -> TrainingError:
        lower = f"lr (now {self.settings.training.lr:g})"
        if self.settings.regularize and self.settings.regularizer.mi_weight > 1:
            lower = f"mi_weight (now {self.settings.regularizer.mi_weight:g}) or {lower}"
        remedies = f"lower {lower}, set clip, or scale the attributes (normalize)"
        return TrainingError(f"the {problem} at epoch {epoch}; {remedies}")

    def _train(self, batches: list[Batch], optimizer: Adam, generator: np.random.Generator) -> dict[str, float]:
        """Take the steps that ``batches`` make; return the mean over steps of each of :data:`LOSSES`."""
        per_step = max(self.settings.training.accumulate, self.world.size)
        starts = range(0, len(batches), per_step)
        means = [self._step(batches[start : start + per_step], optimizer, generator) for start in starts]
        return dict(zip(LOSSES, torch.stack(means).mean(dim=0).tolist(), strict=True))

    def _step(self, batches: list[Batch], optimizer: Adam, generator: np.random.Generator) -> Tensor:
        """Move the parameters down the mean loss of ``batches``; return the mean of each of :data:`LOSSES`."""
        optimizer.zero_grad()
        total = sum(batch.size for batch in batches)
        means = torch.zeros(len(LOSSES), device=self.data.y.device)
        epoch = self._labelled_epoch
        for number in range(self.world.rank, len(batches), self.world.size):
            if self.view.reseeds:
                # The same in every process that could take this batch.
                generator = _seeded(self.seed, self.state.epoch, self._steps_done, number)
            batch = batches[number]
            labelled = None if batch.labelled is None else self.data.train[batch.labelled]
            losses = self.objective.losses(batch, self.view.encode(labelled, batch.others, generator), generator)
            share = batch.size / total
            weighted = [self.objective.weight(name, epoch) * loss for name, loss in losses.items()]
            (share * sum(weighted[1:], start=weighted[0])).backward()
            for i, name in enumerate(LOSSES):
                if name in losses:
                    means[i] += share * losses[name].detach()
        self._sum_over_processes(means)
        self._steps_done += 1
        if self.settings.training.clip is not None:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.training.clip)
        optimizer.step()
        return means

    @property
    def _labelled_epoch(self) -> int:
        """Epochs since labels were first learned from."""
        return self.state.epoch - self.state.round_start - self._warmup

    def _sum_over_processes(self, means: Tensor) -> None:
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
    def _evaluate(self, warming: bool = False) -> Validation | None:
        """Measure what is used afterwards: motif weights for the next steps, validation, and the best state so far."""
        for buffer in self.network.buffers():
            # Statistics of a batch norm are those of one process's batches.
            self.world.adopt(buffer)
        state, epoch, val = self.state, self.state.epoch + 1, self.data.val
        if self.objective.needs_predictions(warming):
            output = self.view.infer()
            self._require_finite(output.logits, epoch)
            self.objective.observe(output.alpha, output.logits.softmax(dim=1))
            logits = output.logits[val]
        elif not len(val) and not self.objective.needs_weights:
            # Nothing of it would be used.
            logits = torch.empty(0, self.network.classifier.out_features)
        else:
            logits, alpha = self.view.evaluate(val, weights=self.objective.needs_weights)
            for result in (logits, alpha):
                self._require_finite(result, epoch)
            self.objective.observe(alpha)
        validation = self._validate(logits)
        if warming:
            # A classifier that never saw a label is never the best.
            return validation
        if validation is None:
            state.round_epoch = state.best_epoch = epoch
            return None
        if validation.beats(state.round_accuracy, state.round_loss):
            state.round_epoch, (state.round_accuracy, state.round_loss) = epoch, validation
        if validation.beats(state.best_accuracy, state.best_loss):
            state.best_epoch, (state.best_accuracy, state.best_loss) = epoch, validation
            self.best = self.snapshot()
        return validation

    def _validate(self, logits: Tensor) -> Validation | None:
        if not len(self.data.val):
            return None
        target = self.data.y[self.data.val]
        accuracy = (logits.argmax(dim=1) == target).double().mean()
        measured = torch.stack([accuracy, F.cross_entropy(logits, target).double()])
        # One process decides, so that none stops while others wait for it.
        return Validation(*self.world.adopt(measured).tolist())

    def _set_learning_rate(self, done: float) -> None:
        factor = {
            "constant": 1.0,
            "cosine": 0.5 * (1 + math.cos(math.pi * done)),
            "step": 0.1 ** int(done >= 0.5) * 0.1 ** int(done >= 0.75),
        }[self.settings.training.lr_schedule]
        for optimizer, rate in (
            (self.optimizer, self.settings.training.lr),
            (self.mi_optimizer, self.settings.training.mi_lr),
        ):
            optimizer.lr = factor * (self.settings.training.lr if rate is None else rate)

    def _out_of_patience(self) -> bool:
        patience = self.settings.training.patience
        since = max(self.state.round_epoch, self.state.round_start + self._warmup)
        return patience is not None and self.state.epoch - since >= patience

    def _optimizers(self) -> list[Adam]:
        return [self.optimizer] if self.mi_optimizer is self.optimizer else [self.optimizer, self.mi_optimizer]

    def _save(self, last: bool) -> None:
        if self.checkpoint is None or not self.world.first or not (last or self.checkpoint.due()):
            return
        tensors = {f"network.{k}": v for k, v in self.network.state_dict().items()}
        tensors |= {f"best.{k}": v for k, v in self.best.items()}
        tensors |= self.objective.state()
        if self.state.round_start:
            tensors |= {"taught.y": self.data.y, "taught.train": self.data.train}
        for i, optimizer in enumerate(self._optimizers()):
            tensors |= {f"optimizer.{i}.{name}": value for name, value in optimizer.state().items()}
        self.checkpoint.save(tensors, self.state.to_dict())

    def _restore(self, checkpoint: Checkpoint) -> None:
        kept = checkpoint.load()
        if kept is None:
            return
        try:
            self._load(*kept)
        except (KeyError, TypeError, RuntimeError):
            raise checkpoint.unusable() from None
        for record in self.state.history:
            if self.on_epoch is not None:
                self.on_epoch(record)

    def _load(self, tensors: dict[str, Tensor], state: dict[str, Any]) -> None:
        device = self.data.y.device
        self.state = LoopState.from_dict(state)
        self.network.load_state_dict(_part(tensors, "network."))
        self.best = {name: value.to(device) for name, value in _part(tensors, "best.").items()}
        if self.state.round_start:
            y, train = (tensors[f"taught.{name}"].to(device) for name in ("y", "train"))
            self._prepare_round(replace(self.data, y=y, train=train))
        self.objective.load_state(tensors)
        for i, optimizer in enumerate(self._optimizers()):
            optimizer.load_state(_part(tensors, f"optimizer.{i}."))


def _seeded(*key: int) -> np.random.Generator:
    """Seed torch by ``key`` and return a generator that follows from it too."""
    entropy = np.random.SeedSequence(key)
    torch.manual_seed(int(entropy.generate_state(1, np.uint64)[0] >> 1))
    return np.random.default_rng(entropy.spawn(1)[0])


def _seconds_since(start: float) -> float:
    return round(time.perf_counter() - start, 4)


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
