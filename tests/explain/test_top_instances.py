"""Scores of instances against the formula written out, and their order."""

import numpy as np
import torch

from infomotif.explain import score_instances, top_instances
from infomotif.explain.top_instances import NEGLIGIBLE, rank_instances
from tests.explain.conftest import fitted


def test_scores_follow_the_papers_formula(subject):
    node, t = 3, 1
    part = score_instances(subject, [node], q=10_000)[t]
    assert len(part.score) == subject.index.counts[node, t]
    head, h = subject.heads[t], subject.h
    with torch.no_grad():
        g = h * torch.sigmoid(h @ head.gate.weight.t() + head.gate.bias)
        a = head.encoder.weight[0, : h.shape[1]]
        e = []
        for members in part.members:
            members_g = g[torch.from_numpy(members.astype(np.int64))]
            e.append((members_g @ a).softmax(dim=0) @ members_g)
        e = torch.stack(e)
        s = torch.sigmoid(e.mean(dim=0))
        expected = e @ (head.discriminator.weight @ s)
    np.testing.assert_allclose(part.score, expected.numpy(), rtol=1e-4, atol=1e-4)


def test_scores_of_max_pooling_follow_its_formula(roles):
    subject = fitted(roles, instance_encoder="max", epochs=2).subject()
    node = int(subject.index.counts[:, 1].argmax())
    part = score_instances(subject, [node], q=10_000)[1]
    head, h = subject.heads[1], subject.h
    with torch.no_grad():
        g = h * torch.sigmoid(h @ head.gate.weight.t() + head.gate.bias)
        e = g[torch.from_numpy(part.members.astype(np.int64))].amax(dim=1)
        expected = e @ (head.discriminator.weight @ torch.sigmoid(e.mean(dim=0)))
    np.testing.assert_allclose(part.score, expected.numpy(), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(part.weights.sum(axis=1), 1, rtol=1e-5)


def test_top_instances_contain_the_node_and_fall_in_order(subject):
    found = top_instances(subject, 7, count=6)
    order = [subject.alpha[7, i.motif] * i.score for i in found]
    assert order == sorted(order, reverse=True)
    assert all(7 in i.members for i in found)


def test_ranked_instances_are_those_of_a_sort_in_plain_python(subject):
    scored = score_instances(subject)
    for node in (0, 7, 50):
        entries = []
        for t, part in enumerate(scored):
            owner = np.flatnonzero(part.owners == node)
            for row in range(part.indptr[owner[0]], part.indptr[owner[0] + 1]) if len(owner) else ():
                alpha = float(subject.alpha[node, t])
                entries.append(((alpha >= NEGLIGIBLE, alpha * float(part.score[row])), (t, row)))
        entries.sort(key=lambda entry: entry[0], reverse=True)
        ranked = rank_instances(subject, node, scored, 5)
        assert [(instance.motif, instance.row) for instance in ranked] == [place for _, place in entries[:5]]
