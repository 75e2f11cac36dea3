"""Gradient times input against the dense computation."""

import numpy as np
import pytest
import torch

from infomotif.explain.attributes import contributions
from tests.explain.conftest import fitted


@pytest.mark.parametrize("encoder", ["gcn", "sage", "module"])
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
