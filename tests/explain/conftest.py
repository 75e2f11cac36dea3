"""One small fitted model with its base, shared by all tests of the explanations."""

from __future__ import annotations

import pytest

import infomotif as im
from infomotif.explain import Subject
from infomotif.training import random_split
from tests.models import make_model


def fitted(graph: im.Graph, encoder: str = "gcn", **settings) -> im.InfoMotif:
    split = random_split(graph.y, 0.3)
    options = {"hidden": 16, "epochs": 30, "progress": False, **settings}
    return make_model(encoder, **options).fit(graph, split.train, split.val)


@pytest.fixture(scope="session")
def roles() -> im.Graph:
    return im.make_roles(num_nodes=120, class_word_rate=0.2, seed=1)


@pytest.fixture(scope="session")
def model(roles: im.Graph) -> im.InfoMotif:
    return fitted(roles)


@pytest.fixture(scope="session")
def subject(model: im.InfoMotif) -> Subject:
    return model.subject(base=fitted(model.graph_, preset="base"))
