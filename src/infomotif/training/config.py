"""Settings: everything that decides how a model is built and trained, checked in one place."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, get_type_hints

import numpy as np

from infomotif.errors import InputError, unknown_name
from infomotif.nn.encoders.base import ACTIVATIONS, JUMPS, NORMS
from infomotif.nn.regularizer import ATTENTIONS, GATES
from infomotif.nn.regularizer.instances import INSTANCES
from infomotif.nn.regularizer.negatives import make_negatives
from infomotif.training.features import NORMALIZATIONS, STRUCTURE

_CHOICES: dict[str, tuple[str, ...]] = {
    "schedule": ("alternate", "joint"),
    "sampling": ("auto", "none", "neighbours"),
    "attention": ATTENTIONS,
    "gate": GATES,
    "instances": tuple(INSTANCES),
    "activation": ("default", *ACTIVATIONS),
    "norm": NORMS,
    "jump": ("default", *JUMPS),
    "aggregator": ("mean", "max", "lstm"),
    "normalize": NORMALIZATIONS,
    "structural_features": STRUCTURE,
    "lr_schedule": ("constant", "cosine", "step"),
}
_AT_LEAST: dict[str, float] = {
    "hidden": 1, "layers": 1, "heads": 1, "q": 1, "epochs": 1, "batch_size": 1, "accumulate": 1,
    "fanout": 1, "patience": 1, "steps": 1,
    "warmup_epochs": 0, "weight_decay": 0, "mi_weight": 0, "consistency": 0,
}  # fmt: skip
_ABOVE_ZERO = ("lr", "mi_lr", "clip")
_AT_MOST: dict[str, float] = {
    "hidden": 65_536, "layers": 1_000, "steps": 1_000, "heads": 4_096, "q": 1_000_000,
    "epochs": 10_000_000, "fanout": 1_000_000, "warmup_epochs": 10_000_000, "lr": 1e37, "mi_lr": 1e37,
}  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """How a model is built and trained; the defaults are the paper's.

    Attributes:
        hidden: Width D; None takes 256, or 64 for a graph without attributes.
        layers: Number of layers; None takes the encoder's own (2, JK-Net 4, GCNII 8).
        heads: Attention heads of GAT.
        aggregator: GraphSAGE's aggregator.
        steps: APPNP's steps along the edges.
        teleport: How much of its first state each step of APPNP and each layer of GCNII takes.
        jump: How JK-Net combines its layers.
        dropout: Dropout rate.
        activation: Activation between layers; ``default`` is the encoder's own.
        norm: Normalisation between layers.
        encoder_residual: Whether layers add their input.
        regularize: Whether motifs regularise the encoder; False is the plain base GNN.
        q: Instances sampled for each node and motif.
        attention: Instance encoder's attention.
        gate: Motif gates with a ``full`` or a ``diagonal`` matrix.
        negatives: What instances are told from: ``shuffle`` (attributes), ``swap``, ``degree``, ``orbits``, ``open``,
            ``other-motif``, ``other-owner``, or several joined by ``+``.
        instances: ``motifs``, or a control in their place: ``random`` triples, ``edges``, or the whole ``graph``.
        novelty: Whether training nodes are weighed by novelty beta.
        task_weights: Whether motif losses are weighed by alpha.
        residual: Whether z adds h.
        readout_in_z: Whether motif-level summaries join z.
        schedule: ``alternate`` is Algorithm 1; ``joint`` minimises L_S + mi_weight L_MI, alpha times T.
        mi_weight: The lambda of the joint schedule.
        consistency: Weight of a loss that pulls unlabelled nodes towards what they and the nodes they share motif
            instances with are predicted to be; it grows over the first 20 epochs.
        self_training: Share of the nodes without a label, the surest of each predicted class first, that a second
            training takes with the label that the first one predicts; 0 trains once.
        epochs: Most epochs of a training.
        warmup_epochs: InfoMax-only epochs before them.
        batch_size: Nodes a batch; None takes all at once; where neighbours are sampled, a 32nd of the nodes,
            but at least 1024 and at most 32768.
        accumulate: Batches of one optimiser step; processes that train together share them.
        sampling: ``neighbours`` gives every batch a sampled neighbourhood, ``none`` the whole graph; ``auto`` samples
            where the whole graph would not fit into memory, and where several processes train together.
        fanout: Most neighbours of a node that are sampled in each layer.
        mi_share: Share of the nodes, drawn anew each epoch, that the InfoMax loss goes over.
        lr: Adam's learning rate.
        mi_lr: Learning rate of a second Adam for steps of the InfoMax loss alone, those of the alternate schedule and
            of ``warmup_epochs``; None shares one optimiser.
        weight_decay: L2 penalty.
        lr_schedule: ``constant``, ``cosine`` to zero, or ``step`` (times 0.1 at half and at three quarters).
        patience: Epochs without a better validation before training stops; None runs all.
        class_weights: Whether classes count inversely to their training nodes.
        calibrate: Whether validation nodes choose a temperature, so that probabilities are right as often as they say.
        clip: Largest gradient norm; None does not clip.
        normalize: ``auto`` standardises attributes with values beyond -1 to 1 and leaves all others; ``none`` leaves
            all; ``row`` and ``l2`` scale a node's attributes to sum or length 1.
        edge_weights: Whether messages count as much as the edges weigh; otherwise all edges count alike.
        structural_features: What of a node's place in the graph joins the attributes (or stands in for missing ones):
            ``none``; ``counts``, log degree and log motif counts; ``centralities``, core number, clustering and
            PageRank beside them; ``quantiles``, in which tenth of the nodes each of all these is, too.
    """

    hidden: int | None = None
    layers: int | None = None
    heads: int = 8
    aggregator: str = "mean"
    steps: int = 10
    teleport: float = 0.1
    jump: str = "default"
    dropout: float = 0.5
    activation: str = "default"
    norm: str = "none"
    encoder_residual: bool = False
    regularize: bool = True
    q: int = 20
    attention: str = "concat"
    gate: str = "full"
    negatives: str = "shuffle"
    instances: str = "motifs"
    novelty: bool = True
    task_weights: bool = True
    residual: bool = False
    readout_in_z: bool = False
    schedule: str = "alternate"
    mi_weight: float = 1.0
    consistency: float = 0.0
    self_training: float = 0.0
    epochs: int = 100
    warmup_epochs: int = 0
    batch_size: int | None = None
    accumulate: int = 1
    sampling: str = "auto"
    fanout: int = 10
    mi_share: float = 1.0
    lr: float = 0.01
    mi_lr: float | None = None
    weight_decay: float = 0.0
    lr_schedule: str = "constant"
    patience: int | None = None
    class_weights: bool = False
    calibrate: bool = False
    clip: float | None = None
    normalize: str = "auto"
    edge_weights: bool = False
    structural_features: str = "none"

    def __post_init__(self) -> None:
        """Check every value; the error names the parameter and what is allowed."""
        hints = get_type_hints(Settings)
        for field in dataclasses.fields(self):
            value = _typed(field.name, getattr(self, field.name), hints[field.name])
            object.__setattr__(self, field.name, value)
            if value is None:
                continue
            if field.name in _CHOICES and value not in _CHOICES[field.name]:
                raise unknown_name(field.name, value, _CHOICES[field.name])
            if field.name in _AT_LEAST and value < _AT_LEAST[field.name]:
                raise InputError(f"{field.name} must be at least {_AT_LEAST[field.name]:g} (got {value})")
            if field.name in _AT_MOST and value > _AT_MOST[field.name]:
                raise InputError(f"{field.name} must be at most {_AT_MOST[field.name]:,} (got {value})")
            if field.name in _ABOVE_ZERO and not value > 0:
                raise InputError(f"{field.name} must be above 0 (got {value})")
        make_negatives(self.negatives)
        if not 0 <= self.dropout < 1:
            raise InputError(f"dropout must be at least 0 and below 1 (got {self.dropout})")
        if not 0 <= self.teleport <= 1:
            raise InputError(f"teleport must be from 0 to 1 (got {self.teleport})")
        if self.instances == "graph":
            for name, given in (("consistency", self.consistency), ("readout_in_z", self.readout_in_z)):
                if given:
                    raise InputError(f"{name} needs instances of several nodes; leave it out, or set instances=motifs")
            if self.negatives != "shuffle":
                raise InputError(
                    f"negatives '{self.negatives}' need instances of several nodes; set negatives=shuffle, or "
                    "instances=motifs"
                )
        for name in ("other-motif", "open"):
            if self.instances == "edges" and name in self.negatives.split("+"):
                raise InputError(f"negatives '{name}' need motifs; set other negatives, or instances=motifs")
        if self.mi_lr is not None and self.schedule == "joint" and not self.warmup_epochs:
            raise InputError(
                "mi_lr is for steps of the InfoMax loss alone, which the joint schedule has in warmup_epochs only; "
                "set these, or leave it out"
            )
        if not 0 <= self.self_training <= 1:
            raise InputError(f"self_training must be from 0 to 1 (got {self.self_training})")
        if not 0 < self.mi_share <= 1:
            raise InputError(f"mi_share must be above 0 and at most 1 (got {self.mi_share})")

    @property
    def needs_motifs(self) -> bool:
        """Whether a training counts motifs."""
        return self.regularize or self.structural_features != "none"

    @property
    def round_epochs(self) -> int:
        """Most epochs from the network's first state to its last."""
        return self.warmup_epochs + self.epochs

    @property
    def total_epochs(self) -> int:
        """Most epochs in all: self-training trains twice."""
        return self.round_epochs * (2 if self.self_training else 1)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain values."""
        return dataclasses.asdict(self)


PRESETS: dict[str, dict[str, Any]] = {
    "paper": {},
    "base": {"regularize": False},
    "joint": {"schedule": "joint", "residual": True},
    # Where nothing can be tried, and what is given leaves room for it; elsewhere validation chooses.
    "auto": {"schedule": "joint", "residual": True},
}


def make_settings(preset: str = "paper", **changes: Any) -> Settings:
    """Return a preset's settings with ``changes``; changes that are None leave the preset's value.

    Example:
        >>> make_settings("joint", q=5).residual
        True
    """
    if not isinstance(preset, str) or preset not in PRESETS:
        raise unknown_name("preset", str(preset), PRESETS)
    known = {field.name for field in dataclasses.fields(Settings)}
    for name in changes:
        if name not in known:
            raise unknown_name("setting", name, known)
    given = {k: v for k, v in changes.items() if v is not None}
    if preset == "auto" and (
        given.get("schedule") == "alternate" or "mi_lr" in given and not given.get("warmup_epochs")
    ):
        # Of the presets that are tried, what is given has room in this one only.
        preset = "paper"
    return Settings(**{**PRESETS[preset], **given})


def parse_setting(text: str) -> tuple[str, Any]:
    """Parse ``key=value`` as commands take it.

    Example:
        >>> parse_setting("lr=0.001"), parse_setting("novelty=no")
        (('lr', 0.001), ('novelty', False))
    """
    key, equals, value = text.partition("=")
    key, value = key.strip(), value.strip()
    hints = get_type_hints(Settings)
    if not equals:
        raise InputError(f"'{text}' must have the form key=value, such as lr=0.001")
    if key not in hints:
        raise unknown_name("setting", key, hints)
    if value.lower() in ("none", "") and type(None) in getattr(hints[key], "__args__", ()):
        return key, None
    kinds = [k for k in getattr(hints[key], "__args__", (hints[key],)) if k is not type(None)]
    return key, parse_value(key, value, kinds[0])


def parse_value(name: str, text: str, kind: type) -> Any:
    """Parse the value of a setting that is a whole number, a number, yes or no, or text.

    Raises:
        InputError: If the text is no such value.

    Example:
        >>> parse_value("q", "4", float), parse_value("novelty", "no", bool)
        (4.0, False)
    """
    try:
        return _PARSERS[kind](text)
    except (ValueError, KeyError):
        raise InputError(f"{name} must be {_KINDS[kind]} (got '{text}')") from None


_KINDS = {int: "a whole number", float: "a number", bool: "yes or no", str: "text"}
_WORDS = {"yes": True, "true": True, "1": True, "on": True, "no": False, "false": False, "0": False, "off": False}
_PARSERS: dict[Any, Any] = {int: int, float: float, str: str, bool: lambda text: _WORDS[text.lower()]}


def _typed(name: str, value: Any, hint: Any) -> Any:
    kinds = getattr(hint, "__args__", (hint,))
    if value is None and type(None) in kinds:
        return None
    if isinstance(value, np.generic):
        value = value.item()
    kind = next(k for k in kinds if k is not type(None))
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        wanted = f"one of {', '.join(_CHOICES[name])}" if name in _CHOICES else _KINDS[kind]
        raise InputError(f"{name} must be {wanted} (got {value!r})")
    if kind is float and not math.isfinite(value):
        raise InputError(f"{name} must be a finite number (got {value})")
    return value
