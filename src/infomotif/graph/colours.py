"""Colours of a graph: node types and edge types, integer codes with names; a sign is an edge type ``+`` or ``-``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from infomotif.errors import InputError, unknown_name
from infomotif.graph.csr import CSR
from infomotif.typing import Array, Attributes

MAX_TYPES = 255
"""How many node types, and how many edge types, a graph may have."""
MAX_TYPE_NAME = 100
SIGNS = ("+", "-")
"""The edge types of a signed graph."""
JOINT = "&"
"""Joins the names of two edge types where an undirected view meets two directed edges of different types."""
_RESERVED = '"[]'


class Colours(NamedTuple):
    """Types of nodes or edges.

    Attributes:
        codes: The number of each type.
        names: The names of the types.
    """

    codes: Array
    names: tuple[str, ...]


class PairTypes(NamedTuple):
    """The types of the edges between a node and its neighbours, in the order of ``graph.undirected.indices``.

    Attributes:
        out: 1 + the type of the edge to the neighbour, 0 without one.
        back: 1 + the type of the edge from the neighbour, 0 without one.
    """

    out: Array
    back: Array


def check_type_names(names: Sequence[str], what: str) -> tuple[str, ...]:
    """Return the names of types.

    Args:
        names: The names.
        what: ``node`` or ``edge``.

    Raises:
        InputError: If there are too many, two are equal, or a pattern could not name one.

    Example:
        >>> check_type_names(["+", "-"], "edge")
        ('+', '-')
    """
    listed = tuple(names)
    if len(listed) > MAX_TYPES:
        raise InputError(
            f"{what}_types has {len(listed):,} different values, at most {MAX_TYPES} types are allowed; "
            "group rare ones, or name another column if these are ids"
        )
    for name in listed:
        if not isinstance(name, str) or not name.strip() or len(name) > MAX_TYPE_NAME:
            raise InputError(
                f"the name of {_article(what)} {what} type must be text of 1 to {MAX_TYPE_NAME} characters "
                f"(got {str(name)[:40]!r})"
            )
        if name != name.strip():
            raise InputError(f"the {what} type {name!r} begins or ends with a space; remove it")
        reserved = _RESERVED + (JOINT if what == "edge" else "")
        if any(c in reserved or ord(c) < 32 or "\ud800" <= c <= "\udfff" for c in name):
            raise InputError(f"the {what} type {name!r} holds one of {reserved} or a control character; rename it")
    twice = next((name for name, count in Counter(listed).items() if count > 1), None)
    if twice is not None:
        raise InputError(f"{what}_type_names must differ from each other ('{twice}' occurs twice)")
    return listed


def check_types(types: Any, names: Sequence[str] | None, count: int, what: str) -> Colours | None:
    """Return types as codes with names; None without types.

    Args:
        types: Names, or numbers from 0 on, of each node or edge; or None.
        names: The name of each type; by default those that occur in order, or the numbers as text.
        count: How many nodes or edges there are.
        what: ``node`` or ``edge``.

    Raises:
        InputError: If a type is missing or unknown, or there are too many.

    Example:
        >>> check_types(["-", "+", "+"], None, 3, "edge")
        Colours(codes=array([1, 0, 0], dtype=uint8), names=('+', '-'))
    """
    if types is None:
        if names:
            raise InputError(f"{what}_type_names needs {what}_types: give the type of every {what}")
        return None
    values = types if isinstance(types, np.ndarray) else list(types)
    if np.ndim(values) != 1 or len(values) != count:
        shown = np.shape(values) if np.ndim(values) != 1 else len(values)
        raise InputError(f"{what}_types must have one entry per {what}: expected {count}, got {shown}")
    array = np.asarray(values) if len(values) else np.empty(0, np.int64)
    if array.dtype.kind in "iu":
        return _numbered(array, names, what)
    return _named(values.tolist() if isinstance(values, np.ndarray) else values, names, what)


def _numbered(codes: Array, names: Sequence[str] | None, what: str) -> Colours:
    most, least = (int(codes.max()), int(codes.min())) if len(codes) else (-1, 0)
    if least < 0:
        raise InputError(f"{what} {int(codes.argmin())} has the type {least}; number the types from 0")
    if names is None and most >= MAX_TYPES:
        raise InputError(
            f"{what} {int(codes.argmax())} has the type {most}, at most {MAX_TYPES} types are allowed; "
            "number them from 0, or group rare ones"
        )
    known = check_type_names([str(c) for c in range(most + 1)] if names is None else names, what)
    if most >= len(known):
        raise InputError(f"{what}_types must lie in 0..{len(known) - 1}, as there are {len(known)} names (got {most})")
    return Colours(codes.astype(np.uint8), known)


def _named(values: Sequence[Any], names: Sequence[str] | None, what: str) -> Colours:
    for row, value in enumerate(values):
        if value is None or value != value or value == "":
            raise InputError(f"the type of {what} {row} is missing; name one for every {what}")
        if not isinstance(value, str):
            raise InputError(f"the type of {what} {row} must be text or a number from 0 on (got {value!r})")
    present = set(values)
    if len(present) > MAX_TYPES:
        check_type_names(sorted(present), what)
    if names is None:
        names = SIGNS if what == "edge" and present and present <= set(SIGNS) else sorted(present)
    known = check_type_names(names, what)
    number = {name: code for code, name in enumerate(known)}
    stray = next((value for value in values if value not in number), None)
    if stray is not None:
        raise unknown_name(f"{what} type", stray, known)
    return Colours(np.array([number[value] for value in values], dtype=np.uint8), known)


def check_attribute_types(types: Any, x: Attributes | None, nodes: Colours | None) -> Array | None:
    """Return the node type that each attribute belongs to [F], -1 for all types; None if all belong to all.

    Args:
        types: Names or numbers of node types, None or -1 for all types; or None.
        x: The attributes.
        nodes: The node types.

    Raises:
        InputError: If there are no node types, or a node of another type has a value that is not 0.
    """
    if types is None:
        return None
    if nodes is None or x is None:
        raise InputError("attribute_types says which node type has an attribute: it needs node_types and attributes")
    listed = list(types)
    if len(listed) != x.shape[1]:
        raise InputError(f"attribute_types must have one entry per attribute: expected {x.shape[1]}, got {len(listed)}")
    number: dict[Any, int] = {None: -1, -1: -1} | {name: code for code, name in enumerate(nodes.names)}
    number |= {code: code for code in range(len(nodes.names))}
    stray = next((kind for kind in listed if kind not in number), None)
    if stray is not None:
        raise unknown_name("node type", str(stray), nodes.names)
    owner = np.array([number[kind] for kind in listed], dtype=np.int16)
    if isinstance(x, np.ndarray):
        rows, columns = np.nonzero(x)
    else:
        entries = sp.coo_array(x)
        kept = entries.data != 0
        rows, columns = entries.row[kept], entries.col[kept]
    wrong = np.flatnonzero((owner[columns] >= 0) & (owner[columns] != nodes.codes[rows]))
    if len(wrong):
        row, column = int(rows[wrong[0]]), int(columns[wrong[0]])
        raise InputError(
            f"attribute {column} belongs to the type '{nodes.names[owner[column]]}', but node {row} of the type "
            f"'{nodes.names[int(nodes.codes[row])]}' has a value; set it to 0"
        )
    return owner


def refuse_two_types(first: str, second: str, one: str, other: str, *, directed: bool) -> InputError:
    """Return the error for two nodes that edges of two types join, which this graph cannot hold.

    Args:
        first: Name of the first node.
        second: Name of the second node.
        one: The type of an edge between them.
        other: The type of another.
        directed: Whether edges have a direction.
    """
    way = f"from '{first}' to '{second}'" if directed else f"between '{first}' and '{second}'"
    hint = f"give the pair a type of its own, such as '{'+'.join(sorted((one, other)))}'"
    if {one, other} == set(SIGNS):
        hint = "keep one of them"
    return InputError(f"two edges {way} have the types '{one}' and '{other}'; a pair has one type: {hint}")


def pair_types(csr: CSR, undirected: CSR, types: Array, *, directed: bool) -> PairTypes:
    """Return the types of the edges between each node and its neighbours, in both directions."""
    if not directed:
        plain = types.astype(np.uint16) + 1
        return PairTypes(plain, plain)
    from infomotif.graph.kernels import spread_types

    out, back = (np.zeros(len(undirected.indices), np.uint16) for _ in range(2))
    spread_types(undirected.indptr, undirected.indices, csr.indptr, csr.indices, types, out, back)
    return PairTypes(out, back)


def undirected_types(pairs: PairTypes, names: tuple[str, ...]) -> Colours:
    """Return the types of edges without direction: two edges of different types between a pair make a joint type.

    Example:
        >>> undirected_types(PairTypes(np.array([1, 1]), np.array([1, 2])), ("+", "-")).names
        ('+', '-', '+&-')
    """
    low, high = np.minimum(pairs.out, pairs.back).astype(np.int64), np.maximum(pairs.out, pairs.back).astype(np.int64)
    codes = high - 1
    mixed = (low > 0) & (low < high)
    if not mixed.any():
        return Colours(codes.astype(np.uint16), names)
    key = low[mixed] * (MAX_TYPES + 1) + high[mixed]
    joint, number = np.unique(key, return_inverse=True)
    codes[mixed] = len(names) + number
    one, other = joint // (MAX_TYPES + 1) - 1, joint % (MAX_TYPES + 1) - 1
    joined = tuple(names[i] + JOINT + names[j] for i, j in zip(one.tolist(), other.tolist(), strict=True))
    return Colours(codes.astype(np.uint16), names + joined)


def _article(what: str) -> str:
    return "an" if what[0] in "aeiou" else "a"
