"""Tests and examples that need files of a dataset are skipped unless INFOMOTIF_DATA names their folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from infomotif.datasets.spec import DatasetSpec

if "INFOMOTIF_DATA" not in os.environ:

    def _skip(spec: DatasetSpec) -> list[Path]:
        if spec.files:
            pytest.skip(f"needs the files of '{spec.name}'; INFOMOTIF_DATA names the folder that holds them")
        return []

    DatasetSpec.fetch = _skip  # type: ignore[method-assign]
