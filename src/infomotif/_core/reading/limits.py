"""How much of a file or download is read: every cap on sizes that the input chooses, stated once.

A few bytes can ask for gigabytes: packed zeros, one endless line, aliases of aliases. Each cap is far above what real
data needs, and a variable of the environment raises it.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from infomotif.errors import InputError

if TYPE_CHECKING:
    # Commands that only show help do without NumPy, which the module loads.
    from infomotif.typing import AnyPath


@dataclass(frozen=True)
class Limit:
    """A cap.

    Attributes:
        variable: The variable of the environment that sets it.
        default: Its value without the variable.
        unit: What is counted.
        help: What it is for, as the documentation says it.
    """

    variable: str
    default: int
    unit: str
    help: str

    @property
    def value(self) -> int:
        """The value that holds now.

        Raises:
            InputError: If the variable does not hold a positive whole number.
        """
        given = os.environ.get(self.variable, "").strip()
        if not given:
            return self.default
        if not given.isascii() or not given.isdecimal() or len(given) > 18 or int(given) < 1:
            raise InputError(f"{self.variable} must be a whole number from 1 on (got '{given}')")
        return int(given)

    def exceeded(self, what: str, limit: int | None = None) -> InputError:
        """Return the error for input that is beyond the cap.

        Args:
            what: The place and what it has too much of, such as ``nodes.csv line 3 has``.
            limit: The cap, if it is not :attr:`value`.

        Example:
            >>> str(COLUMNS.exceeded("nodes.csv line 1 has"))
            'nodes.csv line 1 has more than 1,000,000 columns; if you trust it, raise INFOMOTIF_MAX_COLUMNS'
        """
        cap = self.value if limit is None else limit
        return InputError(f"{what} more than {cap:,} {self.unit}; if you trust it, raise {self.variable}")


UNPACKED = Limit(
    "INFOMOTIF_MAX_UNPACKED_BYTES", 1 << 30, "bytes",
    "size of a file after unpacking; files that unpack to at most 50 times their size are never refused",
)  # fmt: skip
LINE = Limit("INFOMOTIF_MAX_LINE_BYTES", 1 << 26, "bytes", "size of a line, a CSV record, or a text or tag of GraphML")
COLUMNS = Limit("INFOMOTIF_MAX_COLUMNS", 1_000_000, "columns", "columns of a table")
DOCUMENT = Limit("INFOMOTIF_MAX_DOCUMENT_BYTES", 1 << 28, "bytes", "size of a JSON or YAML file")
DEPTH = Limit("INFOMOTIF_MAX_DEPTH", 100, "levels", "levels of lists and mappings in JSON and YAML")
YAML_VALUES = Limit(
    "INFOMOTIF_MAX_YAML_VALUES", 100_000, "values", "values in YAML, those that aliases repeat counted each time"
)
DOWNLOAD = Limit("INFOMOTIF_MAX_DOWNLOAD_BYTES", 1 << 32, "bytes", "size of a download, and of a file in it")
LIMITS = (UNPACKED, LINE, COLUMNS, DOCUMENT, DEPTH, YAML_VALUES, DOWNLOAD)
"""All caps, as the documentation lists them."""

PLAUSIBLE_PACKING = 50
"""Text that packs better than this is hardly data."""


def unpacked_limit(packed: int) -> int:
    """Return how many bytes a packed file of this size may unpack to.

    Example:
        >>> unpacked_limit(6_000_000), unpacked_limit(10**9)
        (1073741824, 50000000000)
    """
    return max(UNPACKED.value, PLAUSIBLE_PACKING * packed)


def require_file(path: AnyPath) -> int:
    """Return the size of a file, refusing what blocks, never ends, or can be read only once.

    Raises:
        InputError: If it is missing, a folder, a pipe or a device, or may not be looked at.
    """
    try:
        status = Path(path).stat()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; check the path") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({reason}); check the path and its permissions") from None
    if stat.S_ISDIR(status.st_mode):
        raise InputError(f"{path}: is a folder; name a file")
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{path}: is a pipe or a device; save what it holds as a file and name that")
    return status.st_size
