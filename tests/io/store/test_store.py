"""The graph store: every kind of graph comes back the same, mapped; a store that is not whole is refused."""

from __future__ import annotations

import json
import mmap
import os
import pickle
import shutil
import tempfile
import time
from multiprocessing import Pipe
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings

from infomotif._core.checksums import describe_files, sealed_json
from infomotif._core.locks import in_use
from infomotif.doctor import examine
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.neighbourhoods import attribute_diversity
from infomotif.io import is_store, open_store, save_store, write_csv, write_graphml
from infomotif.io.store import check
from infomotif.io.store.description import description_text, read_description
from infomotif.io.store.kernels import is_union
from infomotif.io.store.stamp import Stamp
from infomotif.motifs import MotifIndex
from infomotif.typing import Array
from tests.io.strategies import assert_same, graphs


@settings(deadline=None, max_examples=30)
@given(graphs(ordered_classes=False))
def test_any_graph_comes_back_the_same(graph: Graph) -> None:
    with tempfile.TemporaryDirectory() as folder:
        save_store(graph, folder)
        back = open_store(folder, verify=True)
        assert_same(graph, back)
        assert (back.schema, back.name) == (graph.schema, graph.name)
        assert sp.issparse(back.x) == sp.issparse(graph.x)
        for kind in ("csr", "reverse", "undirected"):
            for one, other in zip(getattr(graph, kind), getattr(back, kind), strict=True):
                assert (one is None and other is None) or np.array_equal(one, other)


def made(**fields: object) -> Graph:
    rng = np.random.default_rng(0)
    source, target = rng.integers(0, 40, (2, 200))
    given = {"num_nodes": 40, "directed": True, "x": rng.normal(size=(40, 5)), "y": rng.integers(0, 3, 40)}
    return Graph.from_edges(source, target, **(given | fields))  # type: ignore[arg-type]


def owner(values: Array) -> object:
    base: object = values
    while isinstance(base, np.ndarray) and base.base is not None:
        base = base.base
    return base


def test_every_array_is_mapped(tmp_path: Path) -> None:
    names, weights = [f"n{v}" for v in range(40)], np.ones(200)
    for number, x in enumerate([np.ones((40, 5)), sp.eye_array(40).tocsr()]):
        save_store(made(names=names, weights=weights, x=x), tmp_path / str(number))
        graph = open_store(tmp_path / str(number))
        parts = [graph.x] if isinstance(graph.x, np.ndarray) else [graph.x.data, graph.x.indices, graph.x.indptr]
        arrays = [*graph.csr, *graph.reverse[:2], *graph.undirected[:2], graph.y, graph.names, *parts]
        assert all(isinstance(owner(values), mmap.mmap) for values in arrays)
        kept = graph.replace(y=None)
        assert kept.undirected is graph.undirected


def test_only_the_folder_travels_between_processes(tmp_path: Path) -> None:
    save_store(made(), tmp_path / "store")
    graph = open_store(tmp_path / "store")
    here, there = Pipe()
    here.send(graph)
    assert_same(graph, there.recv())
    here.send(graph)
    assert len(there.recv_bytes()) < 500


def test_half_precision_halves_the_attributes(tmp_path: Path) -> None:
    graph = made()
    save_store(graph, tmp_path / "store", float16=True)
    back = open_store(tmp_path / "store", verify=True)
    assert back.x is not None
    assert back.x.dtype == np.float16
    assert np.array_equal(back.x, graph.x.astype(np.float16))
    with pytest.raises(InputError, match="float16 holds values up to 65504"):
        save_store(made(x=np.full((40, 1), 1e6)), tmp_path / "large", float16=True)
    # What needs a sparse matrix takes them too.
    assert examine(back).findings
    write_csv(back, tmp_path / "edges.csv", tmp_path / "nodes.csv")
    write_graphml(back, tmp_path / "graph.graphml")
    assert back.to_networkx().number_of_nodes() == 40
    assert len(attribute_diversity(back)) == 40


def test_nodes_named_by_number_need_no_names(tmp_path: Path) -> None:
    save_store(made(), tmp_path / "store")
    assert not (tmp_path / "store" / "names.npy").exists()
    graph = open_store(tmp_path / "store")
    assert (graph.index_of("7"), str(graph.names_of(7))) == (7, "7")
    for wrong in ("07", "40", "-1", "x", "٣"):
        with pytest.raises(InputError, match="no node is named"):
            graph.index_of(wrong)


def test_a_store_is_mined_as_the_graph_is(tmp_path: Path) -> None:
    graph = made()
    save_store(graph, tmp_path / "store")
    ours, theirs = MotifIndex(graph), MotifIndex(open_store(tmp_path / "store"))
    assert np.array_equal(ours.orbit_counts, theirs.orbit_counts)
    for a, b in zip(*(i.sample(None, 3, np.random.default_rng(1)) for i in (ours, theirs)), strict=True):
        assert np.array_equal(a.members, b.members)


def test_a_folder_in_the_way_is_kept(tmp_path: Path) -> None:
    save_store(made(), tmp_path / "store")
    with pytest.raises(InputError, match="there is a graph store already"):
        save_store(made(directed=False), tmp_path / "store")
    save_store(made(directed=False), tmp_path / "store", overwrite=True)
    assert not open_store(tmp_path / "store").directed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["store"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work.txt").write_text("mine")
    with pytest.raises(InputError, match="the folder is not empty"):
        save_store(made(), tmp_path / "mine", overwrite=True)


@pytest.mark.parametrize("name", ["x" * 1025, "nul\0"])
def test_names_that_cannot_be_stored_are_refused(tmp_path: Path, name: str) -> None:
    graph = Graph.from_edges([0], [1], num_nodes=2, directed=True, names=["a", name])
    with pytest.raises(InputError, match="at most 1024 characters and no NUL"):
        save_store(graph, tmp_path / "store")
    assert list(tmp_path.iterdir()) == []


def broken(folder: Path, change: object) -> Path:
    save_store(made(names=[f"n{v}" for v in range(40)]), folder)
    change(folder)  # type: ignore[operator]
    return folder


def edited(**values: object):
    """Change the description, with the right checksum, as somebody hostile would."""

    def change(folder: Path) -> None:
        path = folder / "graph.json"
        path.write_text(description_text(json.loads(path.read_text()) | values))

    return change


def resealed(folder: Path) -> None:
    """Give the arrays of a store the right checksums, as somebody hostile would."""
    edited(files=describe_files(folder, [path.name for path in folder.glob("*.npy")]))(folder)


def without(key: str):
    def change(folder: Path) -> None:
        about = json.loads((folder / "graph.json").read_text())
        del about[key]
        (folder / "graph.json").write_text(description_text(about))

    return change


def array(name: str, values: Array):
    return lambda folder: np.save(folder / f"{name}.npy", values, allow_pickle=True)


def cut(name: str, left: int):
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:left])


HOSTILE = {
    "no description": (lambda folder: (folder / "graph.json").unlink(), "not a graph store"),
    "half a description": (cut("graph.json", 40), "cannot be read"),
    "another description": (lambda folder: (folder / "graph.json").write_text("[]"), "does not describe"),
    "from the future": (edited(version=4), "version 4, this infomotif reads up to 3; update it"),
    "version in words": (edited(version="one"), "does not describe"),
    "no directions": (edited(directed="yes"), "'directed' is missing or of the wrong kind"),
    "names are numbers": (edited(class_names=[1, 2]), "names must be text"),
    "fewer than no nodes": (edited(nodes=-1), "counts whole numbers"),
    "other counts": (edited(nodes=39), r"must have the shape \(40,\)"),
    "other entries": (edited(entries={"indices": 10**15}), "must have the shape"),
    "other edges": (edited(edges=7), "expected 7 edges"),
    "types of numbers": (edited(node_type_names=[1]), "must be text"),
    "types of attributes": (edited(attribute_types=[0]), "'attribute_types' must number node types"),
    "no key": (without("schema"), "'schema' is missing"),
    "no files": (without("files"), "'files' is missing"),
    "arrays elsewhere": (edited(arrays="../../etc"), "'arrays' must name a folder of this store"),
    "no schema": (edited(schema={"columns": 3}), "not a column schema"),
    "missing array": (lambda folder: (folder / "undirected-indices.npy").unlink(), "no such file"),
    "cut array": (cut("indices.npy", 300), "not a whole array file"),
    "cut header": (cut("x.npy", 20), "not a whole array file"),
    "empty file": (cut("y.npy", 0), "not a whole array file"),
    "objects": (array("names", np.array([object()] * 40)), "not a whole array file"),
    "text for labels": (array("y", np.array(["a"] * 40)), "must hold int64"),
    "turned attributes": (array("x", np.ones((5, 40), np.float32)), "must have the shape"),
    "double attributes": (array("x", np.ones((40, 5))), "must hold float32 or float16"),
    "other byte order": (array("y", np.zeros(40, ">i8")), "must hold int64"),
    "other pointers": (array("indptr", np.zeros(41, np.int32)), "must run from 0"),
    "an archive": (lambda folder: (folder / "y.npy").write_bytes(b"PK\x03\x04" + bytes(60)), "not a"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_store_that_is_not_whole_is_refused(name: str, tmp_path: Path) -> None:
    change, message = HOSTILE[name]
    with pytest.raises(InputError, match=message):
        open_store(broken(tmp_path / "store", change))


def changed(name: str, at: object, value: object):
    """Change values; None moves a first neighbour down to the smallest number that it can have."""

    def change(folder: Path) -> None:
        values = np.load(folder / f"{name}.npy")
        values[at] = (0 if values[at] else 1) if value is None else value
        np.save(folder / f"{name}.npy", values)
        resealed(folder)

    return change


def changed_letter(code: int):
    def change(folder: Path) -> None:
        values = np.load(folder / "names.npy")
        values.view(np.uint32)[0] = code
        np.save(folder / "names.npy", values)
        resealed(folder)

    return change


WRONG = {
    "far neighbour": (changed("indices", 3, 10**6), r"indices.npy: numbers must lie in 0..39"),
    "negative neighbour": (changed("undirected-indices", 3, -5), "undirected-indices.npy: numbers must lie"),
    "rows in disorder": (changed("reverse-indices", slice(0, 2), 39), "reverse-indices.npy: rows must ascend"),
    "falling pointers": (changed("indptr", 3, 10**4), "indptr.npy: row pointers must not fall"),
    "pointers below 0": (changed("reverse-indptr", 3, -(10**4)), "reverse-indptr.npy: row pointers must not fall"),
    "no letter": (changed_letter(0x110000), "names.npy: names must be text"),
    "half a letter": (changed_letter(0xD800), "names.npy: names must be text"),
    "the same name twice": (changed("names", 0, "n1"), "names.npy: two nodes have one name"),
    "strange label": (changed("y", 0, 3), "labels must lie in -1..2"),
    "no number": (changed("x", (0, 0), np.nan), "x.npy: must hold finite numbers"),
    "an edge that does not come back": (changed("reverse-indices", 0, None), "reverse-indices.npy: holds other edges"),
    "a neighbour of neither direction": (changed("undirected-indices", 0, None), "undirected-indices.npy: lacks edges"),
    "another value": (changed("x", (0, 0), 0.5), "the fingerprint is not that of the arrays"),
}


@pytest.mark.parametrize("name", WRONG)
def test_verifying_reads_every_number(name: str, tmp_path: Path) -> None:
    change, message = WRONG[name]
    with pytest.raises(InputError, match=message):
        open_store(broken(tmp_path / "store", change), verify=True)


def test_what_is_no_store(tmp_path: Path) -> None:
    assert not is_store(tmp_path)
    with pytest.raises(InputError, match="not a graph store"):
        open_store(tmp_path / "absent")


def test_graphs_of_other_libraries_are_stored_too(tmp_path: Path) -> None:
    save_store(nx.path_graph(3), tmp_path / "path")
    assert open_store(tmp_path / "path").num_edges == 2
    with pytest.raises(InputError, match="graph must be"):
        save_store("karate", tmp_path / "text")
    assert not (tmp_path / "text").exists()


def flipped(path: Path, bit: int) -> None:
    data = bytearray(path.read_bytes())
    data[bit // 8] ^= 1 << (bit % 8)
    path.write_bytes(data)


def test_a_flipped_bit_anywhere_is_refused_with_the_name_of_the_file(tmp_path: Path) -> None:
    weights, names = np.ones(200), [f"n{v}" for v in range(40)]
    rng = np.random.default_rng(0)
    for number, x in enumerate([np.ones((40, 5)), sp.eye_array(40).tocsr()]):
        store = tmp_path / str(number)
        save_store(made(names=names, weights=weights, x=x), store)
        open_store(store)
        for path in [path for path in store.iterdir() if path.name != ".checked"]:
            whole = path.read_bytes()
            for bit in rng.choice(8 * len(whole), 12, replace=False):
                flipped(path, int(bit))
                with pytest.raises(InputError, match=path.name) as caught:
                    open_store(store)
                assert "\n" not in str(caught.value)
                path.write_bytes(whole)


def test_a_store_of_the_version_before_opens_and_its_numbers_are_checked(tmp_path: Path) -> None:
    graph = made(names=[f"n{v}" for v in range(40)])
    save_store(graph, tmp_path / "store")
    description = tmp_path / "store" / "graph.json"
    about = json.loads(description.read_text()) | {"version": 1}
    del about["files"], about["checksum"]
    description.write_text(json.dumps(about))
    assert_same(graph, open_store(tmp_path / "store", verify=True))
    indptr = tmp_path / "store" / "undirected-indptr.npy"
    flipped(indptr, 8 * (indptr.stat().st_size - 6) + 6)
    with pytest.raises(InputError, match="undirected-indptr.npy: (row pointers must not fall|must run from 0)"):
        open_store(tmp_path / "store")


def settled(store: Path) -> None:
    """Let the files of a store be as old as those of stores usually are."""
    time.sleep(0.11)
    open_store(store)


def test_a_store_is_checked_once_and_again_when_a_file_changed(tmp_path: Path, monkeypatch) -> None:
    store, checks = tmp_path / "store", []
    real = check.check_arrays
    monkeypatch.setattr(check, "check_arrays", lambda *arguments: (checks.append(1), real(*arguments)))
    save_store(made(), store)
    settled(store)
    assert checks.pop()
    open_store(store)
    assert not checks
    open_store(store, verify=True)
    assert checks.pop()
    time.sleep(0.02)
    (store / "x.npy").touch()
    open_store(store)
    assert checks.pop()


def test_a_change_that_restores_size_and_time_is_noticed(tmp_path: Path) -> None:
    store = tmp_path / "store"
    save_store(made(), store)
    settled(store)
    path = store / "undirected-indices.npy"
    before = path.stat()
    time.sleep(0.02)
    flipped(path, 8 * before.st_size - 1)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(InputError, match="undirected-indices.npy: does not have the checksum"):
        open_store(store)


def test_a_stamp_that_came_with_a_copy_does_not_count(tmp_path: Path) -> None:
    save_store(made(), tmp_path / "store")
    settled(tmp_path / "store")
    shutil.copytree(tmp_path / "store", tmp_path / "copy")
    stamp = (tmp_path / "copy" / ".checked").read_text()
    settled(tmp_path / "copy")
    assert (tmp_path / "copy" / ".checked").read_text() != stamp


@pytest.mark.skipif(os.name != "posix", reason="Windows has no owners of this kind")
def test_a_stamp_of_another_user_does_not_count(tmp_path: Path, monkeypatch) -> None:
    save_store(made(), tmp_path / "store")
    settled(tmp_path / "store")
    about = read_description(tmp_path / "store")
    assert Stamp.of(about).is_left()
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert not Stamp.of(about).is_left()


def test_the_stamp_of_a_store_that_cannot_be_written_goes_to_the_cache(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    store = tmp_path / "store"
    save_store(made(), store)
    # A folder where the stamp would be: nobody can write it, not even root.
    (store / ".checked").mkdir()
    settled(store)
    assert Stamp.of(read_description(store)).is_left()
    assert len(list((tmp_path / "cache").rglob("*.json"))) == 1


def test_young_files_leave_no_stamp_as_they_may_change_within_a_tick_of_the_clock(tmp_path: Path) -> None:
    save_store(made(), tmp_path / "store")
    for path in (tmp_path / "store").iterdir():
        later = time.time_ns() + 10**9
        os.utime(path, ns=(later, later))
    open_store(tmp_path / "store")
    assert not (tmp_path / "store" / ".checked").exists()


def test_an_empty_array_of_objects_is_not_unpickled(tmp_path: Path) -> None:
    class Hostile:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "ran",))

    save_store(Graph.from_edges([], [], num_nodes=3, directed=False), tmp_path / "store")
    with (tmp_path / "store" / "indices.npy").open("wb") as stream:
        np.lib.format.write_array_header_1_0(stream, {"descr": "|O", "fortran_order": False, "shape": (0,)})
        stream.write(pickle.dumps(Hostile()))
    resealed(tmp_path / "store")
    with pytest.raises(InputError, match="indices.npy: must hold int32 or int64"):
        open_store(tmp_path / "store")
    assert not (tmp_path / "ran").exists()


def test_a_replaced_store_keeps_the_arrays_of_graphs_that_are_open(tmp_path: Path) -> None:
    store, old, new = tmp_path / "store", made(), made(directed=False)
    save_store(old, store)
    opened = open_store(store)
    for graph in (new, old, new):
        save_store(graph, store, overwrite=True)
        assert_same(graph, open_store(store))
    assert np.array_equal(opened.csr.indices, old.csr.indices)
    assert len([path for path in store.iterdir() if path.name != ".checked"]) == 2
    with pytest.raises(InputError, match="there is a graph store already"):
        save_store(old, store)


def test_what_killed_processes_left_of_a_replaced_store_is_removed_but_not_what_is_in_use(tmp_path: Path) -> None:
    store = tmp_path / "store"
    save_store(made(), store)
    (store / "arrays-01234567").mkdir()
    with in_use(store / "arrays-89abcdef", Path.mkdir):
        save_store(made(directed=False), store, overwrite=True)
        left = sorted(path.name for path in store.iterdir())
        assert "arrays-01234567" not in left
        assert "arrays-89abcdef" in left


def test_the_union_of_two_sets_of_rows_is_recognised() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        sets = [[set(rng.integers(0, 6, rng.integers(0, 4)).tolist()) for _ in range(3)] for _ in range(2)]
        both = [a | b for a, b in zip(*sets, strict=True)]
        if rng.random() < 0.5:
            both[int(rng.integers(3))] ^= {int(rng.integers(6))}
        arrays = []
        for rows in (*sets, both):
            arrays += [np.cumsum([0, *map(len, rows)]), np.array([u for row in rows for u in sorted(row)], np.int64)]
        assert is_union(0, 3, *arrays) == (both == [a | b for a, b in zip(*sets, strict=True)])


class _Hostile:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.mark,)


@pytest.mark.parametrize("name", ["names", "x", "y"])
def test_nothing_in_an_array_is_ever_run(tmp_path: Path, name: str) -> None:
    save_store(made(names=[f"n{v}" for v in range(40)], x=np.ones((40, 1))), tmp_path / "store")
    hostile = np.full((40, 1) if name == "x" else 40, _Hostile(tmp_path / "mark"), dtype=object)
    np.save(tmp_path / "store" / f"{name}.npy", hostile, allow_pickle=True)
    path = tmp_path / "store" / "graph.json"
    about = {key: value for key, value in json.loads(path.read_text()).items() if key != "checksum"}
    path.write_text(sealed_json(about | {"files": describe_files(path.parent, about["files"])}))
    with pytest.raises(InputError, match=f"{name}.npy"):
        open_store(tmp_path / "store")
    assert not (tmp_path / "mark").exists()
