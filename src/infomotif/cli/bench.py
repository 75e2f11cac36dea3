"""``infomotif bench``: the door to the laboratory, ``infomotif_bench``, which is imported only when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from typer.core import TyperCommand
from typer.main import get_command

HELP = "Measure the paper's tables and figures again, next to the published numbers."


class LazyBench(TyperCommand):
    """The command as ``infomotif --help`` lists it; called, or asked for its own help, it becomes the real one."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Import the laboratory and let its command take over."""
        # By name, so that no layer of the package depends on the laboratory.
        command = get_command(import_module("infomotif_bench.cli").app)
        return command.make_context(info_name, args, parent, **extra)


def bench() -> None:
    """Stand in for the real command, which :class:`LazyBench` calls."""
