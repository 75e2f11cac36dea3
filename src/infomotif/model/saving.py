"""Model files: ``model.json`` says what the model is, ``model.safetensors`` holds its numbers; neither is ever run."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

import infomotif
from infomotif._core.files import sha256_file, whole_file, write_json
from infomotif.errors import InputError
from infomotif.training.checkpoint import load_tensors, save_tensors

FORMAT = "infomotif-model"
VERSION = 4
_LARGEST_JSON = 256 << 20


@dataclass(frozen=True)
class ModelFile:
    """What ``model.json`` says.

    Attributes:
        encoder: Name of the encoder, or ``module:`` and the class of one's own.
        settings: All settings.
        random_state: The seed that it was trained with.
        motifs: Pattern of each motif.
        motif_names: Name of each motif.
        width: Width D of the representations.
        classes: Name of each class.
        features: How a graph becomes the encoder's input.
        attribute_names: Names of the graph's attributes.
        graph: Name, size and fingerprint of the training graph.
        schema: Columns of the training files, if it came from files.
    """

    encoder: str
    settings: dict[str, Any]
    random_state: int
    motifs: list[str]
    motif_names: list[str]
    width: int
    classes: list[str]
    features: dict[str, Any]
    attribute_names: list[str]
    graph: dict[str, Any]
    schema: dict[str, Any] | None = None

    def check_tensors(self, folder: Path, expected: dict[str, Tensor], found: dict[str, Tensor]) -> None:
        """Refuse weights that do not fit the described model, before anything of its size is allocated."""
        for name, value in expected.items():
            if name not in found:
                raise InputError(f"{folder / 'model.safetensors'}: lacks '{name}'; it does not belong to model.json")
            has, needs = (f"{list(t.shape)} of {str(t.dtype).removeprefix('torch.')}" for t in (found[name], value))
            if has != needs:
                raise InputError(f"{folder / 'model.safetensors'}: '{name}' is {has}, model.json describes {needs}")
        extra = sorted(set(found) - set(expected))
        if extra:
            raise InputError(f"{folder / 'model.safetensors'}: has unknown tensors such as '{extra[0]}'")


def write_model(folder: Path, contents: ModelFile, tensors: dict[str, Tensor]) -> Path:
    """Write both files; ``model.json`` names the checksum of the other, and a model that was there stays until then."""
    weights = folder / "model.safetensors"
    header = {"format": FORMAT, "version": VERSION, "infomotif": infomotif.__version__}
    # Both are complete before either takes its place.
    with whole_file(weights) as aside:
        save_tensors(aside, tensors)
        checksum = {"weights": {"file": weights.name, "sha256": sha256_file(aside)}}
        write_json(folder / "model.json", header | dataclasses.asdict(contents) | checksum)
    return folder


def read_model(folder: Path) -> tuple[ModelFile, dict[str, Tensor]]:
    """Read both files and check format, version, types and checksum.

    Raises:
        InputError: If anything is missing, broken, or of another version.
    """
    path = folder / "model.json"
    try:
        size = path.stat().st_size
        value = json.loads(path.read_text(encoding="utf-8")) if size <= _LARGEST_JSON else None
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; '{folder}' is not a model folder") from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read ({type(error).__name__}); train again or restore it") from None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(f"{path}: not a model description of this package")
    if value.get("version") != VERSION:
        raise InputError(
            f"{path}: has version {value.get('version')!r}; this release reads version {VERSION}, so train again"
        )
    kinds = {
        "encoder": str, "settings": dict, "random_state": int, "motifs": list, "motif_names": list, "width": int,
        "classes": list, "features": dict, "attribute_names": list, "graph": dict, "weights": dict,
    }  # fmt: skip
    for key, kind in kinds.items():
        if not isinstance(value.get(key), kind) or isinstance(value.get(key), bool):
            raise InputError(f"{path}: '{key}' must be {kind.__name__} (got {type(value.get(key)).__name__})")
        if kind is list and not all(isinstance(item, str) for item in value[key]):
            raise InputError(f"{path}: '{key}' must hold texts only")
    if not isinstance(value.get("schema"), dict | None):
        raise InputError(f"{path}: 'schema' must be dict (got {type(value['schema']).__name__})")
    weights = folder / "model.safetensors"
    if not weights.exists():
        raise InputError(f"{weights}: no such file")
    found = sha256_file(weights)
    if found != value["weights"].get("sha256"):
        expected = value["weights"].get("sha256")
        raise InputError(f"{weights}: sha256 is {found}, model.json expects {expected}; save or train it again")
    tensors, _ = load_tensors(weights)
    names = {field.name for field in dataclasses.fields(ModelFile)}
    return ModelFile(**{k: v for k, v in value.items() if k in names}), tensors
