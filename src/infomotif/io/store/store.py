"""The graph store: a folder of memory-mapped arrays that opens in milliseconds, whatever the size of the graph."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from infomotif._core.checksums import describe_files
from infomotif._core.files import whole_folder, write_text
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.colours import Colours
from infomotif.graph.csr import CSR
from infomotif.graph.graph import Stored
from infomotif.graph.schema import Schema
from infomotif.io.adapt import as_graph
from infomotif.io.store.arrays import map_array
from infomotif.io.store.description import (
    ARRAYS,
    DESCRIPTION,
    FORMAT,
    TYPES,
    VERSION,
    WITHOUT_TYPES,
    Description,
    description_text,
    is_store,
    read_description,
)
from infomotif.io.store.replace import replaced_store
from infomotif.io.store.stamp import Stamp
from infomotif.typing import AnyPath, Array, Attributes

_WHOLE = ("int32", "int64")
MAX_NAME = 1024


def open_store(folder: AnyPath, *, verify: bool = False) -> Graph:
    """Open a graph store; its arrays are memory-mapped, so that only what is read comes into memory.

    The first opening reads everything once: checksums are compared, and no number may lead outside of its array. That
    is remembered until a file changes, so later openings take milliseconds.

    Args:
        folder: A folder that :func:`save_store` or ``infomotif convert`` wrote.
        verify: Read everything again, and also compare the edges of the two directions and the fingerprint.

    Raises:
        InputError: If the folder is not a whole graph store, was changed or damaged, or is of a later version.

    Example:
        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> save_store(Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=True), folder)
        >>> open_store(folder)
        Graph('graph', 3 nodes, 2 directed edges, no attributes, no labels)
    """
    about, graph = _described_and_mapped(Path(folder))
    stamp = Stamp.of(about)
    if verify or not stamp.is_left():
        from infomotif.io.store.check import check_arrays

        check_arrays(graph, about)
        if verify:
            from infomotif.io.store.verify import verify_graph

            verify_graph(graph, about.folder)
        stamp.leave()
    return graph


def map_store(folder: AnyPath) -> Graph:
    """Open a graph store that this process has just written, whose contents need no check.

    Raises:
        InputError: If the folder is not a whole graph store.
    """
    return _described_and_mapped(Path(folder))[1]


def _described_and_mapped(path: Path) -> tuple[Description, Graph]:
    about = read_description(path)
    while True:
        try:
            return about, _mapped(about)
        except InputError:
            # Another process may have replaced the store after its description was read.
            again = read_description(path)
            if again.digest == about.digest:
                raise
            about = again


def _mapped(description: Description) -> Graph:
    path, about = description.folder, description.values
    n, directed = about["nodes"], about["directed"]
    csr = _map_rows(path, "", n, about, weighted=about["weighted"])
    schema = None if about["schema"] is None else Schema.from_dict(about["schema"])
    stored = Stored(
        open_store,
        str(description.store.resolve()),
        about["fingerprint"],
        _map_rows(path, "reverse-", n, about) if directed else None,
        _map_rows(path, "undirected-", n, about) if directed else None,
    )
    graph = Graph(
        csr.indptr,
        csr.indices,
        directed=directed,
        weights=csr.weights,
        x=_map_attributes(path, n, about),
        y=map_array(path / "y.npy", ("int64",), (n,)) if about["labelled"] else None,
        class_names=about["class_names"],
        names=map_array(path / "names.npy", ("text",), (n,)) if about["named"] else None,
        attribute_names=about["attribute_names"],
        node_types=_map_types(path / "node-types.npy", n, about["node_type_names"]),
        edge_types=_map_types(path / "edge-types.npy", len(csr.indices), about["edge_type_names"]),
        attribute_types=None if about["attribute_types"] is None else np.array(about["attribute_types"], np.int16),
        name=about["name"],
        notes=about["notes"],
        schema=schema,
        stored=stored,
    )
    if graph.num_edges != about["edges"]:
        raise InputError(f"{path}: expected {about['edges']} edges, found {graph.num_edges}; convert the graph again")
    return graph


def save_store(graph: Any, folder: AnyPath, *, float16: bool = False, overwrite: bool = False) -> None:
    """Write a graph as a graph store, whole or not at all.

    Args:
        graph: A :class:`Graph`, a PyG ``Data`` or a NetworkX graph.
        folder: The folder to make.
        float16: Write dense attributes with 16 bits each: half the size, three digits.
        overwrite: Whether a graph store that is there already may be replaced.

    Raises:
        InputError: If the folder cannot be written or is in the way, or something cannot be stored.
    """
    graph = as_graph(graph)
    with store_folder(folder, overwrite=overwrite) as aside:
        rows = {"": graph.csr}
        if graph.directed:
            rows |= {"reverse-": graph.reverse, "undirected-": graph.undirected}
        for prefix, csr in rows.items():
            np.save(aside / f"{prefix}indptr.npy", csr.indptr)
            np.save(aside / f"{prefix}indices.npy", csr.indices)
        if graph.csr.weights is not None:
            np.save(aside / "weights.npy", graph.csr.weights)
        if graph.y is not None:
            np.save(aside / "y.npy", graph.y)
        for name, types in (("node-types", graph.node_types), ("edge-types", graph.edge_types)):
            if types is not None:
                np.save(aside / f"{name}.npy", types)
        if not graph.numbered:
            np.save(aside / "names.npy", fixed_width(graph.names.tolist()))
        x = graph.x
        if isinstance(x, np.ndarray):
            np.save(aside / "x.npy", half(x) if float16 else x)
        elif x is not None:
            for part in ("indptr", "indices", "data"):
                np.save(aside / f"x-{part}.npy", getattr(x, part))
        describe(
            aside,
            name=graph.name,
            directed=graph.directed,
            attribute_names=graph.attribute_names if graph.num_attributes else None,
            class_names=graph.class_names,
            notes=dict(graph.notes),
            schema=graph.schema,
            attributes=graph.num_attributes,
            node_type_names=graph.node_type_names,
            edge_type_names=graph.edge_type_names,
            attribute_types=graph.attribute_types,
        )


@contextlib.contextmanager
def store_folder(folder: AnyPath, *, overwrite: bool) -> Iterator[Path]:
    """Yield a folder to write a store into, which takes the place of ``folder`` when it is whole.

    Raises:
        InputError: If there is a folder already that may not be replaced, or the disk is full.
    """
    target = Path(folder)
    if is_store(target) and not overwrite:
        raise InputError(f"{target}: there is a graph store already; name another folder or replace it (--overwrite)")
    with replaced_store(target) if is_store(target) else whole_folder(target) as aside:
        yield aside


def describe(
    folder: Path,
    *,
    name: str,
    directed: bool,
    attributes: int,
    attribute_names: Any,
    class_names: Any,
    notes: dict[str, int],
    schema: Schema | None,
    node_type_names: Sequence[str] = (),
    edge_type_names: Sequence[str] = (),
    attribute_types: Array | None = None,
) -> None:
    """Write what the arrays of a folder mean, their checksums and the fingerprint; the last step of every writer."""

    def held(array: str) -> bool:
        return (folder / f"{array}.npy").exists()

    def length(array: str) -> int:
        return int(np.load(folder / f"{array}.npy", mmap_mode="r").shape[0])

    kind = np.load(folder / "x.npy", mmap_mode="r").dtype.name if held("x") else "sparse" if held("x-data") else None
    entries = {key: length(key) for key in ("indices", "reverse-indices", "undirected-indices", "x-data") if held(key)}
    about = {
        "format": FORMAT,
        "version": VERSION if node_type_names or edge_type_names else WITHOUT_TYPES,
        "name": name,
        "directed": directed,
        "nodes": length("indptr") - 1,
        "edges": entries["indices"] // (1 if directed else 2),
        "entries": entries,
        "weighted": held("weights"),
        "labelled": held("y"),
        "named": held("names"),
        "attributes": attributes,
        "attribute_kind": kind,
        "attribute_names": None if attribute_names is None else list(attribute_names),
        "class_names": list(class_names),
        "notes": {key: int(count) for key, count in notes.items() if count},
        "schema": None if schema is None else schema.to_dict(),
        "node_type_names": list(node_type_names),
        "edge_type_names": list(edge_type_names),
        "attribute_types": None if attribute_types is None else attribute_types.tolist(),
        "fingerprint": "",
    }
    about["files"] = _checksums(folder, [f"{name}.npy" for name in ARRAYS if held(name)])
    about["fingerprint"] = _mapped(Description(folder, about, "")).replace().fingerprint()
    # Stores of graphs without types are those of before there were any.
    write_text(folder / DESCRIPTION, description_text({k: v for k, v in about.items() if k not in TYPES or v}))


def _checksums(folder: Path, names: list[str]) -> dict[str, Any]:
    from infomotif._core.parallel import parallel_calls

    parts = parallel_calls([partial(describe_files, folder, [name]) for name in names])
    return {name: values for part in parts for name, values in part.items()}


def half(x: Array) -> Array:
    """Return attributes with 16 bits each.

    Raises:
        InputError: If one is too large for that.
    """
    with np.errstate(over="ignore"):
        small = x.astype(np.float16)
    if not np.isfinite(small).all():
        raise InputError("float16 holds values up to 65504; scale the attributes or leave float16 out")
    return small


def fixed_width(names: list[str], width: int = 1) -> Array:
    """Return names as an array that can be memory-mapped, at least ``width`` characters wide.

    Raises:
        InputError: If a name is too long, or ends in a NUL, which such an array loses.
    """
    for name in names:
        if len(name) > MAX_NAME or name.endswith("\0"):
            raise InputError(f"node names in a store have at most {MAX_NAME} characters and no NUL at the end "
                             f"(got '{name[:40]}...'); shorten it")  # fmt: skip
    return np.array(names, dtype=f"U{max([width, *map(len, names)])}")


def _map_rows(folder: Path, prefix: str, n: int, about: dict[str, Any], *, weighted: bool = False) -> CSR:
    m = about["entries"].get(f"{prefix}indices", -1)
    indptr = map_array(folder / f"{prefix}indptr.npy", _WHOLE, (n + 1,))
    indices = map_array(folder / f"{prefix}indices.npy", _WHOLE, (m,))
    weights = map_array(folder / "weights.npy", ("float32",), (m,)) if weighted else None
    _check_pointers(folder / f"{prefix}indptr.npy", indptr, m)
    return CSR(indptr, indices, weights)


def _map_types(path: Path, count: int, names: Sequence[str]) -> Colours | None:
    return Colours(map_array(path, ("uint8",), (count,)), tuple(names)) if names else None


def _map_attributes(folder: Path, n: int, about: dict[str, Any]) -> Attributes | None:
    kind, count = about["attribute_kind"], about["attributes"]
    if kind is None:
        return None
    if kind != "sparse":
        return map_array(folder / "x.npy", ("float32", "float16"), (n, count))
    entries = about["entries"].get("x-data", -1)
    data = map_array(folder / "x-data.npy", ("float32",), (entries,))
    indices = map_array(folder / "x-indices.npy", _WHOLE, (entries,))
    indptr = map_array(folder / "x-indptr.npy", _WHOLE, (n + 1,))
    _check_pointers(folder / "x-indptr.npy", indptr, entries)
    if indices.dtype != indptr.dtype:
        raise InputError(f"{folder}: x-indices and x-indptr must have one type; convert the graph again")
    # The usual constructor reads all column numbers to check them.
    matrix = sp.csr_array((n, count), dtype=np.float32)
    matrix.data, matrix.indices, matrix.indptr = data, indices, indptr
    return matrix


def _check_pointers(path: Path, indptr: Array, entries: int) -> None:
    if int(indptr[0]) != 0 or int(indptr[-1]) != entries:
        raise InputError(f"{path}: must run from 0 to {entries}; convert the graph again")
