"""Algorithm 1: what each setting does to the steps, seen from outside; divergence, patience, the best epoch."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
import torch

from infomotif import Graph, MotifIndex, make_roles
from infomotif.nn import Adjacency, MotifNetwork, make_encoder
from infomotif.training import Curriculum, FeatureMap, TrainingData, TrainingError, make_settings, novelty_weights
from infomotif.training.build import make_regularizer
from infomotif.training.splits import random_split
from infomotif.training.views import View, WholeGraph


@functools.cache
def graph() -> Graph:
    return make_roles(num_nodes=120)


@functools.cache
def index() -> MotifIndex:
    return MotifIndex(graph())


def curriculum(preset: str = "paper", *, val: bool = True, seed: int = 0, train: int | None = None, **changes):
    """A curriculum on the small graph, 8 wide."""
    changes = {"hidden": 8, "epochs": 3, **changes}
    settings = make_settings(preset, **changes)
    features = FeatureMap.fit(graph(), index(), normalize="none", structural=settings.structural_features)
    split = random_split(graph().y, 0.4)
    torch.manual_seed(seed)
    encoder = make_encoder("gcn", features.width, settings.hidden, dropout=settings.dropout)
    regularizer = make_regularizer(settings.hidden, index(), settings) if settings.regularize else None
    network = MotifNetwork(encoder, regularizer, settings.hidden, graph().num_classes, settings.dropout)
    x, adjacency = features.apply(graph(), index()), Adjacency.from_graph(graph())
    source = WholeGraph(network, x, adjacency, torch.device("cpu"), index())
    data = TrainingData(
        torch.from_numpy(np.array(graph().y)),
        torch.from_numpy(split.train[:train]),
        torch.from_numpy(split.val if val else split.val[:0]),
    )
    return Curriculum(network, source, data, settings, seed=seed)


def spy(monkeypatch, target, name):
    """Record the calls of a method, then let it do its work."""
    calls = []
    original = getattr(target, name)

    def watched(*args, **kwargs):
        out = original(*args, **kwargs)
        calls.append((args, kwargs, out))
        return out

    monkeypatch.setattr(target, name, watched)
    return calls


def state(job):
    return {name: value.clone() for name, value in job.network.state_dict().items()}


def same(one, two):
    return all(torch.equal(one[name], two[name]) for name in one)


def test_an_epoch_is_labels_then_motif_weights_then_infomax_then_novelty(monkeypatch):
    job, order = curriculum(epochs=1), []
    for target, name in ((job.objective, "_supervised"), (job, "_evaluate"), (job.objective, "_infomax")):
        original = getattr(target, name)
        monkeypatch.setattr(target, name, lambda *a, _f=original, _n=name: (order.append(_n), _f(*a))[1])
    job.run()
    assert order == ["_supervised", "_evaluate", "_infomax"]
    assert torch.equal(job.objective.beta, novelty_weights(job.objective.alpha[job.data.train]))


def test_the_base_sees_no_infomax_step():
    job = curriculum("base")
    record = job.run().history[0]
    assert "mi_loss" not in record
    assert {"epoch", "loss", "val_accuracy", "val_loss", "seconds"} == record.keys()


def test_the_infomax_loss_is_weighed_by_the_motif_weights_of_the_epoch(monkeypatch):
    job = curriculum(epochs=1)
    calls = spy(monkeypatch, job.network.regularizer, "loss")
    job.run()
    assert torch.equal(calls[0][1]["alpha"], job.objective.alpha)


def test_without_task_weights_all_motifs_count_alike(monkeypatch):
    job = curriculum(epochs=1, task_weights=False)
    calls = spy(monkeypatch, job.network.regularizer, "loss")
    job.run()
    assert torch.equal(calls[0][1]["alpha"], torch.ones(120, 2))


def test_without_novelty_all_training_nodes_count_alike():
    job = curriculum(novelty=False)
    job.run()
    assert torch.equal(job.objective.beta, torch.ones(len(job.data.train)))


def test_novelty_weights_of_one_epoch_weigh_the_next():
    first, second = curriculum(epochs=2), curriculum(epochs=2, novelty=False)
    for job in (first, second):
        # Sharp motif weights, so that nodes differ in them from the start.
        job.network.regularizer.attention.weight.data.mul_(1000)
    losses = [[record["loss"] for record in job.run().history] for job in (first, second)]
    assert losses[0][0] == losses[1][0]
    assert losses[0][1] != losses[1][1]


def test_the_supervised_loss_is_the_weighted_mean_cross_entropy():
    job = curriculum(dropout=0.0)
    job.objective.beta = torch.rand(len(job.data.train))
    with torch.no_grad():
        h = job.network.encoder(job.source.x, job.source.adjacency)
        batch = torch.arange(len(job.data.train))
        found = job.objective._supervised(View(h, h, job.data.train[batch], None), batch, np.random.default_rng(0))
        p = job.network.head(h, nodes=job.data.train).logits.softmax(dim=1)
        own = p[batch, job.data.y[job.data.train]]
        torch.testing.assert_close(found, (-job.objective.beta * own.log()).mean())


def test_joint_takes_one_step_for_both_losses(monkeypatch):
    job = curriculum("joint", epochs=1, mi_weight=3.0)
    supervised, infomax = (spy(monkeypatch, job.objective, name) for name in ("_supervised", "_infomax"))
    steps = spy(monkeypatch, job, "_step")
    record = job.run().history[0]
    assert len(supervised) == len(infomax) == len(steps) == 1
    assert record["loss"] == pytest.approx(supervised[0][2].item())
    assert record["mi_loss"] == pytest.approx(infomax[0][2].item())


def test_the_joint_gradient_is_linear_in_the_weight_of_infomax():
    gradients = []
    for weight in (0.0, 1.0, 3.0):
        job = curriculum("joint", epochs=1, mi_weight=weight)
        job.run()
        gradients.append(torch.cat([p.grad.flatten() for p in job.network.parameters() if p.grad is not None]))
    none, one, three = gradients
    assert not torch.allclose(none, one)
    torch.testing.assert_close(three, none + 3 * (one - none), rtol=1e-3, atol=1e-6)


def test_joint_weights_average_one(monkeypatch):
    job = curriculum("joint", epochs=2)
    calls = spy(monkeypatch, job.network.regularizer, "loss")
    job.run()
    first, second = (call[1]["alpha"] for call in calls)
    assert torch.equal(first, torch.ones(120, 2))
    torch.testing.assert_close(second.mean(dim=1), torch.ones(120))
    assert not torch.equal(second, first)


def test_batches_cover_all_nodes_once_in_steps_of_their_size(monkeypatch):
    job = curriculum(epochs=1, batch_size=50)
    supervised, infomax = (spy(monkeypatch, job.objective, name) for name in ("_supervised", "_infomax"))
    job.run()
    labelled = torch.cat([args[1] for args, _, _ in supervised])
    nodes = torch.cat([args[0].others for args, _, _ in infomax])
    assert sorted(labelled.tolist()) == list(range(48))
    assert sorted(nodes.tolist()) == list(range(120))
    assert [len(args[0].others) for args, _, _ in infomax] == [50, 50, 20]
    assert len(supervised) == 1


def test_without_a_batch_size_an_epoch_is_one_step_a_loss(monkeypatch):
    job = curriculum(epochs=1)
    steps = spy(monkeypatch, job, "_step")
    job.run()
    assert len(steps) == 2


def test_a_share_of_the_nodes_is_drawn_anew_for_infomax_each_epoch(monkeypatch):
    job = curriculum(epochs=2, mi_share=0.25)
    calls = spy(monkeypatch, job.objective, "_infomax")
    job.run()
    first, second = (set(args[0].others.tolist()) for args, _, _ in calls)
    assert len(first) == len(second) == 30
    assert first != second


def test_a_joint_epoch_sees_all_labels_even_where_infomax_has_fewer_steps(monkeypatch):
    job = curriculum("joint", epochs=1, mi_share=0.1, batch_size=12)
    supervised, infomax = (spy(monkeypatch, job.objective, name) for name in ("_supervised", "_infomax"))
    job.run()
    assert sorted(torch.cat([args[1] for args, _, _ in supervised]).tolist()) == list(range(48))
    assert len({tuple(args[0].others.tolist()) for args, _, _ in infomax}) == 1
    assert len(infomax) == 4


@pytest.mark.parametrize(("negatives", "passes"), [("shuffle", 3), ("swap", 2)])
def test_the_corrupted_graph_is_encoded_only_where_negatives_need_it(monkeypatch, negatives, passes):
    job = curriculum(epochs=1, negatives=negatives)
    calls = spy(monkeypatch, job.network.encoder, "propagate")
    monkeypatch.setattr(job, "_evaluate", lambda warming=False: {})
    job.run()
    assert len(calls) == passes


def test_warm_up_epochs_learn_from_no_label(monkeypatch):
    job = curriculum(epochs=2, warmup_epochs=3)
    classifier = job.network.classifier.weight.clone()
    seen = []
    job.on_epoch = lambda record: seen.append(torch.equal(job.network.classifier.weight, classifier))
    history = job.run().history
    assert [("loss" in record, "mi_loss" in record) for record in history] == [(False, True)] * 3 + [(True, True)] * 2
    assert seen == [True] * 3 + [False] * 2


def test_a_warm_up_epoch_is_never_the_best(monkeypatch):
    # The labels are the untrained network's own predictions, so the warm-up validates perfectly.
    job = curriculum(epochs=2, warmup_epochs=3, patience=2, lr=0.5)
    job.data.y[job.data.val] = job.source.infer().logits.argmax(dim=1)[job.data.val]
    done = job.run()
    assert done.history[0]["val_accuracy"] == 1
    assert done.epoch == 5
    assert done.best_epoch > 3


def test_without_validation_what_all_steps_of_the_last_epoch_made_is_kept():
    job = curriculum(epochs=1, val=False)
    before = {name: value.clone() for name, value in job.network.state_dict().items()}
    job.run()
    after = job.network.state_dict()
    learned = [
        name for name in before if name.startswith("regularizer.heads") and not torch.equal(before[name], after[name])
    ]
    assert learned


def scripted(monkeypatch, job, values):
    """Let validation see the given (accuracy, loss) pairs, one an epoch."""
    total = len(job.data.val)
    target = job.data.y[job.data.val]
    run = iter(values)
    original = job.network.infer

    def infer(x, adjacency, motifs):
        output = original(x, adjacency, motifs)
        right, margin = next(run)
        logits = torch.zeros_like(output.logits)
        wrong = (target + 1) % logits.shape[1]
        chosen = torch.where(torch.arange(total) < right, target, wrong)
        logits[job.data.val, chosen] = margin
        return output._replace(logits=logits)

    monkeypatch.setattr(job.network, "infer", infer)


def test_the_best_epoch_is_by_accuracy_and_ties_by_loss(monkeypatch):
    job = curriculum("base", epochs=5)
    # All right with a growing margin means a falling loss.
    scripted(monkeypatch, job, [(10, 1.0), (24, 1.0), (24, 2.0), (24, 1.5), (20, 9.0)])
    states = []
    job.on_epoch = lambda record: states.append(state(job))
    done = job.run()
    assert done.best_epoch == 3
    assert same(state(job), states[2])
    assert not same(state(job), states[4])


def test_patience_ends_training_that_long_after_the_best(monkeypatch):
    job = curriculum("base", epochs=50, patience=3)
    scripted(monkeypatch, job, [(10, 1.0), (20, 1.0)] + [(5, 1.0)] * 10)
    done = job.run()
    assert (done.best_epoch, done.epoch) == (2, 5)


def test_without_validation_the_last_epoch_is_kept():
    job = curriculum("base", val=False)
    states = []
    job.on_epoch = lambda record: states.append(state(job))
    done = job.run()
    assert done.best_epoch == 3
    assert same(state(job), states[-1])
    assert "val_accuracy" not in done.history[0]


def test_class_weights_give_every_class_the_same_total():
    job = curriculum(class_weights=True, train=11)
    counts = torch.bincount(job.data.y[job.data.train], minlength=4)
    assert len(set(counts.tolist())) > 1
    totals = (job.objective.class_weights * counts)[counts > 0]
    torch.testing.assert_close(totals, torch.full_like(totals, 11 / int((counts > 0).sum())))


def test_class_weights_of_a_class_without_training_nodes_are_one():
    job = curriculum(class_weights=True, train=2)
    counts = torch.bincount(job.data.y[job.data.train], minlength=4)
    assert (job.objective.class_weights[counts == 0] == 1).all()
    assert torch.isfinite(job.objective.class_weights).all()


def test_class_weights_change_the_loss():
    plain, weighted = (curriculum(class_weights=on, train=11, epochs=1).run().history[0] for on in (False, True))
    assert plain["loss"] != weighted["loss"]


def test_clip_bounds_the_gradient_norm(monkeypatch):
    for clip, bounded in ((1e-3, True), (None, False)):
        job, norms = curriculum(clip=clip, epochs=1), []
        original = job.optimizer.step

        def step(original=original, job=job, norms=norms):
            gradients = [p.grad for p in job.network.parameters() if p.grad is not None]
            norms.append(float(torch.cat([g.flatten() for g in gradients]).norm()))
            return original()

        monkeypatch.setattr(job.optimizer, "step", step)
        job.run()
        assert (max(norms) <= 1.001e-3) == bounded


def rates(job):
    seen = []
    job.on_epoch = lambda record: seen.append([o.lr for o in job._optimizers()])
    job.run()
    return seen


def test_learning_rates_follow_their_schedule():
    assert rates(curriculum("base", epochs=4, lr=0.1)) == [[0.1]] * 4
    steps = [rate for (rate,) in rates(curriculum("base", epochs=4, lr=0.1, lr_schedule="step"))]
    assert steps == pytest.approx([0.1, 0.1, 0.01, 0.001])
    cosine = [rate for (rate,) in rates(curriculum("base", epochs=4, lr=0.1, lr_schedule="cosine"))]
    assert cosine == pytest.approx([0.05 * (1 + math.cos(math.pi * e / 4)) for e in range(4)])


def test_mi_lr_gives_infomax_an_optimiser_of_its_own(monkeypatch):
    job = curriculum(epochs=2, lr=0.1, mi_lr=0.001, lr_schedule="step")
    assert job.mi_optimizer is not job.optimizer
    steps = spy(monkeypatch, job, "_step")
    assert rates(job) == [pytest.approx([0.1, 0.001]), pytest.approx([0.01, 0.0001])]
    assert [args[1] is job.mi_optimizer for args, _, _ in steps] == [False, True, False, True]


def test_one_optimiser_serves_both_losses_by_default():
    job = curriculum()
    assert job.mi_optimizer is job.optimizer


def test_weight_decay_shrinks_what_gets_no_gradient_elsewhere():
    small, large = (curriculum("base", weight_decay=decay, epochs=20) for decay in (0.0, 1.0))
    norms = []
    for job in (small, large):
        job.run()
        norms.append(float(job.network.encoder.convolutions[0].product.weight.detach().norm()))
    assert norms[1] < norms[0]


def test_dropout_acts_in_training():
    one, two = (curriculum(dropout=rate, epochs=1).run().history[0]["loss"] for rate in (0.0, 0.5))
    assert one != two


@pytest.mark.parametrize("preset", ["base", "paper", "joint"])
def test_a_huge_learning_rate_is_named_when_losses_diverge(preset):
    job = curriculum(preset, lr=1e30, epochs=10)
    with pytest.raises(
        TrainingError, match=r"at epoch \d+; lower lr \(now 1e\+30\), set clip, or scale the attributes"
    ):
        job.run()


def test_a_huge_weight_of_the_infomax_is_named_when_losses_diverge():
    job = curriculum("joint", mi_weight=1e300, epochs=10)
    with pytest.raises(TrainingError, match=r"at epoch \d+; lower mi_weight \(now 1e\+300\) or lr \(now 0\.01\)"):
        job.run()


def test_a_step_to_infinity_in_the_last_epoch_is_noticed():
    job = curriculum("base", lr=1e37, epochs=1, val=False)
    with pytest.raises(TrainingError, match="prediction is not a finite number at epoch 1"):
        job.run()


def test_randomness_of_an_epoch_follows_from_seed_and_epoch():
    one, again, other = (curriculum(seed=s) for s in (0, 0, 1))
    histories = [
        [{k: v for k, v in r.items() if k != "seconds"} for r in job.run().history] for job in (one, again, other)
    ]
    assert histories[0] == histories[1] != histories[2]


def test_records_are_told_in_order():
    job, told = curriculum(), []
    job.on_epoch = told.append
    assert job.run().history == told
    assert [record["epoch"] for record in told] == [1, 2, 3]


def test_attributes_too_large_for_the_numbers_are_named():
    job = curriculum("base", epochs=2)
    huge = torch.full((120, graph().num_attributes), 3e38)
    job.source.x = huge
    with pytest.raises(TrainingError, match=r"scale the attributes \(normalize\)"):
        job.run()
