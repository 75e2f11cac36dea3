"""Model files: ``model.json`` describes the model, ``model.safetensors`` holds its numbers; neither is ever run.

Replacing ``model.json`` is the one moment at which a new model takes the place of an old one. Until then the new
weights wait under their own name, where a reader finds them if the process is killed right after.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

import infomotif
from infomotif._core.checksums import check_seal, sealed_json
from infomotif._core.files import make_folder, sha256_file, write_bytes, write_text, writing
from infomotif._core.locks import waiting_lock
from infomotif._core.reading.documents import read_json
from infomotif._core.validate import from_mapping
from infomotif.errors import InputError, shown
from infomotif.nn.encoders.custom import PREFIX, Custom
from infomotif.nn.network import MotifNetwork
from infomotif.search.fitted import Fitted
from infomotif.search.members import Answer, Member
from infomotif.search.spreading import Spreading
from infomotif.training.build import custom_hops, make_encoder, make_regularizer
from infomotif.training.checkpoint import load_tensors, to_bytes
from infomotif.training.config import Settings, estimator_options
from infomotif.training.device import pick_device
from infomotif.training.features import FeatureMap
from infomotif.training.presets import plain_settings

if TYPE_CHECKING:
    import os

    from infomotif.model.estimator import InfoMotif

DESCRIPTION = "model.json"
WEIGHTS = "model.safetensors"
FORMAT = "infomotif-model"
VERSION = 6
WITHOUT_ANSWER = 5
_WITHOUT_CHECKSUM = 4
_LOCK = ".model.lock"


@dataclass(frozen=True, kw_only=True)
class Description:
    """The contents of ``model.json``, in the order of its keys; see :class:`.Fitted` for most of them.

    Attributes:
        motifs: Pattern of each motif.
        width: Width D of the representations.
        graph: The training graph.
        weights: Name and checksum of the other file.
    """

    encoder: str
    settings: dict[str, Any]
    random_state: int
    motifs: tuple[str, ...]
    motif_names: tuple[str, ...]
    width: int
    classes: tuple[str, ...]
    features: dict[str, Any]
    attribute_names: tuple[str, ...]
    graph: dict[str, Any]
    schema: dict[str, Any] | None = None
    weights: dict[str, Any]
    answer: dict[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class NetworkDescription:
    """A network of a mean, besides the main one; fields as in :class:`Description`."""

    encoder: str
    settings: dict[str, Any]
    motifs: tuple[str, ...]
    motif_names: tuple[str, ...]
    width: int
    features: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class MemberDescription:
    """A member of the answer; see :class:`.Member`.

    Attributes:
        network: Its network; None for the main member, which the rest of the file describes, and for one without.
        spreading: The labels that spread over its predictions, or alone.
    """

    name: str
    weight: float
    temperature: float
    network: dict[str, Any] | None = None
    spreading: dict[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class AnswerDescription:
    """What predicts where the network of the file is only a part of it; see :class:`.Answer`."""

    main: int
    temperature: float
    members: tuple[MemberDescription, ...]


def write_model(folder: Path, answer: Answer) -> Path:
    """Write both files; whatever happens meanwhile, the folder holds the previous model or this one.

    Raises:
        InputError: If the folder cannot be written, or the disk is full.
    """
    fitted = answer.fitted
    tensors = dict(fitted.network.state_dict())
    for number, member in enumerate(answer.members):
        if member.fitted is not None and number != answer.main:
            tensors |= {f"{_prefix(number)}{k}": v for k, v in member.fitted.network.state_dict().items()}
    data = to_bytes(tensors)
    checksum = hashlib.sha256(data).hexdigest()
    description = Description(
        encoder=fitted.encoder,
        settings=fitted.settings.to_dict(),
        random_state=fitted.random_state,
        motifs=fitted.motif_patterns,
        motif_names=fitted.motif_names,
        width=fitted.width,
        classes=fitted.classes,
        features=dict(vars(fitted.features)),
        attribute_names=fitted.attribute_names,
        graph=fitted.graph_info,
        schema=fitted.schema,
        weights={"file": WEIGHTS, "sha256": checksum},
        answer=None if answer.single else dataclasses.asdict(_describe(answer)),
    )
    # A single network is written as releases before means read it.
    version = WITHOUT_ANSWER if description.answer is None else VERSION
    header = {"format": FORMAT, "version": version, "infomotif": infomotif.__version__}
    contents = {k: v for k, v in dataclasses.asdict(description).items() if k != "answer" or v is not None}
    text = sealed_json(header | contents)
    with writing(folder):
        make_folder(folder)
        # Two processes that save into one folder would mix their files.
        with waiting_lock(folder / _LOCK, remove=True):
            _replace_both(folder, checksum, data, text)
    return folder


def _describe(answer: Answer) -> AnswerDescription:
    members = tuple(
        MemberDescription(
            name=member.name,
            weight=member.weight,
            temperature=member.temperature,
            network=None if number == answer.main else _describe_network(member.fitted),
            spreading=None if member.spreading is None else dataclasses.asdict(member.spreading),
        )
        for number, member in enumerate(answer.members)
    )
    return AnswerDescription(main=answer.main, temperature=answer.temperature, members=members)


def _describe_network(fitted: Fitted | None) -> dict[str, Any] | None:
    if fitted is None:
        return None
    description = NetworkDescription(
        encoder=fitted.encoder,
        settings=fitted.settings.to_dict(),
        motifs=fitted.motif_patterns,
        motif_names=fitted.motif_names,
        width=fitted.width,
        features=dict(vars(fitted.features)),
    )
    return dataclasses.asdict(description)


def _prefix(number: int) -> str:
    """Return what the names of a member's tensors start with; no part of a network is named so."""
    return f"member {number}: "


def _replace_both(folder: Path, checksum: str, data: bytes, text: str) -> None:
    waiting = folder / _waiting_name(checksum)
    try:
        write_bytes(waiting, data)
        write_text(folder / DESCRIPTION, text)
        write_bytes(folder / WEIGHTS, data)
    except BaseException:
        if not _needs_waiting(folder, checksum):
            waiting.unlink(missing_ok=True)
        raise
    for leftover in folder.glob(f".*{WEIGHTS}.*"):
        leftover.unlink(missing_ok=True)


def _needs_waiting(folder: Path, checksum: str) -> bool:
    """Whether the folder's model has its weights only under the name that they waited under."""
    try:
        if _read_description(folder / DESCRIPTION).weights.get("sha256") != checksum:
            return False
        return not (folder / WEIGHTS).exists() or sha256_file(folder / WEIGHTS) != checksum
    except InputError:
        return False


def read_model(folder: Path, *, encoder: nn.Module | None = None) -> Answer:
    """Read both files and build what they describe.

    Args:
        folder: The folder of the two files.
        encoder: A module of the same architecture, if the model was trained with a custom one.

    Raises:
        InputError: If a file is missing, broken, of another version, or does not fit.
    """
    description, tensors = _read_both(folder)
    parts = _AnswerParts.of(folder / DESCRIPTION, description)
    members: list[Member] = []
    for number, about in enumerate(parts.members):
        network = description if number == parts.main else _network_of(folder, description, about.network)
        prefix = "" if number == parts.main else _prefix(number)
        fitted = None
        if network is not None:
            own = {k.removeprefix(prefix): tensors.pop(k) for k in list(tensors) if _belongs(k, prefix)}
            fitted = _read_network(folder, description, network, own, encoder)
        spreading = None
        if about.spreading is not None:
            try:
                spreading = Spreading.from_dict(about.spreading, len(description.classes))
            except (InputError, TypeError) as error:
                raise InputError(f"{folder / DESCRIPTION}: {error}") from None
        if fitted is None and spreading is None:
            raise InputError(f"{folder / DESCRIPTION}: member {number} has neither a network nor labels to spread")
        members.append(Member(about.name, fitted, spreading, about.weight, about.temperature))
    if tensors:
        raise InputError(f"{folder / WEIGHTS}: has unknown tensors such as '{min(tensors)}'")
    return Answer(tuple(members), parts.main, parts.temperature)


def _belongs(name: str, prefix: str) -> bool:
    return name.startswith(prefix) if prefix else not name.startswith("member ")


@dataclass(frozen=True)
class _AnswerParts:
    """The members that a file describes, checked."""

    members: tuple[MemberDescription, ...]
    main: int
    temperature: float

    @classmethod
    def of(cls, path: Path, description: Description) -> _AnswerParts:
        if description.answer is None:
            only = MemberDescription(name=description.encoder, weight=1.0, temperature=1.0)
            return cls((only,), 0, 1.0)
        parts = from_mapping(AnswerDescription, description.answer, str(path))
        temperatures = [parts.temperature, *(member.temperature for member in parts.members)]
        weights = [member.weight for member in parts.members]
        if not 0 <= parts.main < len(parts.members):
            raise InputError(f"{path}: main must number one of its {len(parts.members)} members")
        if min(weights) < 0 or not math.isclose(sum(weights), 1, rel_tol=1e-6):
            raise InputError(f"{path}: weights of members must be 0 or more and add up to 1")
        if not all(math.isfinite(each) and each > 0 for each in temperatures):
            raise InputError(f"{path}: temperatures must be above 0")
        return cls(parts.members, parts.main, parts.temperature)


def _network_of(folder: Path, description: Description, network: dict[str, Any] | None) -> Description | None:
    """Return the description of a member's network, with what all members share."""
    if network is None:
        return None
    own = from_mapping(NetworkDescription, network, str(folder / DESCRIPTION))
    fields = {field.name: getattr(own, field.name) for field in dataclasses.fields(own)}
    return dataclasses.replace(description, **fields)


def _read_network(
    folder: Path, shared: Description, description: Description, tensors: dict[str, Tensor], encoder: nn.Module | None
) -> Fitted:
    path, weights = folder / DESCRIPTION, folder / WEIGHTS
    custom = description.encoder.startswith(PREFIX)
    if custom and encoder is None:
        name = description.encoder.removeprefix(PREFIX)
        raise InputError(f"{folder}: was trained with a custom encoder, {name}; give load(folder, encoder=...)")
    try:
        chosen = encoder if custom and encoder is not None else description.encoder
        settings = plain_settings(chosen, **description.settings)
        features = FeatureMap.from_dict(description.features)
        network = _build(description, settings, features, max_parts=len(tensors))
    except (ValueError, TypeError, RuntimeError, ArithmeticError) as error:
        reason = str(error).splitlines()[0][:200]
        raise InputError(f"{path}: describes a model that cannot be built ({reason})") from None
    _check_tensors(weights, network.state_dict(), tensors)
    network.load_state_dict(tensors, assign=True)
    return Fitted(
        encoder=description.encoder,
        settings=settings,
        random_state=shared.random_state,
        features=features,
        network=network.eval(),
        motif_names=description.motif_names,
        motif_patterns=description.motifs,
        classes=shared.classes,
        attribute_names=shared.attribute_names,
        graph_info=shared.graph,
        schema=shared.schema,
    )


def load(folder: str | os.PathLike[str], *, encoder: nn.Module | None = None, device: str = "auto") -> InfoMotif:
    """Load a model that :meth:`InfoMotif.save` wrote.

    Args:
        folder: The folder with ``model.json`` and ``model.safetensors``.
        encoder: A module of the same architecture, if the model was trained with a custom one.
        device: Where to put it.

    Raises:
        InputError: If a file is missing, broken, of another version, or does not fit; nothing in it is ever run.
    """
    # Here, because the estimator imports this module to save itself.
    from infomotif.model.estimator import InfoMotif

    answer = read_model(Path(folder), encoder=encoder)
    fitted = answer.fitted
    options = fitted.settings.encoder
    chosen = options.module if isinstance(options, Custom) else fitted.encoder
    model = InfoMotif(
        **estimator_options(chosen, fitted.settings.to_dict()),
        preset="paper",
        motifs=list(fitted.motif_patterns) or "auto",
        random_state=fitted.random_state,
        device=device,
    )
    for member in answer.members:
        if member.fitted is not None:
            member.fitted.network.to(pick_device(device))
    model.answer_, model.fitted_ = answer, fitted
    return model


def _read_both(folder: Path) -> tuple[Description, dict[str, Tensor]]:
    description = _read_description(folder / DESCRIPTION)
    while True:
        try:
            return description, _read_weights(folder, description.weights.get("sha256"))
        except InputError:
            # Another process may have saved a model between the two files.
            again = _read_description(folder / DESCRIPTION)
            if again == description:
                raise
            description = again


def _read_description(path: Path) -> Description:
    missing = f"{path}: no such file; '{path.parent}' is not a model folder"
    text, value = read_json(path, missing=missing, remedy="train again or restore it")
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(f"{path}: not a model description of this package")
    check_seal(path, text, value, required=value.get("version") in (VERSION, WITHOUT_ANSWER))
    if value.get("version") not in (VERSION, WITHOUT_ANSWER, _WITHOUT_CHECKSUM):
        raise InputError(
            f"{path}: has version {shown(value.get('version'))}; this release reads version {VERSION}, so train again"
        )
    known = {field.name for field in dataclasses.fields(Description)}
    return from_mapping(Description, {key: part for key, part in value.items() if key in known}, str(path))


def _read_weights(folder: Path, expected: Any) -> dict[str, Tensor]:
    path, waiting = folder / WEIGHTS, folder / _waiting_name(str(expected)[:64])
    try:
        checksum = sha256_file(path) if path.exists() else None
        if checksum != expected and waiting.is_file() and sha256_file(waiting) == expected:
            # A kill came between the two files of a model.
            path, checksum = waiting, expected
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({error}); train again or restore it") from None
    if checksum is None:
        raise InputError(f"{path}: no such file")
    if checksum != expected:
        raise InputError(f"{path}: sha256 is {checksum}, {DESCRIPTION} expects {expected}; save or train it again")
    return load_tensors(path)[0]


def _waiting_name(checksum: str) -> str:
    return f".{WEIGHTS}.{checksum}"


def _build(description: Description, settings: Settings, features: FeatureMap, *, max_parts: int) -> MotifNetwork:
    """Return the network that a file describes, without memory for its numbers.

    No list of parts can be longer than the list of tensors (``max_parts``), so a wrong number costs no time either.
    """
    motifs, classes, width = description.motifs, len(description.classes), description.width
    heads = len(motifs) if settings.regularize else 0
    if max(custom_hops(settings) or 0, heads) > max_parts:
        raise InputError(f"more layers or motifs than its {max_parts} tensors allow")
    if features.indexed and len(features.columns) < 1 + len(motifs):
        raise InputError(f"{len(features.columns)} structural features for {len(motifs)} motifs")
    with torch.device("meta"):
        options = settings.encoder
        encoder = options.copied() if isinstance(options, Custom) else make_encoder(settings, features, width)
        regularizer = make_regularizer(width, motifs, settings) if settings.regularize else None
        return MotifNetwork(encoder, regularizer, width, classes, options.dropout)


def _check_tensors(path: Path, expected: dict[str, Tensor], tensors: dict[str, Tensor]) -> None:
    """Refuse weights that do not fit the described model, before anything of its size is allocated."""
    for name, value in expected.items():
        if name not in tensors:
            raise InputError(f"{path}: lacks '{name}'; it does not belong to model.json")
        has, needs = (f"{list(t.shape)} of {str(t.dtype).removeprefix('torch.')}" for t in (tensors[name], value))
        if has != needs:
            raise InputError(f"{path}: '{name}' is {has}, model.json describes {needs}")
    extra = sorted(set(tensors) - set(expected))
    if extra:
        raise InputError(f"{path}: has unknown tensors such as '{extra[0]}'")
