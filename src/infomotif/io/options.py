"""ReadOptions: how files become a graph, stated once for all formats and commands."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infomotif._core.validate import Config, config, setting
from infomotif.errors import InputError
from infomotif.io.tables.diagnose import is_number

if TYPE_CHECKING:
    from infomotif.typing import AnyPath

Fill = float | str | None
"""What replaces missing values: a number, ``"mean"`` or ``"zero"``; None refuses them."""
MAX_FLOAT32 = 3.4028234663852886e38
UNKNOWN = ("error", "drop")


def parse_fill(fill: Fill) -> Fill:
    """Return the fill rule as a number, ``mean`` or None.

    Raises:
        InputError: If it is none of these.

    Example:
        >>> parse_fill("zero"), parse_fill("1.5"), parse_fill("mean"), parse_fill(None)
        (0.0, 1.5, 'mean', None)
    """
    if fill is None or fill == "mean":
        return fill
    if fill == "zero":
        return 0.0
    if isinstance(fill, bool) or not is_number(str(fill)) or not abs(float(fill)) <= MAX_FLOAT32:
        raise InputError(f"fill must be 'mean', 'zero' or a number (got '{fill}')")
    return float(fill)


def _check_unknown(value: str) -> None:
    if value not in UNKNOWN:
        raise InputError(f"unknown must be one of {', '.join(UNKNOWN)} (got '{value}')")


def column_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of columns as a tuple; a single text is one name.

    Example:
        >>> column_names("age"), column_names(["age", "city"])
        (('age',), ('age', 'city'))
    """
    return (names,) if isinstance(names, str) else tuple(names)


@config
class ReadOptions(Config):
    """How files become a graph; each format uses the options that apply to it (:mod:`infomotif.io.registry`).

    The help of each field is what ``infomotif train --help`` shows.

    Example:
        >>> ReadOptions(label="topic", ignore=["note"])
        ReadOptions(label='topic', ignore=('note',))
        >>> ReadOptions(unknown="keep")
        Traceback (most recent call last):
        infomotif.errors.InputError: unknown must be one of error, drop (got 'keep')
    """

    label: str | None = setting(
        default=None,
        help="The column of the label; nodes where it is empty are predicted. Default: 'label' if present.",
    )
    directed: bool = setting(default=True, help="Whether the edges have a direction.")
    fill: Any = setting(
        default=None,
        check=parse_fill,
        help="Fill missing attribute values: 'mean', 'zero' or a number. Default: refuse them.",
    )
    source: str = setting(default="source", help="The column of an edge's start.")
    target: str = setting(default="target", help="The column of an edge's end.")
    weight: str | None = setting(default=None, help="The column of an edge's weight. Default: 'weight' if present.")
    node_id: str = setting(default="id", help="The column of a node's id.")
    node_type: str | None = setting(default=None, help="The column of a node's type, such as author or paper.")
    edge_type: str | None = setting(default=None, help="The column of an edge's type, such as cites or writes.")
    sign: str | None = setting(default=None, help="The column of an edge's sign: a number above or below 0, + or -.")
    drop_unsigned: bool = setting(default=False, help="Drop edges whose sign is empty or 0. Default: refuse them.")
    ignore: tuple[str, ...] = setting(
        default=(), help="A column of the nodes file that is not an attribute; repeatable."
    )
    categorical: tuple[str, ...] = setting(
        default=(), help="A column of numbers that are codes, so that it becomes one-hot; repeatable."
    )
    numeric: tuple[str, ...] = setting(
        default=(), help="A column of whole numbers that look like codes but are quantities; repeatable."
    )
    unknown: str = setting(
        default="error", check=_check_unknown, help="What to do with edges that name a node without a row."
    )
    max_categories: int = setting(default=1000, at_least=0, help="The most values that a categorical column may have.")
    delimiter: str | None = setting(
        default=None, help="What separates the fields. Default: what the first line suggests."
    )
    schema: Any = setting(
        default=None, help="The columns that a model was trained on, so that new files give the same ones."
    )
    name: str | None = setting(default=None, help="What the graph is called. Default: the name of the edges file.")

    def check(self) -> None:
        """Turn the schema that a model keeps into a Schema; refuse a column that is declared twice.

        Raises:
            InputError: If a column is categorical and numeric.
        """
        for name in self.categorical:
            if name in self.numeric:
                raise InputError(f"column '{name}' cannot be categorical and numeric; declare it once")
        if self.schema is not None:
            from infomotif.graph.schema import as_schema

            object.__setattr__(self, "schema", as_schema(self.schema))

    @property
    def fill_rule(self) -> Fill:
        """The fill rule as a number, ``mean`` or None."""
        return parse_fill(self.fill)


def graph_name(path: AnyPath, options: ReadOptions) -> str:
    """Return what the graph of a file is called: as the options say, or after the file.

    Example:
        >>> graph_name("data/edges.csv.gz", ReadOptions())
        'edges'
    """
    return options.name or Path(path).name.removesuffix(".gz").split(".")[0]
