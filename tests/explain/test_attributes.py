"""Gradient times input against the dense computation."""

import numpy as np
import pytest
import torch

from infomotif.explain.attributes import contributions, rank_attributes
from tests.explain.conftest import fitted


@pytest.mark.parametrize("encoder", ["gcn", "sage", "gat", "gcnii", "rgcn", "module"])
def test_gradient_times_input_is_that_of_the_dense_input(roles, encoder):
    class Own(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(roles.num_attributes, 8)

        def forward(self, x, edge_index):
            h = self.linear(x)
            return torch.tanh(h).index_add(0, edge_index[1], h[edge_index[0]])

    chosen = Own() if encoder == "module" else encoder
    subject = fitted(roles, chosen, epochs=2).subject()
    weight = torch.linspace(-1, 1, subject.h.shape[1])
    rows = np.array([4, 9, 2])
    found = contributions(subject, lambda h: (h[5] * weight).sum(), rows).toarray()
    x = subject.x.to_dense().requires_grad_()
    with subject.evaluating():
        h = subject.network.encoder(x, subject.adjacency.edge_index)
    (gradient,) = torch.autograd.grad((h[5] * weight).sum(), x)
    np.testing.assert_allclose(found, (gradient * x)[rows].detach().numpy(), atol=1e-6)


def test_many_entries_rank_as_few_do():
    rng = np.random.default_rng(0)
    attributes, values = rng.integers(0, 30, 120), rng.normal(size=120).astype(np.float32)
    values[::7] = 0
    # Entries of 0 count for nothing, but with them there are too many for the short way.
    padded = np.concatenate([attributes, np.zeros(400, dtype=np.int64)]), np.concatenate([values, np.zeros(400)])
    for at_least in (1, 2, 5):
        few = rank_attributes(attributes, values, 8, at_least)
        assert few == rank_attributes(*padded, 8, at_least)
        assert few
