"""What ``infomotif --version`` shows, without importing what it names."""

from __future__ import annotations

import os
import platform

from rich.table import Table
from rich.text import Text

import infomotif
from infomotif._core.system import available_memory, usable_cores
from infomotif._core.versions import LIBRARIES, installed

_SHOWN = (*LIBRARIES, "pyarrow", "torch-geometric", "networkx", "matplotlib")


def environment() -> dict[str, str]:
    """Return versions, cores, memory and folders, as an issue report needs them."""
    from infomotif.datasets.fetch import data_folder

    rows = {"infomotif": infomotif.__version__, "python": platform.python_version(), "platform": platform.platform()}
    rows |= installed(_SHOWN)
    rows["cores"] = f"{usable_cores()} of {os.cpu_count()}"
    rows["memory"] = f"{available_memory() / 2**30:.1f} GB"
    rows["data folder"] = str(data_folder())
    return rows


def environment_table() -> Table:
    """Return the environment as a table."""
    table = Table(show_header=False)
    for key, value in environment().items():
        table.add_row(key, Text(value))
    return table
