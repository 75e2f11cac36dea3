"""Datasets by name, and generators of synthetic graphs."""

from infomotif.datasets.fetch import data_folder
from infomotif.datasets.karate import load_karate
from infomotif.datasets.large import write_roles
from infomotif.datasets.registry import DATASETS, dataset_spec, load_dataset
from infomotif.datasets.spec import DatasetSpec
from infomotif.datasets.synthetic import label_mask, make_roles, region_of

__all__ = [
    "DATASETS",
    "DatasetSpec",
    "data_folder",
    "dataset_spec",
    "label_mask",
    "load_dataset",
    "load_karate",
    "make_roles",
    "region_of",
    "write_roles",
]
