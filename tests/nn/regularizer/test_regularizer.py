"""The motif regulariser against the paper's formulas written out as loops: values, gradients, what cancels."""

from __future__ import annotations

import functools

import numpy as np
import pytest
import torch

from infomotif import Graph, MotifIndex, load_dataset, make_roles
from infomotif.errors import InputError
from infomotif.motifs import Instances
from infomotif.nn import MotifRegularizer
from infomotif.nn.propagation import sparse
from infomotif.nn.regularizer.pairs import PairPlan
from tests.nn import literal

DIM = 5


@functools.cache
def small_graph() -> Graph:
    """Ten nodes: every directed motif but the cycle occurs, node 8 has a single edge, node 9 none."""
    source = [0, 0, 1, 1, 2, 3, 4, 5, 5, 6, 7, 3, 0]
    target = [1, 2, 2, 3, 3, 4, 5, 6, 7, 7, 8, 5, 5]
    return Graph.from_edges(source, target, num_nodes=10, directed=True)


@functools.cache
def small_index() -> MotifIndex:
    return MotifIndex(small_graph())


def make(attention: str = "concat", negatives: str = "shuffle", *, q: int = 3, seed: int = 0, **options):
    """A regulariser in float64 with parameters large enough for every part to matter."""
    torch.manual_seed(seed)
    reg = MotifRegularizer(DIM, small_index(), q=q, attention=attention, negatives=negatives, **options).double()
    with torch.no_grad():
        for parameter in reg.parameters():
            parameter.copy_(torch.randn_like(parameter))
    return reg


def representations(seed: int = 1):
    torch.manual_seed(seed)
    h = torch.randn(small_graph().num_nodes, DIM, dtype=torch.float64, requires_grad=True)
    corrupted = torch.randn(small_graph().num_nodes, DIM, dtype=torch.float64, requires_grad=True)
    return h, corrupted


def drawn(reg: MotifRegularizer, nodes: np.ndarray, seed: int):
    """The instances that ``loss`` draws with this seed."""
    rng = np.random.default_rng(seed)
    observed, negatives = reg.draw(small_index(), nodes, rng)
    return observed, [others.instances for others in negatives]


def literal_loss(reg, h, corrupted, nodes, alpha, seed):
    observed, negative = drawn(reg, nodes, seed)
    heads = [head.loss_parameters() for head in reg.heads]
    return literal.loss(
        h, corrupted, nodes.tolist(), observed, negative, heads, alpha,
        from_corrupted=reg.negatives.corrupted, additive=reg.heads[0].encoder.additive,
    )  # fmt: skip


def gradients(value, reg, h, corrupted):
    wanted = [h, corrupted, *reg.heads.parameters()]
    found = torch.autograd.grad(value, wanted, allow_unused=True)
    return [torch.zeros_like(w) if g is None else g for w, g in zip(wanted, found, strict=True)]


@pytest.fixture(params=["fused", "composed", "composed without compiled loops"])
def path(request, monkeypatch):
    """Each way of computing the loss."""
    if request.param != "fused":
        monkeypatch.setattr(MotifRegularizer, "fused", False)
    if request.param == "composed without compiled loops":
        monkeypatch.setattr(sparse, "COMPILED_DEVICES", ())
    return request.param


@pytest.mark.parametrize("gate", ["full", "diagonal"])
@pytest.mark.parametrize("negatives", ["shuffle", "swap"])
@pytest.mark.parametrize("attention", ["concat", "additive"])
def test_loss_and_all_gradients_are_those_of_the_printed_formulas(path, attention, negatives, gate):
    reg, (h, corrupted) = make(attention, negatives, gate=gate), representations()
    nodes = np.array([7, 0, 3, 9, 5, 1])
    alpha = torch.rand(10, reg.num_motifs, dtype=torch.float64)
    ours = reg.loss(h, corrupted, small_index(), nodes, alpha=alpha, generator=np.random.default_rng(4))
    expected = literal_loss(reg, h, corrupted, nodes, alpha, 4)
    torch.testing.assert_close(ours, expected, rtol=1e-11, atol=1e-12)
    for found, wanted in zip(gradients(ours, reg, h, corrupted), gradients(expected, reg, h, corrupted), strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-9, atol=1e-12)


class Loss(torch.nn.Module):
    """The loss of three nodes as a module's forward, so that its parameters can be given."""

    def __init__(self, reg, alpha):
        super().__init__()
        self.reg, self.alpha = reg, alpha

    def forward(self, h, corrupted):
        options = {"alpha": self.alpha, "generator": np.random.default_rng(4)}
        return self.reg.loss(h, corrupted, small_index(), [0, 3, 5], **options)


@pytest.mark.slow
@pytest.mark.parametrize("negatives", ["shuffle", "swap"])
@pytest.mark.parametrize("attention", ["concat", "additive"])
def test_gradients_of_the_loss_are_its_slopes(path, attention, negatives):
    reg, (h, corrupted) = make(attention, negatives), representations()
    alpha = torch.rand(10, reg.num_motifs, dtype=torch.float64)
    parameters = list(reg.heads.parameters())

    loss, names = Loss(reg, alpha), [name for name, _ in reg.named_parameters() if name.startswith("heads")]

    def value(h, corrupted, *given):
        changed = {f"reg.{name}": each for name, each in zip(names, given, strict=True)}
        return torch.func.functional_call(loss, changed, (h, corrupted))

    assert torch.autograd.gradcheck(value, (h, corrupted, *parameters), fast_mode=True)


@pytest.mark.parametrize("kind", ["full", "diagonal"])
def test_gate_is_the_printed_formula(kind):
    head, (h, _) = make(gate=kind).heads[0], representations()
    expected = torch.stack([literal.gate(row, *head.loss_parameters()[:2]) for row in h])
    torch.testing.assert_close(head.gate(h), expected)


def plan_of_all(t: int, q: int = 3):
    nodes = np.arange(10)
    instances = small_index().sample(nodes, q, np.random.default_rng(0))[t]
    return PairPlan.build(nodes, instances, 10), instances


def gated_rows(head, plan, h):
    gated = head.gate(h)
    return gated, gated[torch.from_numpy(plan.rows)]


@pytest.mark.parametrize("attention", ["concat", "additive"])
def test_instance_encoder_readout_and_discriminator_are_the_printed_formulas(path, attention):
    reg, (h, _) = make(attention), representations()
    checked = 0
    for t, head in enumerate(reg.heads):
        plan, instances = plan_of_all(t)
        if plan.num_instances == 0:
            continue
        gated, rows = gated_rows(head, plan, h)
        weights = head.encoder(plan, rows)
        summaries = head.readout(plan, rows, weights)
        logits = head.discriminator(plan, rows, weights, summaries)
        a, additive = head.encoder.weight[0], head.encoder.additive
        at = 0
        for b, v in enumerate(plan.owners.tolist()):
            own = instances.members[instances.indptr[v] : instances.indptr[v + 1]].tolist()
            encoded = [literal.encode_instance(gated, instance, v, a, additive) for instance in own]
            s = literal.readout(encoded)
            torch.testing.assert_close(summaries[b], s)
            for instance, e in zip(own, encoded, strict=True):
                torch.testing.assert_close(weights[at], literal.member_weights(gated, instance, v, a, additive))
                score = literal.probability(e, s, head.discriminator.weight)
                torch.testing.assert_close(torch.sigmoid(logits[at]), score)
                at += 1
                checked += 1
        assert at == plan.num_instances
    assert checked > 30


def test_motif_attention_is_the_printed_formula():
    reg, (h, _) = make(), representations()
    z, alpha = reg(h, small_index())
    for v in range(10):
        gated = [literal.gate(h[v], *head.loss_parameters()[:2]) for head in reg.heads]
        expected_z, expected_alpha = literal.motif_attention(gated, reg.attention.weight[0])
        torch.testing.assert_close(z[v], expected_z)
        torch.testing.assert_close(alpha[v], expected_alpha)


def test_motif_attention_passes_a_gradient_check():
    attention = make().attention
    gated = [torch.randn(4, DIM, dtype=torch.float64, requires_grad=True) for _ in range(3)]
    assert torch.autograd.gradcheck(lambda *g: attention(list(g)), gated)


def test_wanted_nodes_get_the_rows_of_all_nodes():
    reg, (h, _) = make(readout_in_z=True, residual=True, q=50), representations()
    z, alpha = reg(h, small_index())
    nodes = torch.tensor([5, 2, 9])
    some_z, some_alpha = reg(h, small_index(), nodes)
    torch.testing.assert_close(some_z, z[nodes])
    torch.testing.assert_close(some_alpha, alpha[nodes])


def test_residual_adds_h_to_z():
    plain, added, (h, _) = make(), make(residual=True), representations()
    torch.testing.assert_close(added(h, small_index())[0], plain(h, small_index())[0] + h)


def test_readout_in_z_adds_the_weighted_summaries():
    plain, added, (h, _) = make(q=50), make(q=50, readout_in_z=True), representations()
    z, alpha = plain(h, small_index())
    expected = z.clone()
    for t, head in enumerate(plain.heads):
        plan, _ = plan_of_all(t, q=50)
        if plan.num_instances:
            _, rows = gated_rows(head, plan, h)
            expected[plan.owners] += alpha[plan.owners, t : t + 1] * head.readout(plan, rows, head.encoder(plan, rows))
    torch.testing.assert_close(added(h, small_index())[0], expected)


def test_batches_weighted_by_their_size_sum_to_the_loss_of_all_nodes(path):
    # With q above every count each instance is taken once, so batches see what the full computation sees.
    reg, (h, corrupted) = make(q=1000), representations()
    alpha = torch.rand(10, reg.num_motifs, dtype=torch.float64)
    batches = np.array_split(np.random.default_rng(0).permutation(10), 3)
    parts = [reg.loss(h, corrupted, small_index(), batch, alpha=alpha) * len(batch) / 10 for batch in batches]
    total, whole = sum(parts), reg.loss(h, corrupted, small_index(), alpha=alpha)
    torch.testing.assert_close(total, whole)
    for found, wanted in zip(gradients(total, reg, h, corrupted), gradients(whole, reg, h, corrupted), strict=True):
        torch.testing.assert_close(found, wanted)


def test_masks_and_numbers_name_the_same_nodes():
    reg, (h, corrupted) = make(q=1000), representations()
    mask = torch.zeros(10, dtype=torch.bool)
    mask[[1, 4, 6]] = True
    values = [
        reg.loss(h, corrupted, small_index(), nodes)
        for nodes in (mask, torch.tensor([1, 4, 6]), np.array([1, 4, 6]), [1, 4, 6])
    ]
    assert {value.item() for value in values} == {values[0].item()}


def test_alpha_is_that_of_forward_by_default():
    reg, (h, corrupted) = make(q=1000), representations()
    given = reg.loss(h, corrupted, small_index(), alpha=reg(h)[1])
    torch.testing.assert_close(reg.loss(h, corrupted, small_index()), given)


def test_alpha_carries_no_gradient(path):
    reg, (h, corrupted) = make(), representations()
    alpha = torch.rand(10, reg.num_motifs, dtype=torch.float64, requires_grad=True)
    value = reg.loss(h, corrupted, small_index(), alpha=alpha)
    assert torch.autograd.grad(value, alpha, allow_unused=True, retain_graph=True) == (None,)
    value = reg.loss(h, corrupted, small_index())
    assert torch.autograd.grad(value, reg.attention.weight, allow_unused=True) == (None,)


def test_nodes_without_instances_contribute_nothing(path):
    reg, (h, corrupted) = make(q=1000), representations()
    alone = small_index().counts.sum(axis=1) == 0
    assert np.flatnonzero(alone).tolist() == [9]
    value = reg.loss(h, corrupted, small_index())
    d_h, d_corrupted = gradients(value, reg, h, corrupted)[:2]
    assert not d_h[9].any()
    assert not d_corrupted[9].any()
    others = reg.loss(h, corrupted, small_index(), np.arange(9), alpha=reg(h, small_index())[1])
    torch.testing.assert_close(value, others * 9 / 10)
    assert reg.loss(h, corrupted, small_index(), [9]).item() == 0


def test_a_motif_without_instances_has_no_gradient_but_counts_in_the_mean(path):
    reg, (h, corrupted) = make(q=1000), representations()
    missing = int(np.flatnonzero(small_index().totals == 0)[0])
    value = reg.loss(h, corrupted, small_index(), alpha=torch.ones(10, 5, dtype=torch.float64))
    found = torch.autograd.grad(value, list(reg.heads[missing].parameters()), allow_unused=True)
    assert all(g is None or not g.any() for g in found)
    observed, negative = drawn(reg, np.arange(10), 0)
    present = [t for t in range(5) if t != missing]
    heads = [reg.heads[t].loss_parameters() for t in present]
    of_four = literal.loss(
        h, corrupted, range(10), [observed[t] for t in present], [negative[t] for t in present], heads,
        torch.ones(10, 4, dtype=torch.float64), from_corrupted=True, additive=False,
    )  # fmt: skip
    torch.testing.assert_close(value, of_four * 4 / 5)


def test_a_graph_without_edges_has_loss_zero_and_zero_gradients(path):
    graph = Graph.from_edges([], [], num_nodes=4, directed=False)
    index = MotifIndex(graph)
    reg = MotifRegularizer(DIM, index)
    h = torch.randn(4, DIM, requires_grad=True)
    value = reg.loss(h, h.detach()[[1, 2, 3, 0]], index)
    assert value.item() == 0
    if value.requires_grad:
        value.backward()
        assert h.grad is None or not h.grad.any()


def second_half(reg, change):
    with torch.no_grad():
        for head in reg.heads:
            head.encoder.weight[0, DIM:] += change


def test_the_part_of_a_that_meets_the_centre_cancels_as_printed(path):
    reg, (h, corrupted) = make("concat"), representations()
    before = reg.loss(h, corrupted, small_index(), generator=np.random.default_rng(0))
    for head in reg.heads:
        (g,) = torch.autograd.grad(before, head.encoder.weight, retain_graph=True, allow_unused=True)
        assert g is None or not g[0, DIM:].any()
    second_half(reg, 3.0)
    assert torch.equal(reg.loss(h, corrupted, small_index(), generator=np.random.default_rng(0)), before)


def test_the_printed_formula_itself_does_not_depend_on_that_part():
    reg, (h, corrupted) = make("concat"), representations()
    alpha = torch.rand(10, reg.num_motifs, dtype=torch.float64)
    before = literal_loss(reg, h, corrupted, np.arange(10), alpha, 0)
    second_half(reg, 3.0)
    torch.testing.assert_close(literal_loss(reg, h, corrupted, np.arange(10), alpha, 0), before)


def test_with_additive_attention_the_centre_matters(path):
    reg, (h, corrupted) = make("additive"), representations()
    before = reg.loss(h, corrupted, small_index(), generator=np.random.default_rng(0))
    (g,) = torch.autograd.grad(before, reg.heads[0].encoder.weight)
    assert g[0, DIM:].abs().min() > 0
    second_half(reg, 3.0)
    assert not torch.equal(reg.loss(h, corrupted, small_index(), generator=np.random.default_rng(0)), before)


def test_backward_may_be_called_again():
    reg, (h, corrupted) = make(), representations()
    value = reg.loss(h, corrupted, small_index(), generator=np.random.default_rng(0))
    first = torch.autograd.grad(3 * value, h, retain_graph=True)[0].clone()
    again = torch.autograd.grad(3 * value, h)[0]
    assert torch.equal(first, again)


def test_gradients_add_up_over_two_backward_passes():
    reg, (h, corrupted) = make(), representations()
    value = reg.loss(h, corrupted, small_index(), generator=np.random.default_rng(0))
    value.backward(retain_graph=True)
    wanted = [h, corrupted, *reg.heads.parameters()]
    once = [leaf.grad.clone() for leaf in wanted]
    value.backward()
    assert all(torch.equal(leaf.grad, 2 * gradient) for leaf, gradient in zip(wanted, once, strict=True))


def test_a_second_loss_does_not_disturb_the_gradients_of_the_first():
    reg, (h, corrupted) = make(), representations()
    first = reg.loss(h, corrupted, small_index(), generator=np.random.default_rng(0))
    expected = torch.autograd.grad(first, h, retain_graph=True)[0].clone()
    reg.loss(2 * h.detach(), corrupted, small_index(), generator=np.random.default_rng(1))
    assert torch.equal(torch.autograd.grad(first, h)[0], expected)


def test_scaling_the_loss_scales_the_gradients():
    reg, (h, corrupted) = make(), representations()
    value = reg.loss(h, corrupted, small_index(), generator=np.random.default_rng(0))
    one = torch.autograd.grad(value, h, retain_graph=True)[0].clone()
    torch.testing.assert_close(torch.autograd.grad(-2.5 * value, h)[0], -2.5 * one)


def test_huge_logits_stay_finite(path):
    reg, (h, corrupted) = make(), representations()
    value = reg.loss(100 * h, 100 * corrupted, small_index(), generator=np.random.default_rng(0))
    assert torch.isfinite(value)
    assert all(torch.isfinite(g).all() for g in gradients(value, reg, h, corrupted))


def test_float32_agrees_with_float64(path):
    graph = make_roles(num_nodes=120)
    index = MotifIndex(graph)
    reg = MotifRegularizer(16, index, q=5)
    h, corrupted = torch.randn(120, 16), torch.randn(120, 16)
    single = reg.loss(h, corrupted, index, generator=np.random.default_rng(0))
    double = reg.double().loss(h.double(), corrupted.double(), index, generator=np.random.default_rng(0))
    assert single.dtype == torch.float32
    torch.testing.assert_close(single.double(), double, rtol=1e-5, atol=1e-6)


def test_the_same_generator_gives_the_same_loss_to_the_bit():
    reg, (h, corrupted) = make(negatives="swap"), representations()
    values = [reg.loss(h, corrupted, small_index(), generator=np.random.default_rng(5)) for _ in range(2)]
    assert torch.equal(*values)


def test_a_loop_of_ones_own_lowers_the_loss():
    graph = make_roles(num_nodes=120)
    torch.manual_seed(0)
    index = MotifIndex(graph)
    reg = MotifRegularizer(8, index)
    h = torch.nn.Parameter(torch.randn(120, 8))
    optimizer = torch.optim.Adam([h, *reg.parameters()], lr=0.05)
    rng = np.random.default_rng(0)
    losses = []
    for _ in range(30):
        optimizer.zero_grad()
        value = reg.loss(h, h.detach()[rng.permutation(120)], index, generator=rng)
        value.backward()
        optimizer.step()
        losses.append(float(value.detach()))
    assert losses[-1] < 0.9 * losses[0]


def test_gates_and_attention_need_no_index():
    reg, (h, _) = make(), representations()
    assert all(torch.equal(one, two) for one, two in zip(reg(h), reg(h, small_index()), strict=True))


def test_calls_that_draw_instances_without_an_index_say_what_to_add():
    reg, (h, corrupted) = make(readout_in_z=True), representations()
    with pytest.raises(InputError, match=r"needed to draw motif instances: reg\(h, motifs\) \(got none\)"):
        reg(h)
    with pytest.raises(InputError, match=r"reg\.loss\(h, h_corrupted, motifs\) \(got none\)"):
        reg.loss(h, corrupted)


def test_nodes_in_the_place_of_the_index_are_refused():
    reg, (h, corrupted) = make(), representations()
    with pytest.raises(InputError, match=r"reg\(h, motifs, nodes\) \(got Tensor\)"):
        reg(h, torch.tensor([1]))
    with pytest.raises(InputError, match=r"reg\.loss\(h, h_corrupted, motifs\) \(got list\)"):
        reg.loss(h, corrupted, [1])


def test_an_index_of_other_motifs_is_refused():
    reg, (h, corrupted) = make(), representations()
    other = MotifIndex(small_graph(), ["M1", "M4"])
    with pytest.raises(InputError, match=r"must be of the regulariser's motifs, M1, M2, .* \(got M1, M4\)"):
        reg.loss(h, corrupted, other)


def test_one_regulariser_serves_several_graphs():
    reg, (h, corrupted) = make(), representations()
    other = Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=3, directed=True)
    assert torch.isfinite(reg.loss(h[:3], corrupted[:3], MotifIndex(other)))
    assert torch.isfinite(reg.loss(h, corrupted, small_index()))


def test_names_make_the_same_regulariser_as_an_index_of_them():
    torch.manual_seed(0)
    by_index = MotifRegularizer(4, MotifIndex(small_graph(), ["M1", "a->b, b->c, a->c"]))
    torch.manual_seed(0)
    by_name = MotifRegularizer(4, ["M1", "M4"])
    assert by_name.motifs == by_index.motifs
    one, two = by_name.state_dict(), by_index.state_dict()
    assert all(torch.equal(one[name], two[name]) for name in one)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"q": 0}, r"q must be a positive integer \(got 0\)"),
        ({"attention": "additiv"}, "unknown attention 'additiv': did you mean 'additive'"),
        ({"gate": "diagonl"}, "unknown gate 'diagonl': did you mean 'diagonal'"),
        ({"negatives": "shufle"}, "unknown negatives 'shufle': did you mean 'shuffle'"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(InputError, match=message):
        MotifRegularizer(4, ["M6", "M7"], **options)


def test_no_motif_at_all_is_refused():
    with pytest.raises(InputError, match="at least one motif"):
        MotifRegularizer(4, [])


def test_pairs_are_the_distinct_members_of_each_owner():
    members = np.array([[3, 1, 2], [3, 2, 4], [0, 1, 3]])
    plan = PairPlan.build(np.array([3, 9, 1]), Instances(np.array([0, 2, 2, 3]), members), 10)
    assert plan.owners.tolist() == [3, 1]
    assert plan.rows.tolist() == [0, 1, 2, 3, 4]
    assert plan.inst_ptr.tolist() == [0, 2, 3]
    assert plan.rows[plan.owner_rows].tolist() == [3, 1]
    assert plan.rows[plan.pairs.indices[plan.slots]].tolist() == members.tolist()
    for b, distinct in enumerate([{1, 2, 3, 4}, {0, 1, 3}]):
        own = plan.rows[plan.pairs.indices[plan.pairs.indptr[b] : plan.pairs.indptr[b + 1]]].tolist()
        assert sorted(own) == sorted(distinct)


def test_what_does_not_belong_to_the_graph_is_refused():
    index = MotifIndex(load_dataset("karate"))
    for wrong in (index.graph, 2, "M6"):
        with pytest.raises(InputError, match=f"or a list of names and patterns .got {type(wrong).__name__}"):
            MotifRegularizer(4, wrong)
    regularizer, h = MotifRegularizer(4, index), torch.randn(34, 4)
    with pytest.raises(InputError, match=r"h must have a row for each of the 34 nodes \(got 33\)"):
        regularizer.loss(h[1:], h[1:], index)
    with pytest.raises(InputError, match=r"h_corrupted must have the shape of h, \[34, 4\]"):
        regularizer.loss(h, h[1:], index)
