"""What ``infomotif --version`` shows."""

from __future__ import annotations

import os
import platform

from rich.table import Table
from rich.text import Text

import infomotif
from infomotif._core.versions import LIBRARIES, installed

_SHOWN = (*LIBRARIES, "torch-geometric", "pandas", "pyarrow")


def environment() -> dict[str, str]:
    """Return the versions, threads and folders that an issue report needs."""
    import torch

    from infomotif.datasets.fetch import data_folder

    rows = {"infomotif": infomotif.__version__, "python": platform.python_version(), "platform": platform.platform()}
    rows |= installed(_SHOWN)
    rows["threads"] = f"{torch.get_num_threads()} of {os.cpu_count()} cores"
    rows["cuda"] = torch.cuda.get_device_name(0) if torch.cuda.is_available() else "not available"
    rows["data folder"] = str(data_folder())
    return rows


def environment_table() -> Table:
    """Return the environment as a table."""
    table = Table(show_header=False)
    for key, value in environment().items():
        table.add_row(key, Text(value))
    return table
