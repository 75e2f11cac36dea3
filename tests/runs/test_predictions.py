"""``predictions.csv``: what is written is read back, and a damaged file is one line."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from infomotif import Graph, InfoMotif, Training
from infomotif.errors import InputError
from infomotif.runs import OURS, train_run
from infomotif.runs.predictions import read_split, write_predictions
from infomotif.training.splits import Split
from tests.runs.plans import plan, roles


def test_predictions_have_a_row_per_node_with_its_part(run):
    folder, result = run
    with (folder / "predictions.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    split = plan(splits=2).split(roles(), 0)
    assert [row["id"] for row in rows] == roles().names.tolist()
    assert [v for v, row in enumerate(rows) if row["split"] == "train"] == split.train.tolist()
    assert [v for v, row in enumerate(rows) if row["split"] == "val"] == split.val.tolist()
    assert [row["label"] for row in rows] == [f"role {c}" for c in roles().y]
    right = [row["predicted"] == row["label"] for row in rows if row["split"] == "test"]
    ours = next(training for training in result.trainings if training.model == OURS)
    assert np.mean(right) == pytest.approx(ours.test_accuracy)
    assert all(abs(sum(float(row[f"p(role {c})"]) for c in range(4)) - 1) < 1e-4 for row in rows)


def test_the_split_is_read_back(run):
    folder, _ = run
    found, split = read_split(folder / "predictions.csv", roles()), plan(splits=2).split(roles(), 0)
    for part in ("train", "val", "test"):
        np.testing.assert_array_equal(getattr(found, part), getattr(split, part))


@pytest.mark.slow
def test_names_with_line_ends_come_back_from_predictions(tmp_path):
    names = [f"{v}\rx" if v % 2 else f'{v}\n"y"' for v in range(120)]
    source, target = roles().edges()
    parts = {"y": roles().y, "class_names": roles().class_names, "x": roles().x}
    graph = Graph.from_edges(source, target, num_nodes=120, directed=roles().directed, names=names, **parts)
    train_run(plan(), graph, tmp_path / "run")
    with (tmp_path / "run" / "predictions.csv").open(newline="") as stream:
        assert [row["id"] for row in csv.DictReader(stream)] == names


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "no such file; is the run finished"),
        (b"id,predicted\n0,a\n", "cannot be read"),
        (b"id,split\n0,tests\n", "cannot be read"),
        (b"id,split\n\xff,test\n", "cannot be read"),
        (b"id,split\nnobody,test\n", "no node is named 'nobody'"),
    ],
)
def test_a_damaged_file_is_one_line(tmp_path, text, message):
    path = tmp_path / "predictions.csv"
    if text is not None:
        path.write_bytes(text)
    with pytest.raises(InputError, match=message):
        read_split(path, roles())


def test_ids_and_classes_that_a_spreadsheet_would_run_are_written_as_text_and_read_back(tmp_path):
    names = ["=cmd|' /C calc'!A0", "+x", "-y", "@z", "'=w", "-5"]
    graph = Graph.from_edges(
        [0, 1, 2, 3, 4], [1, 2, 3, 4, 5], num_nodes=6, directed=False, names=names, y=[0, 1, 0, 1, 0, 1],
        class_names=["=yes", "no"], x=np.eye(6),
    )  # fmt: skip
    model = InfoMotif(preset="base", training=Training(epochs=1)).fit(graph, [0, 1], [2, 3])
    split = Split(np.array([0, 1]), np.array([2, 3]), np.array([4, 5]))
    path = tmp_path / "predictions.csv"
    write_predictions(path, graph, model, labels=graph.y, split=split)
    cells = [cell for row in csv.reader(path.open(newline="")) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "@", "+x", "-y"))]
    assert {"'=cmd|' /C calc'!A0", "''=w", "-5", "'=yes"} <= set(cells)
    for raw in (False, True):
        write_predictions(path, graph, model, labels=graph.y, split=split, raw_ids=raw)
        found = read_split(path, graph)
        assert [found.train.tolist(), found.val.tolist(), found.test.tolist()] == [[0, 1], [2, 3], [4, 5]]
    assert "\n+x," in path.read_text()
