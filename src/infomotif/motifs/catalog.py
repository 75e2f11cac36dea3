"""The catalog: patterns are data; names, sets and own patterns become motifs here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from infomotif.errors import InputError, unknown_name
from infomotif.motifs.pattern import Motif, check_codes, parse_pattern, pattern_codes

_PATTERNS = (
    ("M1", "chain", "a->b, b->c"),
    ("M2", "out-star", "a->b, a->c"),
    ("M3", "in-star", "a->c, b->c"),
    ("M4", "feed-forward", "a->b, b->c, a->c"),
    ("M5", "cycle", "a->b, b->c, c->a"),
    ("M6", "wedge", "a-b, a-c"),
    ("M7", "triangle", "a-b, b-c, a-c"),
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
    ("path4", "path of four", "a-b, b-c, c-d"),
    ("star4", "star with three leaves", "a-b, a-c, a-d"),
    ("cycle4", "cycle of four", "a-b, b-c, c-d, a-d"),
    ("paw", "triangle with a tail", "a-b, a-c, a-d, b-c"),
    ("diamond", "two triangles on an edge", "a-b, a-c, a-d, b-c, b-d"),
    ("clique4", "clique of four", "a-b, a-c, a-d, b-c, b-d, c-d"),
)

SETS: dict[str, tuple[str, ...]] = {
    "directed": ("M1", "M2", "M3", "M4", "M5"),
    "undirected": ("M6", "M7"),
    "triads": tuple(name for name, _, _ in _PATTERNS[7:20]),
    "graphlets4": tuple(name for name, _, _ in _PATTERNS[20:]),
}


@cache
def catalog() -> dict[str, Motif]:
    """Return every motif with a name.

    Example:
        >>> catalog()["M4"].title
        'feed-forward'
    """
    return {name: Motif(name, *pattern_codes(text), title) for name, title, text in _PATTERNS}


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
    """Return the motifs that a ``motifs`` argument asks for.

    Args:
        motifs: "auto", a set ("directed", "undirected", "triads", "graphlets4"), a name or pattern, or a list of these
            and of motifs. "auto" is "directed" for a directed graph and "undirected" for another.
        directed: Whether the graph's edges have a direction.

    Raises:
        InputError: If a name is unknown, a motif occurs twice, or a directed motif is asked of an undirected graph.

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
    for place, motif in enumerate(chosen):
        if motif in chosen[:place]:
            raise InputError(f"motifs names '{motif.name}' ({motif.pattern}) twice")
        if motif.directed and not directed:
            raise InputError(
                f"motif '{motif.name}' ({motif.pattern}) has directions but the graph has none; "
                "use motifs='undirected' or 'graphlets4'"
            )
    return tuple(chosen)
