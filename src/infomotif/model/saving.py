"""Model files: ``model.json`` describes the model, ``model.safetensors`` holds its numbers; neither is ever run."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

import infomotif
from infomotif._core.files import sha256_file, whole_file, write_json
from infomotif._core.validate import from_mapping
from infomotif.errors import InputError
from infomotif.model.fitted import Fitted
from infomotif.nn.encoders.custom import PREFIX, Custom
from infomotif.nn.network import MotifNetwork
from infomotif.training.build import custom_hops, make_regularizer
from infomotif.training.checkpoint import load_tensors, save_tensors
from infomotif.training.config import Settings, estimator_options
from infomotif.training.device import pick_device
from infomotif.training.features import FeatureMap
from infomotif.training.presets import plain_settings

if TYPE_CHECKING:
    import os

    from infomotif.model.estimator import InfoMotif

FORMAT = "infomotif-model"
VERSION = 4
MAX_JSON_BYTES = 256 << 20


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


def write_model(folder: Path, fitted: Fitted) -> Path:
    """Write both files; ``model.json`` names the checksum of the other, and a previous model stays until then."""
    weights = folder / "model.safetensors"
    # Both are complete before either replaces a previous one.
    with whole_file(weights) as temporary:
        save_tensors(temporary, fitted.network.state_dict())
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
            weights={"file": weights.name, "sha256": sha256_file(temporary)},
        )
        header = {"format": FORMAT, "version": VERSION, "infomotif": infomotif.__version__}
        write_json(folder / "model.json", header | dataclasses.asdict(description))
    return folder


def read_model(folder: Path, *, encoder: nn.Module | None = None) -> Fitted:
    """Read both files and build the model that they describe.

    Args:
        folder: The folder of the two files.
        encoder: A module of the same architecture, if the model was trained with a custom one.

    Raises:
        InputError: If a file is missing, broken, of another version, or does not fit.
    """
    path, description = folder / "model.json", _read_description(folder / "model.json")
    weights = folder / "model.safetensors"
    tensors = _read_weights(weights, description.weights.get("sha256"))
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
        random_state=description.random_state,
        features=features,
        network=network.eval(),
        motif_names=description.motif_names,
        motif_patterns=description.motifs,
        classes=description.classes,
        attribute_names=description.attribute_names,
        graph_info=description.graph,
        schema=description.schema,
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

    fitted = read_model(Path(folder), encoder=encoder)
    options = fitted.settings.encoder
    chosen = options.module if isinstance(options, Custom) else fitted.encoder
    model = InfoMotif(
        **estimator_options(chosen, fitted.settings.to_dict()),
        motifs=list(fitted.motif_patterns) or "auto",
        random_state=fitted.random_state,
        device=device,
    )
    fitted.network.to(pick_device(device))
    model.fitted_ = fitted
    return model


def _read_description(path: Path) -> Description:
    try:
        size = path.stat().st_size
        value = json.loads(path.read_text(encoding="utf-8")) if size <= MAX_JSON_BYTES else None
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; '{path.parent}' is not a model folder") from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read ({type(error).__name__}); train again or restore it") from None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(f"{path}: not a model description of this package")
    if value.get("version") != VERSION:
        raise InputError(
            f"{path}: has version {value.get('version')!r}; this release reads version {VERSION}, so train again"
        )
    known = {field.name for field in dataclasses.fields(Description)}
    return from_mapping(Description, {key: part for key, part in value.items() if key in known}, str(path))


def _read_weights(path: Path, expected: Any) -> dict[str, Tensor]:
    if not path.exists():
        raise InputError(f"{path}: no such file")
    checksum = sha256_file(path)
    if checksum != expected:
        raise InputError(f"{path}: sha256 is {checksum}, model.json expects {expected}; save or train it again")
    return load_tensors(path)[0]


def _build(description: Description, settings: Settings, features: FeatureMap, *, max_parts: int) -> MotifNetwork:
    """Return the network that a file describes, without memory for its numbers.

    No list of parts can be longer than the list of tensors (``max_parts``), so a wrong number costs no time either.
    """
    motifs, classes, width = description.motifs, len(description.classes), description.width
    heads = len(motifs) if settings.regularize else 0
    if max(custom_hops(settings) or 0, heads) > max_parts:
        raise InputError(f"more layers or motifs than its {max_parts} tensors allow")
    if features.structural != "none" and len(features.columns) < 1 + len(motifs):
        raise InputError(f"{len(features.columns)} structural features for {len(motifs)} motifs")
    with torch.device("meta"):
        options = settings.encoder
        encoder = options.copied() if isinstance(options, Custom) else options.build(features.width, width)
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
