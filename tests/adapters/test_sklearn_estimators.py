"""The estimators work in scikit-learn's pipelines, searches and cross-validation."""

from __future__ import annotations

import subprocess
import sys

import networkx as nx
import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

import infomotif as im
from infomotif.sklearn import MotifTransformer, NodeClassifier

KARATE = im.load_dataset("karate")
NODES = np.arange(34)


def model(**options) -> im.InfoMotif:
    return im.InfoMotif(im.GCN(hidden=8), preset="joint", training=im.Training(epochs=8), progress=False, **options)


@pytest.fixture(scope="module")
def fitted() -> NodeClassifier:
    return NodeClassifier(KARATE, model()).fit(NODES[::2], KARATE.y[::2])


def test_the_rows_are_the_counts_of_the_nodes():
    index = im.MotifIndex(KARATE, "graphlets4")
    some = [3, 0, 3]
    by_orbit = MotifTransformer(KARATE, "graphlets4").fit_transform(some)
    by_motif = MotifTransformer(index, orbits=False, log=True).fit_transform(np.array(some)[:, None])
    np.testing.assert_array_equal(by_orbit, index.orbit_counts[some])
    np.testing.assert_allclose(by_motif, np.log1p(index.counts[some]))


def test_a_graph_is_transformed_whole():
    ring = nx.cycle_graph(5)
    transformer = MotifTransformer(motifs=["M6", "M7"]).fit(ring)
    assert transformer.transform(ring).tolist() == [[1, 2, 0]] * 5
    assert transformer.transform(nx.complete_graph(4)).tolist() == [[0, 0, 3]] * 4


@pytest.mark.parametrize(("library", "kind"), [("pandas", None), ("polars", pl.DataFrame)])
def test_the_output_may_be_a_frame(library, kind):
    frame = MotifTransformer(KARATE).set_output(transform=library).fit_transform(NODES)
    assert list(frame.columns) == ["M6:a", "M6:bc", "M7:abc"]
    assert kind is None or isinstance(frame, kind)


def test_counts_join_attributes_in_a_pipeline():
    graph = KARATE.replace(x=np.arange(34.0)[:, None])
    attributes = FunctionTransformer(lambda nodes: graph.x[np.asarray(nodes)])
    pipeline = make_pipeline(
        make_union(MotifTransformer(graph, log=True), attributes), StandardScaler(), LogisticRegression()
    )
    assert cross_val_score(pipeline, NODES, KARATE.y, cv=3).mean() > 0.5


def test_the_classifier_predicts_labels_of_any_kind(fitted):
    names = np.array(["left", "right"])[KARATE.y]
    named = NodeClassifier(KARATE, model()).fit(NODES[::2], names[::2])
    assert named.classes_.tolist() == ["left", "right"]
    assert named.predict(NODES).tolist() == np.array(["left", "right"])[fitted.predict(NODES)].tolist()
    np.testing.assert_allclose(named.predict_proba([5, 2]).sum(axis=1), 1, rtol=1e-5)
    assert named.score(NODES[1::2], names[1::2]) == (named.predict(NODES[1::2]) == names[1::2]).mean()


def test_nodes_may_be_named(fitted):
    graph = im.Graph.from_edges(*KARATE.edges(), num_nodes=34, directed=False, names=[f"n{v}" for v in NODES])
    named = NodeClassifier(graph, model()).fit([f"n{v}" for v in NODES[::2]], KARATE.y[::2])
    assert named.predict(["n7", "n30"]).shape == (2,)


def test_other_labels_of_the_graph_are_not_seen(fitted):
    bare = KARATE.replace(y=None, class_names=())
    other = NodeClassifier(bare, model()).fit(NODES[::2], KARATE.y[::2])
    np.testing.assert_array_equal(other.predict_proba(NODES), fitted.predict_proba(NODES))


def test_validation_nodes_choose_the_epoch():
    classifier = NodeClassifier(KARATE, model(), validation_fraction=0.3).fit(NODES, KARATE.y)
    assert (len(classifier.model_.split_.val), len(classifier.model_.split_.train)) == (11, 23)


def test_a_search_reaches_the_options_of_the_model():
    grid = {"model__training__lr": [0.01, 0.1], "model__encoder": ["gcn", "sage"]}
    folds = StratifiedKFold(2, shuffle=True, random_state=0)
    search = GridSearchCV(NodeClassifier(KARATE, model()), grid, cv=folds).fit(NODES, KARATE.y)
    assert set(search.best_params_) == set(grid)
    assert search.best_estimator_.model_.settings_.training.lr == search.best_params_["model__training__lr"]


def test_cross_validation_in_parallel_gives_the_same():
    classifier = NodeClassifier(KARATE, model(threads=1))
    one, two = (cross_val_predict(classifier, NODES, KARATE.y, cv=2, n_jobs=jobs) for jobs in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_copies_share_the_graph_and_nothing_else():
    classifier = NodeClassifier(KARATE, model())
    copy = clone(classifier)
    assert copy.graph is KARATE
    assert copy.model is not classifier.model
    assert copy.set_params(model__training__lr=0.5).model.training.lr != classifier.model.training.lr
    index = im.MotifIndex(KARATE)
    assert clone(MotifTransformer(index)).graph is index


def test_tags_say_what_the_estimators_are():
    classifier, transformer = get_tags(NodeClassifier(KARATE)), get_tags(MotifTransformer())
    assert is_classifier(NodeClassifier(KARATE))
    assert (classifier.estimator_type, transformer.transformer_tags is not None) == ("classifier", True)
    assert classifier.target_tags.required
    assert classifier.input_tags.one_d_array
    assert transformer.no_validation


MATRICES = (
    "fit_score_takes_y estimators_overwrite_params dont_overwrite_parameters estimators_fit_returns_self "
    "readonly_memmap_input estimators_dtypes pipeline_consistency estimator_sparse_array estimators_pickle "
    "f_contiguous_array_estimator transformer_general transformer_preserve_dtypes transformer_data_not_an_array "
    "classifier_data_not_an_array classifiers_one_label classifiers_classes classifiers_train "
    "methods_sample_order_invariance methods_subset_invariance fit2d_1sample fit2d_1feature dict_unchanged "
    "fit_idempotent fit_check_is_fitted n_features_in positive_only_tag_during_fit"
)


@pytest.mark.parametrize(
    "estimator", [MotifTransformer(KARATE), NodeClassifier(KARATE, model())], ids=["counts", "gnn"]
)
def test_the_checks_of_scikit_learn_pass_but_for_those_whose_x_is_a_matrix_of_features(estimator):
    expected = {f"check_{name}": "X is node numbers" for name in MATRICES.split()}
    done = check_estimator(estimator, expected_failed_checks=expected, on_fail=None, on_skip=None)
    assert [check["check_name"] for check in done if check["status"] == "failed"] == []
    assert sum(check["status"] == "passed" for check in done) >= 16


@pytest.mark.parametrize(
    ("nodes", "labels", "why"),
    [
        ([0, 1, 99], [0, 1, 0], r"X must lie in 0\.\.33 \(got 99\)"),
        ([0, 1, -1], [0, 1, 0], r"X must lie in 0\.\.33 \(got -1\)"),
        ([0, 1, 1], [0, 1, 0], "X names a node twice; give each node one label"),
        ([0, 1], [0, 1, 0], r"equally long \(got 2 and 3\)"),
        ([[0, 1], [2, 3]], [0, 1], "X must hold one node per row"),
        ([0.5, 1.0], [0, 1], "X must be a mask or node numbers"),
        ([True, False], [0, 1], "use np.flatnonzero"),
        (sp.eye_array(3), [0, 1, 0], "got a sparse matrix"),
        ([0, 1], [0, 0], "at least two classes"),
        ([0, 1], [0.5, 0.7], "Unknown label type"),
    ],
)
def test_bad_nodes_and_labels_are_refused(nodes, labels, why):
    with pytest.raises(ValueError, match=why):
        NodeClassifier(KARATE, model()).fit(nodes, labels)


def test_before_fit_nothing_is_predicted():
    with pytest.raises(NotFittedError):
        NodeClassifier(KARATE).predict([0])
    with pytest.raises(NotFittedError):
        MotifTransformer(KARATE).transform([0])
    with pytest.raises(im.InputError, match="needs a graph"):
        NodeClassifier().fit([0, 1], [0, 1])


def test_the_classifier_is_the_model(fitted):
    trained = model().fit(KARATE, train=NODES[::2])
    np.testing.assert_array_equal(fitted.predict_proba(NODES), trained.predict_proba())


@pytest.mark.slow
def test_the_transformer_needs_no_torch():
    code = "import sys, infomotif.sklearn as s; s.MotifTransformer; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
