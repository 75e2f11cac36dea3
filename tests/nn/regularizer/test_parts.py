"""Instance encoders and readouts beside the paper's: loss and gradients are those of loops written out in float64."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from infomotif.errors import InputError
from infomotif.nn import INSTANCE_ENCODERS, READOUTS, MotifRegularizer
from infomotif.nn.regularizer.instance_encoders import make_instance_encoder
from infomotif.nn.regularizer.pairs import PairPlan
from infomotif.nn.regularizer.readouts import STEPS, make_readout
from tests.nn import literal
from tests.nn.regularizer.test_regularizer import DIM, drawn, gradients, make, representations, small_index

NODES = np.array([7, 0, 3, 9, 5, 1])


def members_mean(gated, instance, v, head):
    return sum(gated[u] for u in instance) / len(instance)


def members_max(gated, instance, v, head):
    return torch.stack([max((gated[u][d] for u in instance), key=float) for d in range(DIM)])


def members_attended(gated, instance, v, head):
    return literal.encode_instance(gated, instance, v, head.encoder.weight[0], False)


ENCODE = {"attention": members_attended, "mean": members_mean, "max": members_max}


def lstm(cell, x, h, c):
    """One step of an LSTM by its formulas; torch orders the gates as input, forget, cell, output."""
    gates = cell.weight_ih @ x + cell.bias_ih + cell.weight_hh @ h + cell.bias_hh
    i, f, g, o = gates.split(DIM)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def set2set(encoded, head):
    read = torch.zeros(2 * DIM, dtype=torch.float64)
    h = c = torch.zeros(DIM, dtype=torch.float64)
    for _ in range(STEPS):
        h, c = lstm(head.readout.query, read, h, c)
        powers = [torch.exp(e @ h) for e in encoded]
        read = torch.cat([h, sum(p * e for p, e in zip(powers, encoded, strict=True)) / sum(powers)])
    return torch.sigmoid(head.readout.out.weight @ read + head.readout.out.bias)


def summaries_of(name, encoded_of, head):
    """The summary of each node that has instances."""
    if name == "batch":
        means = [sum(encoded) / len(encoded) for encoded in encoded_of.values()]
        return dict.fromkeys(encoded_of, torch.sigmoid(sum(means) / len(means)))
    read = {"mean": lambda encoded, head: literal.readout(encoded), "set2set": set2set}[name]
    return {v: read(encoded, head) for v, encoded in encoded_of.items()}


def written_out(reg, h, corrupted, alpha, seed, instance_encoder, readout):
    """L_MI = 1/(n T) sum_t sum_v alpha_vt L^t(v), loop by loop."""
    observed, negative = drawn(reg, NODES, seed)
    encode, total = ENCODE[instance_encoder], torch.zeros((), dtype=torch.float64)
    for t, head in enumerate(reg.heads):
        gated, fakes = ([literal.gate(row, head.gate.weight, head.gate.bias) for row in x] for x in (h, corrupted))
        encoded_of, faked_of = {}, {}
        for i, v in enumerate(NODES.tolist()):
            own = slice(int(observed[t].indptr[i]), int(observed[t].indptr[i + 1]))
            if own.stop > own.start:
                encoded_of[v] = [encode(gated, m, v, head) for m in observed[t].members[own].tolist()]
                faked_of[v] = [encode(fakes, m, v, head) for m in negative[t].members[own].tolist()]
        summary = summaries_of(readout, encoded_of, head) if encoded_of else {}
        for v, encoded in encoded_of.items():
            s, scorer = summary[v], head.discriminator.weight
            right = sum(torch.log(literal.probability(e, s, scorer)) for e in encoded)
            wrong = sum(torch.log(1 - literal.probability(e, s, scorer)) for e in faked_of[v])
            total = total - alpha[v, t] * (right + wrong) / (2 * len(encoded))
    return total / (len(NODES) * len(reg.heads))


@pytest.mark.parametrize("readout", READOUTS)
@pytest.mark.parametrize("instance_encoder", INSTANCE_ENCODERS)
def test_loss_and_all_gradients_are_those_of_the_formulas_written_out(instance_encoder, readout):
    parts = {"instance_encoder": instance_encoder, "readout": readout}
    reg, (h, corrupted) = make(**parts), representations()
    alpha = torch.rand(10, reg.num_motifs, dtype=torch.float64)
    ours = reg.loss(h, corrupted, small_index(), NODES, alpha=alpha, generator=np.random.default_rng(4))
    expected = written_out(reg, h, corrupted, alpha, 4, **parts)
    torch.testing.assert_close(ours, expected, rtol=1e-11, atol=1e-12)
    for found, wanted in zip(gradients(ours, reg, h, corrupted), gradients(expected, reg, h, corrupted), strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-9, atol=1e-12)


def test_the_fused_loss_of_mean_pooling_is_the_composed_one(monkeypatch):
    reg, (h, corrupted) = make(instance_encoder="mean"), representations()
    values = [reg.loss(h, corrupted, small_index(), generator=np.random.default_rng(0))]
    monkeypatch.setattr(MotifRegularizer, "fused", False)
    values.append(reg.loss(h, corrupted, small_index(), generator=np.random.default_rng(0)))
    torch.testing.assert_close(*values, rtol=1e-12, atol=1e-12)


def test_the_weights_of_max_pooling_are_shares_of_units():
    index, nodes = small_index(), np.arange(10)
    instances = index.sample(nodes, 3, np.random.default_rng(0))[0]
    plan, (h, _) = PairPlan.build(nodes, instances, 10), representations()
    rows = h.detach()[torch.from_numpy(plan.rows)]
    weights = make_instance_encoder("max", DIM).double()(plan, rows)
    for weight, members in zip(weights, instances.members.tolist(), strict=True):
        largest = h.detach()[members].argmax(dim=0)
        torch.testing.assert_close(weight, torch.bincount(largest, minlength=3).double() / DIM)


@pytest.mark.parametrize("instance_encoder", ["mean", "max"])
def test_pooling_has_no_parameters_and_saves_nothing(instance_encoder):
    assert make_instance_encoder(instance_encoder, DIM).state_dict() == {}


def test_parts_have_the_parameters_of_the_paper_by_default():
    torch.manual_seed(0)
    plain = MotifRegularizer(DIM, small_index())
    torch.manual_seed(0)
    named = MotifRegularizer(DIM, small_index(), instance_encoder="attention", readout="mean")
    assert list(plain.state_dict()) == list(named.state_dict())
    assert all(torch.equal(a, b) for a, b in zip(plain.parameters(), named.parameters(), strict=True))


@pytest.mark.parametrize("readout", READOUTS)
@pytest.mark.parametrize("instance_encoder", INSTANCE_ENCODERS)
def test_readout_in_z_works_with_every_part(instance_encoder, readout):
    reg = make(instance_encoder=instance_encoder, readout=readout, readout_in_z=True)
    z, _ = reg(representations()[0], small_index())
    assert z.shape == (10, DIM)
    assert torch.isfinite(z).all()


def test_unknown_parts_are_named_with_the_nearest():
    with pytest.raises(InputError, match="did you mean 'max'"):
        make_instance_encoder("maxx", DIM)
    with pytest.raises(InputError, match="did you mean 'set2set'"):
        make_readout("set2sett", DIM)
