"""``python -m infomotif`` is the ``infomotif`` command."""

from infomotif.cli.main import run

run()
