"""load(): a model that was saved, read back without running anything in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

from infomotif.errors import InputError
from infomotif.model.estimator import InfoMotif
from infomotif.model.saving import ModelFile, read_model
from infomotif.nn.encoders import Custom
from infomotif.nn.network import MotifNetwork
from infomotif.training.build import custom_hops, make_regularizer
from infomotif.training.config import Settings, estimator_options
from infomotif.training.device import pick_device
from infomotif.training.features import FeatureMap
from infomotif.training.presets import make_settings

if TYPE_CHECKING:
    import os


def load(folder: str | os.PathLike[str], *, encoder: nn.Module | None = None, device: str = "auto") -> InfoMotif:
    """Load a model that :meth:`InfoMotif.save` wrote.

    Args:
        folder: The folder with ``model.json`` and ``model.safetensors``.
        encoder: A module of the same architecture, if the model was trained with one of your own.
        device: Where to put it.

    Raises:
        InputError: If a file is missing, broken, of another version, or does not fit; nothing in it is ever run.
    """
    contents, tensors = read_model(Path(folder))
    custom = contents.encoder.startswith("module:")
    if custom and encoder is None:
        raise InputError(f"{folder}: trained with your own {contents.encoder[7:]}; give load(folder, encoder=...)")
    try:
        chosen = contents.encoder if not custom or encoder is None else encoder
        settings = make_settings("paper", chosen, **contents.settings)
        features = FeatureMap.from_dict(contents.features)
        network = _described(contents, settings, features, most=len(tensors))
    except (ValueError, TypeError, RuntimeError, ArithmeticError) as error:
        reason = str(error).splitlines()[0][:200]
        raise InputError(f"{Path(folder) / 'model.json'}: describes no model that can be built ({reason})") from None
    contents.check_tensors(Path(folder), network.state_dict(), tensors)
    network.load_state_dict(tensors, assign=True)
    seed, motifs = contents.random_state, contents.motifs or "auto"
    options = estimator_options(chosen, contents.settings)
    model = InfoMotif(**options, motifs=motifs, random_state=seed, device=device)
    model.settings_, model.features_, model.network_ = settings, features, network.to(pick_device(device)).eval()
    model.motif_names_, model.motif_patterns_ = tuple(contents.motif_names), tuple(contents.motifs)
    model.classes_, model.attribute_names_ = np.array(contents.classes), tuple(contents.attribute_names)
    model.graph_info_, model.schema_ = contents.graph, contents.schema
    return model


def _described(contents: ModelFile, settings: Settings, features: FeatureMap, *, most: int) -> MotifNetwork:
    """Return the network that a model file describes, without memory for its numbers.

    Nothing of it can have more parts than the file has tensors (``most``), so a wrong number costs no time either.
    """
    heads = len(contents.motifs) if settings.regularize else 0
    if max(custom_hops(settings) or 0, heads) > most:
        raise InputError(f"more layers or motifs than its {most} tensors allow")
    if features.structural != "none" and len(features.columns) < 1 + len(contents.motifs):
        raise InputError(f"{len(features.columns)} structural features for {len(contents.motifs)} motifs")
    with torch.device("meta"):
        options = settings.encoder
        if isinstance(options, Custom):
            encoder: nn.Module = options.copied()
        else:
            encoder = options.build(features.width, contents.width)
        regularizer = make_regularizer(contents.width, contents.motifs, settings) if settings.regularize else None
        classes = len(contents.classes)
        return MotifNetwork(encoder, regularizer, contents.width, classes, options.dropout)
