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


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize(
    ("table", "rows", "columns"),
    [
        ("orbits", 4, ["node", "M1:a"]),
        ("gdv", 4, ["node", *(f"orbit_{o}" for o in range(15))]),
        ("gdv5", 4, ["node", *(f"orbit_{o}" for o in range(73))]),
        ("edges", 4, ["source", "target", "wedge"]),
        ("significance", 5, ["motif", "pattern", "total"]),
        ("comparison", 1, ["network", "other", "gcd", "profile_correlation"]),
    ],
)
def test_every_table_is_written(edges, tmp_path, suffix, table, rows, columns):
    out = tmp_path / f"table{suffix}"
    run("--edges", edges, "--random-graphs", "3", "--compare", edges, "--table", table, "--out", str(out))
    frame = pd.read_csv(out) if suffix == ".csv" else pd.read_parquet(out)
    assert len(frame) == rows
    assert frame.columns[: len(columns)].tolist() == columns
    if table == "edges":
        assert frame[["source", "target", "triangle", "closure"]].to_numpy().tolist()[0] == ["a", "b", 1, 1.0]


def test_figures_stay_whole_in_a_narrow_terminal(tmp_path):
    path = tmp_path / "edges.csv"
    ends = np.random.default_rng(0).integers(0, 600, (9000, 2)).tolist()
    path.write_text("source,target\n" + "".join(f"{a},{b}\n" for a, b in ends if a != b))
    shown = run("--edges", str(path), "-m", "path4", "-m", "star4", "--random-graphs", "2")
    assert "…" not in shown


def test_a_profile_comes_with_error_bars(edges, tmp_path):
    out = tmp_path / "significance.csv"
    extra = ("--profile", "--table", "significance", "--out", str(out))
    shown = json.loads(run("--edges", edges, "--json", "--random-graphs", "9", *extra))
    assert {"profile", "profile_low", "profile_high"} <= shown["motifs"][0].keys()
    assert "profile_high" in pd.read_csv(out).columns
    assert "profile" in run("--edges", edges, "--random-graphs", "9", "--profile")


def test_null_models_are_chosen_by_name(edges):
    by_name = {
        null: json.loads(run("--edges", edges, "--json", "--random-graphs", "9", "--null", null))
        for null in ("reciprocal-degrees", "erdos-renyi")
    }
    assert [shown["null"] for shown in by_name.values()] == list(by_name)
    means = [[row["random_mean"] for row in shown["motifs"]] for shown in by_name.values()]
    assert means[0] != means[1]


def test_edges_are_shown_with_their_orbits_and_closure(edges):
    shown = json.loads(run("--edges", edges, "--json", "--random-graphs", "0", "--per-edge"))
    assert [row["name"] for row in shown["edge_orbits"]][:2] == ["wedge", "triangle"]
    assert shown["edge_orbits"][1]["edges_covered"] == 3
    assert shown["mean_closure"] == pytest.approx(0.5)
    assert "paw:tail" in run("--edges", edges, "--random-graphs", "0", "--per-edge")


def test_other_graphs_are_compared(edges, tmp_path):
    save_store(random_graph(40, 200, directed=True), tmp_path / "store")
    arguments = ("--edges", edges, "--random-graphs", "3", "--compare", str(tmp_path / "store"), "--compare", "karate")
    shown = json.loads(run(*arguments, "--json"))["comparison"]
    assert len(shown["networks"]) == len(shown["gcd"]) == len(shown["profiles"]) == 3
    assert shown["gcd"][0][0] == 0
    text = run(*arguments)
    assert "GCD-11" in text
    assert "correlation with" in text


def test_a_file_to_compare_is_read_like_the_first(tmp_path):
    first, other = tmp_path / "a.csv", tmp_path / "b.csv"
    for path in (first, other):
        path.write_text("from,to\na,b\nb,c\na,c\n")
    arguments = ("--edges", str(first), "--source", "from", "--target", "to", "--undirected", "--random-graphs", "0")
    shown = json.loads(run(*arguments, "--json", "--compare", str(other)))
    assert shown["comparison"]["gcd"] == [[0, 0], [0, 0]]
    assert "profiles" not in shown["comparison"]


@pytest.mark.parametrize(
    ("extra", "word"),
    [((), "Motif census"), (("--profile",), "Significance profile"), (("--compare", "karate"), "GCD-11")],
)
def test_plots_are_written(edges, tmp_path, extra, word, monkeypatch):
    import matplotlib as mpl

    monkeypatch.setitem(mpl.rcParams, "svg.fonttype", "none")
    paths = [tmp_path / "plot.svg", tmp_path / "plot.png"]
    for path in paths:
        run("--edges", edges, "--random-graphs", "5", "--plot", str(path), *extra)
    assert word in paths[0].read_text(encoding="utf-8")
    assert paths[1].read_bytes().startswith(b"\x89PNG")


def test_the_same_plot_has_the_same_bytes(edges, tmp_path):
    paths = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for path in paths:
        run("--edges", edges, "--random-graphs", "5", "--plot", str(path))
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--null", "degree"], "unknown null model 'degree': did you mean 'degrees'"),
        (["--plot", "census.gif"], "--plot must end in .svg, .png or .pdf"),
        (["--profile", "--random-graphs", "0"], "--profile needs random graphs"),
        (["--table", "orbit", "--out", "x.csv"], "unknown table 'orbit': did you mean 'orbits'"),
        (["--table", "edges"], "--table edges needs --out FILE"),
        (["--table", "significance", "--out", "x.csv", "--random-graphs", "0"], "needs random graphs"),
        (["--table", "comparison", "--out", "x.csv"], "needs --compare GRAPH"),
        (["--compare", "nowhere.csv"], "there is no file 'nowhere.csv'"),
        (["--compare", "karat"], "did you mean 'karate'"),
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


def test_a_search_beyond_the_limit_is_refused(tmp_path):
    source, target = random_graph(60, 600, directed=False).edges()
    path = tmp_path / "dense.csv"
    pd.DataFrame({"source": source, "target": target}).to_csv(path, index=False)
    pattern = "a-b, b-c, c-d, d-e, e-f, f-a"
    with pytest.raises(InputError, match="raise max_steps"):
        run("--edges", str(path), "-m", pattern, "--random-graphs", "0", "--max-steps", "1000")


def test_signed_motifs_show_the_balance_against_chance(tmp_path):
    path = tmp_path / "trust.csv"
    rows = [(0, 1, 1), (1, 2, 1), (0, 2, 1), (2, 3, -1), (3, 4, 1), (2, 4, -1), (4, 5, -1), (5, 0, 1)]
    path.write_text("source,target,rating\n" + "".join(f"{u},{v},{s}\n" for u, v, s in rows))
    words = ["--edges", str(path), "--undirected", "--sign", "rating", "-m", "signed", "--random-graphs", "4"]
    assert "Balance: 100.0 % of 2 triangles are balanced, by chance" in " ".join(run(*words).split())
    shown = json.loads(run(*words, "--json"))
    assert (shown["balance"]["balanced"], shown["balance"]["unbalanced"], shown["balance"]["share"]) == (2, 0, 1.0)
    assert len(shown["motifs"]) == 7


def test_typed_motifs_of_files_are_named_by_their_patterns(tmp_path):
    (tmp_path / "e.csv").write_text("source,target,relation\na,p,writes\nb,p,writes\np,q,cites\n")
    (tmp_path / "n.csv").write_text("id,kind\na,author\nb,author\np,paper\nq,paper\n")
    words = ["--edges", str(tmp_path / "e.csv"), "--nodes", str(tmp_path / "n.csv"), "--node-type", "kind"]
    printed = run(*words, "--edge-type", "relation", "-m", "typed", "--random-graphs", "0", "--json")
    shown = {row["name"]: row["total"] for row in json.loads(printed)["motifs"]}
    assert shown == {
        "a:author-[writes]->b:paper, b-[cites]->c:paper": 2,
        "a:author-[writes]->c:paper, b:author-[writes]->c": 1,
    }


def test_an_edge_without_a_sign_is_refused_with_its_line_unless_dropped(tmp_path):
    path = tmp_path / "trust.csv"
    path.write_text("source,target,rating\n0,1,1\n1,2,\n2,0,-1\n")
    words = ["--edges", str(path), "--sign", "rating", "-m", "signed", "--random-graphs", "0"]
    with pytest.raises(InputError, match="line 3, column 'rating': the sign is empty.*--drop-unsigned"):
        run(*words)
    assert "signed" in run(*words, "--drop-unsigned")
