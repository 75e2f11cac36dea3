"""Configuration objects: everything that decides how a model is built and trained, each option stated once.

The estimator takes a :class:`Regularizer`, a :class:`Training`, :class:`Inputs` and an encoder's configuration. Every
option has one name across all of them (the *flat* name), which files and ``--set`` use. This module is imported
without torch, so that commands can show help.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from infomotif._core.validate import Config, FieldInfo, config, fields_of, setting, up_to_date
from infomotif.errors import InputError, unknown_name

if TYPE_CHECKING:
    from torch import nn

    from infomotif.nn.encoders import EncoderConfig

NORMALIZATIONS = ("auto", "none", "row", "l2")
INDEXED = ("counts", "centralities")
"""Parts of the inputs that are made of the motifs that the model uses."""
OLD_STRUCTURE = MappingProxyType(
    {
        "none": "attributes",
        "counts": "attributes+counts",
        "centralities": "attributes+centralities",
        "quantiles": "attributes+centralities+quantiles",
    }
)
"""Values of the setting ``structural_features`` of earlier releases, and what they are as ``inputs``."""


def _instances() -> tuple[str, ...]:
    from infomotif.nn.regularizer.instances import INSTANCES

    return tuple(INSTANCES)


def _attentions() -> tuple[str, ...]:
    from infomotif.nn.regularizer import ATTENTIONS

    return ATTENTIONS


def _instance_encoders() -> tuple[str, ...]:
    from infomotif.nn.regularizer import INSTANCE_ENCODERS

    return tuple(INSTANCE_ENCODERS)


def _readouts() -> tuple[str, ...]:
    from infomotif.nn.regularizer import READOUTS

    return tuple(READOUTS)


def _check_negatives(value: str) -> None:
    from infomotif.nn.regularizer.negatives import make_negatives

    make_negatives(value)


def input_parts(text: str) -> tuple[bool, tuple[str, ...]]:
    """Return whether ``inputs`` has attributes, and its parts of motif encodings.

    Raises:
        InputError: If a part is unknown.

    Example:
        >>> input_parts("attributes+orbits"), input_parts("attributes")
        ((True, ('orbits',)), (True, ()))
    """
    from infomotif.motifs.encodings import COLUMNS, DERIVED, check_parts

    named = [part.strip() for part in text.split("+")]
    for part in named:
        if part not in ("attributes", *COLUMNS, *DERIVED):
            raise unknown_name("part of inputs", part, ("auto", "attributes", *COLUMNS, *DERIVED))
    rest = [part for part in named if part != "attributes"]
    return "attributes" in named, check_parts("+".join(rest)) if rest else ()


def _check_inputs(text: str) -> None:
    if text != "auto":
        input_parts(text)


@config
class Inputs(Config):
    """What the network sees of a graph.

    Example:
        >>> Inputs(features="attributes+orbits")
        Inputs(features='attributes+orbits')
    """

    renamed = MappingProxyType({"structural_features": ("features", OLD_STRUCTURE)})

    features: str = setting(
        default="attributes",
        flat="inputs",
        check=_check_inputs,
        help="Parts joined by +: attributes (of a graph that has none, one indicator per node, unless there are other "
        "parts) and motif encodings: degree, counts (log degree, log motif counts), centralities (also core number, "
        "clustering, PageRank), orbits (degree, the orbits of three and four nodes, centralities), and of each of "
        "these neighbours (the mean over neighbours) and quantiles (its decile). auto is attributes where the graph "
        "has them, else orbits.",
    )
    normalize: str = setting(
        default="auto",
        choices=NORMALIZATIONS,
        help="auto standardises attributes with values beyond -1 to 1 and leaves all others; row and l2 scale a node's "
        "attributes to sum or length 1.",
    )
    edge_weights: bool = setting(
        default=False, help="Whether messages count as much as the edges weigh; otherwise all edges count alike."
    )
    closure: int = setting(
        default=0,
        at_least=0,
        at_most=2,
        help="Power of an edge's closure (0.05 plus its triangles over all connected triples of nodes that contain it) "
        "by which its messages count, 1 on average; 0 leaves it out.",
    )

    @property
    def messages(self) -> dict[str, Any]:
        """What decides how much messages count, by the names of ``Adjacency.from_graph``."""
        return {"weighted": self.edge_weights, "closure": self.closure}

    @property
    def indexed(self) -> bool:
        """Whether features are made of the motifs that the model uses."""
        return self.features != "auto" and any(part in INDEXED for part in input_parts(self.features)[1])


@config
class Regularizer(Config):
    """The motif regulariser: instances, their summaries, and what the mutual information is measured against.

    Example:
        >>> Regularizer(q=10, gate="diagonal").given
        {'q': 10, 'gate': 'diagonal'}
    """

    enabled: bool = setting(
        default=True,
        flat="regularize",
        help="Whether motifs regularise the encoder; without them it is the plain base GNN.",
    )
    q: int = setting(default=20, at_least=1, limit=1_000_000, help="Instances sampled for each node and motif.")
    instance_encoder: str = setting(
        default="attention",
        choices=_instance_encoders,
        help="How the members of an instance become one representation: attention as in the paper, or their mean or "
        "maximum.",
    )
    attention: str = setting(default="concat", choices=_attentions, help="Attention of the instance encoder.")
    readout: str = setting(
        default="mean",
        choices=_readouts,
        help="How a node's instances become one summary: mean as in the paper, set2set (attention by an LSTM), or "
        "batch, one summary for all nodes of a batch as in the authors' code.",
    )
    gate: str = setting(
        default="full", choices=("full", "diagonal"), help="Motif gates with a full or a diagonal matrix."
    )
    negatives: str = setting(
        default="shuffle",
        check=_check_negatives,
        help="What instances are distinguished from: shuffle (attributes), unseen (shuffle without the attributes of "
        "real instances, as in the preset paper), swap, degree, orbits, open, other-motif, other-owner, or several "
        "joined by +.",
    )
    instances: str = setting(
        default="motifs",
        choices=_instances,
        help="motifs, or a control instead: random triples, edges, or the whole graph.",
    )
    novelty: bool = setting(default=True, help="Whether training nodes are weighed by novelty beta.")
    task_weights: bool = setting(default=True, help="Whether motif losses are weighed by alpha.")
    residual: bool = setting(default=False, help="Whether z adds h.")
    readout_in_z: bool = setting(default=False, help="Whether motif-level summaries join z.")
    mi_weight: float = setting(default=1.0, at_least=0, help="The lambda of the joint schedule.")
    mi_share: float = setting(
        default=1.0,
        above=0,
        at_most=1,
        help="Share of the nodes, drawn again each epoch, that the InfoMax loss covers.",
    )
    consistency: float = setting(
        default=0.0,
        at_least=0,
        help="Weight of a loss that pulls unlabelled nodes towards the predictions of the nodes with which they share "
        "motif instances; it grows over the first 20 epochs.",
    )
    prediction_mi: float = setting(
        default=0.0,
        at_least=0,
        help="Weight of the mutual information between the predicted classes of co-members, which the training of a "
        "base GNN (regularize=no) then maximises besides; 0 leaves it out. PredictionMI(weight=...) sets both.",
    )
    prediction_over: str = setting(
        default="edges",
        choices=("edges", "motifs"),
        help="Co-members of prediction_mi: the ends of edges, or the nodes of motif instances.",
    )
    prediction_start: int = setting(
        default=20, at_least=0, limit=10_000_000, help="Epochs without prediction_mi, before predictions mean anything."
    )

    def check(self) -> None:
        """Refuse combinations that contradict each other."""
        if self.attention != "concat" and self.instance_encoder != "attention":
            raise InputError(
                f"attention={self.attention} needs instance_encoder=attention (got {self.instance_encoder}); leave one "
                "of them out"
            )
        if self.prediction_mi and self.enabled:
            raise InputError(
                "prediction_mi is a regulariser of its own; set regularize=no (preset base), or leave it out"
            )
        if self.instances == "graph":
            for name, value in (("consistency", self.consistency), ("readout_in_z", self.readout_in_z)):
                if value:
                    raise InputError(f"{name} needs instances of several nodes; leave it out, or set instances=motifs")
            if self.negatives not in ("shuffle", "unseen"):
                raise InputError(
                    f"negatives '{self.negatives}' need instances of several nodes; set negatives=shuffle, or "
                    "instances=motifs"
                )
        for name in ("other-motif", "open"):
            if self.instances == "edges" and name in self.negatives.split("+"):
                raise InputError(f"negatives '{name}' need motifs; set other negatives, or instances=motifs")


@config
class PredictionMI(Config):
    """A regulariser that works on predictions: L = CE - weight I(J), J the joint class distribution of co-members.

    One training of any encoder, about as cheap as the encoder alone.

    Example:
        >>> PredictionMI(over="motifs").regularizer().given
        {'enabled': False, 'prediction_mi': 0.3, 'prediction_over': 'motifs', 'prediction_start': 20}
    """

    over: str = setting(
        default="edges",
        choices=("edges", "motifs"),
        flat="prediction_over",
        help="Co-members: the ends of edges, or the nodes of motif instances.",
    )
    weight: float = setting(
        default=0.3, at_least=0, flat="prediction_mi", help="Weight of the mutual information in the loss."
    )
    start: int = setting(
        default=20, at_least=0, limit=10_000_000, flat="prediction_start", help="Epochs without it at first."
    )

    def regularizer(self) -> Regularizer:
        """Return the same as options of :class:`Regularizer`, as files hold them."""
        return Regularizer(
            enabled=False, prediction_mi=self.weight, prediction_over=self.over, prediction_start=self.start
        )


@config
class Training(Config):
    """How a model is trained.

    Example:
        >>> Training(epochs=50, lr=0.001)
        Training(epochs=50, lr=0.001)
    """

    epochs: int = setting(default=100, at_least=1, limit=10_000_000, help="Maximum number of epochs.")
    warmup_epochs: int = setting(
        default=0, at_least=0, limit=10_000_000, help="Epochs before them that learn without labels; see pretrain."
    )
    pretrain: str = setting(
        default="infomax",
        choices=("infomax", "views"),
        help="What warmup_epochs learn: infomax (the loss of the motif regulariser; without one, nothing) or views (a "
        "base GNN learns that two random views of the graph, by its dropout, have the same representations, in columns "
        "without correlation, as CCA-SSG does).",
    )
    probe: bool = setting(
        default=False, help="Whether only the classifier learns after warmup_epochs; the encoder stays as it is then."
    )
    schedule: str = setting(
        default="alternate",
        choices=("alternate", "joint"),
        help="alternate is Algorithm 1; joint minimises L_S + mi_weight L_MI, with alpha times T.",
    )
    lr: float = setting(default=0.01, above=0, limit=1e37, help="Adam's learning rate.")
    mi_lr: float | None = setting(
        default=None,
        above=0,
        limit=1e37,
        help="Learning rate of a second Adam for InfoMax-only steps: those of the alternate schedule and of "
        "warmup_epochs; none shares one optimiser.",
    )
    lr_schedule: str = setting(
        default="constant",
        choices=("constant", "cosine", "step"),
        help="constant, cosine to zero, or step (times 0.1 at half and at three quarters).",
    )
    weight_decay: float = setting(default=0.0, at_least=0, help="L2 penalty.")
    clip: float | None = setting(default=None, above=0, help="Largest gradient norm; none does not clip.")
    patience: int | None = setting(
        default=None, at_least=1, help="Epochs without a better validation before training stops; none runs all."
    )
    batch_size: int | None = setting(
        default=None,
        at_least=1,
        help="Nodes per batch; none takes all at once, or, where neighbours are sampled, a 32nd of the nodes, at least "
        "1024 and at most 32768. The preset paper takes 256 unless neighbours are sampled.",
    )
    batch_order: str = setting(
        default="random",
        choices=("random", "near"),
        help="random draws the nodes of an InfoMax batch one by one; near draws groups of up to 16 neighbouring nodes, "
        "whose instances and neighbourhoods overlap, so that a batch costs less.",
    )
    accumulate: int = setting(
        default=1, at_least=1, help="Batches per optimiser step; processes that train together share them."
    )
    sampling: str = setting(
        default="auto",
        choices=("auto", "none", "neighbours"),
        help="neighbours samples a neighbourhood for every batch, none uses the whole graph; auto samples where the "
        "whole graph would not fit into memory, and where several processes train together.",
    )
    fanout: int = setting(
        default=10, at_least=1, limit=1_000_000, help="Maximum number of neighbours sampled per layer."
    )
    class_weights: bool = setting(
        default=False, help="Whether classes count inversely to their number of training nodes."
    )
    self_training: float = setting(
        default=0.0,
        at_least=0,
        at_most=1,
        help="Share of the unlabelled nodes, the most certain of each predicted class first, that a second training "
        "uses with their predicted labels; 0 trains once.",
    )
    calibrate: bool = setting(
        default=False, help="Whether validation nodes choose a temperature, so that probabilities can be trusted."
    )

    def check(self) -> None:
        """Refuse combinations that contradict each other."""
        if self.mi_lr is not None and self.schedule == "joint" and not self.warmup_epochs:
            raise InputError(
                "mi_lr is for steps of the InfoMax loss alone, which the joint schedule has in warmup_epochs only; "
                "set these, or leave it out"
            )
        for name, value in (("pretrain=views", self.pretrain == "views"), ("probe", self.probe)):
            if value and not self.warmup_epochs:
                raise InputError(f"{name} needs epochs without labels; set warmup_epochs, such as 30")

    @property
    def round_epochs(self) -> int:
        """Maximum number of epochs from the network's first state to its last."""
        return self.warmup_epochs + self.epochs

    @property
    def total_epochs(self) -> int:
        """Maximum number of epochs in all: self-training trains twice."""
        return self.round_epochs * (2 if self.self_training else 1)


GROUPS: Mapping[str, type[Config]] = {"regularizer": Regularizer, "training": Training, "inputs": Inputs}
"""Configuration objects beside the encoder's, by the name of the estimator's parameter."""


SETTINGS_HELP = (
    " ".join(f"{group}: {', '.join(info.flat for info in fields_of(kind).values())}." for group, kind in GROUPS.items())
    + " encoder: hidden, layers, dropout, activation, norm, residual, jump, and its own."
)
"""All settings by group, for help texts."""


@dataclass(frozen=True)
class Settings:
    """How a model is built and trained: all options with the preset's values filled in, checked.

    Attributes:
        encoder: The encoder with its options.
        regularizer: The motif regulariser's options.
        training: How it is trained.
        inputs: What it sees of the graph.
        assumed: Flat names of the options that nobody gave and the preset set.
    """

    encoder: EncoderConfig
    regularizer: Regularizer = field(default_factory=Regularizer)
    training: Training = field(default_factory=Training)
    inputs: Inputs = field(default_factory=Inputs)
    assumed: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def regularize(self) -> bool:
        """Whether motifs regularise the encoder; False is the plain base GNN."""
        return self.regularizer.enabled

    @property
    def needs_motifs(self) -> bool:
        """Whether a training counts motifs."""
        pairs = self.regularizer.prediction_mi > 0 and self.regularizer.prediction_over == "motifs"
        return self.regularize or self.inputs.indexed or pairs

    def to_dict(self) -> dict[str, Any]:
        """Return all options by their flat names, as files hold them; options of other encoders have their defaults."""
        from infomotif.nn.encoders import ENCODERS

        flat: dict[str, Any] = {}
        for encoder in ENCODERS.values():
            flat |= {info.flat: info.unset for info in fields_of(encoder).values() if info.flat in _SHARED_OPTIONS}
        flat |= self._flat_encoder()
        for name, kind in GROUPS.items():
            flat |= {info.flat: getattr(getattr(self, name), info.name) for info in fields_of(kind).values()}
        return flat

    def __getattr__(self, name: str) -> Any:
        """Say where an option is that all settings once had side by side."""
        if name in _group_of():
            raise AttributeError(f"settings.{name} is settings.{_group_of()[name]}.{name}")
        if name in _SHARED_OPTIONS:
            raise AttributeError(f"settings.{name} is settings.encoder.{name.removeprefix('encoder_')}")
        raise AttributeError(f"settings have no '{name}'")

    def _flat_encoder(self) -> dict[str, Any]:
        given, infos = self.encoder.given, fields_of(type(self.encoder))
        known = {info.flat: given.get(name, info.unset) for name, info in infos.items() if info.flat in _SHARED_OPTIONS}
        return known | {infos[name].flat: value for name, value in given.items() if name != "module"}


_SHARED_OPTIONS = frozenset(
    {"hidden", "layers", "heads", "aggregator", "steps", "teleport", "jump", "dropout", "activation", "norm"}
    | {"encoder_residual"}
)
"""Encoder options that files hold for every encoder; any other is there only if it was given."""


@cache
def _group_of() -> Mapping[str, str]:
    """Return which configuration object holds each flat name, encoders aside."""
    return {info.flat: group for group, kind in GROUPS.items() for info in fields_of(kind).values()}


def _field_of(group: str, flat: str) -> str:
    return next(info.name for info in fields_of(GROUPS[group]).values() if info.flat == flat)


def split_options(encoder: EncoderConfig, flat: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Sort options by flat names into those of the encoder, the regulariser, the training and the inputs.

    An option that only another encoder has is checked and left out, as files hold the options of all encoders.

    Raises:
        InputError: If an option is unknown, or of another encoder and not allowed there.
    """
    own = {info.flat: info for info in fields_of(type(encoder)).values() if info.name != "module"}
    flat = renamed_options(flat)
    parts: dict[str, dict[str, Any]] = {"encoder": {}, **{group: {} for group in GROUPS}}
    for name, value in flat.items():
        if name in own:
            if value != own[name].unset or own[name].unset == own[name].default:
                parts["encoder"][own[name].name] = value
        elif name in _group_of():
            group = _group_of()[name]
            parts[group][_field_of(group, name)] = value
        else:
            option(name, encoder).check(value)
    return parts


def renamed_options(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return options by their names of today; where both are there, the name of an earlier release does not count.

    Raises:
        InputError: If an option of an earlier release has a value that it never had.

    Example:
        >>> renamed_options({"structural_features": "counts", "lr": 0.1})
        {'lr': 0.1, 'inputs': 'attributes+counts'}
    """
    options, old = dict(flat), _old_names()
    for name in old.keys() & flat.keys():
        kind = old[name]
        field_name, value = up_to_date(kind, name, options.pop(name))
        options.setdefault(fields_of(kind)[field_name].flat, value)
    return options


@cache
def _old_names() -> Mapping[str, type[Config]]:
    """Return the configuration object of each option of an earlier release."""
    return {name: kind for kind in GROUPS.values() for name in kind.renamed}


def set_options(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out options that are None, unless none is a value of theirs, such as that of ``batch_size``.

    Example:
        >>> set_options({"epochs": None, "hidden": None, "batch_size": None, "q": 5})
        {'batch_size': None, 'q': 5}
    """
    return {name: value for name, value in flat.items() if value is not None or _may_be_none(name)}


def _may_be_none(name: str) -> bool:
    group = _group_of().get(name)
    return group is not None and fields_of(GROUPS[group])[_field_of(group, name)].optional


def option(name: str, encoder: EncoderConfig | None = None) -> FieldInfo:
    """Return the option with a flat name: the encoder's, one of the configuration objects', or another encoder's.

    Raises:
        InputError: If there is none; the message names the nearest.
    """
    from infomotif.nn.encoders import ENCODERS

    known: dict[str, FieldInfo] = {}
    for kind in (*ENCODERS.values(), *((type(encoder),) if encoder is not None else ()), *GROUPS.values()):
        known |= {info.flat: info for info in fields_of(kind).values() if info.name != "module"}
    if name not in known:
        raise unknown_name("setting", name, known)
    return known[name]


def parse_setting(text: str, encoder: EncoderConfig | None = None) -> tuple[str, Any]:
    """Parse ``key=value`` as commands take it; the key may name its configuration object.

    Example:
        >>> parse_setting("lr=0.001"), parse_setting("regularizer.novelty=no"), parse_setting("encoder.heads=4")
        (('lr', 0.001), ('novelty', False), ('heads', 4))
    """
    key, equals, value = text.partition("=")
    key, value = key.strip(), value.strip()
    if not equals:
        raise InputError(f"'{text}' must have the form key=value, such as lr=0.001")
    old = key.rpartition(".")[2]
    if old in _old_names():
        return next(iter(renamed_options({old: value}).items()))
    name = _flat_name(key, encoder)
    info = option(name, encoder)
    if value == info.unset and info.unset != info.default:
        return name, None
    return name, info.parse(value, name)


def _flat_name(key: str, encoder: EncoderConfig | None) -> str:
    group, dot, name = key.partition(".")
    if not dot:
        return key
    if group == "encoder":
        kinds: tuple[type[Config], ...] = (type(encoder),) if encoder is not None else _all_encoders()
    elif group in GROUPS:
        kinds = (GROUPS[group],)
    else:
        raise unknown_name("group of settings", group, ("encoder", *GROUPS))
    known = {info.name: info.flat for kind in kinds for info in fields_of(kind).values() if info.name != "module"}
    if name not in known:
        of = f"{group} {encoder.label}" if group == "encoder" and encoder is not None else group
        raise unknown_name(f"option of {of}", name, known)
    return known[name]


def _all_encoders() -> tuple[type[Config], ...]:
    from infomotif.nn.encoders import ENCODERS

    return tuple(ENCODERS.values())


def given_options(*parts: Config) -> dict[str, Any]:
    """Return the options of configuration objects that were given, by their flat names.

    Example:
        >>> given_options(Training(lr=0.1), Regularizer(enabled=False))
        {'lr': 0.1, 'regularize': False}
    """
    flat: dict[str, Any] = {}
    for part in parts:
        infos = fields_of(type(part))
        flat |= {infos[name].flat: value for name, value in part.given.items() if name != "module"}
    return flat


def new_place(name: str) -> str:
    """Say where an option belongs, as code that creates an estimator has it.

    Raises:
        InputError: If there is no such option.

    Example:
        >>> new_place("epochs"), new_place("heads")
        ('training=Training(epochs=...)', 'encoder=GAT(heads=...)')
    """
    info = option(name)
    if name in _group_of():
        group = _group_of()[name]
        return f"{group}={GROUPS[group].__name__}({info.name}=...)"
    owner = next(kind for kind in sorted(_all_encoders(), key=_prefers_gcn) if info.name in fields_of(kind))
    return f"encoder={owner.__name__}({info.name}=...)"


def _prefers_gcn(kind: type[Config]) -> bool:
    return kind.__name__ != "GCN"


def estimator_options(encoder: str | EncoderConfig | nn.Module, flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return options by their flat names as the estimator takes them: one configuration object each.

    Example:
        >>> estimator_options("gat", {"heads": 4, "lr": 0.001})["encoder"]
        GAT(heads=4)
    """
    from infomotif.nn.encoders import as_encoder

    known = as_encoder(encoder)
    parts = split_options(known, set_options(flat))
    named = parts.pop("encoder")
    # Options of an encoder are those of one encoder, so they name it.
    made: dict[str, Any] = {"encoder": "auto" if encoder == "auto" and not named else known.replace(**named)}
    return made | {group: GROUPS[group](**options) for group, options in parts.items()}
