"""What the columns of a nodes table become: numbers, booleans, categories and classes, found table by table.

A file in memory is one table; a file that is larger than memory is many. Both go through the same survey.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infomotif._core.reading.problems import noted
from infomotif.errors import InputError
from infomotif.graph.schema import Column, Kind, Schema
from infomotif.io.options import MAX_FLOAT32, ReadOptions
from infomotif.io.tables.codes import WholeNumbers, looks_like_codes
from infomotif.io.tables.diagnose import MISSING, is_number
from infomotif.io.tables.encode import mostly_zero
from infomotif.io.tables.labels import in_order, known_label
from infomotif.io.tables.table import Table, TableSource
from infomotif.io.tables.types import TypeSurvey
from infomotif.typing import Array

# A column that has many times more texts than allowed is refused before all of them are known.
_TOO_MANY = 10


@dataclass
class _Seen:
    """What the tables so far say of a column."""

    types: set[Any] = field(default_factory=set)
    nonzero: int = 0
    missing: int = 0
    sums: list[float] = field(default_factory=list)
    count: int = 0
    categories: dict[str, list[int]] = field(default_factory=dict)
    """How often each value occurs, and its first row."""
    by_type: Array = field(default_factory=lambda: np.zeros(256, np.int64))
    """How many nodes of each type have a value."""


class ColumnSurvey:
    """What attribute columns become.

    Args:
        names: The attribute columns.
        options: How files are read; with a schema the columns become what it says.
        source: Where the tables come from.
        types: The types of the nodes, if they have any: a column that no node of a type has is not one of that type.

    Call :meth:`look` with every table of the source, then :meth:`columns`.
    """

    def __init__(
        self, names: Sequence[str], options: ReadOptions, source: TableSource, types: TypeSurvey | None = None
    ) -> None:
        """Note what is known before the first table."""
        import pyarrow as pa

        self.names = list(names)
        self._types = types
        self._options, self._source, self._fill = options, source, options.fill_rule
        self._seen = {name: _Seen() for name in names}
        self._known: dict[str, Column] = {}
        self._codes: set[str] = set()
        if options.schema is not None:
            self._known = {column.name: column for column in options.schema.columns}
        text = {c for c in options.categorical if c in self._seen}
        # Codes that were inferred are numbers in the file: 007 and 7.0 are the category 7.
        text |= {c.name for c in self._known.values() if c.kind == "categorical" and not c.inferred}
        numbers = {column.name for column in self._known.values() if column.kind == "numeric"}
        numbers |= {c for c in options.numeric if c in self._seen and c not in self._known}
        self.types: dict[str, Any] = {**dict.fromkeys(text, pa.string()), **dict.fromkeys(numbers, pa.float64())}

    def look(self, table: Table) -> None:
        """Note the types of a table's columns, and in blocks how many values are not zero.

        Raises:
            InputError: If a column does not hold what it should.
        """
        codes = None if self._types is None else self._types.look(table)
        for name, seen in self._seen.items():
            kind = table.data.column(name).type
            seen.types.add(kind)
            if codes is not None:
                seen.by_type += np.bincount(codes[table.has(name)], minlength=256)
            if not self._source.whole:
                # Blocks are written one by one, so it must be known before whether they are sparse.
                _count_nonzero(seen, table, name, kind)

    def columns(self) -> tuple[Column, ...]:
        """Return what each column becomes, reading the tables again where that needs all values.

        Raises:
            InputError: If a column is empty, has too many categories, or mixes numbers and text.
        """
        kinds: dict[str, Kind] = {}
        for name in self.names:
            with noted():
                self.types.setdefault(name, self._source.type_of(name, self._seen[name].types))
                kinds[name] = self._kind(name)
        self._codes = self._find_codes(kinds)
        kinds |= dict.fromkeys(self._codes, "categorical")
        again = [name for name in kinds if self._needs_values(name, kinds[name])]
        if again:
            for table in self._source.tables(again, self.types):
                for name in [name for name in again if name in kinds]:
                    with noted():
                        kind = kinds.pop(name)
                        self._measure(table, name, kind)
                        kinds[name] = kind
        columns = []
        for name in self._known or self.names:
            with noted():
                columns += [self._of_types(self._column(name, kinds[name]))] if name in kinds else []
        return tuple(columns)

    def _of_types(self, column: Column) -> Column:
        """Return a column with the node types that have it, unless all do or the schema says it."""
        if self._types is None or column.name in self._known:
            return column
        ranks = self._types.ranks
        having = [
            self._types.names[r] for r, count in zip(ranks, self._seen[column.name].by_type, strict=False) if count
        ]
        return replace(
            column, types=tuple(sorted(having, key=self._types.names.index)) if len(having) < len(ranks) else ()
        )

    def sparse(self, columns: Sequence[Column], rows: int) -> bool | None:
        """Return whether the attributes are kept sparse; None leaves it to the one table."""
        if self._source.whole:
            return None
        nonzero = 0
        for column in columns:
            seen = self._seen[column.name]
            filled = seen.missing if column.fill is not None and np.float32(column.fill) else 0
            nonzero += rows if column.kind == "categorical" else seen.nonzero + filled
        return mostly_zero(nonzero, rows, sum(len(column.attribute_names) for column in columns))

    def _kind(self, name: str) -> Kind:
        import pyarrow as pa

        if name in self._known:
            return self._known[name].kind
        kind = self.types[name]
        if pa.types.is_dictionary(kind):
            kind = kind.value_type
        if pa.types.is_null(kind):
            raise InputError(
                f"{self._source.path}: column '{name}' is empty in every row; leave it out (ignore=, --ignore {name})"
            )
        if name in self._options.categorical:
            return "categorical"
        if pa.types.is_boolean(kind):
            return "boolean"
        return "numeric" if _is_number(kind) else "categorical"

    def _find_codes(self, kinds: Mapping[str, Kind]) -> set[str]:
        """Return the columns of whole numbers that look like codes and that nobody declared."""
        found = {
            name: WholeNumbers(self._options.max_categories)
            for name, kind in kinds.items()
            if kind == "numeric" and name not in self._known and name not in self._options.numeric
        }
        for table in self._source.tables(list(found), self.types) if found else ():
            for name, numbers in found.items():
                if numbers.known:
                    numbers.add(table.numbers(name))
        return {
            name
            for name, numbers in found.items()
            if numbers.known
            # Floats stay numbers, unless they are whole numbers that became floats for want of a value.
            and (_is_integer(self.types[name]) or numbers.missing)
            and looks_like_codes(name, numbers.values, numbers.counts)
        }

    def _needs_values(self, name: str, kind: Kind) -> bool:
        if kind == "categorical":
            return name not in self._known
        return self._fill == "mean" and (name not in self._known or self._known[name].fill is None)

    def _measure(self, table: Table, name: str, kind: Kind) -> None:
        seen = self._seen[name]
        if kind != "categorical":
            numbers = table.numbers(name)
            present = numbers[np.abs(numbers) <= MAX_FLOAT32]
            seen.count += len(present)
            seen.sums += [math.fsum(present)] if self._source.whole else _exact_sums(present)
            return
        codes, values = table.codes(name)
        counts = np.bincount(codes + 1, minlength=len(values) + 1)[1:]
        # Codes are given in order of appearance, so a value's first row is where the largest code so far grows.
        first = np.flatnonzero(np.diff(np.maximum.accumulate(codes), prepend=-1))
        for value, count, row in zip(values, counts.tolist(), first.tolist(), strict=True):
            entry = seen.categories.setdefault(value, [0, table.first + row])
            entry[0] += count
        if not self._source.whole and len(seen.categories) > _TOO_MANY * self._options.max_categories:
            raise self._too_many(name, f"more than {len(seen.categories):,}")

    def _column(self, name: str, kind: Kind) -> Column:
        known = self._known.get(name)
        if known is not None and (known.fill is not None or self._fill is None):
            return known
        if kind != "categorical":
            fill = self._mean(name) if isinstance(self._fill, str) else self._fill
            return Column(name, kind, fill=fill)
        fill = None if self._fill is None else 0.0
        if known is not None:
            return Column(name, kind, known.categories, fill, known.inferred)
        categories = self._seen[name].categories
        if name not in self._options.categorical:
            self._refuse_text_among_numbers(name)
        if len(categories) > self._options.max_categories:
            raise self._too_many(name, f"{len(categories):,}")
        return Column(name, kind, tuple(in_order(categories)), fill, name in self._codes)

    def _mean(self, name: str) -> float:
        seen = self._seen[name]
        if not seen.count:
            raise InputError(
                f"{self._source.path}: column '{name}' has no value to take a mean of; leave it out (ignore=)"
            )
        return math.fsum(seen.sums) / seen.count

    def _refuse_text_among_numbers(self, name: str) -> None:
        """Refuse a column of text in which most fields are numbers."""
        categories = self._seen[name].categories
        # 1 for numbers, -1 for text, 0 for what says neither.
        kinds = {value: 0 if value in MISSING else 1 if is_number(value) else -1 for value in categories}
        text = next((value for value, kind in kinds.items() if kind < 0), None)
        if text is not None and sum(kind * categories[value][0] for value, kind in kinds.items()) > 0:
            where = f"{self._source.path} {self._source.location(categories[text][1])}, column '{name}'"
            raise InputError(
                f"{where}: '{text}' is not a number, but most of the column is; correct it, or declare the column "
                f"categorical (categorical=, --categorical {name})"
            )

    def _too_many(self, name: str, count: str) -> InputError:
        return InputError(
            f"{self._source.path}: column '{name}' has {count} different texts, at most "
            f"{self._options.max_categories:,} become one-hot; leave it out (ignore=, --ignore {name}) or raise "
            "max_categories"
        )


class LabelSurvey:
    """The class of each row.

    Args:
        name: The label column.
        schema: The schema of a model, whose classes are then the only ones.

    Call :meth:`look` with every table, then read :attr:`classes` and :meth:`numbers`.
    """

    def __init__(self, name: str, schema: Schema | None = None) -> None:
        """Start without a class, or with those of the schema."""
        self.name = name
        self._fixed = schema.classes if schema is not None else ()
        self._number = {value: c for c, value in enumerate(self._fixed)}
        self._codes: list[Array] = []

    def look(self, table: Table) -> None:
        """Note the labels of a table.

        Raises:
            InputError: If a class is not in the schema.
        """
        codes, values = table.codes(self.name)
        for code, value in enumerate(values):
            if known_label(value) is not None and value not in self._number:
                if self._fixed:
                    row = int(np.flatnonzero(codes == code)[0])
                    raise InputError(
                        f"{table.where(row, self.name)}: class '{value}' is not one of those the model was trained on "
                        f"({', '.join(self._fixed)}); correct or empty it"
                    )
                self._number[value] = len(self._number)
        number = [-1 if known_label(value) is None else self._number[value] for value in values]
        self._codes.append(np.array([*number, -1], dtype=np.int64)[codes])

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes: those of the schema, or all that occur, in order."""
        return self._fixed or tuple(in_order(self._number))

    def numbers(self) -> NDArray[np.int64]:
        """Return the class number of each row, -1 where the label is missing."""
        codes = np.concatenate([np.empty(0, np.int64), *self._codes])
        rank = {value: c for c, value in enumerate(self.classes)}
        number = [*(rank[value] for value in self._number), -1]
        return np.asarray(np.array(number, dtype=np.int64)[codes])


def _count_nonzero(seen: _Seen, table: Table, name: str, kind: Any) -> None:
    import pyarrow as pa

    if _is_number(kind) or pa.types.is_boolean(kind):
        values = table.numbers(name)
        missing = int(np.isnan(values).sum())
        with np.errstate(over="ignore"):
            seen.nonzero += int(np.count_nonzero(values.astype(np.float32))) - missing
        seen.missing += missing
    elif pa.types.is_null(kind):
        seen.missing += len(table)


def _exact_sums(values: NDArray[np.float64]) -> list[float]:
    """Return numbers whose sum is exactly that of the values, so that a mean does not depend on the blocks."""
    sums: list[float] = []
    # What rounding takes from a sum is a sum again, until nothing is left.
    while part := math.fsum([*values.tolist(), *(-taken for taken in sums)]):
        sums.append(part)
    return sums


def _is_integer(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind.value_type if pa.types.is_dictionary(kind) else kind))


def _is_number(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))
