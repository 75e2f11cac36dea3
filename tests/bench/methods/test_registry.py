"""The registry: what holds for every method in it, and how methods of other packages join."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from infomotif.errors import InputError
from infomotif.training import random_split
from infomotif.training.splits import Split
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.methods import ENTRY_POINTS, METHODS, Method, MethodOutput, MethodWarning, get_method
from infomotif_bench.methods.base import MAX_TRIALS
from infomotif_bench.methods.registry import MethodRegistry

pytestmark = pytest.mark.slow

NAMES = sorted(METHODS)


@pytest.fixture(scope="module")
def karate():
    graph = bench_graph("karate")
    return graph, random_split(graph.y, 0.4, seed=1)


def quick(method: Method) -> dict[str, Any]:
    """Settings that end soon."""
    small = {"epochs": 3, "hidden": 8, "trees": 5, "walks": 2, "length": 10}
    return {key: value for key, value in small.items() if key in method.defaults()}


@dataclass(frozen=True, kw_only=True)
class Probe(Method):
    """Keeps what it was shown."""

    seen: list[Any]

    def defaults(self):
        return {"a": 1}

    def predict(self, graph, split, settings, seed):
        self.seen.append((graph, dict(settings)))
        return MethodOutput(np.zeros(graph.num_nodes, dtype=int))


@pytest.mark.parametrize("name", NAMES)
def test_names_bases_and_budget_fit(name):
    method = METHODS[name]
    assert method.name == name
    assert method.base is None or method.base in METHODS
    assert method.trials() <= MAX_TRIALS
    assert method.search.keys() <= method.defaults().keys()
    for key, values in method.search.items():
        for value in values:
            method.check({key: value})


def test_networks_and_infomotif_search_the_same_space():
    for name in ("gcn", "jknet", "gat", "appnp"):
        spaces = [dict(METHODS[n].search) for n in (name, f"infomotif-{name}", f"infomotif-{name}-joint")]
        assert spaces[0] == spaces[1] == spaces[2]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_outcome(name, karate):
    method = METHODS[name]
    first, second = (method.run(*karate, quick(method), seed=3) for _ in range(2))
    np.testing.assert_array_equal(first.correct, second.correct)
    assert first.val_accuracy == second.val_accuracy
    assert len(first.correct) == len(karate[1].test)


@pytest.mark.parametrize("name", NAMES)
def test_test_labels_change_nothing_but_the_score(name, karate):
    graph, split = karate
    method = METHODS[name]
    other = np.array(graph.y)
    other[split.test] = 1 - other[split.test]
    outcome = method.run(graph, split, quick(method), seed=0)
    flipped = method.run(graph.replace(y=other), split, quick(method), seed=0)
    np.testing.assert_array_equal(outcome.correct, ~flipped.correct)
    assert outcome.val_accuracy == flipped.val_accuracy


def test_a_method_is_shown_no_test_label(karate):
    graph, split = karate
    probe = Probe(name="probe", title="Probe", group="", seen=[])
    probe.run(graph, split, {"a": 2}, seed=0)
    shown, settings = probe.seen[0]
    assert (shown.y[split.test] == -1).all()
    assert (shown.y[split.train] == graph.y[split.train]).all()
    assert settings == {"a": 2}


def test_a_graph_without_labels_is_refused(karate):
    graph, split = karate
    with pytest.raises(InputError, match="no labels"):
        get_method("gcn").run(graph.replace(y=None, class_names=()), split, {}, seed=0)


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("gcn", {"learning_rate": 0.1}, "unknown setting"),
        ("gcn", {"lr": -1.0}, "lr must be above 0"),
        ("dgi", {"layers": 0}, "layers must be from 1"),
        ("dgi", {"hidden": "x"}, "hidden must be a whole number"),
        ("dgi", {"normalize": "foo"}, "unknown normalize 'foo'"),
        ("structural-trees", {"trees": "x"}, "trees must be a whole number"),
        ("structural-trees", {"trees": 0}, "trees must be from 1"),
        ("structural-trees", {"max_features": "abc"}, "max_features must be sqrt, log2 or a share"),
        ("structural-trees", {"max_features": 0}, "max_features must be sqrt, log2 or a share"),
        ("structural-trees", {"max_features": 1.5}, "max_features must be sqrt, log2 or a share"),
        ("structural-trees", {"class_weight": 5}, "class_weight must be one of balanced"),
        ("structural-lr", {"lr": 0.1}, "unknown setting of structural-lr"),
    ],
)
def test_bad_settings_are_refused(name, settings, message):
    with pytest.raises(InputError, match=message):
        get_method(name).differing(settings)


def test_an_unknown_method_names_the_nearest():
    with pytest.raises(InputError, match="did you mean 'graphsage'"):
        get_method("graphsag")


@pytest.mark.parametrize("name", ["structural-lr", "graphwave", "gcn"])
@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (([], [1], [2]), "train is empty"),
        (([0, 99], [1], [2]), "train must lie in 0..33"),
        (([0, 3, 3], [1], [2]), "train names a node twice"),
        (([0, 33], [1], [33]), "must not share nodes"),
        (([0, 33], [1, 2], [2]), "must not share nodes"),
        (([0, 5], [1], [2]), "train names 1 nodes without a label"),
        (([0, 33], [1], [5]), "test names nodes without a label"),
    ],
)
def test_a_split_that_cannot_be_is_refused(karate, name, parts, message):
    graph, _ = karate
    y = graph.y.copy()
    y[5] = -1
    split = Split(*(np.array(part, dtype=int) for part in parts))
    with pytest.raises(InputError, match=message):
        METHODS[name].run(graph.replace(y=y), split, quick(METHODS[name]), seed=0)


@pytest.mark.parametrize("seed", [-1, 1.5, "a", True, 2**70])
def test_a_seed_that_cannot_be_is_refused(karate, seed):
    with pytest.raises(InputError, match="seed must be a whole number"):
        METHODS["structural-lr"].run(*karate, {}, seed=seed)


@pytest.mark.parametrize("name", ["node2vec", "drne", "struc2vec", "graphwave", "demonet"])
def test_numpy_numbers_are_numbers(karate, name):
    method = METHODS[name]
    settings = {key: np.int64(value) for key, value in quick(method).items()}
    plain = method.run(*karate, quick(method), seed=0)
    assert method.run(*karate, settings, seed=0).test_accuracy == plain.test_accuracy


PLUGIN = """
from infomotif_bench.methods import TrainedNetwork
{name} = TrainedNetwork(name="{name}", title="{title}", encoder="gcn")
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a function that installs a package whose entry points ``infomotif.methods`` are these."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(name: str, code: str, points: dict[str, str]) -> None:
        monkeypatch.delitem(sys.modules, name, raising=False)
        (tmp_path / f"{name}.py").write_text(code)
        folder = tmp_path / f"{name}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        lines = "\n".join(f"{point} = {name}:{value}" for point, value in points.items())
        (folder / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\n{lines}\n")

    return install


def offered(name: str, title: str = "") -> str:
    return PLUGIN.format(name=name, title=title)


def registry() -> MethodRegistry:
    return MethodRegistry([METHODS["gcn"]])


def test_methods_of_other_packages_join(package):
    package("one", offered("alpha"), {"alpha": "alpha"})
    package("two", offered("beta") + offered("gamma") + "\nBOTH = [beta, gamma]", {"all-of-two": "BOTH"})
    assert list(registry()) == ["gcn", "alpha", "beta", "gamma"]


def test_a_package_may_ask_for_other_methods_while_it_loads(package):
    code = "from dataclasses import replace\nfrom infomotif_bench.methods import get_method\n"
    package("one", code + 'deep = replace(get_method("gcn"), name="deep")', {"deep": "deep"})
    assert registry()["deep"].title == "GCN"


def test_other_packages_are_not_loaded_before_the_registry_is_asked(package, tmp_path):
    package("one", offered("alpha") + f"open({str(tmp_path / 'loaded')!r}, 'w').close()", {"alpha": "alpha"})
    made = registry()
    assert not (tmp_path / "loaded").exists()
    assert "gcn" in made
    assert (tmp_path / "loaded").exists()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise RuntimeError('several\\nlines')", "RuntimeError: several lines"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("", "AttributeError: module 'broken' has no attribute 'alpha'"),
        ("alpha = 3", "TypeError: it must be a Method or a sequence of them (got 3)"),
        ("alpha = [None]", "TypeError: it must be a Method or a sequence of them (got None)"),
        (offered("alpha").replace('"alpha"', '"a/b"'), "ValueError: a name must be letters, digits"),
    ],
)
def test_a_broken_package_is_named_and_breaks_nothing_else(package, code, reason):
    package("broken", code, {"alpha": "alpha"})
    package("whole", offered("beta"), {"beta": "beta"})
    made = registry()
    with pytest.warns(MethodWarning) as told:
        assert list(made) == ["gcn", "beta"]
    line = str(told[0].message)
    assert line.startswith("method 'alpha' of package broken is left out: it does not load (")
    assert reason in line
    assert len(line.splitlines()) == 1
    with pytest.raises(InputError, match="method 'alpha' of package broken is left out"):
        made.find("alpha")


def test_a_name_of_infomotif_stays_infomotifs(package):
    package("clashing", offered("gcn", "Theirs"), {"gcn": "gcn"})
    made = registry()
    with pytest.warns(MethodWarning, match="of package clashing is left out: infomotif has a method of that name"):
        assert made.find("gcn").title == "GCN"


def test_a_name_of_two_packages_is_neithers(package):
    for name in ("one", "two"):
        package(name, offered("alpha", name), {"alpha": "alpha"})
    made = registry()
    with pytest.warns(MethodWarning, match="packages one and two both offer it; uninstall one of them"):
        assert "alpha" not in made
    with pytest.raises(InputError, match="method 'alpha' is left out: packages one and two both offer it"):
        made.find("alpha")


def test_a_method_may_be_added_for_this_process():
    made = registry()
    made["gat"] = METHODS["gat"]
    assert made.find("gat") is METHODS["gat"]
    del made["gat"]
    assert "gat" not in made
    with pytest.raises(ValueError, match="the name of the method is 'gat'"):
        made["other"] = METHODS["gat"]
