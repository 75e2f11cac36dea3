"""Motif: a small connected pattern (a graphlet), its isomorphism class, its orbits, and its text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import NamedTuple

from infomotif.errors import InputError

OUT, IN, BOTH = 1, 2, 3
LETTERS = "abcdef"
MIN_NODES, MAX_NODES = 3, len(LETTERS)

_ARROWS = {"->": OUT, "<-": IN, "<->": BOTH, "-": BOTH, "--": BOTH}
_EDGE = re.compile(r"\s*(\w+)\s*(<->|->|<-|--|-)\s*(\w+)\s*")
_HINT = "write edges like 'a->b, b->c' (also '<->'), or 'a-b, b-c' without direction"

Codes = tuple[tuple[int, ...], ...]


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

    Example:
        >>> motif = parse_pattern("x->y, y->z, x->z")
        >>> motif.pattern, motif.orbits
        ('a->b, a->c, b->c', ((0,), (1,), (2,)))
    """

    name: str
    codes: Codes
    directed: bool
    title: str = ""

    @property
    def size(self) -> int:
        """Number of nodes k."""
        return len(self.codes)

    @cached_property
    def automorphisms(self) -> tuple[tuple[int, ...], ...]:
        """The permutations of the positions that leave the pattern unchanged."""
        return tuple(p for p in permutations(range(self.size)) if permuted(self.codes, p) == self.codes)

    @cached_property
    def orbits(self) -> tuple[tuple[int, ...], ...]:
        """The orbits of the automorphism group: positions that are equivalent to each other, grouped."""
        groups = {tuple(sorted({p[i] for p in self.automorphisms})) for i in range(self.size)}
        return tuple(sorted(groups))

    @cached_property
    def key(self) -> tuple[bool, Codes]:
        """The isomorphism class: the smallest codes among all numberings of the pattern's nodes."""
        return self.directed, min(permuted(self.codes, p) for p in permutations(range(self.size)))

    @property
    def closed(self) -> bool:
        """Whether every two positions are joined."""
        return all(self.codes[i][j] for i in range(self.size) for j in range(i))

    @cached_property
    def pattern(self) -> str:
        """The pattern as text; letter number i is position i of an instance's members."""
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
        text: Edges separated by commas: ``->``, ``<-`` and ``<->`` in a directed pattern, ``-`` in an undirected one.

    Raises:
        InputError: If the text is not a pattern, mixes both kinds of edges, is not connected, or does not have 3 to 6
            nodes.

    Example:
        >>> parse_pattern("v-w, w-u") == parse_pattern("a-b, b-c")
        True
    """
    codes, directed = pattern_codes(text)
    canonical = Motif("", _readable(codes), directed)
    return Motif(canonical.pattern, canonical.codes, directed, "custom pattern")


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
    return _readable(tuple(tuple(OUT * out[i][j] + IN * out[j][i] for j in range(k)) for i in range(k)))


def pattern_codes(text: str) -> tuple[Codes, bool]:
    """Return the codes of a pattern, its letters in alphabetical order, and whether it has directions.

    Example:
        >>> pattern_codes("b->c, a->b")
        (((0, 1, 0), (2, 0, 1), (0, 2, 0)), True)
    """
    terms = _terms(text)
    if len({term.directed for term in terms}) > 1:
        raise InputError(f"motif pattern '{text}' mixes directed and undirected edges: {_HINT}")
    code_of: dict[tuple[str, str], int] = {}
    for term in terms:
        code_of[term.left, term.right] = code_of.get((term.left, term.right), 0) | term.code
        code_of[term.right, term.left] = flip(code_of[term.left, term.right])
    names = sorted({name for pair in code_of for name in pair})
    if not MIN_NODES <= len(names) <= MAX_NODES:
        raise InputError(f"motif pattern '{text}' has {len(names)} nodes; a motif has {MIN_NODES} to {MAX_NODES}")
    codes = tuple(tuple(code_of.get((i, j), 0) for j in names) for i in names)
    if not connected(codes):
        raise InputError(f"motif pattern '{text}' is not connected")
    return codes, terms[0].directed


class _Term(NamedTuple):
    """One edge of a pattern's text: the names of its ends, its code seen from the left, and whether it has an arrow."""

    left: str
    right: str
    code: int
    directed: bool


def _terms(text: str) -> list[_Term]:
    """Read the edges of a pattern."""
    terms = []
    for part in text.split(","):
        match = _EDGE.fullmatch(part)
        if match is None:
            raise InputError(f"'{part.strip()}' in motif pattern '{text}' is not an edge: {_HINT}")
        left, arrow, right = match.groups()
        if left == right:
            raise InputError(f"motif pattern '{text}' joins '{left}' with itself")
        terms.append(_Term(left, right, _ARROWS[arrow], ">" in arrow or "<" in arrow))
    return terms


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


def _readable(codes: Codes) -> Codes:
    """Number the positions so that the pattern reads forwards: as many ``->`` as possible, early letters first."""
    orders = (permuted(codes, p) for p in permutations(range(len(codes))))

    def reading(candidate: Codes) -> tuple[int, Codes]:
        backwards = sum(candidate[i][j] == IN for i in range(len(codes)) for j in range(i + 1, len(codes)))
        return backwards, tuple(tuple(-code for code in row) for row in candidate)

    return min(orders, key=reading)


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
