"""The catalog of named motifs and motif sets: network motifs, the triad census, graphlets. Patterns are data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from infomotif.errors import InputError, unknown_name
from infomotif.motifs.pattern import Motif, check_codes, parse_pattern, pattern_codes

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

SETS: dict[str, tuple[str, ...]] = {
    name: tuple(motif for motif, _, _ in patterns) for name, patterns in _PATTERNS_OF_SET.items()
}
"""The motif sets by name, each with the names of its motifs."""


@cache
def catalog() -> dict[str, Motif]:
    """Return all named motifs by name.

    Where a pattern has two names, as M4 and the triad 030T, the first is the one that :func:`get_motif` returns.

    Example:
        >>> catalog()["M4"].title
        'feed-forward'
    """
    patterns = [pattern for group in _PATTERNS_OF_SET.values() for pattern in group]
    return {name: Motif(name, *pattern_codes(text), title) for name, title, text in patterns}


def get_motif(text: str) -> Motif:
    """Return the motif with this name, or the one that this pattern describes.

    A pattern that the catalog knows under a name is that catalog entry, whatever its letters.

    Args:
        text: A name of the catalog (upper or lower case) or a pattern such as ``"a->b, b->c, a->c"``.

    Raises:
        InputError: If it is neither.

    Example:
        >>> get_motif("z->x, x->y, z->y").name
        'M4'
    """
    by_name = {name.lower(): motif for name, motif in catalog().items()}
    if text.strip().lower() in by_name:
        return by_name[text.strip().lower()]
    if "-" not in text:
        raise unknown_name("motif", text, [*catalog(), *SETS])
    motif = parse_pattern(text)
    return next((known for known in catalog().values() if known == motif), motif)


def select_motifs(motifs: str | Iterable[str | Motif], *, directed: bool) -> tuple[Motif, ...]:
    """Return the motifs that a ``motifs`` argument names.

    Args:
        motifs: "auto", a set of :data:`SETS`, a name or pattern, or a list of these and of motifs. "auto" is the set
            "directed" for a directed graph and "undirected" for an undirected one.
        directed: Whether the graph's edges have a direction.

    Raises:
        InputError: If a name is unknown, a motif occurs twice, or a directed motif is chosen for an undirected graph.

    Example:
        >>> [motif.name for motif in select_motifs("auto", directed=False)]
        ['M6', 'M7']
    """
    chosen: list[Motif] = []
    for item in motifs if isinstance(motifs, Iterable) and not isinstance(motifs, str) else [motifs]:
        if isinstance(item, Motif):
            check_codes(item)
            known = next((m for m in catalog().values() if m == item), item)
            chosen.append(replace(item, codes=known.codes))
            continue
        if not isinstance(item, str):
            raise InputError(f"motifs must be a set, names, patterns or motifs (got {type(item).__name__})")
        name = ("directed" if directed else "undirected") if item == "auto" else item
        chosen += [catalog()[n] for n in SETS[name]] if name in SETS else [get_motif(name)]
    if not chosen:
        raise InputError(f"motifs must name at least one motif; sets: auto, {', '.join(SETS)}")
    for i, motif in enumerate(chosen):
        if motif in chosen[:i]:
            raise InputError(f"motifs names '{motif.name}' ({motif.pattern}) twice")
        if motif.directed and not directed:
            raise InputError(
                f"motif '{motif.name}' ({motif.pattern}) has directions but the graph has none; "
                f"use motifs={' or '.join(map(repr, _undirected_sets()))}"
            )
    return tuple(chosen)


def _undirected_sets() -> list[str]:
    return [name for name, members in SETS.items() if not any(catalog()[member].directed for member in members)]
