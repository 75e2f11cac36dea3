"""Motif: a small connected pattern (a graphlet), its isomorphism class, its orbits, and its text.

A pattern may name types of nodes and edges: ``"a:author->p:paper, b:author->p"``, ``"a-[cites]->b, b->c"``. What it
does not name may have any type.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from typing import Any, NamedTuple

from infomotif.errors import InputError

OUT, IN, BOTH = 1, 2, 3
LETTERS = "abcdef"
MIN_NODES, MAX_NODES = 3, len(LETTERS)

_ARROWS = {"->": OUT, "<-": IN, "<->": BOTH, "-": BOTH, "--": BOTH}
_NODE = r"(\w+)(?:\s*:\s*(?:\"([^\"]+)\"|(\w+)))?"
_EDGE = re.compile(rf"\s*{_NODE}\s*(?:(<->|->|<-|--|-)|(<?-)\s*\[([^\[\]\"]*)\]\s*(->?))\s*{_NODE}\s*")
_COMMA = re.compile(r",(?=(?:[^\"\[\]]|\"[^\"]*\"|\[[^\]]*\])*$)")
_HINT = "write edges like 'a->b, b->c' (also '<->'), or 'a-b, b-c' without direction; types like 'a:author-[writes]->b'"

Codes = tuple[tuple[int, ...], ...]
EdgeTypes = tuple[tuple[str, ...], ...]


def flip(code: int) -> int:
    """Return the code of the same pair of nodes seen from its other end.

    Example:
        >>> flip(OUT) == IN, flip(BOTH) == BOTH
        (True, True)
    """
    return (0, IN, OUT, BOTH)[code]


@dataclass(frozen=True, eq=False)
class Motif:
    """A connected pattern of 3 to 6 nodes; two motifs are equal if their patterns are isomorphic.

    Args:
        name: Its name.
        codes: Entry [i][j] is 0 without an edge between positions i and j, 1 for i->j, 2 for j->i, 3 for both.
        directed: Whether directions matter; if not, every edge has code 3.
        title: A short description.
        node_types: The type of the node in each position, "" for any; empty if the pattern names none.
        edge_types: Entry [i][j] is the type of the edge from position i to j, "" for any; empty if it names none.
            Without directions [i][j] and [j][i] are the same.

    Example:
        >>> motif = parse_pattern("x->y, y->z, x->z")
        >>> motif.pattern, motif.orbits
        ('a->b, a->c, b->c', ((0,), (1,), (2,)))
    """

    name: str
    codes: Codes
    directed: bool
    title: str = ""
    node_types: tuple[str, ...] = ()
    edge_types: EdgeTypes = ()

    @property
    def coloured(self) -> bool:
        """Whether the pattern names a type."""
        return any(self.node_types) or any(map(any, self.edge_types))

    @property
    def plain(self) -> Motif:
        """The pattern without types."""
        return replace(self, node_types=(), edge_types=()) if self.coloured else self

    def _form(self, order: tuple[int, ...]) -> tuple[Codes, tuple[str, ...], EdgeTypes]:
        """Return codes and types with position ``order[i]`` moved to position i."""
        nodes = tuple(self.node_types[i] for i in order) if self.node_types else ()
        edges = tuple(tuple(self.edge_types[i][j] for j in order) for i in order) if self.edge_types else ()
        return permuted(self.codes, order), nodes, edges

    @property
    def size(self) -> int:
        """Number of nodes k."""
        return len(self.codes)

    @cached_property
    def automorphisms(self) -> tuple[tuple[int, ...], ...]:
        """The permutations of the positions that leave the pattern unchanged."""
        if not self.coloured:
            return tuple(p for p in permutations(range(self.size)) if permuted(self.codes, p) == self.codes)
        form = self._form(tuple(range(self.size)))
        return tuple(p for p in permutations(range(self.size)) if self._form(p) == form)

    @cached_property
    def orbits(self) -> tuple[tuple[int, ...], ...]:
        """The orbits of the automorphism group: positions that are equivalent to each other, grouped."""
        groups = {tuple(sorted({p[i] for p in self.automorphisms})) for i in range(self.size)}
        return tuple(sorted(groups))

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """The isomorphism class: the smallest codes, and types if any, among all numberings of the pattern's nodes."""
        if self.coloured:
            return self.directed, *min(self._form(p) for p in permutations(range(self.size)))
        return self.directed, min(permuted(self.codes, p) for p in permutations(range(self.size)))

    @property
    def closed(self) -> bool:
        """Whether every two positions are joined."""
        return all(self.codes[i][j] for i in range(self.size) for j in range(i))

    @cached_property
    def pattern(self) -> str:
        """The pattern as text; letter number i is position i of an instance's members."""
        if self.coloured:
            return _coloured_text(self)
        shapes = {OUT: "{0}->{1}", IN: "{1}->{0}", BOTH: "{0}<->{1}" if self.directed else "{0}-{1}"}
        pairs = [(i, j) for i in range(self.size) for j in range(i + 1, self.size) if self.codes[i][j]]
        return ", ".join(shapes[self.codes[i][j]].format(LETTERS[i], LETTERS[j]) for i, j in pairs)

    @property
    def ascii(self) -> str:
        """The pattern drawn with characters."""
        from infomotif.motifs.drawing import ascii_drawing

        return ascii_drawing(self)

    @property
    def svg(self) -> str:
        """The pattern drawn as an SVG element."""
        from infomotif.motifs.drawing import svg_drawing

        return svg_drawing(self)

    def _repr_html_(self) -> str:
        """Show the drawing in a notebook."""
        return self.svg

    def __eq__(self, other: object) -> bool:
        """Compare isomorphism classes."""
        return self.key == other.key if isinstance(other, Motif) else NotImplemented

    def __hash__(self) -> int:
        """Hash the isomorphism class."""
        return hash(self.key)


def parse_pattern(text: str) -> Motif:
    """Turn ``"a->b, b->c, a->c"`` into a motif named by its canonical pattern.

    Args:
        text: Edges separated by commas: ``->``, ``<-`` and ``<->`` in a directed pattern, ``-`` in an undirected one. A
            node's type follows its name at any of its edges, as in ``a:author``, or ``a:"film director"`` if it is not
            one word; an edge's type is within its arrow: ``a-[cites]->b``, ``a-[+]-b``, ``a<-[knows]->b``.

    Raises:
        InputError: If the text is not a pattern, mixes both kinds of edges, is not connected, does not have 3 to 6
            nodes, or gives a node or an edge two types.

    Example:
        >>> parse_pattern("v-w, w-u") == parse_pattern("a-b, b-c")
        True
        >>> parse_pattern("x:author -> p:paper, y:author -> p").pattern
        'a:author->c:paper, b:author->c'
        >>> parse_pattern("a -[+]- b, b -[-]- c, a -[+]- c").orbits
        ((0,), (1, 2))
    """
    codes, directed, nodes, edges = read_pattern(text)
    return in_reading_order(Motif("", codes, directed, "custom pattern", nodes, edges))


def in_reading_order(motif: Motif) -> Motif:
    """Return a motif with its positions in the order in which its pattern reads well, named by that pattern."""
    canonical = _readable(motif) if motif.coloured else replace(motif, codes=_readable_codes(motif.codes))
    return replace(canonical, name=canonical.pattern)


def digraph_number(codes: Codes) -> int:
    """Return the number that mfinder gives a directed pattern: the smallest sum of 2^(k i + j) over its edges i -> j.

    Args:
        codes: The pattern of k nodes; all ways to number its positions from 0 are tried.

    Example:
        >>> digraph_number(pattern_codes("a->c, a->d, b->c, b->d")[0])
        204
    """
    k = len(codes)
    pairs = [(i, j) for i in range(k) for j in range(k) if codes[i][j] & OUT]
    return min(sum(1 << (k * p[i] + p[j]) for i, j in pairs) for p in permutations(range(k)))


def digraph_codes(number: int, k: int) -> Codes:
    """Return the codes of the pattern with edges i -> j where the number has 2^(k i + j), numbered to read forwards.

    Example:
        >>> Motif("bi-fan", digraph_codes(204, 4), True).pattern
        'a->c, a->d, b->c, b->d'
    """
    out = [[number >> (k * i + j) & 1 for j in range(k)] for i in range(k)]
    return _readable_codes(tuple(tuple(OUT * out[i][j] + IN * out[j][i] for j in range(k)) for i in range(k)))


def pattern_codes(text: str) -> tuple[Codes, bool]:
    """Return the codes of a pattern, its letters in alphabetical order, and whether it has directions.

    Example:
        >>> pattern_codes("b->c, a->b")
        (((0, 1, 0), (2, 0, 1), (0, 2, 0)), True)
    """
    return read_pattern(text)[:2]


def read_pattern(text: str) -> tuple[Codes, bool, tuple[str, ...], EdgeTypes]:
    """Return codes, whether there are directions, node types and edge types, letters in alphabetical order.

    Example:
        >>> read_pattern("b-[x]->c, a:k->b")[2:]
        (('k', '', ''), (('', '', ''), ('', '', 'x'), ('', '', '')))
    """
    terms = _terms(text)
    if len({term.directed for term in terms}) > 1:
        raise InputError(f"motif pattern '{text}' mixes directed and undirected edges: {_HINT}")
    code_of: dict[tuple[str, str], int] = {}
    type_of: dict[str, str] = {}
    edge_type: dict[tuple[str, str], str] = {}
    for term in terms:
        code_of[term.left, term.right] = code_of.get((term.left, term.right), 0) | term.code
        code_of[term.right, term.left] = flip(code_of[term.left, term.right])
        for node, kind in ((term.left, term.left_type), (term.right, term.right_type)):
            _name_once(type_of, node, kind, f"node '{node}'", text)
        for pair, way in (((term.left, term.right), OUT), ((term.right, term.left), IN)):
            if term.code & way:
                _name_once(edge_type, pair, term.kind, f"the edge from '{pair[0]}' to '{pair[1]}'", text)
    names = sorted({name for pair in code_of for name in pair})
    if not MIN_NODES <= len(names) <= MAX_NODES:
        raise InputError(f"motif pattern '{text}' has {len(names)} nodes; a motif has {MIN_NODES} to {MAX_NODES}")
    codes = tuple(tuple(code_of.get((i, j), 0) for j in names) for i in names)
    if not connected(codes):
        raise InputError(f"motif pattern '{text}' is not connected")
    nodes = tuple(type_of.get(name, "") for name in names)
    edges = tuple(tuple(edge_type.get((i, j), "") for j in names) for i in names)
    return codes, terms[0].directed, nodes if any(nodes) else (), edges if any(map(any, edges)) else ()


def _name_once(types: dict[Any, str], key: Any, kind: str, what: str, text: str) -> None:
    if kind and types.setdefault(key, kind) != kind:
        raise InputError(f"motif pattern '{text}' gives {what} the types '{types[key]}' and '{kind}'; name one")


class _Term(NamedTuple):
    """One edge of a pattern's text: its ends with their types, its code seen from the left, arrow and type."""

    left: str
    right: str
    code: int
    directed: bool
    left_type: str
    right_type: str
    kind: str


def _terms(text: str) -> list[_Term]:
    """Read the edges of a pattern."""
    terms = []
    for part in _COMMA.split(text):
        match = _EDGE.fullmatch(part)
        if match is None:
            raise InputError(f"'{part.strip()}' in motif pattern '{text}' is not an edge: {_HINT}")
        left, left_quoted, left_word, arrow, tail, kind, head, right, right_quoted, right_word = match.groups()
        arrow = arrow or tail[:-1] + "-" + head[1:]
        if left == right:
            raise InputError(f"motif pattern '{text}' joins '{left}' with itself")
        ends = (left_quoted or left_word or "", right_quoted or right_word or "", (kind or "").strip())
        terms.append(_Term(left, right, _ARROWS[arrow], ">" in arrow or "<" in arrow, *ends))
    return terms


def _coloured_text(motif: Motif) -> str:
    """Return a pattern with types; the type of a node follows its first mention."""
    edges = motif.edge_types or tuple(("",) * motif.size for _ in motif.codes)
    mentioned: set[int] = set()

    def node(i: int) -> str:
        kind = motif.node_types[i] if motif.node_types and i not in mentioned else ""
        mentioned.add(i)
        shown = kind if re.fullmatch(r"\w+", kind) else f'"{kind}"'
        return f"{LETTERS[i]}:{shown}" if kind else LETTERS[i]

    def edge(i: int, j: int, start: str, kind: str, end: str) -> str:
        return f"{node(i)}{start}-[{kind}]-{end}{node(j)}" if kind else f"{node(i)}{start}-{end}{node(j)}"

    parts = []
    for i in range(motif.size):
        for j in range(i + 1, motif.size):
            code = motif.codes[i][j]
            if not motif.directed:
                parts += [edge(i, j, "", edges[i][j], "")] if code else []
            elif code == BOTH and edges[i][j] == edges[j][i]:
                parts.append(edge(i, j, "<", edges[i][j], ">"))
            else:
                parts += [edge(i, j, "", edges[i][j], ">")] if code & OUT else []
                parts += [edge(j, i, "", edges[j][i], ">")] if code & IN else []
    return ", ".join(parts)


def check_codes(motif: Motif) -> None:
    """Reject a motif whose codes are not a connected pattern of 3 to 6 nodes.

    Raises:
        InputError: If they are not.

    Example:
        >>> check_codes(Motif("mine", ((0, 1, 0), (2, 0, 0), (0, 0, 0)), True))
        Traceback (most recent call last):
        infomotif.errors.InputError: the codes of motif 'mine' are not connected
    """
    codes, positions = motif.codes, range(len(motif.codes))
    allowed = (0, OUT, IN, BOTH) if motif.directed else (0, BOTH)
    if not MIN_NODES <= len(codes) <= MAX_NODES or any(len(row) != len(codes) for row in codes):
        raise InputError(
            f"the codes of motif '{motif.name}' must be a square matrix of {MIN_NODES} to {MAX_NODES} rows"
        )
    if any(codes[i][i] for i in positions) or any(code not in allowed for row in codes for code in row):
        raise InputError(f"the codes of motif '{motif.name}' must be 0 on the diagonal and one of {allowed} elsewhere")
    if any(codes[j][i] != flip(codes[i][j]) for i in positions for j in positions):
        raise InputError(f"the codes of motif '{motif.name}' must agree for (i, j) and (j, i)")
    if not connected(codes):
        raise InputError(f"the codes of motif '{motif.name}' are not connected")
    nodes, edges = motif.node_types, motif.edge_types
    if nodes and len(nodes) != len(codes):
        raise InputError(f"the node types of motif '{motif.name}' must be one per position, '' for any")
    if edges and (len(edges) != len(codes) or any(len(row) != len(codes) for row in edges)):
        raise InputError(f"the edge types of motif '{motif.name}' must be a square matrix, '' for any")
    for i in positions if edges else ():
        for j in positions:
            if edges[i][j] and not codes[i][j] & OUT:
                raise InputError(f"motif '{motif.name}' names the type of an edge that it does not have")
            if not motif.directed and edges[i][j] != edges[j][i]:
                raise InputError(f"the edge types of motif '{motif.name}' must agree for (i, j) and (j, i)")


def _readable_codes(codes: Codes) -> Codes:
    """Number the positions so that the pattern reads forwards: as many ``->`` as possible, early letters first."""
    return min((permuted(codes, p) for p in permutations(range(len(codes)))), key=_reading)


def _readable(motif: Motif) -> Motif:
    """Number the positions as for codes alone, and by their types where that leaves a choice."""
    forms = (motif._form(p) for p in permutations(range(motif.size)))
    codes, nodes, edges = min(forms, key=lambda form: (_reading(form[0]), form[1], form[2]))
    return replace(motif, codes=codes, node_types=nodes, edge_types=edges)


def _reading(codes: Codes) -> tuple[int, Codes]:
    backwards = sum(codes[i][j] == IN for i in range(len(codes)) for j in range(i + 1, len(codes)))
    return backwards, tuple(tuple(-code for code in row) for row in codes)


def permuted(codes: Codes, order: tuple[int, ...]) -> Codes:
    """Return the codes with position ``order[i]`` moved to position i."""
    return tuple(tuple(codes[i][j] for j in order) for i in order)


def connected(codes: Codes) -> bool:
    """Return whether every position can be reached from the first."""
    reached = {0}
    while True:
        more = {j for i in reached for j, code in enumerate(codes[i]) if code} - reached
        if not more:
            return len(reached) == len(codes)
        reached |= more
