"""Our Adam beside torch's."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from infomotif.training import optim
from infomotif.training.optim import Adam


def _network() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2)).double()


def _loss(network: nn.Module, step: int) -> torch.Tensor:
    x = torch.sin(torch.arange(12.0, dtype=torch.float64).reshape(3, 4) + step)
    loss: torch.Tensor = network(x).square().sum()
    return loss


@pytest.mark.parametrize("devices", [("cpu",), ()], ids=["compiled", "torch"])
@pytest.mark.parametrize("weight_decay", [0.0, 0.1])
def test_steps_are_those_of_torch(
    weight_decay: float, devices: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(optim, "COMPILED_DEVICES", devices)
    ours, theirs = _network(), _network()
    adam = Adam(ours.parameters(), lr=0.02, weight_decay=weight_decay)
    torch_adam = torch.optim.Adam(theirs.parameters(), lr=0.02, weight_decay=weight_decay)
    for step in range(30):
        for network, optimizer in ((ours, adam), (theirs, torch_adam)):
            optimizer.zero_grad()
            _loss(network, step).backward()
            optimizer.step()
    for mine, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-10, atol=1e-12)


def test_a_parameter_without_gradient_stays() -> None:
    used, unused = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
    adam = Adam([used, unused], lr=0.1, weight_decay=0.5)
    used.sum().backward()
    adam.step()
    assert torch.equal(unused, torch.ones(2))
    assert not torch.equal(used, torch.ones(2))


def test_state_goes_on_to_the_bit() -> None:
    whole, first = _network(), _network()
    straight, begun = Adam(whole.parameters(), lr=0.01), Adam(first.parameters(), lr=0.01)
    for step in range(10):
        for network, optimizer in ((whole, straight), (first, begun)):
            if optimizer is straight or step < 4:
                optimizer.zero_grad()
                _loss(network, step).backward()
                optimizer.step()
    resumed = Adam(first.parameters(), lr=0.01)
    resumed.load_state({name: tensor.clone() for name, tensor in begun.state().items()})
    for step in range(4, 10):
        resumed.zero_grad()
        _loss(first, step).backward()
        resumed.step()
    for mine, other in zip(whole.parameters(), first.parameters(), strict=True):
        assert torch.equal(mine, other)
