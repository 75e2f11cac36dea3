"""Training: settings, splits, input features, Algorithm 1, checkpoints.

Names are imported when first used, so that splits can be drawn without torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from infomotif._core.lazy import lazy_names

_HOME = {
    "PRESETS": "infomotif.training.presets",
    "Checkpoint": "infomotif.training.checkpoint",
    "EpochRecord": "infomotif.training.records",
    "FeatureMap": "infomotif.training.features",
    "Inputs": "infomotif.training.config",
    "LoopState": "infomotif.training.records",
    "PredictionMI": "infomotif.training.config",
    "Regularizer": "infomotif.training.config",
    "Settings": "infomotif.training.config",
    "Training": "infomotif.training.config",
    "Split": "infomotif.training.splits",
    "TrainingData": "infomotif.training.batches",
    "TrainingError": "infomotif.training.loop",
    "TrainingLoop": "infomotif.training.loop",
    "fixed_split": "infomotif.training.splits",
    "make_settings": "infomotif.training.presets",
    "novelty_weights": "infomotif.training.losses",
    "parse_setting": "infomotif.training.config",
    "per_class_split": "infomotif.training.splits",
    "random_split": "infomotif.training.splits",
    "region_split": "infomotif.training.splits",
}

_RENAMED = {"Curriculum": "TrainingLoop", "Progress": "LoopState"}

__getattr__, __dir__ = lazy_names(__name__, _HOME, renamed=_RENAMED)

if TYPE_CHECKING:
    from infomotif.training.batches import TrainingData as TrainingData
    from infomotif.training.checkpoint import Checkpoint as Checkpoint
    from infomotif.training.config import Inputs as Inputs
    from infomotif.training.config import PredictionMI as PredictionMI
    from infomotif.training.config import Regularizer as Regularizer
    from infomotif.training.config import Settings as Settings
    from infomotif.training.config import Training as Training
    from infomotif.training.config import parse_setting as parse_setting
    from infomotif.training.features import FeatureMap as FeatureMap
    from infomotif.training.loop import TrainingError as TrainingError
    from infomotif.training.loop import TrainingLoop as TrainingLoop
    from infomotif.training.losses import novelty_weights as novelty_weights
    from infomotif.training.presets import PRESETS as PRESETS
    from infomotif.training.presets import make_settings as make_settings
    from infomotif.training.records import EpochRecord as EpochRecord
    from infomotif.training.records import LoopState as LoopState
    from infomotif.training.splits import Split as Split
    from infomotif.training.splits import fixed_split as fixed_split
    from infomotif.training.splits import per_class_split as per_class_split
    from infomotif.training.splits import random_split as random_split
    from infomotif.training.splits import region_split as region_split
