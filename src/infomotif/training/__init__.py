"""Training: settings, splits, input features, Algorithm 1, checkpoints."""

from infomotif.training.batches import TrainingData
from infomotif.training.checkpoint import Checkpoint
from infomotif.training.config import PRESETS, Settings, make_settings, parse_setting
from infomotif.training.features import FeatureMap
from infomotif.training.loop import Curriculum, Progress, TrainingError
from infomotif.training.novelty import novelty_weights
from infomotif.training.splits import Split, fixed_split, per_class_split, random_split, region_split

__all__ = [
    "PRESETS",
    "Checkpoint",
    "Curriculum",
    "FeatureMap",
    "Progress",
    "Settings",
    "Split",
    "TrainingData",
    "TrainingError",
    "fixed_split",
    "make_settings",
    "novelty_weights",
    "parse_setting",
    "per_class_split",
    "random_split",
    "region_split",
]
