"""InfoMotif as an estimator: scikit-learn's habits, any module, no leakage, the same numbers again, odd graphs."""

from __future__ import annotations

import functools
import hashlib
import itertools
import pickle
import re
import warnings
from concurrent.futures import ThreadPoolExecutor

import networkx as nx
import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from torch import nn
from torch_geometric.nn import GCNConv, Sequential
from torch_geometric.nn import models as pyg

from infomotif import GAT, GCN, Graph, InfoMotif, MotifIndex, Regularizer, Training, load_dataset, make_roles
from infomotif.errors import InputError
from infomotif.nn import ENCODERS
from infomotif.training import TrainingError
from infomotif.training.distributed import World
from tests.models import make_model


@functools.cache
def roles() -> Graph:
    return make_roles(num_nodes=120)


@functools.cache
def karate() -> Graph:
    return load_dataset("karate")


def quick(encoder="gcn", **options) -> InfoMotif:
    return make_model(encoder, **{"hidden": 8, "heads": 2, "epochs": 3, **options})


def parameters(model: InfoMotif):
    return dict(model.network_.state_dict())


def equal_to_the_bit(one: InfoMotif, two: InfoMotif) -> bool:
    first, second = parameters(one), parameters(two)
    return first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)


def told(model: InfoMotif):
    """What training said, without the times."""
    return [{key: value for key, value in record.items() if key != "seconds"} for record in model.history_]


# scikit-learn's habits


def test_the_constructor_stores_its_parameters_unchanged():
    encoder, training = GAT(hidden=8), Training(lr=0.5)
    model = InfoMotif(encoder, training=training, motifs=["M6"])
    assert model.encoder is encoder
    assert model.training is training
    assert model.motifs == ["M6"]


def test_the_front_door_has_about_ten_parameters():
    assert len(InfoMotif._get_param_names()) == 11


def test_deep_parameters_are_the_options_of_the_configuration_objects():
    params = InfoMotif(GAT(heads=4), training=Training(lr=0.5)).get_params(deep=True)
    assert (params["encoder__heads"], params["training__lr"], params["regularizer__q"]) == (4, 0.5, 20)
    assert "training__lr" not in InfoMotif().get_params(deep=False)


def test_an_option_can_be_set_by_its_deep_name():
    model = InfoMotif("gat", regularizer=None).set_params(encoder__heads=4, training__lr=0.5, regularizer__q=3)
    assert (model.encoder, model.training, model.regularizer) == (GAT(heads=4), Training(lr=0.5), Regularizer(q=3))


@pytest.mark.parametrize(
    ("option", "place"),
    [("epochs", "training=Training(epochs=...)"), ("heads", "encoder=GAT(heads=...)"), ("q", "Regularizer(q=...)")],
)
def test_an_option_of_the_flat_constructor_names_its_new_place(option, place):
    with pytest.raises(TypeError, match=re.escape(place)):
        InfoMotif(**{option: 3})
    with pytest.raises(InputError, match=re.escape(place)):
        InfoMotif().set_params(**{option: 3})


def test_a_preset_fills_in_what_was_not_given():
    assert InfoMotif(preset="joint", regularizer=Regularizer(q=3)).settings().regularizer.residual
    assert not InfoMotif(preset="joint", regularizer=Regularizer(residual=False)).settings().regularizer.residual
    assert not InfoMotif(regularizer=None).settings().regularize


def test_a_subclass_may_add_parameters():
    class Mine(InfoMotif):
        def __init__(self, encoder="gcn", extra=3):
            super().__init__(encoder)
            self.extra = extra

    assert Mine(extra=5).get_params() == {"encoder": "gcn", "extra": 5}
    assert Mine("gat").encoder == "gat"


def test_two_lists_of_different_length_are_not_nodes():
    with pytest.raises(InputError, match="train must be a mask or node numbers"):
        quick().fit(karate(), train=[[0], [1, 2]])


def test_parameters_round_trip():
    model = quick(lr=0.5, preset="joint")
    again = InfoMotif().set_params(**model.get_params())
    assert again.get_params() == model.get_params()
    assert again.settings() == model.settings()


def test_a_wrong_parameter_is_refused():
    with pytest.raises(TypeError, match="hiden"):
        InfoMotif(hiden=8)
    with pytest.raises(ValueError, match="hiden"):
        InfoMotif().set_params(hiden=8)


def test_a_clone_has_the_parameters_and_is_not_fitted():
    model = quick(lr=0.5).fit(karate(), [0, 33])
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        copy.predict()


def test_a_clone_of_a_model_with_a_module_trains_to_the_same_numbers():
    torch.manual_seed(0)
    module = pyg.GCN(roles().num_attributes, 8, num_layers=2)
    first, second = (model.fit(roles()) for model in (quick(module), clone(quick(module))))
    assert equal_to_the_bit(first, second)


def test_repr_shows_what_was_changed():
    assert repr(InfoMotif(GAT(heads=4), training=Training(lr=0.5))) == (
        "InfoMotif(encoder=GAT(heads=4), training=Training(lr=0.5))"
    )


@pytest.mark.parametrize("call", ["predict", "predict_proba", "embed", "score"])
def test_an_unfitted_model_says_so(call):
    with pytest.raises(NotFittedError, match="not fitted yet; call fit"):
        getattr(InfoMotif(), call)()


def test_saving_an_unfitted_model_says_so(tmp_path):
    with pytest.raises(NotFittedError):
        InfoMotif().save(tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_grid_search_is_a_loop():
    nodes = np.random.default_rng(0).permutation(120)
    train, val = nodes[:50], nodes[50:80]
    scores = {}
    for lr, hidden in itertools.product([0.001, 0.05], np.array([4, 8])):
        model = clone(quick()).set_params(training__lr=lr, encoder__hidden=hidden, training__epochs=5)
        scores[lr, int(hidden)] = model.fit(roles(), train, val).score(val)
    assert len(scores) == 4
    assert len(set(scores.values())) > 1


def test_fitted_attributes_have_the_promised_shapes():
    model = quick().fit(roles())
    assert model.predict().shape == (120,)
    assert model.predict_proba().shape == (120, 4)
    np.testing.assert_allclose(model.predict_proba().sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_array_equal(model.predict_proba().argmax(axis=1), model.predict())
    assert model.embed().shape == (120, 8)
    assert model.motif_weights_.shape == (120, 2)
    np.testing.assert_allclose(model.motif_weights_.sum(axis=1), 1, rtol=1e-5)
    assert model.novelty_.shape == (len(model.split_.train),)
    assert model.classes_.tolist() == ["role 0", "role 1", "role 2", "role 3"]
    assert [record["epoch"] for record in model.history_] == [1, 2, 3]
    assert 1 <= model.best_epoch_ <= 3
    assert model.graph_info_["fingerprint"] == roles().fingerprint()


def test_the_base_has_no_motif_weights():
    model = quick(preset="base").fit(karate())
    assert model.motif_weights_ is None
    assert model.network_.regularizer is None


def test_a_fit_that_fails_leaves_what_was_fitted_before():
    model = quick().fit(roles())
    before = model.predict_proba()
    with pytest.raises(TrainingError):
        model.set_params(training__lr=1e30).fit(karate())
    np.testing.assert_array_equal(model.predict_proba(), before)
    assert model.graph_ is roles()


def test_an_interrupted_first_fit_leaves_an_unfitted_model():
    def stop(record):
        raise KeyboardInterrupt

    model = quick()
    with pytest.raises(KeyboardInterrupt):
        model.fit(roles(), on_epoch=stop)
    with pytest.raises(NotFittedError):
        model.predict()


def test_score_is_the_accuracy_on_nodes_that_neither_trained_nor_validated():
    model = quick().fit(roles(), range(40), range(40, 60))
    test = np.arange(60, 120)
    assert model.split_.test.tolist() == test.tolist()
    assert model.score() == (model.predict()[test] == roles().y[test]).mean()
    assert model.score(range(10)) == (model.predict()[:10] == roles().y[:10]).mean()
    assert model.score(graph=roles()) == (model.predict() == roles().y).mean()


def test_score_goes_by_the_names_of_classes_not_their_numbers():
    model = quick().fit(roles())
    order = np.array([2, 0, 3, 1])
    renamed = roles().replace(y=np.argsort(order)[roles().y], class_names=[roles().class_names[c] for c in order])
    assert model.score(graph=renamed) == model.score(graph=roles())


def test_score_explains_what_it_cannot_do():
    partly = roles().replace(y=np.where(np.arange(120) < 60, roles().y, -1))
    model = quick().fit(partly, range(30), range(30, 60))
    with pytest.raises(InputError, match="no labelled node left to test on"):
        model.score()
    with pytest.raises(InputError, match="nodes names 2 nodes without a label"):
        model.score([0, 61, 62])
    with pytest.raises(InputError, match="needs a graph with labels"):
        model.score(graph=roles().replace(y=None, class_names=()))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"encoder": "gnn"}, "unknown encoder 'gnn': did you mean 'gin'"),
        ({"preset": "papr"}, "did you mean 'paper'"),
        ({"motifs": ["M66"]}, "unknown motif 'M66'"),
        ({"device": "gpu"}, r"device must be auto, cpu, cuda or cuda:N \(got 'gpu'\)"),
        ({"device": None}, r"device must be auto, cpu, cuda or cuda:N \(got 'None'\)"),
        ({"random_state": None}, r"random_state must be a whole number from 0 to 2\*\*63 - 1 \(got None\)"),
        ({"random_state": -1}, r"random_state must be a whole number from 0 to 2\*\*63 - 1 \(got -1\)"),
        ({"random_state": 0.5}, "random_state must be a whole number"),
        ({"threads": 0}, r"threads must be a whole number from 1 to 1024 \(got 0\)"),
        ({"hidden": 7, "encoder": "gat"}, "hidden must be a multiple of heads"),
        ({"epochs": 0}, r"epochs must be at least 1 \(got 0\)"),
    ],
)
def test_wrong_parameters_are_named_by_fit(options, message):
    with pytest.raises(InputError, match=message):
        quick(**options).fit(karate())


def test_patience_needs_validation():
    with pytest.raises(InputError, match="patience needs validation nodes"):
        quick(patience=3).fit(karate(), [0, 33])


def test_val_needs_train():
    with pytest.raises(InputError, match="val needs train"):
        quick().fit(karate(), val=[0, 33])


# What counts as a graph


def test_pyg_data_brings_its_masks():
    data = roles().to_pyg()
    data.train_mask, data.val_mask = torch.zeros(2, 120, dtype=torch.bool)
    data.train_mask[:40], data.val_mask[40:60] = True, True
    model = quick().fit(data)
    assert model.split_.train.tolist() == list(range(40))
    assert model.split_.val.tolist() == list(range(40, 60))
    assert equal_to_the_bit(model, quick().fit(roles(), range(40), range(40, 60)))
    assert np.array_equal(model.predict(data), model.predict())


def test_a_test_mask_says_which_nodes_test():
    data = roles().to_pyg()
    data.train_mask, data.val_mask, data.test_mask = torch.zeros(3, 120, dtype=torch.bool)
    data.train_mask[:40], data.val_mask[40:60], data.test_mask[100:] = True, True, True
    model = quick().fit(data)
    assert model.split_.test.tolist() == list(range(100, 120))
    assert model.score() == model.score(range(100, 120))


def test_a_val_mask_alone_is_refused():
    data = roles().to_pyg()
    data.val_mask = torch.ones(120, dtype=torch.bool)
    with pytest.raises(InputError, match="val_mask without a train_mask"):
        quick().fit(data)


def test_networkx_graphs_are_taken():
    model = quick().fit(roles().to_networkx())
    assert model.predict().shape == (120,)


def test_anything_else_is_refused():
    with pytest.raises(InputError, match=r"a SciPy sparse matrix, an edge index or a data frame of edges \(got list\)"):
        quick().fit([[0, 1]])


def test_without_masks_a_random_split_is_drawn():
    model = quick().fit(roles())
    assert [len(part) for part in (model.split_.train, model.split_.val, model.split_.test)] == [96, 24, 0]


# Any module as an encoder


class Mean(torch.nn.Module):
    """Somebody's own layer: the mean of neighbours and oneself."""

    def __init__(self, in_dim: int, out_dim: int) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(in_dim, out_dim)
        self.register_buffer("calls", torch.zeros((), dtype=torch.long))

    def forward(self, x, edge_index):
        self.calls += 1
        h = self.linear(x)
        total = torch.zeros_like(h).index_add(0, edge_index[1], h[edge_index[0]]) + h
        degree = torch.ones(len(x)).index_add(0, edge_index[1], torch.ones(edge_index.shape[1]))
        return torch.relu(total / degree.unsqueeze(1))


MODULES = {
    "PyG GCN": lambda n: pyg.GCN(n, 8, num_layers=2, dropout=0.5),
    "PyG GraphSAGE": lambda n: pyg.GraphSAGE(n, 8, num_layers=2),
    "PyG GAT": lambda n: pyg.GAT(n, 8, num_layers=2, heads=2),
    "PyG GIN, lazy": lambda n: pyg.GIN(-1, 8, num_layers=2),
    "own": lambda n: Mean(n, 6),
}


@pytest.mark.parametrize("preset", ["paper", "joint", "base"])
@pytest.mark.parametrize("name", [*MODULES])
def test_any_module_is_trained_unchanged(name, preset):
    torch.manual_seed(0)
    module = MODULES[name](roles().num_attributes)
    before = {key: value.clone() for key, value in module.state_dict().items() if "lazy" not in name}
    model = quick(module, preset=preset).fit(roles())
    assert model.embed().shape == (120, 6 if name == "own" else 8)
    assert np.isfinite(model.predict_proba()).all()
    assert type(model.network_.encoder) is type(module)
    assert all(torch.equal(before[key], module.state_dict()[key]) for key in before)
    assert all(
        not torch.equal(before[key], value) for key, value in model.network_.encoder.named_parameters() if before
    )


def test_a_module_with_a_wrong_output_is_explained():
    class Wrong(torch.nn.Module):
        def forward(self, x, edge_index):
            return x.mean(dim=0)

    with pytest.raises(InputError, match=r"encoder must return a tensor \[120, d\] \(got \[280\]\)"):
        quick(Wrong()).fit(roles())


# Nothing leaks, everything repeats


@pytest.mark.parametrize("preset", ["paper", "joint"])
def test_garbage_for_test_labels_changes_nothing_but_the_test_score(preset):
    train, val, test = np.split(np.random.default_rng(0).permutation(120), [30, 60])
    y = roles().y.copy()
    y[test] = (y[test] + 1 + np.random.default_rng(1).integers(0, 2, len(test))) % 4
    settings = {
        "preset": preset,
        "structural_features": "counts",
        "readout_in_z": True,
        "class_weights": True,
        "patience": 2,
    }
    honest, garbage = (quick(epochs=6, **settings).fit(graph, train, val) for graph in (roles(), roles().replace(y=y)))
    assert equal_to_the_bit(honest, garbage)
    assert told(honest) == told(garbage)
    np.testing.assert_array_equal(honest.predict_proba(), garbage.predict_proba())
    np.testing.assert_array_equal(honest.novelty_, garbage.novelty_)
    assert honest.score() != garbage.score()


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_seed_gives_the_same_numbers_to_the_bit(threads):
    one, again = (quick("gat", threads=threads, random_state=3, epochs=2).fit(roles()) for _ in range(2))
    assert equal_to_the_bit(one, again)
    assert told(one) == told(again)
    np.testing.assert_array_equal(one.predict_proba(), again.predict_proba())


def test_another_seed_gives_other_numbers():
    one, other = (quick(random_state=seed).fit(roles(), range(60), range(60, 90)) for seed in (0, 1))
    assert not equal_to_the_bit(one, other)


def test_fit_and_predict_leave_the_worlds_randomness_and_threads_alone():
    torch.manual_seed(5)
    np.random.seed(5)  # noqa: NPY002
    before = torch.get_rng_state(), np.random.get_state()[1].copy(), torch.get_num_threads()  # noqa: NPY002
    quick(threads=2).fit(roles()).predict(make_roles(num_nodes=150))
    assert torch.equal(torch.get_rng_state(), before[0])
    np.testing.assert_array_equal(np.random.get_state()[1], before[1])  # noqa: NPY002
    assert torch.get_num_threads() == before[2]


def test_what_the_world_drew_before_does_not_matter():
    one = quick().fit(roles())
    torch.rand(10)
    assert equal_to_the_bit(one, quick().fit(roles()))


class Stop(Exception):
    """Stands for whatever ends a training early."""


@pytest.mark.parametrize("options", [{}, {"preset": "joint", "batch_size": 50}, {"mi_lr": 0.001, "warmup_epochs": 2}])
def test_a_training_stopped_after_any_epoch_ends_the_same_to_the_bit(tmp_path, monkeypatch, options):
    monkeypatch.setenv("INFOMOTIF_CHECKPOINT_SECONDS", "0")
    settings = {"epochs": 4, "norm": "batch", "lr_schedule": "cosine", **options}
    whole = quick(**settings).fit(roles())
    for last in range(1, len(whole.history_) + 1):
        path, again = tmp_path / str(last), []

        def stop(record, last=last):
            if record["epoch"] == last:
                raise Stop

        with pytest.raises(Stop):
            quick(**settings).fit(roles(), checkpoint=path, on_epoch=stop)
        resumed = quick(**settings).fit(roles(), checkpoint=path, on_epoch=again.append)
        assert equal_to_the_bit(resumed, whole)
        assert told(resumed) == told(whole)
        assert again == resumed.history_
        assert resumed.best_epoch_ == whole.best_epoch_
        np.testing.assert_array_equal(resumed.novelty_, whole.novelty_)
        np.testing.assert_array_equal(resumed.predict_proba(), whole.predict_proba())


def test_a_checkpoint_of_other_settings_graph_or_seed_is_refused(tmp_path):
    quick().fit(roles(), checkpoint=tmp_path / "state")
    for other, graph in [
        (quick(lr=0.5), roles()),
        (quick(random_state=1), roles()),
        (quick(), make_roles(num_nodes=123)),
    ]:
        with pytest.raises(InputError, match="belongs to a run with other settings, data or seed"):
            other.fit(graph, checkpoint=tmp_path / "state")


def test_a_checkpoint_of_a_module_of_another_width_is_refused(tmp_path):
    def model(width):
        module = Sequential("x, edge_index", [(GCNConv(roles().num_attributes, width), "x, edge_index -> x")])
        return quick(encoder=module)

    model(8).fit(roles(), checkpoint=tmp_path / "state")
    with pytest.raises(InputError, match="belongs to a run with other settings, data or seed"):
        model(9).fit(roles(), checkpoint=tmp_path / "state")


# Options beyond the paper


@pytest.mark.parametrize(
    "options",
    [
        {"novelty": False},
        {"task_weights": False},
        {"schedule": "joint"},
        {"residual": True},
        {"readout_in_z": True, "residual": True},
        {"structural_features": "quantiles"},
        {"attention": "additive"},
        {"instance_encoder": "mean"},
        {"instance_encoder": "max"},
        {"readout": "set2set"},
        {"readout": "batch"},
        {"gate": "diagonal"},
        {"negatives": "swap"},
        {"mi_lr": 0.001},
        {"mi_share": 0.5},
        {"warmup_epochs": 2},
        {"weight_decay": 0.1},
        {"class_weights": True},
        {"clip": 0.01},
        {"lr_schedule": "cosine"},
        {"batch_size": 30},
        {"normalize": "row"},
        {"norm": "batch"},
        {"encoder_residual": True},
        {"layers": 3},
        {"q": 2},
    ],
    ids=str,
)
def test_each_option_changes_what_is_learned(options):
    # Few and uneven labels, so that weights of classes and nodes matter.
    train, val = [*range(10), 17, 23], range(30, 60)
    plain, changed = (quick(epochs=6, lr=0.05, **o).fit(roles(), train, val) for o in ({}, options))
    assert told(plain) != told(changed)
    assert np.isfinite(changed.predict_proba()).all()


def test_structural_features_widen_the_input_and_serve_other_graphs():
    model = quick(structural_features="counts", preset="base").fit(karate())
    assert model.features_.width == 3
    other = load_dataset("brazil")
    assert model.predict(other.replace(y=None, class_names=())).shape == (other.num_nodes,)


def test_one_motif_or_many_may_be_named():
    assert quick(motifs=["M7"]).fit(karate()).motif_weights_.shape == (34, 1)
    assert quick(motifs="graphlets4").fit(karate()).motif_weights_.shape[1] > 2


@functools.cache
def roles_index() -> MotifIndex:
    return MotifIndex(roles())


def test_an_index_instead_of_motif_names_gives_the_same_numbers():
    by_name, by_index = quick(motifs=["M7"]).fit(roles()), quick(motifs=roles_index().select(["M7"])).fit(roles())
    assert equal_to_the_bit(by_name, by_index)
    assert by_index.motif_names_ == ("M7",)


@pytest.mark.parametrize("changes", [{}, {"motifs": ["M7"]}, {"preset": "base"}, {"structural_features": "counts"}])
def test_fit_takes_motifs_from_an_index_that_was_made_before(changes):
    assert equal_to_the_bit(quick(**changes).fit(roles()), quick(**changes).fit(roles(), index=roles_index()))


def test_auto_drops_the_same_rare_motifs_from_an_index_made_before():
    nodes = {"train": np.arange(0, 34, 2), "val": np.arange(1, 34, 2)}
    models = [quick(preset="auto").fit(karate(), **nodes, index=index) for index in (None, MotifIndex(karate()))]
    assert models[0].choice_.motifs == models[1].choice_.motifs
    assert equal_to_the_bit(*models)


def test_an_index_is_used_and_the_motifs_are_not_counted_again(monkeypatch):
    index = roles_index()
    model = quick(readout_in_z=True, structural_features="counts")
    monkeypatch.setattr("infomotif.motifs.index.count_motifs", None)
    model.fit(roles(), index=index)
    model.predict(roles().replace(y=None), index=index)
    model.subject(roles(), index=index, base=model)
    model.explain(3, roles(), index=index)


def test_an_index_of_another_graph_is_refused():
    index = MotifIndex(karate())
    message = r"the motif index is of another graph \(karate, 34 nodes\) than .* \(120 nodes\); make it with MotifIndex"
    with pytest.raises(InputError, match=message):
        quick(motifs=index).fit(roles())
    with pytest.raises(InputError, match=message):
        quick().fit(roles(), index=index)
    model = quick(readout_in_z=True).fit(roles())
    with pytest.raises(InputError, match=message):
        model.predict(roles(), index=index)
    with pytest.raises(InputError, match=r"index must be a MotifIndex of the graph \(got str\)"):
        quick().fit(roles(), index="M7")


def test_an_index_without_a_motif_that_is_named_is_refused():
    with pytest.raises(InputError, match="unknown motif of this index 'M6'"):
        quick().fit(roles(), index=roles_index().select(["M7"]))


def test_an_index_is_a_parameter_like_others():
    index = roles_index()
    model = quick(motifs=index)
    assert model.get_params()["motifs"] is index
    assert quick().set_params(motifs=index).motifs is index
    assert equal_to_the_bit(clone(model).fit(roles()), quick().fit(roles()))


# Prediction on other graphs


def test_new_nodes_and_edges_get_labels():
    model = quick(epochs=5).fit(roles())
    smaller = roles().subgraph(np.arange(80))
    assert model.predict(smaller).shape == (80,)
    assert model.embed(smaller).shape == (80, 8)
    np.testing.assert_allclose(model.predict_proba(roles()), model.predict_proba(), rtol=1e-5, atol=1e-6)


def test_readout_in_z_counts_motifs_of_the_graph_at_hand():
    model = quick(readout_in_z=True, residual=True).fit(roles())
    np.testing.assert_allclose(model.predict_proba(roles()), model.predict_proba(), rtol=1e-4, atol=1e-5)
    assert model.predict(make_roles(num_nodes=150)).shape == (150,)


@pytest.mark.parametrize("changes", [{"readout_in_z": True}, {"preset": "base", "dropout": 0.9}])
def test_two_threads_predict_on_two_graphs_at_once(changes):
    model = quick(**changes).fit(roles())
    graphs = [make_roles(num_nodes=150), make_roles(num_nodes=90)] * 6
    expected = [model.predict_proba(graph) for graph in graphs[:2]] * 6
    with ThreadPoolExecutor(2) as pool:
        for found, wanted in zip(pool.map(model.predict_proba, graphs), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_a_fitted_network_holds_no_graph():
    model = quick(negatives="degree").fit(roles())
    assert b"MotifIndex" not in pickle.dumps(model.network_)


def test_other_attributes_are_refused():
    model = quick().fit(roles())
    names = [*roles().attribute_names]
    with pytest.raises(
        InputError, match=r"attributes differ from those the model was trained on \(first: role 0 word 0\)"
    ):
        model.predict(roles().replace(attribute_names=["other", *names[1:]]))
    with pytest.raises(InputError, match="first: their order"):
        model.predict(roles().replace(attribute_names=names[::-1]))
    with pytest.raises(InputError, match="attributes differ"):
        model.predict(karate())


# Odd graphs


def odd(n, source=(), target=(), x=None, y=None, directed=False):
    y = np.arange(n) % 2 if y is None else y
    return Graph.from_edges(
        list(source), list(target), num_nodes=n, directed=directed, x=x, y=y, class_names=["a", "b"]
    )


ODD = {
    "five nodes": odd(5, [0, 1, 2, 3], [1, 2, 3, 4]),
    "no edges": odd(6),
    "no edges, directed": odd(6, directed=True),
    "isolated nodes": odd(8, [0, 1, 2], [1, 2, 0]),
    "no triangle": odd(6, [0, 1, 2, 3, 4], [1, 2, 3, 4, 5]),
    "all attributes zero": odd(6, [0, 1, 2, 3], [1, 2, 0, 4], x=np.zeros((6, 3), dtype=np.float32)),
    "no attribute at all": odd(6, [0, 1, 2, 3], [1, 2, 0, 4], x=np.zeros((6, 0), dtype=np.float32)),
    "two nodes": odd(2, [0], [1]),
    "one node": odd(1),
    "unlabelled nodes": odd(6, [0, 1, 2, 3], [1, 2, 0, 4], y=np.array([0, 1, -1, -1, 0, 1])),
}


@pytest.mark.parametrize(
    ("encoder", "preset"), [*((name, "paper") for name in ENCODERS), ("gcn", "joint"), ("gcn", "base")]
)
@pytest.mark.parametrize("name", [*ODD])
def test_odd_graphs_are_learned_without_complaint(name, encoder, preset):
    graph = ODD[name]
    train = np.flatnonzero(graph.y >= 0)[:2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "no training node has class")
        model = quick(encoder, preset=preset, epochs=2).fit(graph, train)
    assert model.predict().shape == (graph.num_nodes,)
    assert np.isfinite(model.predict_proba()).all()


def test_a_class_without_training_nodes_is_warned_of():
    with pytest.warns(UserWarning, match="no training node has class Officer; it will hardly be predicted"):
        quick().fit(karate(), [0, 1])


def test_one_class_is_refused():
    with pytest.raises(InputError, match=r"karate must have labels of at least two classes \(got 1\)"):
        quick().fit(karate().replace(y=np.zeros(34, dtype=int), class_names=["only"]))
    with pytest.raises(InputError, match="at least two classes"):
        quick().fit(karate().replace(y=None, class_names=()))


def test_unlabelled_training_nodes_are_refused():
    with pytest.raises(InputError, match="train names 1 nodes without a label"):
        quick().fit(ODD["unlabelled nodes"], [0, 1, 2])


@pytest.mark.parametrize("options", [{"lr": 1e30}, {"normalize": "none", "lr": 1e20}])
def test_diverging_losses_end_training_with_advice(options):
    with pytest.raises(TrainingError, match=r"at epoch \d+; lower lr"):
        quick(epochs=20, **options).fit(roles())


def test_a_last_step_that_diverges_is_reported_without_validation_nodes():
    with pytest.raises(TrainingError, match="prediction is not a finite number at epoch 1"):
        quick(epochs=1, preset="paper", mi_lr=1e37).fit(karate(), train=np.arange(34))


def test_huge_attributes_end_training_with_advice():
    x = np.full((6, 3), 3e38, dtype=np.float32)
    with pytest.raises(TrainingError, match=r"scale the attributes \(normalize\)"):
        quick(normalize="none").fit(odd(6, [0, 1, 2], [1, 2, 0], x=x), [0, 1])


def test_an_attribute_in_large_units_does_not_drown_the_others():
    graph = make_roles(num_nodes=200)
    years = np.random.default_rng(0).integers(18, 80, (200, 1)).astype(np.float32)
    wide = graph.replace(x=np.hstack([graph.x.toarray(), years]))
    model = quick(epochs=3).fit(wide, np.arange(40))
    assert model.features_.scale[-1] > 10
    assert set(model.features_.scale[:-1]) == {1.0}
    assert make_model(hidden=8, epochs=1).fit(graph, np.arange(40)).features_.scale == ()


def test_a_networkx_graph_without_labels_is_refused():
    with pytest.raises(InputError, match="must have labels of at least two classes"):
        quick().fit(nx.path_graph(5))


# Golden runs: exact accuracies, losses to what other processors' rounding leaves


def digest(labels: np.ndarray) -> str:
    return hashlib.sha256(labels.astype("<i8").tobytes()).hexdigest()[:12]


@functools.cache
def golden_graph(name: str) -> Graph:
    return make_roles(num_nodes=300) if name == "roles" else load_dataset("brazil")


# Validation accuracy, test accuracy, best epoch, last losses, and the predicted classes.
FULL_BATCH = {"batch_size": None, "negatives": "shuffle"}
GOLDEN = {
    ("roles", "gcn", "all nodes"): (52 / 60, 161 / 180, 14, 0.60404, 0.29192, "dfefc6c4c9ce"),
    ("roles", "gat", "all nodes"): (53 / 60, 156 / 180, 15, 0.43361, 0.28271, "34bb435f5287"),
    ("roles", "jknet", "all nodes"): (54 / 60, 165 / 180, 15, 0.22223, 0.25637, "9586a228cb9a"),
    ("brazil", "gcn", "all nodes"): (8 / 26, 19 / 79, 1, 1.14410, 0.21924, "0b7e7eab6e60"),
    ("brazil", "gat", "all nodes"): (9 / 26, 24 / 79, 1, 1.39052, 0.10283, "c202ad7658b6"),
    ("brazil", "jknet", "all nodes"): (8 / 26, 24 / 79, 14, 1.06701, 0.17545, "b5039fb8ceb1"),
    ("roles", "gcn", "as published"): (52 / 60, 149 / 180, 15, 0.76664, 0.23921, "5ddb03155891"),
    ("roles", "gat", "as published"): (53 / 60, 159 / 180, 13, 0.54982, 0.25400, "8044d0f6be9b"),
    ("roles", "jknet", "as published"): (55 / 60, 163 / 180, 15, 0.22691, 0.19041, "d0819dd2fa14"),
    ("brazil", "gcn", "as published"): (8 / 26, 19 / 79, 1, 1.16663, 0.21427, "0b7e7eab6e60"),
}


@pytest.mark.parametrize(("name", "encoder", "batches"), [*GOLDEN])
def test_golden_run(name, encoder, batches):
    graph = golden_graph(name)
    nodes = np.random.default_rng(0).permutation(graph.num_nodes)
    first, second = graph.num_nodes // 5, 2 * graph.num_nodes // 5
    settings = FULL_BATCH if batches == "all nodes" else {}
    model = make_model(encoder, hidden=16, epochs=15, lr=0.05, random_state=7, threads=1, **settings)
    model.fit(graph, nodes[:first], nodes[first:second])
    validation, test, best, loss, mi_loss, labels = GOLDEN[name, encoder, batches]
    assert max(record["val_accuracy"] for record in model.history_) == pytest.approx(validation, abs=1e-12)
    assert model.score() == pytest.approx(test, abs=1e-12)
    assert model.best_epoch_ == best
    assert model.history_[-1]["loss"] == pytest.approx(loss, abs=1e-4)
    assert model.history_[-1]["mi_loss"] == pytest.approx(mi_loss, abs=1e-4)
    assert digest(model.predict()) == labels


def test_whole_graph_is_refused_to_several_processes(monkeypatch):
    monkeypatch.setattr("infomotif.model.estimator.current_world", lambda: World(0, 2))
    with pytest.raises(InputError, match="sampling=none trains in one process only"):
        make_model(sampling="none").fit(load_dataset("karate"), train=[0, 33])


def test_a_networkx_graph_without_labels_is_told_how_to_name_them() -> None:
    with pytest.raises(InputError, match=r"such as from_networkx\(graph, label='club'\)"):
        InfoMotif().fit(nx.karate_club_graph())


@pytest.mark.parametrize("encoder", [nn.Linear, GCN])
def test_a_class_is_not_an_encoder(encoder: type) -> None:
    with pytest.raises(InputError, match=f"encoder must be an instance, not the class {encoder.__name__}"):
        InfoMotif(encoder).fit(load_dataset("karate"))  # type: ignore[arg-type]


def test_a_module_of_the_wrong_width_is_told_the_right_one() -> None:
    class Narrow(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(7, 3)

        def forward(self, x: torch.Tensor, edge_index: torch.Tensor) -> torch.Tensor:
            return self.layer(x)  # type: ignore[no-any-return]

    with pytest.raises(InputError, match=r"the encoder Narrow cannot take x \[n, 34\].*make its first layer 34 wide"):
        InfoMotif(Narrow()).fit(load_dataset("karate"))
