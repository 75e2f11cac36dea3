"""Training on typed and signed graphs: labels on one type, inputs by type, modules of PyG, saving."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch_geometric.nn import HGTConv, RGCNConv

import infomotif as im
from infomotif import Graph, InfoMotif, Inputs, Regularizer, Training
from infomotif.doctor import examine
from infomotif.errors import InputError
from infomotif.graph.targets import target_nodes
from infomotif.runs.opened import open_run
from infomotif.runs.plan import RunPlan
from infomotif.runs.predictions import read_split, write_predictions
from infomotif.runs.report.content import report_content
from infomotif.runs.train import train_run
from infomotif.training.batches import Batches, TrainingData
from infomotif.training.features import FeatureMap
from infomotif.training.presets import plain_settings
from infomotif.training.self_training import pseudo_labels

MOVIES, PEOPLE = 60, 30


def films(dense=False, seed=0, **changes):
    """Movies with keywords and people with none; people work within one class, keywords say a little."""
    rng = np.random.default_rng(seed)
    y = np.r_[rng.integers(0, 2, MOVIES), np.full(PEOPLE, -1)]
    genre = rng.integers(0, 2, PEOPLE)
    source, target = [], []
    for movie in range(MOVIES):
        for person in rng.choice(np.flatnonzero(genre == y[movie]), 3, replace=False):
            source.append(movie)
            target.append(MOVIES + int(person))
    x = np.zeros((MOVIES + PEOPLE, 6), np.float32)
    likely = np.where(np.arange(6) % 2 == y[:MOVIES, None], 0.6, 0.4)
    x[:MOVIES] = (rng.random((MOVIES, 6)) < likely) * (10 if dense else 1)
    options = {
        "x": x if dense else sp.csr_array(x),
        "y": y,
        "node_types": ["movie"] * MOVIES + ["person"] * PEOPLE,
        "attribute_types": ["movie"] * 6,
    }
    return Graph.from_edges(source, target, num_nodes=len(y), directed=False, **options | changes)


def quick(encoder="rgcn", *, regularizer=None, epochs=15, **options):
    encoder = im.nn.encoders.as_encoder(encoder, hidden=8) if isinstance(encoder, str) else encoder
    options = {"preset": "paper", **options}
    return InfoMotif(encoder, regularizer=regularizer, training=Training(epochs=epochs), progress=False, **options)


def test_labels_of_one_type_make_its_nodes_the_targets():
    assert target_nodes(films()).tolist() == list(range(MOVIES))
    assert target_nodes(films().replace(node_types=None)) is None


def test_infomax_covers_targets_only():
    data = TrainingData(torch.full((9,), -1), torch.tensor([1]), torch.tensor([2]), torch.tensor([1, 2, 5, 7]))
    batches = Batches(data, plain_settings(batch_size=3), None)
    drawn = torch.cat([batch.others for batch in batches.infomax(np.random.default_rng(0))])
    assert sorted(drawn.tolist()) == [1, 2, 5, 7]


def test_self_training_labels_targets_only():
    data = TrainingData(torch.full((4,), -1), torch.tensor([0]), torch.tensor([1]), torch.tensor([0, 1]))
    assert pseudo_labels(data, torch.eye(4)[:, :2] * 9, 1.0).tolist() == [0, 1, -1, -1]


def test_a_type_without_attributes_is_told_by_its_indicator():
    graph = films()
    features = FeatureMap.fit(graph, None, normalize="auto")
    x = features.apply(graph, None).to_dense()
    assert features.width == 8
    assert features.names(graph.attribute_names)[-2:] == ("type movie", "type person")
    assert torch.equal(x[MOVIES:], torch.tensor([0, 0, 0, 0, 0, 0, 0, 1.0]).expand(PEOPLE, 8))
    assert torch.equal(x[:MOVIES, :6], torch.from_numpy(graph.x.toarray()[:MOVIES]))


def test_scaling_measures_an_attribute_on_its_own_type_and_leaves_zeros_elsewhere():
    graph = films(dense=True)
    x = FeatureMap.fit(graph, None, normalize="auto").apply(graph, None)
    x = x if isinstance(x, torch.Tensor) else x.to_dense()
    assert not x[MOVIES:, :6].any()
    torch.testing.assert_close(x[:MOVIES, :6].mean(dim=0), torch.zeros(6), atol=1e-5, rtol=0)
    torch.testing.assert_close(x[:MOVIES, :6].std(dim=0, unbiased=False), torch.ones(6))


def test_a_graph_without_types_has_the_features_of_before():
    graph = films().replace(node_types=None)
    features = FeatureMap.fit(graph, None, normalize="auto")
    assert (features.width, features.types, features.relations) == (6, (), ())


@pytest.mark.parametrize("regularizer", [None, Regularizer(q=2)])
def test_rgcn_learns_movies_from_their_people(regularizer):
    graph = films()
    model = quick(regularizer=regularizer, epochs=40).fit(graph, np.arange(30), np.arange(30, 40))
    assert model.split_.test.tolist() == list(range(40, MOVIES))
    assert model.score() >= 0.8


def test_a_saved_model_predicts_the_same(tmp_path):
    graph = films(dense=True)
    model = quick(inputs=Inputs(features="attributes+degree")).fit(graph, np.arange(30))
    loaded = im.load(model.save(tmp_path / "model"))
    assert np.array_equal(loaded.predict_proba(graph), model.predict_proba(graph))
    assert loaded.features_ == model.features_


def test_types_are_matched_by_name_on_another_graph(tmp_path):
    graph = films()
    model = quick().fit(graph, np.arange(30))
    turned = films(node_type_names=["person", "movie"])
    assert np.allclose(model.predict_proba(turned), model.predict_proba(graph), atol=1e-6)
    with pytest.raises(InputError, match="trained on nodes of the types movie, person"):
        model.predict(films(node_types=None, attribute_types=None))


def test_rgcn_resumes_from_a_checkpoint_to_the_bit(tmp_path):
    graph = films()
    whole = quick(regularizer=Regularizer(q=2)).fit(graph, np.arange(30), np.arange(30, 40))

    class Stop(Exception):
        pass

    def stop(record):
        if record["epoch"] == 7:
            raise Stop

    path = tmp_path / "state"
    with pytest.raises(Stop):
        quick(regularizer=Regularizer(q=2)).fit(graph, np.arange(30), np.arange(30, 40), checkpoint=path, on_epoch=stop)
    again = quick(regularizer=Regularizer(q=2)).fit(graph, np.arange(30), np.arange(30, 40), checkpoint=path)
    assert np.array_equal(again.predict_proba(), whole.predict_proba())


class HGT(torch.nn.Module):
    """Two layers of PyG's heterogeneous graph transformer."""

    def __init__(self, data, hidden=8):
        super().__init__()
        widths = {kind: data[kind].x.shape[1] if "x" in data[kind] else 1 for kind in data.node_types}
        self.first = HGTConv(widths, hidden, data.metadata(), heads=2)
        self.second = HGTConv(hidden, hidden, data.metadata(), heads=2)

    def forward(self, x_dict, edge_index_dict):
        return self.second(self.first(x_dict, edge_index_dict), edge_index_dict)


class PyGRelational(torch.nn.Module):
    def __init__(self, width, relations, hidden=8):
        super().__init__()
        self.first, self.second = RGCNConv(width, hidden, relations), RGCNConv(hidden, hidden, relations)

    def forward(self, x, edge_index, edge_type):
        return self.second(self.first(x, edge_index, edge_type).relu(), edge_index, edge_type).relu()


@pytest.mark.parametrize("regularizer", [None, Regularizer(q=2)])
@pytest.mark.parametrize("kind", ["hgt", "rgcn"])
def test_modules_of_pyg_train_save_and_load(tmp_path, kind, regularizer):
    graph = films()
    module = HGT(graph.to_heterodata()) if kind == "hgt" else PyGRelational(8, 2)
    model = quick(module, regularizer=regularizer).fit(graph, np.arange(30), np.arange(30, 40))
    assert model.history_[-1]["loss"] < model.history_[0]["loss"]
    loaded = im.load(model.save(tmp_path / "model"), encoder=module)
    assert np.array_equal(loaded.predict_proba(graph), model.predict_proba(graph))


def test_a_module_gets_what_heterodata_holds():
    graph = films()
    data = graph.to_heterodata()
    seen = {}

    class Look(torch.nn.Module):
        def forward(self, x_dict, edge_index_dict):
            seen.update(x=x_dict, edges=edge_index_dict)
            return {kind: x[:, :1] for kind, x in x_dict.items()}

    quick(Look(), epochs=1).fit(graph, np.arange(30))
    assert torch.equal(seen["x"]["movie"], data["movie"].x)
    assert torch.equal(seen["x"]["person"], torch.ones(PEOPLE, 1))
    assert {triple: set(map(tuple, e.t().tolist())) for triple, e in seen["edges"].items()} == {
        triple: set(map(tuple, data[triple].edge_index.t().tolist())) for triple in data.edge_types
    }


def test_a_module_of_the_wrong_width_is_told_the_widths():
    graph = films()
    data = graph.to_heterodata()
    data["movie"].x = data["movie"].x[:, :5]
    with pytest.raises(InputError, match="the widths are movie 6, person 1"):
        quick(HGT(data)).fit(graph, np.arange(30))


def test_signed_graphs_train_with_signs_apart():
    """Friends share a class and foes do not: without signs there is nothing to learn from."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 80)
    pairs = np.unique(np.sort(rng.integers(0, 80, (500, 2)), axis=1), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    signs = ["+" if y[a] == y[b] else "-" for a, b in pairs]
    x = np.where(rng.random(80) < 0.8, y, 1 - y)[:, None].astype(np.float32)
    x = np.hstack([x, 1 - x])
    graph = Graph.from_edges(*pairs.T, num_nodes=80, directed=False, edge_types=signs, y=y, x=x)
    scores = {
        name: quick(name, epochs=60).fit(graph, np.arange(40), np.arange(40, 50)).score() for name in ("rgcn", "gcn")
    }
    assert scores["rgcn"] >= 0.9
    assert scores["rgcn"] > scores["gcn"]


def test_frames_and_files_of_predictions_list_the_labelled_type_only(tmp_path):
    graph = films()
    model = quick().fit(graph, np.arange(30), np.arange(30, 40))
    assert model.to_frame(kind="arrow").num_rows == MOVIES
    write_predictions(tmp_path / "p.csv", graph, model, labels=graph.y, split=model.split_)
    assert len((tmp_path / "p.csv").read_text().splitlines()) == 1 + MOVIES
    assert read_split(tmp_path / "p.csv", graph).test.tolist() == model.split_.test.tolist()


def test_another_graph_without_labels_is_predicted_for_the_labelled_type(tmp_path):
    model = im.load(quick().fit(films(), np.arange(30)).save(tmp_path / "model"))
    assert model.to_frame(films(seed=1, y=None), kind="arrow").num_rows == MOVIES


def test_explanations_name_the_types_of_members():
    model = quick(regularizer=Regularizer(q=2)).fit(films(), np.arange(30), np.arange(30, 40))
    members = model.explain(0).instances[0].members
    assert {member.type for member in members} == {"movie", "person"}
    assert {member.shown for member in members if member.type == "person"} == {"person"}
    assert any("labels are about movie" in note for note in model.explain(MOVIES).notes)


def test_the_doctor_knows_types():
    texts = {finding.topic: finding.text for finding in examine(films()).findings}
    assert texts["labels"].startswith("60 of 60 nodes of the type movie have a label")
    assert texts["types"].startswith("node types: movie 60, person 30")
    assert "by type: movie 6, person none" in texts["attributes"]
    assert "with a common neighbour have the same class" in texts["homophily"]


def test_the_page_knows_types(tmp_path):
    graph = films()
    plan = RunPlan({"dataset": "films"}, encoder="rgcn", settings={"epochs": 2, "hidden": 4, "q": 2})
    result = train_run(plan, graph, tmp_path / "run", progress=False)
    content = report_content(open_run(tmp_path / "run", graph), result)
    assert content["graph"]["node_types"] == [("movie", 60, 6), ("person", 30, 0)]
    assert (content["graph"]["labelled_types"], content["graph"]["unlabelled_types"]) == (["movie"], ["person"])
    groups = np.array(content["nodes"]["predicted"])
    assert (groups[:MOVIES] < 2).all()
    assert (groups[MOVIES:] == 2).all()


def test_typed_motifs_regularise_and_are_saved(tmp_path):
    graph = films()
    model = quick(regularizer=Regularizer(q=2), motifs="typed", epochs=3).fit(graph, np.arange(30), np.arange(30, 40))
    assert set(model.motif_patterns_) == {"a:movie-b:person, a-c:person", "a:person-b:movie, a-c:movie"}
    loaded = im.load(model.save(tmp_path / "model"))
    assert np.array_equal(loaded.predict_proba(graph), model.predict_proba(graph))
