"""Random graphs for the round trips."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from hypothesis import strategies as st

from infomotif.graph import Graph
from infomotif.io.tables.labels import in_order, known_label

_UGLY = [
    "NA",
    "nan",
    "null",
    "None",
    "007",
    "1e5",
    " a",
    "a b",
    'say "hi"',
    "x,y",
    "x;y",
    "tab\tbed",
    "two\nlines",
    "ü€漢",
]
any_text = st.one_of(
    st.sampled_from(_UGLY),
    st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff"), min_size=1, max_size=6),
)
plain_text = st.text("abcxyz0123456789_-", min_size=1, max_size=6)
numbers = st.one_of(
    st.integers(-3, 3).map(float), st.floats(width=32, allow_nan=False, min_value=-(2.0**90), max_value=2.0**90)
)


@st.composite
def graphs(
    draw: st.DrawFn,
    *,
    texts: st.SearchStrategy[str] = any_text,
    attributes: bool = True,
    lone_nodes: bool = True,
    ordered_classes: bool = True,
) -> Graph:
    """Draw a small graph with any mixture of directions, weights, labels, attributes and odd names."""
    n = draw(st.integers(1 if lone_nodes else 2, 7))
    names = draw(st.lists(texts, min_size=n, max_size=n, unique=True))
    pairs = [(u, v) for u in range(n) for v in range(n) if u != v]
    edges = draw(st.lists(st.sampled_from(pairs), max_size=12)) if pairs else []
    if not lone_nodes:
        edges += [(v, (v + 1) % n) for v in range(n)]
        names = in_order(names)
    weights = draw(st.none() | st.lists(numbers, min_size=len(edges), max_size=len(edges))) if edges else None
    y, classes = None, None
    if draw(st.booleans()):
        classes = draw(st.lists(texts.filter(known_label), min_size=1, max_size=3, unique=True))
        y = np.array(draw(st.lists(st.integers(-1, len(classes) - 1), min_size=n, max_size=n)))
        if ordered_classes:
            used = in_order(classes[c] for c in set(y.tolist()) if c >= 0)
            y = np.array([-1 if c < 0 else used.index(classes[c]) for c in y])
            classes = used
            y, classes = (y, classes) if classes else (None, None)
    x, columns = None, None
    if attributes and draw(st.booleans()):
        columns = draw(st.lists(texts.filter(lambda t: t not in ("id", "label")), min_size=1, max_size=3, unique=True))
        x = np.array(draw(st.lists(numbers, min_size=n * len(columns), max_size=n * len(columns)))).reshape(n, -1)
        x = sp.csr_array(x) if draw(st.booleans()) else x
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    graph = Graph.from_edges(
        ends[:, 0], ends[:, 1], num_nodes=n, directed=draw(st.booleans()), weights=weights, x=x, y=y,
        class_names=classes, names=names, attribute_names=columns, name="drawn",
    )  # fmt: skip
    return graph.replace(notes={})


_TYPES = ["author", "paper", "ü type", "x,y", "10", "9"]


@st.composite
def coloured_graphs(draw: st.DrawFn) -> Graph:
    """Draw a small graph with node types, edge types or signs, or several of these."""
    n = draw(st.integers(2, 7))
    directed = draw(st.booleans())
    pairs = [(u, v) for u in range(n) for v in range(n) if u != v and (directed or u < v)]
    edges = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=12, unique=True))
    kinds = draw(st.sampled_from(["node", "edge", "sign", "node and edge", "node and sign"]))
    colours: dict[str, object] = {}
    if "node" in kinds:
        names = in_order(draw(st.lists(st.sampled_from(_TYPES), min_size=1, max_size=4, unique=True)))
        drawn = draw(st.lists(st.sampled_from(names), min_size=n, max_size=n))
        colours |= {"node_types": drawn, "node_type_names": in_order(set(drawn))}
    if "edge" in kinds or "sign" in kinds:
        known = ["+", "-"] if "sign" in kinds else _TYPES
        drawn = draw(st.lists(st.sampled_from(known), min_size=len(edges), max_size=len(edges)))
        colours |= {"edge_types": drawn, "edge_type_names": known if "sign" in kinds else in_order(set(drawn))}
    ends = np.array(edges)
    weights = draw(st.none() | st.lists(numbers, min_size=len(edges), max_size=len(edges)))
    graph = Graph.from_edges(
        ends[:, 0], ends[:, 1], num_nodes=n, directed=directed, weights=weights, name="drawn",
        names=[f"n{i}" for i in range(n)], **colours,
    )  # fmt: skip
    return graph.replace(notes={})


def reading(graph: Graph) -> dict[str, str]:
    """Return the options that read the types of a graph that was written."""
    options = {} if graph.node_types is None else {"node_type": "type"}
    return (
        options
        if graph.edge_types is None
        else options | {"sign" if graph.signed else "edge_type": "sign" if graph.signed else "type"}
    )


def assert_same(a: Graph, b: Graph) -> None:
    """Say whether two graphs hold the same."""
    assert a.fingerprint() == b.fingerprint()
    assert a.names.tolist() == b.names.tolist()
    assert a.attribute_names == b.attribute_names
    assert a.class_names == b.class_names
    assert dict(a.notes) == dict(b.notes)
