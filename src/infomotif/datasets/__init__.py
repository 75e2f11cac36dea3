"""Datasets by name, and generators of synthetic graphs.

Names are imported when first used, so that the data folder is known at once.
"""

from typing import TYPE_CHECKING

from infomotif._core.lazy import lazy_names

_HOME = {
    "DATASETS": "infomotif.datasets.registry",
    "DatasetSpec": "infomotif.datasets.spec",
    "data_folder": "infomotif.datasets.fetch",
    "dataset_spec": "infomotif.datasets.registry",
    "label_mask": "infomotif.datasets.synthetic",
    "load_dataset": "infomotif.datasets.registry",
    "load_karate": "infomotif.datasets.karate",
    "make_roles": "infomotif.datasets.synthetic",
    "region_of": "infomotif.datasets.synthetic",
    "write_roles": "infomotif.datasets.large",
}

__all__ = [*_HOME]

if TYPE_CHECKING:
    from infomotif.datasets.fetch import data_folder as data_folder
    from infomotif.datasets.karate import load_karate as load_karate
    from infomotif.datasets.large import write_roles as write_roles
    from infomotif.datasets.registry import DATASETS as DATASETS
    from infomotif.datasets.registry import dataset_spec as dataset_spec
    from infomotif.datasets.registry import load_dataset as load_dataset
    from infomotif.datasets.spec import DatasetSpec as DatasetSpec
    from infomotif.datasets.synthetic import label_mask as label_mask
    from infomotif.datasets.synthetic import make_roles as make_roles
    from infomotif.datasets.synthetic import region_of as region_of

__getattr__, __dir__ = lazy_names(__name__, _HOME)
