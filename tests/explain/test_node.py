"""The explanation of one node: complete, as text and as JSON, for the base too."""

import json

import numpy as np
import pytest
from rich.console import Console

import infomotif as im
from infomotif.errors import InputError
from infomotif.explain import explain_node
from infomotif.graph.neighbourhoods import label_fraction
from tests.explain.conftest import fitted


def shown(explanation) -> str:
    console = Console(width=200, record=True, file=open("/dev/null", "w"))
    console.print(explanation)
    return console.export_text()


def test_it_holds_what_the_model_says(subject, model):
    found = explain_node(subject, "7")
    assert found.prediction.label == model.classes_[model.predict()[7]]
    np.testing.assert_allclose(list(found.prediction.probabilities.values()), model.predict_proba()[7], rtol=1e-5)
    np.testing.assert_allclose([m.weight for m in found.motifs], model.motif_weights_[7], rtol=1e-5)
    assert found.labels.fraction == pytest.approx(label_fraction(subject.graph, subject.train)[7])
    assert found.base is not None


def test_shared_attributes_belong_to_two_members_at_least(subject):
    found = explain_node(subject, 7, attributes=50)
    x = np.asarray(subject.graph.x.todense() if hasattr(subject.graph.x, "todense") else subject.graph.x)
    names = subject.graph.attribute_names
    checked = 0
    for instance in found.instances:
        rows = [subject.graph.index_of(m.node) for m in instance.members]
        for attribute in instance.attributes:
            assert (x[rows, names.index(attribute.name)] != 0).sum() >= 2
            checked += 1
    assert checked


def test_json_and_text_hold_the_same_node(subject):
    found = explain_node(subject, 7)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["node"] == "7"
    assert found.prediction.label in shown(found)


def test_names_are_never_markup(roles):
    hostile = roles.replace(class_names=[f"[red]{c}[/red]\x1b[31m" for c in roles.class_names])
    found = fitted(hostile, epochs=2).explain(0)
    assert "[red]" in shown(found)
    assert "\x1b" not in shown(found)
    assert "\\x1b[31m" in shown(found)


def test_a_base_gnn_is_explained_without_motifs(roles):
    found = fitted(roles, preset="base", epochs=2).explain(0)
    assert found.motifs == ()
    assert found.twins
    assert "base GNN" in found.notes[0]


@pytest.mark.parametrize(
    ("node", "message"), [("nobody", "no node is named"), (500, "must lie in"), (1.5, "a name or")]
)
def test_unknown_nodes_are_refused(subject, node, message):
    with pytest.raises(im.InputError, match=message):
        explain_node(subject, node)


def test_pygs_fidelity_runs_on_motif_explanations(subject):
    from torch_geometric.explain import Explainer, fidelity

    from infomotif.adapters.pyg_explainer import MaskableModel, MotifExplainer, dense_input

    config = {"mode": "multiclass_classification", "task_level": "node", "return_type": "raw"}
    explainer = Explainer(
        MaskableModel(subject), MotifExplainer(subject, 3), explanation_type="model", edge_mask_type="object",
        model_config=config,
    )  # fmt: skip
    x, edge_index = dense_input(subject), subject.adjacency.edge_index
    np.testing.assert_allclose(explainer.get_prediction(x, edge_index), subject.output.logits, atol=1e-4)
    explanation = explainer(x, edge_index, index=7)
    assert 0 < explanation.edge_mask.sum() < edge_index.shape[1]
    masked = explainer.get_masked_prediction(x, edge_index, None, 1 - explanation.edge_mask)
    assert not np.allclose(masked[7], subject.output.logits[7])
    assert all(0 <= value <= 1 for value in fidelity(explainer, explanation))


def test_another_graph_is_explained_with_the_classes_of_the_model(model, roles):
    bare = roles.replace(y=None, class_names=())
    renamed = roles.replace(y=roles.y, class_names=["w", "x", "y", "z"])
    own = model.explain(3)
    for graph in (bare, renamed):
        assert model.explain(3, graph).prediction == own.prediction
    assert model.explain(3, renamed).label in ("w", "x", "y", "z")


def test_another_graph_must_have_the_same_attributes_in_their_order(model, roles):
    turned = roles.replace(x=roles.x[:, ::-1], attribute_names=roles.attribute_names[::-1])
    with pytest.raises(InputError, match=r"attributes differ .* \(first: their order\)"):
        model.explain(3, turned)


@pytest.mark.parametrize("name", ["instances", "twins", "attributes"])
@pytest.mark.parametrize("value", [-1, 1.5, "3", True, None])
def test_counts_are_whole_numbers_from_0_on(subject, name, value):
    with pytest.raises(InputError, match=f"{name} must be a whole number from 0 on"):
        explain_node(subject, 3, **{name: value})


def test_a_count_of_0_shows_nothing(subject):
    found = explain_node(subject, 3, instances=0, twins=0, attributes=0)
    assert found.instances == found.twins == found.distant_twins == found.attributes == ()
