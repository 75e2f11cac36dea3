"""Every compiled loop of the neural parts against a NumPy twin that takes no short cuts."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from infomotif.nn import kernels


def csr(rows: int = 7, cols: int = 5, density: float = 0.4, seed: int = 0):
    """Row pointers and columns of a random pattern with an empty row and an empty column, and its dense mask."""
    mask = np.random.default_rng(seed).random((rows, cols)) < density
    mask[2] = False
    mask[:, 1] = False
    ptr = np.r_[0, np.cumsum(mask.sum(axis=1))].astype(np.int32)
    return ptr, np.nonzero(mask)[1].astype(np.int32), mask


def dense(ptr, col, values, cols):
    out = np.zeros((len(ptr) - 1, cols, *values.shape[1:]))
    for v in range(len(ptr) - 1):
        for p in range(ptr[v], ptr[v + 1]):
            out[v, col[p]] += values[p]
    return out


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def test_spmm_is_a_matrix_product(rng):
    ptr, col, _ = csr()
    values, x, out = rng.normal(size=len(col)), rng.normal(size=(5, 3)), np.full((7, 3), np.nan)
    kernels.spmm(0, 7, ptr, col, values, x, out)
    np.testing.assert_allclose(out, dense(ptr, col, values, 5) @ x)


def test_spmm_writes_only_its_rows(rng):
    ptr, col, _ = csr()
    out = np.full((7, 3), 9.0)
    kernels.spmm(2, 4, ptr, col, rng.normal(size=len(col)), rng.normal(size=(5, 3)), out)
    assert (out[[0, 1, 4, 5, 6]] == 9).all()
    assert (out[2] == 0).all()


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_spmm_by_blocks_is_the_same_product(rng, size):
    ptr, col, _ = csr()
    for v in range(len(ptr) - 1):
        col[ptr[v] : ptr[v + 1]].sort()
    values, x = rng.normal(size=len(col)), rng.normal(size=(5, 4))
    out, expected = np.full((7, 4), np.nan), np.full((7, 4), np.nan)
    kernels.spmm_by_blocks(1, 6, ptr, col, values, x, out, size)
    kernels.spmm(1, 6, ptr, col, values, x, expected)
    np.testing.assert_array_equal(out, expected)


def test_spmm_of_a_long_row_with_zeros_is_the_dense_product(rng):
    """More entries than are gathered at a time, half of them 0 as after dropout."""
    ptr, col = np.array([0, 150, 150, 151]), np.r_[rng.permutation(200)[:150], 3]
    values, x, out = rng.normal(size=151), rng.normal(size=(200, 5)), np.full((3, 5), np.nan)
    values[rng.random(151) < 0.5] = 0
    kernels.spmm(0, 3, ptr, col, values, x, out)
    np.testing.assert_allclose(out, dense(ptr, col, values, 200) @ x)


def random_bits(seed: int, place: int) -> int:
    """Twin of the hash behind dropout, in Python's integers."""
    word, half = (1 << 64) - 1, (1 << 32) - 1
    block, j = divmod(int(place), kernels.DROP_BLOCK)
    value = (seed + 0x9E3779B97F4A7C15 * (block + 1)) & word
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & word
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & word
    bits = ((value ^ (value >> 31)) + j * 0x9E3779B1) & half
    bits = ((bits ^ (bits >> 16)) * 0x7FEB352D) & half
    bits = ((bits ^ (bits >> 15)) * 0x846CA68B) & half
    return bits ^ (bits >> 16)


@pytest.mark.parametrize("rectify", [False, True])
def test_drop_runs_drops_what_the_hash_of_the_places_says(rng, rectify):
    ptr, places = np.array([0, 3, 3, 300, 700]), np.array([254, 9, 0, 1000])
    x, out, threshold = rng.normal(size=700), np.full(700, np.nan), 1 << 30
    kernels.drop_runs(0, 4, np.uint64(7), np.uint32(threshold), 1.5, ptr, places, x, out, rectify)
    for i in range(4):
        for p in range(ptr[i], ptr[i + 1]):
            kept = random_bits(7, places[i] + p - ptr[i]) >= threshold and (x[p] > 0 or not rectify)
            assert out[p] == (1.5 * x[p] if kept else 0)


def test_rectified_dropout_keeps_a_nan():
    x, out = np.array([np.nan, -1.0, 2.0]), np.empty(3)
    kernels.drop_runs(0, 1, np.uint64(0), np.uint32(0), 1.0, np.array([0, 3]), np.array([0]), x, out, True)
    np.testing.assert_array_equal(out, [np.nan, 0, 2])


def test_rectify_backward_passes_gradients_where_the_result_is_not_zero(rng):
    out, grad, found = rng.normal(size=600) * (rng.random(600) < 0.5), rng.normal(size=600), np.full(600, 9.0)
    kernels.rectify_backward(1, 3, 2.0, out, grad, found)
    np.testing.assert_array_equal(found, np.r_[np.full(256, 9.0), (2 * grad * (out != 0))[256:]])


def test_adam_step_is_its_formula(rng):
    grad, mean, parameter = rng.normal(size=(3, 9))
    square = rng.random(9)
    constants = np.array([0.1, 0.999, 0.001, 0.3, 1e-8, 0.01, 0.02])
    g = grad + 0.02 * parameter
    m, s = 0.9 * mean + 0.1 * g, 0.999 * square + 0.001 * g**2
    expected = np.r_[parameter[:2], (parameter - 0.01 * m / (np.sqrt(s) / 0.3 + 1e-8))[2:]]
    before = mean[:2].copy()
    kernels.adam_step(2, 9, constants, grad, mean, square, parameter)
    np.testing.assert_allclose(parameter, expected)
    np.testing.assert_allclose(mean, np.r_[before, m[2:]])
    np.testing.assert_allclose(square[2:], s[2:])


def test_head_spmm_is_one_product_a_head(rng):
    ptr, col, _ = csr()
    entry = rng.permutation(len(col))
    values, x, out = rng.normal(size=(len(col), 2)), rng.normal(size=(5, 2, 3)), np.full((7, 2, 3), np.nan)
    kernels.head_spmm(0, 7, ptr, col, entry, values, x, out)
    for h in range(2):
        np.testing.assert_allclose(out[:, h], dense(ptr, col, values[entry, h], 5) @ x[:, h])


def test_head_sddmm_is_the_dot_product_of_each_entry(rng):
    ptr, col, mask = csr()
    a, b, out = rng.normal(size=(7, 2, 3)), rng.normal(size=(5, 2, 3)), np.full((len(col), 2), np.nan)
    kernels.head_sddmm(0, 7, ptr, col, a, b, out)
    np.testing.assert_allclose(out, np.einsum("vhd,uhd->vuh", a, b)[mask])


def test_row_softmax_sums_to_one_in_each_row(rng):
    ptr, col, _ = csr()
    scores, out = 50 * rng.normal(size=(len(col), 2)), np.full((len(col), 2), np.nan)
    kernels.row_softmax(0, 7, ptr, scores, out)
    for v in range(7):
        own = scores[ptr[v] : ptr[v + 1]]
        if len(own):
            exponentials = np.exp(own - own.max(axis=0))
            np.testing.assert_allclose(out[ptr[v] : ptr[v + 1]], exponentials / exponentials.sum(axis=0), atol=1e-300)


def test_row_softmax_backward_is_the_jacobian_times_the_gradient(rng):
    ptr, col, _ = csr()
    scores, grad = rng.normal(size=(len(col), 2)), rng.normal(size=(len(col), 2))
    out, found = np.empty_like(scores), np.full(scores.shape, np.nan)
    kernels.row_softmax(0, 7, ptr, scores, out)
    kernels.row_softmax_backward(0, 7, ptr, out, grad, found)
    for v in range(7):
        own = slice(ptr[v], ptr[v + 1])
        for h in range(2):
            w = out[own, h]
            np.testing.assert_allclose(found[own, h], (np.diag(w) - np.outer(w, w)) @ grad[own, h])


def test_neighbour_max_and_where_it_was(rng):
    ptr, col, mask = csr()
    x = rng.normal(size=(5, 3)) - 5
    out, arg = np.full((7, 3), np.nan), np.full((7, 3), -9, dtype=np.int32)
    kernels.neighbour_max(0, 7, ptr, col, x, out, arg)
    for v in range(7):
        if mask[v].any():
            np.testing.assert_array_equal(out[v], x[mask[v]].max(axis=0))
            np.testing.assert_array_equal(arg[v], np.flatnonzero(mask[v])[x[mask[v]].argmax(axis=0)])
        else:
            assert (out[v] == 0).all()
            assert (arg[v] == -1).all()


def test_neighbour_max_backward_goes_to_where_the_maximum_was(rng):
    arg = np.array([[0, 2], [-1, -1], [0, 1]], dtype=np.int32)
    grad, out = rng.normal(size=(3, 2)), np.zeros((3, 2))
    kernels.neighbour_max_backward(0, 2, arg, grad, out)
    expected = [[grad[0, 0] + grad[2, 0], 0], [0, grad[2, 1]], [0, grad[0, 1]]]
    np.testing.assert_allclose(out, expected)


def test_add_rows_adds_to_named_rows(rng):
    x, out = rng.normal(size=(3, 2)), np.ones((6, 2))
    kernels.add_rows(0, 2, np.array([4, 1, 0]), x, out)
    expected = np.ones((6, 2))
    expected[[4, 1]] += x[:2]
    np.testing.assert_allclose(out, expected)


def test_transpose_pattern_lists_rows_and_entries_by_column():
    ptr, col, mask = csr()
    t_ptr, t_row, t_entry = np.zeros(6, np.int32), np.empty(len(col), np.int32), np.empty(len(col), np.int32)
    kernels.transpose_pattern(ptr, col, t_ptr, t_row, t_entry)
    number = np.full(mask.shape, -1)
    number[mask] = np.arange(len(col))
    for u in range(5):
        rows = np.flatnonzero(mask[:, u])
        np.testing.assert_array_equal(t_row[t_ptr[u] : t_ptr[u + 1]], rows)
        np.testing.assert_array_equal(t_entry[t_ptr[u] : t_ptr[u + 1]], number[rows, u])


class Owners:
    """Three owners with 2, 1 and 3 instances of three members each among 6 rows; one instance repeats a member."""

    inst_ptr = np.array([0, 2, 3, 6], dtype=np.int32)
    members = np.array([[0, 1, 2], [0, 2, 3], [1, 4, 5], [2, 2, 0], [2, 5, 1], [2, 3, 4]], dtype=np.int32)
    owner = np.array([0, 0, 1, 2, 2, 2])
    rows = 6

    def __init__(self) -> None:
        local = np.arange(self.rows)
        self.ptr = np.full(4, -1, dtype=np.int32)
        col = np.full(self.members.size, -1, dtype=np.int32)
        self.slots = np.full(self.members.shape, -1, dtype=np.int32)
        num_pairs = kernels.pair_slots(self.inst_ptr, self.members, local, self.rows, self.ptr, col, self.slots)
        self.col = col[:num_pairs]

    @property
    def pattern(self):
        return self.inst_ptr, self.slots, self.ptr, self.col

    @property
    def shares(self):
        return 1 / np.diff(self.inst_ptr)[self.owner]


@pytest.fixture(scope="module")
def owners():
    return Owners()


def test_an_owner_has_as_many_pairs_as_distinct_members(owners):
    assert np.diff(owners.ptr).tolist() == [len(set(owners.members[owners.owner == b].ravel())) for b in range(3)]


def test_pair_slots_lead_back_to_the_members(owners):
    np.testing.assert_array_equal(owners.col[owners.slots], owners.members)
    for b in range(3):
        own = owners.col[owners.ptr[b] : owners.ptr[b + 1]]
        assert len(set(own.tolist())) == len(own)


def test_gate_apply_gates_and_scores(rng):
    h, sig, a = rng.normal(size=(4, 3)), rng.random((4, 3)), rng.normal(size=3)
    g, score = np.full((4, 3), np.nan), np.full(4, np.nan)
    kernels.gate_apply(0, 4, h, sig, a, g, score)
    np.testing.assert_allclose(g, h * sig)
    np.testing.assert_allclose(score, (h * sig) @ a)


def test_gate_backward_is_what_autograd_finds(rng):
    h = torch.tensor(rng.normal(size=(4, 3)), requires_grad=True)
    pre = torch.tensor(rng.normal(size=(4, 3)), requires_grad=True)
    grad = rng.normal(size=(4, 3))
    g = h * torch.sigmoid(pre)
    d_h, d_pre = torch.autograd.grad(g, (h, pre), torch.from_numpy(grad))
    sig, dg = torch.sigmoid(pre).detach().numpy().copy(), grad.copy()
    kernels.gate_backward(0, 4, h.detach().numpy(), sig, g.detach().numpy(), dg)
    np.testing.assert_allclose(dg, d_h)
    np.testing.assert_allclose(sig, d_pre)


def member_weights(owners, score, own, additive):
    """Twin of ``attend`` in torch, differentiable."""
    x = score[owners.members]
    if additive:
        x = torch.nn.functional.leaky_relu(x + own[owners.owner][:, None], kernels.LEAK)
    return x.softmax(dim=1)


def by_pair(owners, values):
    total = torch.zeros(len(owners.col), dtype=torch.float64)
    return total.index_add(0, torch.from_numpy(owners.slots.astype(np.int64)).flatten(), values.flatten())


@pytest.mark.parametrize("additive", [False, True])
def test_attend_is_a_softmax_over_members_and_its_mean_by_pair(rng, owners, additive):
    score, own = torch.tensor(rng.normal(size=6)), torch.tensor(rng.normal(size=3))
    weight, mean = np.full(owners.slots.shape, np.nan), np.full(len(owners.col), np.nan)
    kernels.attend(0, 3, *owners.pattern, score.numpy(), own.numpy(), additive, weight, mean)
    expected = member_weights(owners, score, own, additive)
    np.testing.assert_allclose(weight, expected)
    np.testing.assert_allclose(mean, by_pair(owners, expected * torch.from_numpy(owners.shares)[:, None]))


def test_attention_by_exponentials_is_the_same_softmax(rng, owners):
    score = rng.normal(size=6)
    weight, mean = np.full(owners.slots.shape, np.nan), np.full(len(owners.col), np.nan)
    kernels.attend_by_exponentials(0, 3, *owners.pattern, np.exp(score - 2), weight, mean)
    expected = member_weights(owners, torch.from_numpy(score), None, False)
    np.testing.assert_allclose(weight, expected)
    np.testing.assert_allclose(mean, by_pair(owners, expected * torch.from_numpy(owners.shares)[:, None]))


def test_summarise_is_a_matrix_product(rng):
    ptr, col, _ = csr(cols=12, density=0.7)
    values, x, out = rng.normal(size=len(col)), rng.normal(size=(12, 3)), np.full((7, 3), np.nan)
    kernels.summarise(0, 7, ptr, col, values, x, out)
    np.testing.assert_allclose(out, dense(ptr, col, values, 12) @ x)


def softplus(x):
    return torch.where(x > 0, x, 0) + torch.log1p(torch.exp(-x.abs()))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_discriminate_scores_instances_and_finds_their_gradients(rng, owners, sign):
    g, q = torch.tensor(rng.normal(size=(6, 4))), torch.tensor(rng.normal(size=(3, 4)), requires_grad=True)
    weight, scale = rng.dirichlet(np.ones(3), size=6), rng.random(3)
    pairs = len(owners.col)
    owner_of_pair = np.repeat(np.arange(3), np.diff(owners.ptr))
    dots = (g[owners.col] * q[owner_of_pair]).sum(-1)
    dots.retain_grad()
    logits = (torch.from_numpy(weight) * dots[owners.slots]).sum(dim=1)
    logits.retain_grad()
    by_instance = torch.from_numpy(scale[owners.owner] * owners.shares / 2) * softplus(-sign * logits)
    by_instance.sum().backward()

    dq, loss = np.ones((3, 4)), np.ones(3)
    dot, dlogit, dpair = np.full(pairs, np.nan), np.full(6, np.nan), np.full(pairs, np.nan)
    arrays = (weight, scale, sign, g.numpy(), q.detach().numpy(), dq)
    kernels.discriminate(0, 3, *owners.pattern, *arrays, dot, dlogit, dpair, loss)
    np.testing.assert_allclose(dot, dots.detach())
    np.testing.assert_allclose(dlogit, logits.grad)
    np.testing.assert_allclose(dpair, dots.grad)
    np.testing.assert_allclose(dq, 1 + q.grad.numpy())
    np.testing.assert_allclose(loss, 1 + np.bincount(owners.owner, by_instance.detach().numpy()))


@pytest.mark.parametrize("with_readout", [True, False])
@pytest.mark.parametrize("additive", [False, True])
def test_attend_backward_is_what_autograd_finds(rng, owners, additive, with_readout):
    score, own = (torch.tensor(rng.normal(size=n), requires_grad=True) for n in (6, 3))
    g, dreadout = rng.normal(size=(6, 4)), rng.normal(size=(3, 4))
    pairs = len(owners.col)
    owner_of_pair = np.repeat(np.arange(3), np.diff(owners.ptr))
    dot, dlogit = rng.normal(size=pairs), rng.normal(size=6)
    weights = member_weights(owners, score, own, additive)
    logits = (weights * torch.from_numpy(dot[owners.slots])).sum(dim=1)
    value = (logits * torch.from_numpy(dlogit)).sum()
    readout_slope = (g[owners.col] * dreadout[owner_of_pair]).sum(axis=1)
    if with_readout:
        mean = by_pair(owners, weights * torch.from_numpy(owners.shares)[:, None])
        value = value + (mean * torch.from_numpy(readout_slope)).sum()
    value.backward()

    dmean, dscore, down = np.full(pairs, np.nan), np.full(pairs, np.nan), np.full(3, np.nan)
    arrays = (score.detach().numpy(), own.detach().numpy(), additive, weights.detach().numpy(), dot, dlogit)
    kernels.attend_backward(0, 3, *owners.pattern, *arrays, with_readout, g, dreadout, dmean, dscore, down)
    np.testing.assert_allclose(np.bincount(owners.col, dscore, minlength=6), score.grad, atol=1e-15)
    np.testing.assert_allclose(down, own.grad if additive else np.zeros(3), atol=1e-15)


@pytest.mark.parametrize("with_readout", [True, False])
def test_scatter_pairs_gathers_what_each_row_gets_from_its_pairs(rng, owners, with_readout):
    pairs = len(owners.col)
    owner_of_pair = np.repeat(np.arange(3), np.diff(owners.ptr))
    dpair, mean, dscore, a = rng.normal(size=pairs), rng.normal(size=pairs), rng.normal(size=pairs), rng.normal(size=4)
    q, dreadout = rng.normal(size=(3, 4)), rng.normal(size=(3, 4))
    t_ptr, t_row, t_entry = np.zeros(7, np.int32), np.empty(pairs, np.int32), np.empty(pairs, np.int32)
    kernels.transpose_pattern(owners.ptr, owners.col, t_ptr, t_row, t_entry)
    dg, dtotal = np.full((6, 4), np.nan), np.full(6, np.nan)
    kernels.scatter_pairs(0, 6, t_ptr, t_row, t_entry, dpair, q, with_readout, mean, dreadout, dscore, a, dg, dtotal)
    expected = np.zeros((6, 4))
    for p in range(pairs):
        u, b = owners.col[p], owner_of_pair[p]
        expected[u] += dpair[p] * q[b] + dscore[p] * a + (mean[p] * dreadout[b] if with_readout else 0)
    np.testing.assert_allclose(dg, expected)
    np.testing.assert_allclose(dtotal, np.bincount(owners.col, dscore, minlength=6))
