"""The NetworkX backend gives NetworkX's own results, and runs under NetworkX's dispatch and test suite."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections import Counter
from importlib import import_module
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.utils.backends import _registered_algorithms

from infomotif.adapters import networkx_backend as backend
from infomotif.adapters.networkx_info import FUNCTIONS, backend_info

ROOT = Path(__file__).parents[2]
ENTRY_POINTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
UNDIRECTED = ("triangles", "transitivity", "clustering", "square_clustering", "generalized_degree")
DIRECTED = ("triadic_census", "transitivity", "clustering")


def original(name: str):
    return _registered_algorithms[name].orig_func


@st.composite
def graphs(draw, directed: bool):
    """Graphs of up to 12 nodes with names of several kinds, self loops and isolated nodes."""
    names = draw(st.lists(st.one_of(st.integers(-3, 12), st.text("abc", max_size=3)), max_size=12, unique=True))
    if draw(st.booleans()):
        names = list(range(len(names)))
    graph = (nx.DiGraph if directed else nx.Graph)()
    graph.add_nodes_from(names)
    if names:
        graph.add_edges_from(draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=50)))
    return graph


def assert_identical(name: str, graph: nx.Graph, *args: object) -> None:
    ours, theirs = getattr(backend, name)(backend.convert_from_nx(graph), *args), original(name)(graph, *args)
    assert ours == theirs
    assert type(ours) is type(theirs)
    if isinstance(theirs, dict) and not isinstance(theirs, Counter):
        assert list(ours) == list(theirs)
        assert [type(value) for value in ours.values()] == [type(value) for value in theirs.values()]


@given(graphs(directed=False))
@settings(max_examples=60, deadline=None)
def test_undirected_results_are_identical(graph):
    for name in UNDIRECTED:
        assert_identical(name, graph)
    if len(graph):
        assert_identical("average_clustering", graph)


@given(graphs(directed=True))
@settings(max_examples=60, deadline=None)
def test_directed_results_are_identical(graph):
    for name in DIRECTED:
        assert_identical(name, graph)
    if len(graph):
        assert_identical("average_clustering", graph)


@given(graphs(directed=False), st.data())
@settings(max_examples=40, deadline=None)
def test_results_of_some_nodes_are_identical(graph, data):
    some = data.draw(st.lists(st.sampled_from(list(graph)), unique=True) if len(graph) else st.just([]))
    for name in ("triangles", "clustering", "square_clustering", "generalized_degree"):
        assert_identical(name, graph, some)
        for node in some[:1]:
            assert_identical(name, graph, node)


@given(graphs(directed=True), st.data())
@settings(max_examples=60, deadline=None)
def test_triads_of_some_nodes_are_identical(graph, data):
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    some = data.draw(st.lists(st.sampled_from(list(graph)), unique=True) if len(graph) else st.just([]))
    assert_identical("triadic_census", graph, some)


@pytest.mark.parametrize("directed", [False, True])
def test_larger_graphs_are_identical(directed):
    graph = nx.gnp_random_graph(150, 0.1, seed=3, directed=directed)
    for name in DIRECTED if directed else UNDIRECTED:
        assert_identical(name, graph)
    assert_identical("average_clustering", graph)
    assert_identical("average_clustering", graph, None, None, False)


@given(graphs(directed=False))
@settings(max_examples=60, deadline=None)
def test_the_same_triangles_are_listed_with_their_nodes_in_the_same_order(graph):
    ours = list(backend.all_triangles(backend.convert_from_nx(graph)))
    assert Counter(ours) == Counter(original("all_triangles")(graph))


def test_every_triad_has_its_name():
    pairs = [(i, j) for i in range(3) for j in range(3) if i != j]
    for number in range(64):
        graph = nx.DiGraph()
        graph.add_nodes_from("abc")
        graph.add_edges_from(("abc"[i], "abc"[j]) for p, (i, j) in enumerate(pairs) if number >> p & 1)
        assert_identical("triad_type", graph)
        assert_identical("is_triad", graph)


@pytest.mark.parametrize(
    "graph", [nx.DiGraph([(0, 1), (1, 2), (2, 2)]), nx.path_graph(3), nx.path_graph(4, nx.DiGraph), nx.DiGraph()]
)
def test_other_graphs_are_no_triads(graph):
    assert_identical("is_triad", graph)
    with pytest.raises(nx.NetworkXAlgorithmError, match="not a triad"):
        backend.triad_type(backend.convert_from_nx(graph))


@pytest.mark.parametrize("nodes", [99, [[1]], 3.5])
def test_errors_are_those_of_networkx(nodes):
    graph = nx.path_graph(5)
    with pytest.raises(nx.NetworkXError) as theirs:
        original("triangles")(graph, nodes)
    with pytest.raises(nx.NetworkXError) as ours:
        backend.triangles(backend.convert_from_nx(graph), nodes)
    assert str(ours.value) == str(theirs.value)


@pytest.mark.parametrize("nodelist", [[0, 0], [0, 99]])
def test_a_list_with_strange_nodes_is_refused_as_by_networkx(nodelist):
    with pytest.raises(ValueError, match="duplicate nodes or nodes not in G"):
        backend.triadic_census(backend.convert_from_nx(nx.path_graph(5, nx.DiGraph)), nodelist)


def test_self_loops_with_a_list_of_nodes_stay_with_networkx():
    graph = nx.DiGraph([(0, 1), (1, 2), (3, 3)])
    with pytest.raises(NotImplementedError):
        backend.triadic_census(backend.convert_from_nx(graph), [0])


def test_what_stays_with_networkx():
    weighted = {"weight": "weight"}
    assert backend.can_run("triangles", (nx.MultiGraph(),), {}) is not True
    assert backend.can_run("clustering", (), {"G": nx.Graph(), **weighted}) is not True
    assert backend.can_run("average_clustering", (nx.Graph(), None, "weight"), {}) is not True
    assert backend.can_run("square_clustering", (nx.DiGraph(),), {}) is not True
    assert backend.can_run("all_triangles", (nx.Graph(), [0]), {}) is not True
    assert backend.can_run("all_triangles", (), {"G": nx.Graph(), "nbunch": 0}) is not True
    assert backend.can_run("clustering", (nx.DiGraph(),), {}) is True
    with pytest.raises(NotImplementedError, match="multigraphs"):
        backend.convert_from_nx(nx.MultiGraph())


def test_small_graphs_and_few_nodes_are_not_worth_a_conversion():
    large = nx.path_graph(1000)
    assert backend.should_run("triangles", (large,), {}) is True
    assert backend.should_run("triangles", (large, list(range(900))), {}) is True
    assert backend.should_run("triangles", (large, 5), {}) == "the nodes are few"
    assert backend.should_run("triangles", (large,), {"nodes": [1, 2]}) == "the nodes are few"
    assert backend.should_run("triangles", (nx.path_graph(100),), {}) == "the graph is small"


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_a_graph_comes_back_from_the_backend(kind):
    graph = kind([("a", "b"), ("b", 3), (3, 3)], title="letters")
    graph.add_node("alone")
    back = backend.convert_to_nx(backend.convert_from_nx(graph, preserve_graph_attrs=True))
    assert (list(back), set(back.edges), back.graph) == (list(graph), set(graph.edges), graph.graph)


def test_only_the_listed_functions_are_found_in_the_module():
    assert set(dir(backend)) & set(_registered_algorithms) == set(FUNCTIONS) == set(backend_info()["functions"])


def test_the_entry_points_lead_to_the_backend():
    assert import_module(ENTRY_POINTS["networkx.backends"]["infomotif"]) is backend
    module, _, name = ENTRY_POINTS["networkx.backend_info"]["infomotif"].partition(":")
    assert getattr(import_module(module), name) is backend_info


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> dict[str, str]:
    """The environment of a process that finds the entry points of pyproject.toml, whatever is installed."""
    folder = tmp_path_factory.mktemp("path")
    # The first distribution of a name on the path hides the others.
    info = folder / "infomotif-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: infomotif\nVersion: 0\n")
    groups = {group: names for group, names in ENTRY_POINTS.items() if group.startswith("networkx.")}
    lines = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in names.items()) for group, names in groups.items()]
    (info / "entry_points.txt").write_text("\n".join(lines))
    path = [str(folder), str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


def run(code: str, environment: dict[str, str], **variables: str) -> str:
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env={**environment, **variables}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_importing_networkx_loads_nothing_heavy(installed):
    code = "import sys, networkx; print(sorted({'torch', 'numba', 'numpy', 'scipy'} & set(sys.modules)))"
    assert run(code, installed) == "[]"


@pytest.mark.slow
def test_a_call_with_backend_runs_here_without_torch_and_keeps_the_converted_graph(installed):
    code = """
import sys, networkx as nx
G = nx.gnp_random_graph(60, 0.1, seed=1, directed=True)
assert nx.triadic_census(G, backend="infomotif") == nx.triadic_census(G)
(kept,) = G.__networkx_cache__["backends"]["infomotif"].values()
nx.config.warnings_to_ignore.add("cache")
assert nx.clustering(G, backend="infomotif") == nx.clustering(G)
assert list(G.__networkx_cache__["backends"]["infomotif"].values()) == [kept]
assert nx.triadic_census(kept) == nx.triadic_census(G)
G.add_edge(0, 1000)
assert not G.__networkx_cache__
assert "infomotif" in nx.triangles.backends and "infomotif" in nx.triangles.__doc__
print("torch" in sys.modules)
"""
    assert run(code, installed) == "False"


@pytest.mark.slow
@pytest.mark.parametrize("variables", [{"NETWORKX_BACKEND_PRIORITY": "infomotif"}, {}], ids=["variable", "config"])
def test_priority_uses_the_backend_where_it_pays_and_networkx_elsewhere(installed, variables):
    code = f"""
import networkx as nx
if {not variables}:
    nx.config.backend_priority = ["infomotif"]
nx.config.warnings_to_ignore.add("cache")
used = lambda G: "infomotif" in G.__networkx_cache__.get("backends", {{}})
large, small = nx.path_graph(1000), nx.path_graph(10)
nx.triangles(large), nx.triangles(small)
several = nx.MultiGraph(large)
nx.triangles(several)
weighted = nx.path_graph(1000)
nx.clustering(weighted, weight="weight")
print(used(large), used(small), used(several), used(weighted))
"""
    assert run(code, installed, **variables) == "True False False False"


@pytest.mark.slow
def test_networkx_passes_its_own_tests_with_the_backend(installed, tmp_path):
    modules = [f"networkx.algorithms.tests.{name}" for name in ("test_cluster", "test_triads")]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", *modules]
    variables = {"NETWORKX_TEST_BACKEND": "infomotif", "NETWORKX_FALLBACK_TO_NX": "True"}
    done = subprocess.run(
        command, env={**installed, **variables}, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "passed" in done.stdout
    assert "xfailed" not in done.stdout


def test_triangles_are_listed_by_the_backend_itself():
    graph = nx.karate_club_graph()
    found = {frozenset(each) for each in nx.all_triangles(graph, backend="infomotif")}
    assert found == {frozenset(each) for each in nx.all_triangles(graph)}
    assert len(found) == 45
