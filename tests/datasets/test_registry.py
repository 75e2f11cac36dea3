"""The registered graphs: their counts, and what they are made of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from infomotif.datasets import DATASETS, dataset_spec, load_dataset, synthetic, wheel
from infomotif.errors import InputError


@pytest.mark.parametrize("name", DATASETS)
def test_counts_are_the_published_ones(name: str) -> None:
    spec = DATASETS[name]
    graph = load_dataset(name)
    found = (graph.num_nodes, graph.num_edges, graph.num_attributes, graph.num_classes, graph.directed)
    assert found == (spec.nodes, spec.edges, spec.attributes, spec.classes, spec.directed)
    whole = load_dataset(name, component="all")
    assert (whole.num_nodes, whole.num_edges) == spec.whole
    if spec.classes == 0:
        assert whole.y is None
        return
    assert whole.y is not None
    # People have no genre, and neither has every movie.
    assert whole.y.min() == (-1 if name == "imdb" else 0)


FACTS = {
    "cora": (5069, 1558, {}),
    "citeseer": (3668, 1083, {"self_loops": 124, "unknown_endpoints": 17}),
    "pubmed": (44324, 12520, {"self_loops": 3}),
    "brazil": (1003, 4879, {"self_loops": 71}),
    "europe": (5993, 46009, {"self_loops": 2}),
    "usa": (13597, 180576, {}),
}


@pytest.mark.parametrize("name", FACTS)
def test_undirected_edges_triangles_and_what_was_dropped(name: str) -> None:
    import scipy.sparse as sp

    edges, triangles, dropped = FACTS[name]
    graph = load_dataset(name)
    indptr, indices, _ = graph.undirected
    shape = (graph.num_nodes, graph.num_nodes)
    matrix = sp.csr_array((np.ones(len(indices), dtype=np.int64), indices, indptr), shape=shape)
    assert matrix.nnz == 2 * edges
    assert (matrix @ matrix).multiply(matrix).sum() == 6 * triangles
    assert {key: count for key, count in graph.notes.items() if key != "nodes_outside_component"} == dropped


PINNED = {
    "karate": "73ce951e41100e1c3ceb958e7628648ab2f42a9a8a52fc360dd6b5c644cc78d6",
    "roles": "3203674f544122bf715fde1f2f436b8c1ba91613d4c4211267686eda90b15fda",
    "roles-drift": "898370726a23b6b4a1674237ff609552cc3450b9048dfc98af4109428b793b97",
    "cora": "84c044a15aa003dfb4de91199f0fca54a4ec572ea3cdb889c74a2a757bb2cf93",
    "brazil": "45e1ca58f3c245d2a2ad38f3cf64a7867b9229a8ff0580c5ca1e81a764ff12f0",
}


@pytest.mark.parametrize("name", PINNED)
def test_the_graphs_stay_the_same_from_release_to_release(name: str) -> None:
    assert load_dataset(name).fingerprint() == PINNED[name]


def test_every_entry_says_where_it_comes_from_and_how_it_is_trained() -> None:
    for name, spec in DATASETS.items():
        assert name == spec.name == name.lower()
        assert spec.title
        assert spec.source
        assert spec.licence
        assert spec.settings["hidden"] > 0
        for file in spec.files:
            assert len(file.sha256) == 64
            assert len(file.addresses) >= 2


def test_names_are_found_in_any_case_and_unknown_ones_answered() -> None:
    assert dataset_spec("Karate").name == "karate"
    with pytest.raises(InputError, match="unknown dataset 'coar': did you mean 'cora'?"):
        load_dataset("coar")
    with pytest.raises(InputError, match="component must be one of largest, all"):
        load_dataset("karate", component="biggest")


def test_states(no_data: Path) -> None:
    assert DATASETS["cora"].state() == "needs download"
    assert DATASETS["roles"].state() == "embedded"
    for file in DATASETS["brazil"].files:
        (no_data / file.path).parent.mkdir(parents=True, exist_ok=True)
        (no_data / file.path).write_text("x")
    assert DATASETS["brazil"].state() == "cached"
    assert all("sha256 is" in str(problem) for _, problem in DATASETS["brazil"].verify())
    with pytest.raises(InputError, match="infomotif datasets fetch cora"):
        DATASETS["cora"].verify()


def test_labels_of_the_drift_graph_sit_in_its_first_region() -> None:
    graph, spec = load_dataset("roles-drift"), DATASETS["roles-drift"]
    assert spec.train_mask is not None
    mask = spec.train_mask(graph)
    region = synthetic.region_of(graph, num_nodes=2400, regions=2)
    assert mask.sum() == 24
    assert set(region[mask].tolist()) == {0}
    assert graph.y is not None
    assert np.bincount(graph.y[mask]).tolist() == [6, 6, 6, 6]


def test_cora_can_come_through_a_package_index(no_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow as pa

    papers = pa.table({"nodeId": [35, 7], "features": [[0, 1], [1, 1]], "subject": [0, 6]})
    citations = pa.table({"sourceNodeId": [35], "targetNodeId": [7]})
    monkeypatch.setattr(wheel, "download_wheel", lambda folder: folder / "some.whl")
    monkeypatch.setattr(wheel, "read_members", lambda path: (papers, citations))
    wheel.write_cora(no_data)
    assert (no_data / "cora" / "cora.content").read_text() == "35\t0\t1\tNeural_Networks\n7\t1\t1\tCase_Based\n"
    assert (no_data / "cora" / "cora.cites").read_text() == "35\t7\n"


def test_a_wheel_with_other_members_is_refused(tmp_path: Path) -> None:
    import zipfile

    path = tmp_path / "some.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme", "no graph here")
    with pytest.raises(InputError, match="some.whl: not the expected archive"):
        wheel.read_members(path)
    with zipfile.ZipFile(path, "w") as archive:
        for member in wheel.MEMBERS:
            archive.writestr(member, "other bytes")
    with pytest.raises(InputError, match="sha256 of graphdatascience/.* is [0-9a-f]{64}, expected c54c0625"):
        wheel.read_members(path)


def test_pip_that_fails_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="pip download not a requirement failed"):
        wheel.download_wheel(tmp_path, "not a requirement")
