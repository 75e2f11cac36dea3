"""Planted problems are found, and clean data has no warning."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp

import infomotif as im
from infomotif.doctor import examine


def by_topic(graph: im.Graph, **options) -> dict:
    return {finding.topic: finding for finding in examine(graph, **options).findings}


def ring(n: int, **parts) -> im.Graph:
    nodes = np.arange(n)
    return im.Graph.from_edges(nodes, (nodes + 1) % n, num_nodes=n, directed=False, **parts)


def test_clean_data_has_no_warning():
    levels = {finding.level for finding in examine(im.make_roles(num_nodes=400)).findings}
    assert "warning" not in levels


def test_components_and_isolated_nodes():
    graph = im.Graph.from_edges([0, 1, 3], [1, 2, 4], num_nodes=10, directed=False, y=np.arange(10) % 2)
    found = by_topic(graph)
    assert found["components"].figures == {"components": 7, "largest": 3, "isolated": 5}
    assert found["isolated nodes"].level == "warning"


def test_homophily_against_chance():
    found = by_topic(ring(40, y=np.arange(40) // 20))["homophily"]
    assert found.figures["same_class"] == pytest.approx(38 / 40)
    assert found.figures["by_chance"] == pytest.approx(0.5)
    mixed = by_topic(ring(40, y=np.arange(40) % 2))["homophily"]
    assert mixed.figures["same_class"] == 0
    assert "neighbours say little" in mixed.text


def test_structural_inputs_are_recommended_where_they_predict():
    rng = np.random.default_rng(0)
    hubs = np.repeat(np.arange(40), 8)
    leaves = 40 + np.arange(320)
    # Hubs and leaves differ in degree, and every edge joins one with the other.
    graph = im.Graph.from_edges(hubs, leaves, num_nodes=360, directed=False, y=(np.arange(360) >= 40) * 1)
    found = by_topic(graph)["inputs"]
    assert found.options == ("--set", "inputs=centralities+quantiles")
    random = graph.replace(y=rng.integers(0, 2, 360))
    assert by_topic(random)["inputs"].options == ()


def test_structural_inputs_are_never_recommended_where_neighbours_share_classes():
    rng = np.random.default_rng(0)
    y = np.arange(200) // 100
    ends = rng.integers(0, 200, (2, 4000))
    same = y[ends[0]] == y[ends[1]]
    # The classes differ in degree too, so that structure alone would predict them.
    kept = ends[:, same & (rng.random(4000) < np.where(y[ends[0]] == 0, 0.1, 1.0))]
    graph = im.Graph.from_edges(*kept, num_nodes=200, directed=False, y=y)
    assert "--set" not in examine(graph).options


def test_edges_listed_once_by_id_are_asked_about():
    rng = np.random.default_rng(1)
    ends = np.sort(rng.choice(50, (40, 2)), axis=1)
    names = [str(10 * v) for v in rng.permutation(50)]
    y = np.arange(50) % 2
    shuffled = np.argsort([int(name) for name in names])[ends]
    for pairs, options in ((ends, {}), (ends[:, ::-1], {}), (shuffled, {"names": names})):
        graph = im.Graph.from_edges(*pairs.T, num_nodes=50, directed=True, y=y, **options)
        assert "add --undirected" in by_topic(graph)["directions"].text
    mixed = im.Graph.from_edges(*np.vstack([ends, [[9, 2]]]).T, num_nodes=50, directed=True, y=y)
    assert by_topic(mixed)["directions"].level == "fine"


def test_classes_with_one_label_are_named():
    y = np.arange(40) % 2
    y[3] = 2
    graph = ring(40, y=y, class_names=["a", "b", "1979"])
    assert "1 class has one label only ('1979')" in by_topic(graph)["single labels"].text
    assert "single labels" not in by_topic(ring(40, y=np.arange(40) % 2))


def test_nodes_without_edges_rest_on_nothing_where_there_are_no_attributes():
    parts = {"num_nodes": 6, "directed": False, "y": [0, 1, 0, 1, 0, 1]}
    without = im.Graph.from_edges([0, 1], [1, 2], **parts)
    assert "the graph has no attributes" in by_topic(without)["isolated nodes"].text
    with_them = im.Graph.from_edges([0, 1], [1, 2], x=np.eye(6, 2), **parts)
    assert "only their attributes" in by_topic(with_them)["isolated nodes"].text


def test_label_reach_counts_hops():
    y = np.full(40, -1)
    y[[0, 20]] = [0, 1]
    found = by_topic(ring(40, y=y), ratio=1.0)["label reach"]
    assert found.figures == {"within_1": 6 / 40, "within_2": 10 / 40, "within_3": 14 / 40}
    assert found.level == "note"


def test_imbalance_asks_for_class_weights():
    y = np.zeros(60, dtype=int)
    y[:3] = 1
    assert "class_weights=yes" in by_topic(ring(60, y=y))["balance"].options


def test_edges_that_run_both_ways():
    graph = im.Graph.from_edges([0, 1, 1, 2], [1, 0, 2, 1], num_nodes=3, directed=True, y=[0, 1, 0])
    assert by_topic(graph)["directions"].options == ("--undirected",)


@pytest.mark.parametrize("sparse", [False, True])
def test_constant_duplicate_and_leaking_attributes(sparse):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    x = np.stack([rng.random(200) < 0.5, np.ones(200), y, np.zeros(200)], axis=1).astype(np.float32)
    x = np.concatenate([x, x[:, :1]], axis=1)
    names = ["random", "one", "label again", "zero", "copy"]
    graph = ring(200, x=sp.csr_array(x) if sparse else x, y=y, attribute_names=names)
    found = by_topic(graph)
    assert found["attributes"].figures["constant"] == 2
    assert "copy = random" in found["attributes"].text
    assert found["leakage"].figures["columns"] == ["label again"]


def test_a_number_that_reveals_the_label():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    x = np.stack([rng.normal(size=300), y * 10 + rng.normal(size=300)], axis=1).astype(np.float32)
    assert by_topic(ring(300, x=x, y=y, attribute_names=["noise", "score"]))["leakage"].figures["columns"] == ["score"]


def test_an_identifier_does_not_look_like_the_label():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    found = by_topic(ring(60, x=np.eye(60, dtype=np.float32), y=y))
    assert found["leakage"].level == "fine"


def test_rare_motifs_are_left_out():
    graph = im.make_roles(num_nodes=300, motif="feed-forward", seed=0)
    found = by_topic(graph)["motifs"]
    rare = [name for name, count in found.figures["instances"].items() if count < 100]
    assert rare == ["M5"]
    assert "M5" not in found.options


def test_a_column_without_any_value_reveals_nothing(tmp_path):
    ids = [str(v) for v in range(20)]
    nodes = {"id": ids, "label": ["ab"[v % 2] for v in range(20)], "none": pa.array([None] * 20, pa.string())}
    pq.write_table(pa.table(nodes), tmp_path / "nodes.parquet")
    pq.write_table(pa.table({"source": ids, "target": ids[1:] + ids[:1]}), tmp_path / "edges.parquet")
    graph = im.read_csv(tmp_path / "edges.parquet", tmp_path / "nodes.parquet", fill="zero")
    assert by_topic(graph)["leakage"].figures["columns"] == []


def test_a_ratio_out_of_range_is_refused():
    with pytest.raises(im.InputError, match="ratio"):
        examine(ring(5), ratio=0)


def test_columns_of_ids_and_row_numbers_are_named(tmp_path):
    rng = np.random.default_rng(0)
    rows = [f"{v},{'ab'[v % 2]},{v + 100},{rng.integers(10**5)},{rng.integers(20, 70)}" for v in range(60)]
    (tmp_path / "nodes.csv").write_text("id,label,row,file_id,age\n" + "\n".join(rows) + "\n")
    (tmp_path / "edges.csv").write_text("source,target\n" + "".join(f"{v},{(v * 7 + 1) % 60}\n" for v in range(60)))
    graph = im.read_csv(tmp_path / "edges.csv", tmp_path / "nodes.csv")
    assert by_topic(graph)["ids"].options == ("--ignore", "row", "--ignore", "file_id")
