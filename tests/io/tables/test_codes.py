"""Which columns of whole numbers are codes, in every source of tables."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import convert_csv, from_dataframe, from_networkx, read_csv
from infomotif.io.tables.codes import WholeNumbers, looks_like_codes

ROWS = 400


def drawn(kind: str) -> NDArray[np.float64]:
    rng = np.random.default_rng(5)
    schools = rng.choice(np.arange(3, 60_000), 260, replace=False)
    of_cities = {"zip code": np.arange(10_001, 10_060), "far postcode": rng.integers(1000, 99_999, 80)}
    columns = {
        "year": lambda: rng.integers(1979, 2010, ROWS),
        "joined": lambda: rng.integers(1979, 2010, ROWS),
        "age": lambda: np.clip(rng.normal(40, 12, ROWS), 18, 90).round(),
        "weight in kg": lambda: rng.normal(75, 12, ROWS).round(),
        "num_children": lambda: rng.poisson(1.2, ROWS),
        "friends": lambda: np.floor(rng.pareto(1.2, ROWS) * 20),
        "papers": lambda: rng.geometric(0.3, ROWS) - 1,
        "word": lambda: np.where(rng.random(ROWS) < 0.05, rng.integers(1, 4, ROWS), 0),
        "salary": lambda: rng.normal(50_000, 9_000, ROWS).round(),
        "rounded salary": lambda: rng.normal(50_000, 9_000, ROWS).round(-3),
        "followers": lambda: np.floor(np.exp(rng.normal(6, 2, ROWS))),
        "percent": lambda: rng.integers(0, 101, ROWS),
        "temperature": lambda: rng.integers(-9, 9, ROWS),
        "flag": lambda: rng.integers(0, 2, ROWS),
        "sign": lambda: rng.choice([-1, 1], ROWS),
        "constant": lambda: np.full(ROWS, 7),
        "row": lambda: np.arange(ROWS),
        "zip code": lambda: rng.choice(of_cities["zip code"], ROWS),
        "district": lambda: rng.choice(of_cities["zip code"], ROWS),
        "area": lambda: rng.choice(of_cities["far postcode"], ROWS),
        # Two thirds of the schools have one pupil, and 0 is unknown.
        "school": lambda: np.where(rng.random(ROWS) < 0.1, 0, rng.choice(schools, ROWS)),
        "advisorId": lambda: rng.integers(0, 60, ROWS),
        "status": lambda: rng.choice([1, 2, 3, 4, 5, 6], ROWS, p=[0.7, 0.2, 0.04, 0.03, 0.02, 0.01]),
        "gender": lambda: rng.choice([1, 2], ROWS),
        "major": lambda: rng.choice([190, 192, 200, 207, 213, 221, 230], ROWS),
        "agreement": lambda: rng.integers(1, 6, ROWS),
        "region": lambda: rng.integers(0, 5, ROWS),
    }
    return np.asarray(columns[kind](), dtype=np.float64)


CODES = ["zip code", "district", "area", "school", "advisorId", "status", "gender", "major", "agreement", "region"]
QUANTITIES = [
    "year", "joined", "age", "weight in kg", "num_children", "friends", "papers", "word", "salary", "rounded salary",
    "followers", "percent", "temperature", "flag", "sign", "constant", "row",
]  # fmt: skip


@pytest.mark.parametrize("kind", CODES)
def test_codes_are_recognised(kind: str) -> None:
    assert looks_like_codes(kind, *np.unique(drawn(kind), return_counts=True))


@pytest.mark.parametrize("kind", QUANTITIES)
def test_quantities_and_flags_stay_numbers(kind: str) -> None:
    assert not looks_like_codes(kind, *np.unique(drawn(kind), return_counts=True))


def test_a_few_rows_say_nothing() -> None:
    assert not looks_like_codes("status", np.arange(1, 5), np.array([3, 2, 4, 3]))


def test_too_many_different_numbers_are_not_counted() -> None:
    column = WholeNumbers(most=3)
    for start in (0, 2, 4):
        column.add(np.arange(start, start + 2.0))
    assert not column.known


def frame() -> pd.DataFrame:
    names = [str(v) for v in range(ROWS)]
    columns = {kind: drawn(kind).astype(np.int64) for kind in ("status", "age", "school")}
    return pd.DataFrame({"id": names, **columns, "share": np.linspace(0, 1, ROWS)})


def sources(tmp_path: Path, nodes: pd.DataFrame, **options: object) -> dict[str, Graph]:
    edges = pd.DataFrame({"source": nodes["id"][:-1].to_numpy(), "target": nodes["id"][1:].to_numpy()})
    edges.to_csv(tmp_path / "e.csv", index=False)
    nodes.to_csv(tmp_path / "n.csv", index=False)
    pq.write_table(pa.Table.from_pandas(nodes, preserve_index=False), tmp_path / "n.parquet")
    convert_csv(tmp_path / "e.csv", tmp_path / "n.csv", tmp_path / "store", **options)  # type: ignore[arg-type]
    return {
        "csv": read_csv(tmp_path / "e.csv", tmp_path / "n.csv", **options),  # type: ignore[arg-type]
        "parquet": read_csv(tmp_path / "e.csv", tmp_path / "n.parquet", **options),  # type: ignore[arg-type]
        "frame": from_dataframe(edges, nodes, **options),  # type: ignore[arg-type]
        "store": convert_csv(
            tmp_path / "e.csv", tmp_path / "n.parquet", tmp_path / "other", **options  # type: ignore[arg-type]
        ),
    }  # fmt: skip


def codes(graph: Graph) -> tuple[str, ...]:
    assert graph.schema is not None
    return graph.schema.codes


def test_all_sources_agree_on_codes_and_attributes(tmp_path: Path) -> None:
    read = sources(tmp_path, frame())
    assert {kind: codes(graph) for kind, graph in read.items()} == dict.fromkeys(read, ("status", "school"))
    assert len({graph.attribute_names for graph in read.values()}) == 1
    assert len({graph.fingerprint() for graph in read.values()}) == 1


def test_whole_numbers_that_pandas_made_floats_for_a_missing_value_are_codes(tmp_path: Path) -> None:
    nodes = frame().astype({"status": "float64"})
    nodes.loc[3, "status"] = np.nan
    read = sources(tmp_path, nodes, fill="zero")
    assert all("status" in codes(graph) and "status=1" in graph.attribute_names for graph in read.values())
    assert len({graph.fingerprint() for graph in read.values()}) == 1


def test_floats_stay_numbers(tmp_path: Path) -> None:
    read = sources(tmp_path, frame().astype({"status": "float64", "school": "float32"}))
    assert all(codes(graph) == () for graph in read.values())


def test_a_column_can_be_declared_numeric(tmp_path: Path) -> None:
    read = sources(tmp_path, frame(), numeric=["status"])
    assert all(codes(graph) == ("school",) and "status" in graph.attribute_names for graph in read.values())


def test_a_declared_category_is_not_inferred(tmp_path: Path) -> None:
    graph = sources(tmp_path, frame(), categorical=["status"])["csv"]
    assert codes(graph) == ("school",)
    assert "status=1" in graph.attribute_names


def test_a_column_is_not_declared_twice(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="column 'status' cannot be categorical and numeric; declare it once"):
        read_csv(tmp_path / "e.csv", tmp_path / "n.csv", numeric=["status"], categorical=["status"])


def test_networkx_has_codes_too() -> None:
    graph = nx.path_graph(ROWS)
    nx.set_node_attributes(graph, dict(enumerate(drawn("status").astype(int).tolist())), "status")
    assert codes(from_networkx(graph)) == ("status",)
    assert codes(from_networkx(graph, numeric=["status"])) == ()


def test_new_files_give_the_same_attributes_however_the_numbers_are_written(tmp_path: Path) -> None:
    old = sources(tmp_path, frame())["csv"]
    (tmp_path / "n.csv").write_text("id,status,age,school,share\na,001,20,0,1\nb,2.0,21,0,1\nc,9,22,0,1\n")
    (tmp_path / "e.csv").write_text("source,target\na,b\nb,c\n")
    new = read_csv(tmp_path / "e.csv", tmp_path / "n.csv", schema=old.schema)
    assert new.attribute_names == old.attribute_names
    assert new.x is not None
    x = np.asarray(new.x if isinstance(new.x, np.ndarray) else new.x.toarray())
    assert x[:, old.attribute_names.index("status=1")].tolist() == [1, 0, 0]
    assert x[:, old.attribute_names.index("status=2")].tolist() == [0, 1, 0]
    assert new.notes["unseen_categories"] == 1


def test_a_missing_code_is_refused_with_its_line(tmp_path: Path) -> None:
    nodes = frame().astype({"status": "Int64"})
    nodes.loc[3, "status"] = pd.NA
    with pytest.raises(InputError, match=r"line 5, column 'status': the value is missing"):
        sources(tmp_path, nodes)


def test_the_summary_names_codes(tmp_path: Path) -> None:
    page = sources(tmp_path, frame())["csv"]._repr_html_()
    assert "whole numbers taken for codes, so categories: status, school" in page
