"""Types and signs of nodes and edges: from columns of tables, or from values one by one, to codes with names."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from infomotif.errors import InputError
from infomotif.graph.colours import MAX_TYPES, SIGNS, check_type_names
from infomotif.io.options import ReadOptions
from infomotif.io.tables.diagnose import is_number
from infomotif.io.tables.labels import in_order, known_label
from infomotif.io.tables.table import NamedTables, Table, is_text
from infomotif.typing import AnyPath, Array

_SIGN_OF = {"+": 0, "-": 1}
NO_SIGN = 255
"""The code of an edge without a sign."""
_SHOWN = 3


class TypeSurvey:
    """The type of each row.

    Args:
        name: The column.
        what: ``node`` or ``edge``.
        fixed: The only names that are allowed, such as those that a model was trained on.

    Call :meth:`look` with every table, then read :attr:`names` and :meth:`numbers`.
    """

    def __init__(self, name: str, what: str, fixed: Sequence[str] = ()) -> None:
        """Start without a type, or with those that are fixed."""
        self.name, self.what = name, what
        self._fixed = tuple(fixed)
        self._number = {value: c for c, value in enumerate(self._fixed)}
        self._codes: list[Array] = []

    def look(self, table: Table) -> Array:
        """Return the types of a table's rows, numbered in order of appearance.

        Raises:
            InputError: If a type is missing or unknown, or there are too many.
        """
        codes, values = table.codes(self.name)
        known = [known_label(value) is not None for value in values]
        missing = np.flatnonzero(~np.array([*known, False])[codes])
        if len(missing):
            raise InputError(
                f"{table.where(int(missing[0]), self.name)}: the {self.what}'s type is missing; fill it in"
            )
        for code, value in enumerate(values):
            if value not in self._number:
                if self._fixed:
                    row = int(np.flatnonzero(codes == code)[0])
                    raise InputError(f"{table.where(row, self.name)}: {unknown_type(value, self.what, self._fixed)}")
                self._number[value] = len(self._number)
            if len(self._number) > MAX_TYPES:
                raise self._too_many(table.path)
        number = np.array([self._number[value] for value in values], dtype=np.uint8)
        self._codes.append(number[codes])
        return self._codes[-1]

    def _too_many(self, path: AnyPath) -> InputError:
        return InputError(
            f"{path}, column '{self.name}': more than {MAX_TYPES} different {self.what} types; group rare ones, or "
            f"name another column if these are ids (--{self.what}-type)"
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the types: the fixed ones, or all that occur, in order."""
        return self._fixed or check_type_names(in_order(self._number), self.what)

    @property
    def ranks(self) -> Array:
        """The number of each type by its number in order of appearance."""
        rank = {value: c for c, value in enumerate(self.names)}
        return np.array([rank[value] for value in self._number], dtype=np.uint8)

    def numbers(self) -> NDArray[np.uint8]:
        """Return the type of each row."""
        return np.asarray(self.ranks[np.concatenate(self._codes)])


def unknown_type(value: str, what: str, known: Sequence[str]) -> str:
    """Say that a type is unknown, and which one is nearest.

    Example:
        >>> unknown_type("autor", "node", ["author", "paper"])
        "unknown node type 'autor'; did you mean 'author'? types: author, paper"
    """
    close = difflib.get_close_matches(value, known, n=1, cutoff=0.5)
    hint = f"did you mean '{close[0]}'? " if close else ""
    return f"unknown {what} type '{value}'; {hint}types: {', '.join(known)}"


def type_column(options: ReadOptions) -> tuple[str | None, bool]:
    """Return the column of the edges' types, or None, and whether it holds signs.

    Raises:
        InputError: If there are two such columns, or signs are to be dropped where there are none.
    """
    if options.edge_type is not None and options.sign is not None:
        raise InputError(
            f"edges have a type ('{options.edge_type}') or a sign ('{options.sign}'), not both; "
            "name one column (--edge-type or --sign)"
        )
    schema = options.schema
    column, signed = options.edge_type or options.sign, options.sign is not None
    if column is None and schema is not None and schema.edge_type is not None:
        column, signed = schema.edge_type, schema.edge_types == SIGNS
    if options.drop_unsigned and not signed:
        raise InputError("drop_unsigned is for signed graphs: name the column of the signs (sign=, --sign)")
    return column, signed


class EdgeTypeColumn:
    """The column of an edges table that holds types or signs.

    Args:
        file: The edges.
        name: The column.
        options: How files are read.
        signed: Whether it holds signs.

    Attributes:
        names: The names of the types.
        dropped: How many edges without a sign were dropped.

    Raises:
        InputError: If a type is missing or unknown, or there are too many.
    """

    def __init__(self, file: NamedTables, name: str, options: ReadOptions, *, signed: bool) -> None:
        """Find the names of the types, in one pass over the column."""
        self.name, self.signed, self.dropped = name, signed, 0
        self._file, self._options = file, options
        self.names = SIGNS if signed else self._survey()

    def _survey(self) -> tuple[str, ...]:
        import pyarrow as pa

        schema = self._options.schema
        survey = TypeSurvey(self.name, "edge", () if schema is None else schema.edge_types)
        for table in self._file.tables([self.name], {self.name: pa.string()}):
            survey.look(table)
        self._number = {value: code for code, value in enumerate(survey.names)}
        return survey.names

    def codes(self, table: Table) -> tuple[Array, Array | None]:
        """Return the types of a table's edges, and which edges to keep where some have no sign.

        Raises:
            InputError: If a sign is missing, 0 or not a number; the message names the first such line.
        """
        if not self.signed:
            codes, values = table.codes(self.name)
            return np.array([self._number[value] for value in values], dtype=np.uint8)[codes], None
        signs = sign_codes(table, self.name)
        missing = np.flatnonzero(signs == NO_SIGN)
        if not len(missing):
            return signs, None
        if not self._options.drop_unsigned:
            raise self._unsigned(table, int(missing[0]))
        self.dropped += len(missing)
        return signs, signs != NO_SIGN

    def _unsigned(self, table: Table, row: int) -> InputError:
        import pyarrow as pa

        found = 0
        rows: list[str] = []
        for each in self._file.tables([self.name], {self.name: pa.string()}):
            missing = np.flatnonzero(sign_codes(each, self.name) == NO_SIGN)
            found += len(missing)
            rows += [each.location(int(r)) for r in missing[: max(0, _SHOWN - len(rows))]]
        listed = ", ".join([rows[0], *(place.rpartition(" ")[2] for place in rows[1:])])
        more = f" ({found:,} such edges: {listed}{', ...' if found > len(rows) else ''})" if found > 1 else ""
        value = table.data.column(self.name)[row].as_py()
        state = "empty" if known_label(value) is None else "0"
        return InputError(
            f"{table.where(row, self.name)}: the sign is {state}, neither + nor -{more}; correct it, or drop such "
            "edges (drop_unsigned=True, --drop-unsigned)"
        )


def sign_codes(table: Table, name: str) -> NDArray[np.uint8]:
    """Return 0 for each positive sign, 1 for each negative one, and NO_SIGN where it is empty or 0.

    Raises:
        InputError: If a sign is neither a number nor ``+`` or ``-``.
    """
    if not is_text(table.data.column(name).type):
        return _signs_of(table.numbers(name))
    codes, values = table.codes(name)
    signs = [NO_SIGN if value is None else _sign(value) for value in values]
    odd = next((code for code, sign in enumerate(signs) if sign is None), None)
    if odd is not None:
        row = int(np.flatnonzero(codes == odd)[0])
        raise InputError(f"{table.where(row, name)}: the sign '{values[odd]}' is not a number, + or -; correct it")
    return np.array([*signs, NO_SIGN], dtype=np.uint8)[codes]


def _signs_of(numbers: Array) -> NDArray[np.uint8]:
    return np.where(numbers > 0, 0, np.where(numbers < 0, 1, NO_SIGN)).astype(np.uint8)


def _sign(value: str) -> int | None:
    """Return the code of a sign as text, None if it is not a sign."""
    if value in _SIGN_OF:
        return _SIGN_OF[value]
    if known_label(value) is None:
        return NO_SIGN
    return int(_signs_of(np.array(float(value)))) if is_number(value) else None


class RecordTypes(NamedTuple):
    """The types of edges that come one by one.

    Attributes:
        codes: Type of each edge.
        names: Names of the types.
        kept: Which edges have a sign, where others are to be dropped; None if all are kept.
    """

    codes: Array
    names: tuple[str, ...]
    kept: Array | None


def record_types(values: Sequence[Any], options: ReadOptions, where: Callable[[int], str]) -> RecordTypes | None:
    """Return the types or signs of edges from their values; None if the options name no such key.

    Args:
        values: The value of each edge, None where it is missing.
        options: How the values are read: ``edge_type`` or ``sign``, ``drop_unsigned`` and ``schema``.
        where: Names an edge, for messages.

    Raises:
        InputError: If a type is missing or unknown, or a sign is missing, 0 or not a number.
    """
    key, signed = type_column(options)
    if key is None:
        return None
    if not signed:
        fixed = () if options.schema is None else options.schema.edge_types
        return RecordTypes(*named_types(values, "edge", fixed, where), None)
    signs = np.array([_record_sign(value, row, where) for row, value in enumerate(values)], dtype=np.uint8)
    missing = np.flatnonzero(signs == NO_SIGN)
    if len(missing) and not options.drop_unsigned:
        more = f" ({len(missing):,} such edges)" if len(missing) > 1 else ""
        value = values[int(missing[0])]
        state = "empty" if known_label(value) is None else "0"
        raise InputError(
            f"{where(int(missing[0]))}: the sign '{key}' is {state}, neither + nor -{more}; correct it, or drop such "
            "edges (drop_unsigned=True, --drop-unsigned)"
        )
    return RecordTypes(signs, SIGNS, signs != NO_SIGN if len(missing) else None)


def _record_sign(value: Any, row: int, where: Callable[[int], str]) -> int:
    sign = None if isinstance(value, bool) else NO_SIGN if value is None else _sign(str(value))
    if sign is None:
        raise InputError(f"{where(row)}: the sign {value!r} is not a number, + or -; correct it")
    return sign


def named_types(
    values: Iterable[Any], what: str, fixed: Sequence[str], where: Callable[[int], str]
) -> tuple[Array, tuple[str, ...]]:
    """Return codes and names of types that come one by one.

    Raises:
        InputError: If a type is missing or unknown, or there are too many.

    Example:
        >>> named_types(["b", "a", "b"], "node", (), str)
        (array([1, 0, 1], dtype=uint8), ('a', 'b'))
    """
    texts = list(_texts(values, what, where))
    present = in_order(set(texts))
    if fixed:
        stray = next((row for row, text in enumerate(texts) if text not in fixed), None)
        if stray is not None:
            raise InputError(f"{where(stray)}: {unknown_type(texts[stray], what, fixed)}")
    names = tuple(fixed) or check_type_names(present, what)
    number = {name: code for code, name in enumerate(names)}
    return np.array([number[text] for text in texts], dtype=np.uint8), names


def _texts(values: Iterable[Any], what: str, where: Callable[[int], str]) -> Iterator[str]:
    for row, value in enumerate(values):
        text = known_label(value)
        if text is None:
            raise InputError(f"{where(row)}: the {what}'s type is missing; fill it in")
        yield text
