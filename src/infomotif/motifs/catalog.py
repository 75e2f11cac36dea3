"""The catalog of named motifs and motif sets: network motifs, the triad census, graphlets. Patterns are data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

from infomotif.errors import InputError, unknown_name
from infomotif.motifs.pattern import Motif, check_codes, digraph_codes, parse_pattern, pattern_codes

_PATTERNS_OF_SET = {
    "directed": (
        ("M1", "chain", "a->b, b->c"),
        ("M2", "out-star", "a->b, a->c"),
        ("M3", "in-star", "a->c, b->c"),
        ("M4", "feed-forward", "a->b, b->c, a->c"),
        ("M5", "cycle", "a->b, b->c, c->a"),
    ),
    "undirected": (
        ("M6", "wedge", "a-b, a-c"),
        ("M7", "triangle", "a-b, b-c, a-c"),
    ),
    "triads": (
        ("021D", "out-star", "a->b, a->c"),
        ("021U", "in-star", "a->c, b->c"),
        ("021C", "chain", "a->b, b->c"),
        ("111D", "mutual pair with an in-edge", "a<->b, c->b"),
        ("111U", "mutual pair with an out-edge", "a<->b, b->c"),
        ("030T", "feed-forward", "a->b, b->c, a->c"),
        ("030C", "cycle", "a->b, b->c, c->a"),
        ("201", "two mutual pairs", "a<->b, a<->c"),
        ("120D", "mutual pair with a common source", "a->b, a->c, b<->c"),
        ("120U", "mutual pair with a common target", "a<->b, a->c, b->c"),
        ("120C", "mutual pair with a chain", "a->b, b->c, a<->c"),
        ("210", "two mutual pairs and an edge", "a<->b, b<->c, a->c"),
        ("300", "three mutual pairs", "a<->b, b<->c, a<->c"),
    ),
    "graphlets4": (
        ("path4", "path of four", "a-b, b-c, c-d"),
        ("star4", "star with three leaves", "a-b, a-c, a-d"),
        ("cycle4", "cycle of four", "a-b, b-c, c-d, a-d"),
        ("paw", "triangle with a tail", "a-b, a-c, a-d, b-c"),
        ("diamond", "two triangles on an edge", "a-b, a-c, a-d, b-c, b-d"),
        ("clique4", "clique of four", "a-b, a-c, a-d, b-c, b-d, c-d"),
    ),
}

# The smallest sum of 2^(4 i + j) over the edges i -> j of each connected digraph of four nodes.
_DIGRAPHS4 = """
14 28 30 74 76 78 90 92 94 204 206 222 280 282 286 328 330 332 334 344 346 348 350 390 392 394 396 398 404
406 408 410 412 414 454 456 458 460 462 468 470 472 474 476 478 856 858 862 904 906 908 910 922 924 926 972
974 990 2184 2186 2190 2202 2204 2206 2252 2254 2270 2458 2462 2506 2510 2524 2526 3038 4370 4374 4382 4418
4420 4422 4424 4426 4428 4430 4434 4436 4438 4440 4442 4444 4446 4546 4548 4550 4556 4558 4562 4564 4566
4572 4574 4678 4682 4686 4692 4694 4698 4700 4702 4740 4742 4748 4750 4758 4764 4766 4812 4814 4830 4946
4950 4952 4954 4958 4994 4998 5002 5004 5006 5010 5012 5014 5016 5018 5020 5022 5058 5062 5064 5066 5068
5070 5074 5076 5078 5080 5082 5084 5086 6342 6348 6350 6356 6358 6364 6366 6550 6552 6554 6558 6598 6602
6604 6606 6614 6616 6618 6620 6622 6854 6858 6862 6870 6874 6876 6878 7126 7128 7130 7134 13142 13146 13148
13150 13260 13262 13278 14678 14686 14790 14798 14810 14812 14814 15258 15262 15310 15326 31710
"""
_TITLES_OF_DIGRAPHS = {14: "out-star", 204: "bi-fan", 328: "chain", 904: "bi-parallel", 2184: "in-star", 4740: "cycle"}
_SHAPES_BY_DEGREE: dict[tuple[int, ...], str] = {
    (1, 1, 2, 2): "path",
    (1, 1, 1, 3): "star",
    (2, 2, 2, 2): "cycle",
    (1, 2, 2, 3): "paw",
    (2, 2, 3, 3): "diamond",
    (3, 3, 3, 3): "clique",
}

SETS: dict[str, tuple[str, ...]] = {
    **{name: tuple(motif for motif, _, _ in patterns) for name, patterns in _PATTERNS_OF_SET.items()},
    "digraphs4": tuple(f"D{number}" for number in _DIGRAPHS4.split()),
}
"""The motif sets by name, each with the names of its motifs."""
DATA_SETS = {
    "typed": "all motifs of three nodes with types that occur, the 30 most frequent",
    "signed": "wedges and triangles with signs, those with directions if they occur",
}
"""The sets whose motifs follow from the types or signs of a graph, and what they hold."""


@cache
def catalog() -> dict[str, Motif]:
    """Return the named motifs by name, without the 199 of the set "digraphs4", which :func:`get_motif` knows.

    Where a pattern has two names, as M4 and the triad 030T, the first is the one that :func:`get_motif` returns.

    Example:
        >>> catalog()["M4"].title
        'feed-forward'
    """
    patterns = [pattern for group in _PATTERNS_OF_SET.values() for pattern in group]
    return {name: Motif(name, *pattern_codes(text), title) for name, title, text in patterns}


@cache
def digraph(number: int) -> Motif:
    """Return the connected digraph of four nodes with this number in the set "digraphs4".

    Its name is "D" and the number, which is the smallest sum of 2^(4 i + j) over the edges i -> j: the number that
    mfinder gives it, so that the bi-fan is D204.

    Example:
        >>> digraph(904).title, digraph(904).pattern
        ('bi-parallel', 'a->b, a->c, b->d, c->d')
    """
    codes = digraph_codes(number, 4)
    shape = _SHAPES_BY_DEGREE[tuple(sorted(sum(map(bool, row)) for row in codes))]
    return Motif(f"D{number}", codes, True, _TITLES_OF_DIGRAPHS.get(number, f"directed {shape}"))


def get_motif(text: str) -> Motif:
    """Return the motif with this name, or the one that this pattern describes.

    A pattern that :func:`catalog` knows under a name is that catalog entry, whatever its letters.

    Args:
        text: A name of a set (upper or lower case) or a pattern such as ``"a->b, b->c, a->c"``.

    Raises:
        InputError: If it is neither.

    Example:
        >>> get_motif("z->x, x->y, z->y").name
        'M4'
    """
    wanted = text.strip()
    by_name = {name.lower(): motif for name, motif in catalog().items()}
    if wanted.lower() in by_name:
        return by_name[wanted.lower()]
    if wanted.upper() in SETS["digraphs4"]:
        return digraph(int(wanted[1:]))
    if "-" not in text:
        raise unknown_name("motif", text, [*catalog(), *SETS, *DATA_SETS])
    motif = parse_pattern(text)
    return next((known for known in catalog().values() if known == motif), motif)


def select_motifs(
    motifs: str | Iterable[str | Motif], *, directed: bool, data_set: Callable[[str], Iterable[Motif]] | None = None
) -> tuple[Motif, ...]:
    """Return the motifs that a ``motifs`` argument names.

    Args:
        motifs: "auto", a set of :data:`SETS` or :data:`DATA_SETS`, a name or pattern, or a list of these and of motifs.
            "auto" is the set "directed" for a directed graph and "undirected" for an undirected one.
        directed: Whether the graph's edges have a direction.
        data_set: Gives the motifs of a set that follows from the data; None refuses such sets.

    Raises:
        InputError: If a name is unknown, a motif occurs twice, or a directed motif is chosen for an undirected graph.

    Example:
        >>> [motif.name for motif in select_motifs("auto", directed=False)]
        ['M6', 'M7']
    """
    chosen: list[Motif] = []
    from_data = False
    for item in motifs if isinstance(motifs, Iterable) and not isinstance(motifs, str) else [motifs]:
        if isinstance(item, Motif):
            check_codes(item)
            known = next((m for m in catalog().values() if m == item), item)
            chosen.append(replace(item, codes=known.codes))
            continue
        if not isinstance(item, str):
            raise InputError(f"motifs must be a set, names, patterns or motifs (got {type(item).__name__})")
        name = ("directed" if directed else "undirected") if item == "auto" else item
        if name in DATA_SETS:
            if data_set is None:
                raise InputError(f"the motif set '{name}' follows from a graph: give a MotifIndex of it, or patterns")
            chosen += data_set(name)
            from_data = True
            continue
        chosen += [_member(name, n) for n in SETS[name]] if name in SETS else [get_motif(name)]
    if not chosen and not from_data:
        raise InputError(f"motifs must name at least one motif; sets: auto, {', '.join((*SETS, *DATA_SETS))}")
    seen: set[Motif] = set()
    for motif in chosen:
        if motif in seen:
            raise InputError(f"motifs names '{motif.name}' ({motif.pattern}) twice")
        seen.add(motif)
        if motif.directed and not directed:
            raise InputError(
                f"motif '{motif.name}' ({motif.pattern}) has directions but the graph has none; "
                f"use motifs={' or '.join(map(repr, _undirected_sets()))}"
            )
    return tuple(chosen)


def _member(name: str, motif: str) -> Motif:
    return digraph(int(motif[1:])) if name == "digraphs4" else catalog()[motif]


def _undirected_sets() -> list[str]:
    return [name for name, members in SETS.items() if not any(get_motif(member).directed for member in members)]
