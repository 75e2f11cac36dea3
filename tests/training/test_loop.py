"""Algorithm 1: what each setting does to the steps, seen from outside; divergence, patience, the best epoch."""

from __future__ import annotations

import functools
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from infomotif import Graph, InputError, MotifIndex, make_roles
from infomotif.nn import Adjacency, MotifNetwork, make_encoder
from infomotif.training import FeatureMap, TrainingData, TrainingError, TrainingLoop, make_settings, novelty_weights
from infomotif.training.build import make_regularizer
from infomotif.training.checkpoint import Checkpoint
from infomotif.training.records import EpochRecord
from infomotif.training.splits import random_split
from infomotif.training.views import FullGraphView


@functools.cache
def graph() -> Graph:
    return make_roles(num_nodes=120)


@functools.cache
def index() -> MotifIndex:
    return MotifIndex(graph())


def make_loop(preset: str = "paper", *, val: bool = True, seed: int = 0, train: int | None = None, **changes):
    """A loop on the small graph, 8 wide."""
    changes = {"hidden": 8, "epochs": 3, **changes}
    settings = make_settings(preset, **changes)
    features = FeatureMap.fit(graph(), index(), normalize="none", inputs=settings.inputs.features)
    split = random_split(graph().y, 0.4)
    torch.manual_seed(seed)
    encoder = make_encoder("gcn", features.width, settings.encoder.hidden, dropout=settings.encoder.dropout)
    regularizer = make_regularizer(settings.encoder.hidden, index(), settings) if settings.regularize else None
    network = MotifNetwork(encoder, regularizer, settings.encoder.hidden, graph().num_classes, settings.encoder.dropout)
    x, adjacency = features.apply(graph(), index()), Adjacency.from_graph(graph())
    view = FullGraphView(network, x, adjacency, torch.device("cpu"), index())
    data = TrainingData(
        torch.from_numpy(np.array(graph().y)),
        torch.from_numpy(split.train[:train]),
        torch.from_numpy(split.val if val else split.val[:0]),
    )
    return TrainingLoop(network, view, data, settings, seed=seed)


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


def state(loop):
    return {name: value.clone() for name, value in loop.network.state_dict().items()}


def same(one, two):
    return all(torch.equal(one[name], two[name]) for name in one)


def first_record(preset="paper", **changes) -> EpochRecord:
    return make_loop(preset, epochs=1, **changes).run().history[0]


def test_an_epoch_learns_from_labels_then_validates_then_takes_the_infomax_steps():
    plain, other_lr, other_mi_lr = first_record(), first_record(lr=0.1, mi_lr=0.01), first_record(mi_lr=0.1)
    assert plain.loss == other_lr.loss == other_mi_lr.loss
    assert plain.val_loss == other_mi_lr.val_loss != other_lr.val_loss
    assert plain.mi_loss == other_mi_lr.mi_loss != other_lr.mi_loss
    second = [make_loop(epochs=2, **changes).run().history[1].loss for changes in ({}, {"mi_lr": 0.1})]
    assert second[0] != second[1]


def test_an_epoch_ends_with_the_novelty_of_its_motif_weights():
    loop = make_loop(epochs=1)
    loop.run()
    assert torch.equal(loop.objective.beta, novelty_weights(loop.objective.alpha[loop.data.train]))


def test_the_base_sees_no_infomax_step():
    loop = make_loop("base")
    record = loop.run().history[0]
    assert {"epoch", "loss", "val_accuracy", "val_loss", "seconds"} == record.to_dict().keys()


def test_the_infomax_loss_is_weighed_by_the_motif_weights_of_the_epoch(monkeypatch):
    loop = make_loop(epochs=1)
    calls = spy(monkeypatch, loop.network.regularizer, "loss")
    loop.run()
    assert torch.equal(calls[0][1]["alpha"], loop.objective.alpha)


def test_without_task_weights_all_motifs_count_alike(monkeypatch):
    loop = make_loop(epochs=1, task_weights=False)
    calls = spy(monkeypatch, loop.network.regularizer, "loss")
    loop.run()
    assert torch.equal(calls[0][1]["alpha"], torch.ones(120, 2))


def test_without_novelty_all_training_nodes_count_alike():
    loop = make_loop(novelty=False)
    loop.run()
    assert torch.equal(loop.objective.beta, torch.ones(len(loop.data.train)))


def test_novelty_weights_of_one_epoch_weigh_the_next():
    first, second = make_loop(epochs=2), make_loop(epochs=2, novelty=False)
    for loop in (first, second):
        # Sharp motif weights, so that nodes differ in them from the start.
        loop.network.regularizer.attention.weight.data.mul_(1000)
    losses = [[record.loss for record in loop.run().history] for loop in (first, second)]
    assert losses[0][0] == losses[1][0]
    assert losses[0][1] != losses[1][1]


def test_joint_takes_one_step_for_both_losses(monkeypatch):
    loop = make_loop("joint", epochs=1, mi_weight=3.0)
    supervised, infomax = (spy(monkeypatch, loop.objective, name) for name in ("supervised", "infomax"))
    steps = spy(monkeypatch, loop.optimizer, "step")
    record = loop.run().history[0]
    assert len(supervised) == len(infomax) == len(steps) == 1
    assert record.loss == pytest.approx(supervised[0][2].item())
    assert record.mi_loss == pytest.approx(infomax[0][2].item())


def test_the_joint_gradient_is_linear_in_the_weight_of_infomax():
    gradients = []
    for weight in (0.0, 1.0, 3.0):
        loop = make_loop("joint", epochs=1, mi_weight=weight)
        loop.run()
        gradients.append(torch.cat([p.grad.flatten() for p in loop.network.parameters() if p.grad is not None]))
    none, one, three = gradients
    assert not torch.allclose(none, one)
    torch.testing.assert_close(three, none + 3 * (one - none), rtol=1e-3, atol=1e-6)


def test_joint_weights_average_one(monkeypatch):
    loop = make_loop("joint", epochs=2)
    calls = spy(monkeypatch, loop.network.regularizer, "loss")
    loop.run()
    first, second = (call[1]["alpha"] for call in calls)
    assert torch.equal(first, torch.ones(120, 2))
    torch.testing.assert_close(second.mean(dim=1), torch.ones(120))
    assert not torch.equal(second, first)


def test_batches_cover_all_nodes_once_in_steps_of_their_size(monkeypatch):
    loop = make_loop(epochs=1, batch_size=50)
    supervised, infomax = (spy(monkeypatch, loop.objective, name) for name in ("supervised", "infomax"))
    loop.run()
    labelled = torch.cat([args[1] for args, _, _ in supervised])
    nodes = torch.cat([args[0].others for args, _, _ in infomax])
    assert sorted(labelled.tolist()) == list(range(48))
    assert sorted(nodes.tolist()) == list(range(120))
    assert [len(args[0].others) for args, _, _ in infomax] == [50, 50, 20]
    assert len(supervised) == 1


def test_without_a_batch_size_an_epoch_is_one_step_per_loss(monkeypatch):
    loop = make_loop(epochs=1, batch_size=None)
    steps = spy(monkeypatch, loop.optimizer, "step")
    loop.run()
    assert len(steps) == 2


def test_every_epoch_draws_another_share_of_the_nodes_for_infomax(monkeypatch):
    loop = make_loop(epochs=2, mi_share=0.25)
    calls = spy(monkeypatch, loop.objective, "infomax")
    loop.run()
    first, second = (set(args[0].others.tolist()) for args, _, _ in calls)
    assert len(first) == len(second) == 30
    assert first != second


def test_a_joint_epoch_sees_all_labels_even_where_infomax_has_fewer_steps(monkeypatch):
    loop = make_loop("joint", epochs=1, mi_share=0.1, batch_size=12)
    supervised, infomax = (spy(monkeypatch, loop.objective, name) for name in ("supervised", "infomax"))
    loop.run()
    assert sorted(torch.cat([args[1] for args, _, _ in supervised]).tolist()) == list(range(48))
    assert len({tuple(args[0].others.tolist()) for args, _, _ in infomax}) == 1
    assert len(infomax) == 4


# One pass for the labels, one for the evaluation, one for InfoMax, and one for its corruption.
@pytest.mark.parametrize(("negatives", "passes"), [("shuffle", 4), ("swap", 3)])
def test_the_corrupted_graph_is_encoded_only_where_negatives_need_it(monkeypatch, negatives, passes):
    loop = make_loop(epochs=1, negatives=negatives)
    calls = spy(monkeypatch, loop.network.encoder, "propagate")
    loop.run()
    assert len(calls) == passes


def test_warm_up_epochs_learn_from_no_label(monkeypatch):
    loop = make_loop(epochs=2, warmup_epochs=3)
    classifier = loop.network.classifier.weight.clone()
    seen = []
    loop.on_epoch = lambda record: seen.append(torch.equal(loop.network.classifier.weight, classifier))
    history = loop.run().history
    assert [record.loss is None for record in history] == [True] * 3 + [False] * 2
    assert all(record.mi_loss is not None for record in history)
    assert seen == [True] * 3 + [False] * 2


def test_a_warm_up_epoch_is_never_the_best(monkeypatch):
    # The labels are the untrained network's own predictions, so the warm-up validates perfectly.
    loop = make_loop(epochs=2, warmup_epochs=3, patience=2, lr=0.5)
    loop.data.y[loop.data.val] = loop.view.infer().logits.argmax(dim=1)[loop.data.val]
    done = loop.run()
    assert done.history[0].val_accuracy == 1
    assert done.epoch == 5
    assert done.best_epoch > 3


def test_without_validation_what_all_steps_of_the_last_epoch_made_is_kept():
    loop = make_loop(epochs=1, val=False)
    before = {name: value.clone() for name, value in loop.network.state_dict().items()}
    loop.run()
    after = loop.network.state_dict()
    learned = [
        name for name in before if name.startswith("regularizer.heads") and not torch.equal(before[name], after[name])
    ]
    assert learned


def scripted(monkeypatch, loop, values):
    """Let validation see the given (accuracy, loss) pairs, one per epoch."""
    total = len(loop.data.val)
    target = loop.data.y[loop.data.val]
    run = iter(values)
    original = loop.view.evaluate

    def evaluate(nodes, *, weights):
        output = original(nodes, weights=weights)
        right, margin = next(run)
        logits = torch.zeros_like(output.logits)
        wrong = (target + 1) % logits.shape[1]
        chosen = torch.where(torch.arange(total) < right, target, wrong)
        logits[torch.arange(total), chosen] = margin
        return output._replace(logits=logits)

    monkeypatch.setattr(loop.view, "evaluate", evaluate)


def test_the_best_epoch_is_by_accuracy_and_ties_by_loss(monkeypatch):
    loop = make_loop("base", epochs=5)
    # All right with a growing margin means a falling loss.
    scripted(monkeypatch, loop, [(10, 1.0), (24, 1.0), (24, 2.0), (24, 1.5), (20, 9.0)])
    states = []
    loop.on_epoch = lambda record: states.append(state(loop))
    done = loop.run()
    assert done.best_epoch == 3
    assert same(state(loop), states[2])
    assert not same(state(loop), states[4])


def test_patience_ends_training_that_long_after_the_best(monkeypatch):
    loop = make_loop("base", epochs=50, patience=3)
    scripted(monkeypatch, loop, [(10, 1.0), (20, 1.0)] + [(5, 1.0)] * 10)
    done = loop.run()
    assert (done.best_epoch, done.epoch) == (2, 5)


def test_without_validation_the_last_epoch_is_kept():
    loop = make_loop("base", val=False)
    states = []
    loop.on_epoch = lambda record: states.append(state(loop))
    done = loop.run()
    assert done.best_epoch == 3
    assert same(state(loop), states[-1])
    assert done.history[0].val_accuracy is None


def test_class_weights_give_every_class_the_same_total():
    loop = make_loop(class_weights=True, train=11)
    counts = torch.bincount(loop.data.y[loop.data.train], minlength=4)
    assert len(set(counts.tolist())) > 1
    totals = (loop.objective.class_weights * counts)[counts > 0]
    torch.testing.assert_close(totals, torch.full_like(totals, 11 / int((counts > 0).sum())))


def test_class_weights_of_a_class_without_training_nodes_are_one():
    loop = make_loop(class_weights=True, train=2)
    counts = torch.bincount(loop.data.y[loop.data.train], minlength=4)
    assert (loop.objective.class_weights[counts == 0] == 1).all()
    assert torch.isfinite(loop.objective.class_weights).all()


def test_class_weights_change_the_loss():
    plain, weighted = (make_loop(class_weights=on, train=11, epochs=1).run().history[0] for on in (False, True))
    assert plain.loss != weighted.loss


def test_clip_bounds_the_gradient_norm(monkeypatch):
    for clip, bounded in ((1e-3, True), (None, False)):
        loop, norms = make_loop(clip=clip, epochs=1), []
        original = loop.optimizer.step

        def step(original=original, loop=loop, norms=norms):
            gradients = [p.grad for p in loop.network.parameters() if p.grad is not None]
            norms.append(float(torch.cat([g.flatten() for g in gradients]).norm()))
            return original()

        monkeypatch.setattr(loop.optimizer, "step", step)
        loop.run()
        assert (max(norms) <= 1.001e-3) == bounded


def rates(loop):
    seen = []
    loop.on_epoch = lambda record: seen.append([loop.optimizer.lr, loop.mi_optimizer.lr])
    loop.run()
    return seen


def test_learning_rates_follow_their_schedule():
    assert rates(make_loop("base", epochs=4, lr=0.1)) == [[0.1, 0.1]] * 4
    steps = [rate for rate, _ in rates(make_loop("base", epochs=4, lr=0.1, lr_schedule="step"))]
    assert steps == pytest.approx([0.1, 0.1, 0.01, 0.001])
    cosine = [rate for rate, _ in rates(make_loop("base", epochs=4, lr=0.1, lr_schedule="cosine"))]
    assert cosine == pytest.approx([0.05 * (1 + math.cos(math.pi * e / 4)) for e in range(4)])


def test_mi_lr_gives_infomax_a_second_optimiser(monkeypatch):
    loop = make_loop(epochs=2, lr=0.1, mi_lr=0.001, lr_schedule="step")
    assert loop.mi_optimizer is not loop.optimizer
    supervised, infomax = (spy(monkeypatch, each, "step") for each in (loop.optimizer, loop.mi_optimizer))
    assert rates(loop) == [pytest.approx([0.1, 0.001]), pytest.approx([0.01, 0.0001])]
    assert len(supervised) == len(infomax) == 2


def test_one_optimiser_serves_both_losses_by_default():
    loop = make_loop()
    assert loop.mi_optimizer is loop.optimizer


def test_weight_decay_shrinks_what_gets_no_gradient_elsewhere():
    small, large = (make_loop("base", weight_decay=decay, epochs=20) for decay in (0.0, 1.0))
    norms = []
    for loop in (small, large):
        loop.run()
        norms.append(float(loop.network.encoder.convolutions[0].product.weight.detach().norm()))
    assert norms[1] < norms[0]


def test_dropout_acts_in_training():
    one, two = (make_loop(dropout=rate, epochs=1).run().history[0].loss for rate in (0.0, 0.5))
    assert one != two


@pytest.mark.parametrize("preset", ["base", "paper", "joint"])
def test_a_huge_learning_rate_is_named_when_losses_diverge(preset):
    loop = make_loop(preset, lr=1e30, epochs=10)
    with pytest.raises(
        TrainingError, match=r"at epoch \d+; lower lr \(now 1e\+30\), set clip, or scale the attributes"
    ):
        loop.run()


def test_a_huge_weight_of_the_infomax_is_named_when_losses_diverge():
    loop = make_loop("joint", mi_weight=1e300, epochs=10)
    with pytest.raises(TrainingError, match=r"at epoch \d+; lower mi_weight \(now 1e\+300\) or lr \(now 0\.01\)"):
        loop.run()


def test_a_step_to_infinity_in_the_last_epoch_is_noticed():
    loop = make_loop("base", lr=1e37, epochs=1, val=False)
    with pytest.raises(TrainingError, match="prediction is not a finite number at epoch 1"):
        loop.run()


def test_randomness_of_an_epoch_follows_from_seed_and_epoch():
    one, again, other = (make_loop(seed=s) for s in (0, 0, 1))
    histories = [[replace(record, seconds=0) for record in loop.run().history] for loop in (one, again, other)]
    assert histories[0] == histories[1] != histories[2]


def test_records_are_told_in_order():
    loop, told = make_loop(), []
    loop.on_epoch = told.append
    assert loop.run().history == told
    assert [record.epoch for record in told] == [1, 2, 3]


@pytest.mark.parametrize("spoil", ["state", "tensors"])
def test_a_checkpoint_that_lacks_a_part_is_refused(tmp_path, spoil):
    loop, checkpoint = make_loop(epochs=1), Checkpoint(tmp_path / "state", {})
    loop.checkpoint = checkpoint
    loop.run()
    tensors, state = checkpoint.load()
    if spoil == "state":
        del state["history"]
    else:
        del tensors["beta"]
    checkpoint.save(tensors, state)
    again = make_loop(epochs=1)
    again.checkpoint = checkpoint
    with pytest.raises(InputError, match="holds no training state; remove it to start again"):
        again.run()


def test_attributes_too_large_for_the_numbers_are_named():
    loop = make_loop("base", epochs=2)
    huge = torch.full((120, graph().num_attributes), 3e38)
    loop.view.x = huge
    with pytest.raises(TrainingError, match=r"scale the attributes \(normalize\)"):
        loop.run()
