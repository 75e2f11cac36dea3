"""One fit: the callback sees every epoch, and auto keeps what the user fixed."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif import GAT, InfoMotif, Training, make_roles

NODES = {"train": np.arange(0, 120, 3), "val": np.arange(1, 120, 3)}


@pytest.mark.parametrize("preset", ["paper", "base", "auto"])
def test_the_callback_sees_the_records_of_the_history(preset):
    told = []
    model = InfoMotif(preset=preset, training=Training(epochs=3), progress=False)
    model.fit(make_roles(num_nodes=120), **NODES, on_epoch=told.append)
    assert told == model.history_
    assert told[0]["epoch"] == 1


@pytest.mark.filterwarnings("ignore:preset auto")
def test_auto_keeps_the_encoder_where_nothing_can_be_tried():
    training = Training(epochs=1, sampling="neighbours", batch_size=40)
    model = InfoMotif(GAT(heads=2, hidden=8), preset="auto", training=training, progress=False)
    model.fit(make_roles(num_nodes=120), **NODES)
    assert model.settings_.encoder.name == "gat"
    assert model.settings_.encoder.heads == 2
    assert model.settings_.training.sampling == "neighbours"
