"""``infomotif motifs``: the table, JSON, per-node counts, and what it says about bad input."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

from infomotif.cli.motifs import motifs
from infomotif.errors import InputError
from infomotif.io import save_store
from infomotif.motifs import SETS, MotifIndex
from tests.motifs.brute_force import random_graph


def run(*arguments: str):
    app = typer.Typer()
    app.command()(motifs)
    result = CliRunner().invoke(app, list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def edges(tmp_path):
    path = tmp_path / "edges.csv"
    path.write_text("source,target\na,b\nb,c\na,c\nc,d\n")
    return str(path)


def test_the_help_names_every_motif_set():
    shown = run("--help")
    assert all(name in shown for name in SETS)


def test_json_has_every_figure(edges):
    shown = json.loads(run("--edges", edges, "--json", "--random-graphs", "5"))
    assert (shown["nodes"], shown["edges"], shown["directed"]) == (4, 4, True)
    by_name = {row["name"]: row for row in shown["motifs"]}
    assert by_name["M1"]["total"] == 2
    assert by_name["M4"]["pattern"] == "a->b, a->c, b->c"
    assert by_name["M4"]["nodes_covered"] == 3
    assert {"z", "p_more", "random_mean"} <= by_name["M4"].keys()


def test_json_is_the_same_again(edges):
    again = [run("--edges", edges, "--json", "--random-graphs", "7", "--seed", "3") for _ in range(2)]
    assert again[0] == again[1]


def test_the_table_shows_pictures_and_totals(edges):
    shown = run("--edges", edges, "-m", "M4", "-m", "M1", "--random-graphs", "0")
    assert "b --> c" in shown
    assert "feed-forward" in shown
    assert "z-score" not in shown


def test_own_patterns_and_undirected_graphs(edges):
    shown = json.loads(run("--edges", edges, "--undirected", "-m", "x-y, y-z, x-z", "--json", "--random-graphs", "0"))
    assert [(row["name"], row["total"]) for row in shown["motifs"]] == [("M7", 1)]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_counts_of_every_node_are_written(tmp_path, suffix):
    graph = random_graph(50, 300, directed=True)
    table = tmp_path / "edges.csv"
    rows, cols = graph.edges()
    pd.DataFrame({"source": rows, "target": cols}).to_csv(table, index=False)
    out = tmp_path / f"counts{suffix}"
    run("--edges", str(table), "-m", "triads", "--random-graphs", "0", "--out", str(out))
    frame = pd.read_csv(out) if suffix == ".csv" else pd.read_parquet(out)
    order = frame["node"].astype(int).to_numpy()
    np.testing.assert_array_equal(frame.drop(columns="node").to_numpy(), MotifIndex(graph, "triads").counts[order])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "M9"], "unknown motif 'M9'"),
        (["-m", "a->b"], "2 nodes"),
        (["--out", "counts.xlsx"], "must end in .csv or .parquet"),
        (["--undirected", "-m", "M1"], "has directions"),
    ],
)
def test_bad_input_is_explained(edges, arguments, message):
    with pytest.raises(InputError, match=message):
        run("--edges", edges, *arguments)


def test_a_cluster_counts_what_one_process_counts(tmp_path):
    from distributed import LocalCluster

    save_store(random_graph(40, 200, directed=True), tmp_path / "store")
    alone = run(str(tmp_path / "store"), "--random-graphs", "0", "--json")
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        assert run(str(tmp_path / "store"), "--random-graphs", "0", "--json", "--dask", address) == alone


def test_a_cluster_needs_a_store(edges):
    with pytest.raises(InputError, match="--dask needs the folder of a graph store"):
        run("--edges", edges, "--dask", "tcp://nowhere:1")
