"""Runs: base and InfoMotif on the same splits, the run folder's files, going on after an interruption."""

from __future__ import annotations

import csv
import functools
import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from infomotif import Graph, load, load_dataset, make_roles
from infomotif.errors import InputError
from infomotif.model import estimator
from infomotif.runs import BASE, OURS, Plan, train_run
from infomotif.runs import train as runs
from infomotif.runs.folder import RunFolder
from infomotif.runs.opened import read_config, read_result

PROMISED = {"config.yaml", "metrics.jsonl", "model.json", "model.safetensors", "predictions.csv", "result.json"}


@functools.cache
def roles() -> Graph:
    return make_roles(num_nodes=120)


def plan(**changes) -> Plan:
    settings = {"hidden": 8, "epochs": 3, **changes.pop("settings", {})}
    return Plan(source={"dataset": "roles"}, settings=settings, ratio=0.4, **changes)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def is_complete(folder: Path) -> bool:
    """Whether all promised files are there, and nothing that only an unfinished run has."""
    names = {path.name for path in folder.rglob("*")}
    return names >= PROMISED and "state" not in names and not any(name.endswith(".part") for name in names)


def lines(path: Path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "mine"
    return folder, train_run(plan(splits=2), roles(), folder)


def test_the_folder_holds_the_promised_files_and_nothing_unfinished(run):
    folder, _ = run
    assert is_complete(folder)


def test_result_json_is_what_was_returned(run):
    folder, result = run
    assert read_result(folder) == json.loads(json.dumps(result)) == json.loads((folder / "result.json").read_text())


def test_config_yaml_is_what_was_asked(run):
    folder, result = run
    assert asdict(plan(splits=2)) == result["plan"]
    assert read_config(folder) == result["plan"] | {"fingerprint": roles().fingerprint()}


def test_both_models_are_trained_on_the_same_splits(run):
    _, result = run
    trainings = result["trainings"]
    assert [(t["model"], t["split"]) for t in trainings] == [(BASE, 0), (BASE, 1), (OURS, 0), (OURS, 1)]
    assert {tuple(t["nodes"]) for t in trainings} == {(48, 24, 48)}


def test_the_difference_is_paired_by_split(run):
    _, result = run
    scores = {kind: [t["test_accuracy"] for t in result["trainings"] if t["model"] == kind] for kind in (BASE, OURS)}
    outcome = result["outcome"]
    assert outcome["measure"] == "test_accuracy"
    assert outcome["difference"]["mean"] == pytest.approx(np.subtract(scores[OURS], scores[BASE]).mean())
    assert outcome[BASE]["mean"] == pytest.approx(np.mean(scores[BASE]))
    assert outcome["difference"]["verdict"] in ("win", "loss", "no clear difference")


def test_metrics_have_a_line_an_epoch_of_every_training(run):
    folder, _ = run
    found = [(line["split"], line["model"], line["epoch"]) for line in lines(folder / "metrics.jsonl")]
    assert found == [(s, kind, e) for s in range(2) for kind in (BASE, OURS) for e in (1, 2, 3)]


def test_the_kept_model_is_infomotif_on_the_first_split(run):
    folder, _ = run
    model = plan(splits=2).model(OURS, 0)
    split = plan(splits=2).split(roles(), 0)
    model.fit(roles(), split.train, split.val)
    np.testing.assert_array_equal(load(folder).predict_proba(roles()), model.predict_proba(roles()))


def test_predictions_have_a_row_a_node_with_its_part(run):
    folder, result = run
    with (folder / "predictions.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    split = plan(splits=2).split(roles(), 0)
    assert [row["id"] for row in rows] == roles().names.tolist()
    assert [v for v, row in enumerate(rows) if row["split"] == "train"] == split.train.tolist()
    assert [v for v, row in enumerate(rows) if row["split"] == "val"] == split.val.tolist()
    assert [row["label"] for row in rows] == [f"role {c}" for c in roles().y]
    right = [row["predicted"] == row["label"] for row in rows if row["split"] == "test"]
    ours = next(t for t in result["trainings"] if t["model"] == OURS)
    assert np.mean(right) == pytest.approx(ours["test_accuracy"])
    assert all(abs(sum(float(row[f"p(role {c})"]) for c in range(4)) - 1) < 1e-4 for row in rows)


def test_names_with_line_ends_come_back_from_predictions(tmp_path):
    names = [f"{v}\rx" if v % 2 else f'{v}\n"y"' for v in range(120)]
    source, target = roles().edges()
    parts = {"y": roles().y, "class_names": roles().class_names, "x": roles().x}
    graph = Graph.from_edges(source, target, num_nodes=120, directed=roles().directed, names=names, **parts)
    train_run(plan(), graph, tmp_path / "run")
    with (tmp_path / "run" / "predictions.csv").open(newline="") as stream:
        assert [row["id"] for row in csv.DictReader(stream)] == names


def test_a_run_that_ended_while_another_waited_for_it_is_read(tmp_path, monkeypatch):
    done = train_run(plan(), roles(), tmp_path / "run")
    seen = iter([False, True])
    monkeypatch.setattr(RunFolder, "finished", property(lambda self: next(seen)))
    assert train_run(plan(), roles(), tmp_path / "run", resume=True)["trainings"] == done["trainings"]


def test_the_environment_and_the_graph_are_on_record(run):
    _, result = run
    assert result["graph"]["fingerprint"] == roles().fingerprint()
    assert {"infomotif", "python", "torch", "numpy", "numba"} <= result["environment"].keys()
    assert result["settings"]["hidden"] == 8


def test_the_base_shares_every_setting_but_the_regulariser():
    asked = plan(preset="joint", settings={"lr": 0.3, "regularize": True})
    base, ours = (asked.model(kind, 1).settings() for kind in (BASE, OURS))
    assert (base.regularize, ours.regularize) == (False, True)
    assert base.lr == ours.lr == 0.3
    assert asked.model(BASE, 1).random_state == asked.model(OURS, 1).random_state == 1


def test_fixed_training_nodes_leave_the_rest_to_validation_and_test():
    split = plan().split(roles(), 0, train=range(10))
    assert split.train.tolist() == list(range(10))
    assert (len(split.val), len(split.test)) == (24, 86)
    other = plan().split(roles(), 1, train=range(10))
    assert other.val.tolist() != split.val.tolist()


def test_where_nothing_is_left_to_test_validation_is_compared(tmp_path):
    result = train_run(replace(plan(), ratio=0.8), roles(), tmp_path / "run")
    assert result["outcome"]["measure"] == "val_accuracy"
    assert all(t["test_accuracy"] is None for t in result["trainings"])


def test_where_nothing_validates_either_nothing_is_compared(tmp_path):
    result = train_run(replace(plan(), ratio=1.0, val=0.0), roles(), tmp_path / "run")
    assert result["outcome"] == {"measure": "val_accuracy"}


# Starting, refusing, going on


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"encoder": "gcm"}, "did you mean 'gcn'"),
        ({"preset": "papr"}, "did you mean 'paper'"),
        ({"motifs": ["M77"]}, "unknown motif 'M77'"),
        ({"device": "gpu"}, "device must be auto"),
        ({"val": 0.7}, "must not exceed 1"),
        ({"val": 0.0, "settings": {"patience": 3}}, "patience needs validation nodes"),
        ({"settings": {"hidden": 7}, "encoder": "gat"}, "multiple of heads"),
    ],
)
def test_what_cannot_work_is_refused_before_the_folder_exists(tmp_path, changes, message):
    started = []
    with pytest.raises(InputError, match=message):
        train_run(plan(**changes), roles(), tmp_path / "run", on_start=lambda: started.append(1))
    assert not (tmp_path / "run").exists()
    assert not started


def test_a_graph_without_labels_is_refused_before_the_folder_exists(tmp_path):
    with pytest.raises(InputError, match="has no labels to learn from"):
        train_run(plan(), roles().replace(y=None, class_names=()), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_folder_with_a_run_is_not_overwritten(run):
    folder, _ = run
    before = contents(folder)
    with pytest.raises(InputError, match="holds a run already; add --resume"):
        train_run(plan(splits=2), roles(), folder)
    assert contents(folder) == before


def test_a_folder_of_something_else_is_not_touched(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match="exists and is not a run"):
        train_run(plan(), roles(), tmp_path, resume=True)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(InputError, match="exists and is not a run"):
        train_run(plan(), roles(), tmp_path / "thesis.tex")


def test_an_empty_folder_serves(tmp_path):
    train_run(plan(settings={"epochs": 1}), roles(), tmp_path)
    assert is_complete(tmp_path)


def test_another_plan_does_not_go_on_with_a_run(run):
    folder, _ = run
    with pytest.raises(InputError, match="holds another run; repeat its options"):
        train_run(plan(splits=2, seed=5), roles(), folder, resume=True)


def test_a_finished_run_is_read_not_repeated(run):
    folder, result = run
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert train_run(plan(splits=2), roles(), folder, resume=True) == json.loads(json.dumps(result))
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


class Stop(Exception):
    """Stands for whatever ends a run early."""


def test_a_run_stopped_between_trainings_goes_on(run, tmp_path):
    folder, result = run

    def stop(record):
        if (record["split"], record["model"]) == (1, BASE):
            raise Stop

    with pytest.raises(Stop):
        train_run(plan(splits=2), roles(), tmp_path / "run", on_done=stop)
    done = []
    again = train_run(plan(splits=2), roles(), tmp_path / "run", resume=True, on_done=done.append)
    assert [(record["split"], record["model"]) for record in done] == [(1, OURS)]
    assert again["outcome"] == result["outcome"]
    for name in ("predictions.csv", "model.safetensors", "model.json", "config.yaml"):
        assert (tmp_path / "run" / name).read_bytes() == (folder / name).read_bytes()


@pytest.mark.parametrize("left", [[], [".config.yaml.abc.part"]])
def test_a_run_killed_while_its_folder_was_made_goes_on(tmp_path, left):
    for name in left:
        (tmp_path / name).touch()
    train_run(plan(settings={"epochs": 1}), roles(), tmp_path, resume=True)
    assert is_complete(tmp_path)


def test_torn_lines_and_half_written_files_of_a_kill_do_no_harm(run, tmp_path):
    folder, result = run

    def stop(record):
        raise Stop

    with pytest.raises(Stop):
        train_run(plan(splits=2), roles(), tmp_path / "run", on_done=stop)
    with (tmp_path / "run" / "metrics.jsonl").open("a") as stream:
        stream.write('{"split": 0, "model": "infomotif", "epoch": 1, "lo')
    with (tmp_path / "run" / "state" / "done.jsonl").open("a") as stream:
        stream.write('{"split": 0, "mo')
    (tmp_path / "run" / ".model.json.x.part").write_text("half")
    (tmp_path / "run" / "state" / ".base-0.safetensors.x.part").write_text("half")
    again = train_run(plan(splits=2), roles(), tmp_path / "run", resume=True)
    assert again["outcome"] == result["outcome"]
    assert is_complete(tmp_path / "run")
    found = [
        [(r["split"], r["model"], r["epoch"]) for r in lines(f / "metrics.jsonl")] for f in (tmp_path / "run", folder)
    ]
    assert found[0] == found[1]


def test_a_broken_config_is_named(tmp_path):
    run = RunFolder(tmp_path / "run")
    run.start(asdict(plan()), resume=False, fingerprint="0")
    for text in ("a: [", "- 1", "\x00"):
        (run.path / "config.yaml").write_text(text)
        with pytest.raises(InputError, match=r"config.yaml.*: (not YAML that can be read|must hold keys and values)"):
            run.start(asdict(plan()), resume=True, fingerprint="0")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "other"}'])
def test_a_broken_result_is_named(tmp_path, text):
    (tmp_path / "result.json").write_text(text)
    with pytest.raises(InputError, match=r"result.json: (cannot be read|not a result of this package)"):
        read_result(tmp_path)


def test_missing_files_are_named(tmp_path):
    with pytest.raises(InputError, match="result.json: no such file; is the run finished"):
        read_result(tmp_path)
    with pytest.raises(InputError, match="config.yaml: no such file; '.*' is not a run folder"):
        read_config(tmp_path)


def test_a_config_that_would_run_code_is_refused(tmp_path):
    (tmp_path / "config.yaml").write_text(f"!!python/object/apply:pathlib.Path.touch [{tmp_path / 'ran'}]")
    with pytest.raises(InputError, match="config.yaml, line 1: not YAML that can be read"):
        read_config(tmp_path)
    assert not (tmp_path / "ran").exists()


def test_names_that_yaml_reads_otherwise_come_back(tmp_path):
    odd = replace(plan(), source={"dataset": "no", "label": "1e3", "edges": "Ünïcode: [x]"})
    RunFolder(tmp_path / "run").start(asdict(odd), resume=False, fingerprint="0")
    written = asdict(odd) | {"fingerprint": "0"}
    assert read_config(tmp_path / "run") == written
    assert yaml.safe_load((tmp_path / "run" / "config.yaml").read_text(encoding="utf-8")) == written


def test_a_graph_without_attributes_runs(tmp_path):
    result = train_run(replace(plan(), source={"dataset": "karate"}), load_dataset("karate"), tmp_path / "run")
    assert result["graph"]["name"] == "karate"


def test_a_restart_of_torchrun_goes_on_only_with_a_run_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "first")
    run = RunFolder(tmp_path / "run")
    run.start({"encoder": "gcn"}, resume=False, fingerprint="0")
    with pytest.raises(InputError, match="holds a run already"):
        run.start({"encoder": "gcn"}, resume=False, fingerprint="0")
    monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", "1")
    run.start({"encoder": "gcn"}, resume=False, fingerprint="0")
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "another")
    with pytest.raises(InputError, match="holds a run already"):
        run.start({"encoder": "gcn"}, resume=False, fingerprint="0")


# Settings that validation chooses


def auto(**changes) -> Plan:
    return plan(preset="auto", splits=2, settings={"epochs": 6, "q": 3}, **changes)


def plain(value):
    return json.loads(json.dumps(value))


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in ("seconds", "cpu_seconds", "created")}
    return [without_times(item) for item in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def auto_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "auto"
    return folder, train_run(auto(), roles(), folder)


def test_every_split_chooses_and_the_first_choice_is_in_the_result(auto_run):
    folder, result = auto_run
    choice = result["choice"]
    assert result["plan"]["preset"] == "auto"
    assert result["settings"] == choice["settings"]
    assert choice["notes"][-1].startswith("this is the first split's choice; every split chose by its own labels: '")
    assert choice["base_splits"] in (0, 1, 2)
    assert read_result(folder)["choice"] == json.loads(json.dumps(choice))
    assert is_complete(folder)


def test_the_base_is_trained_with_the_chosen_settings(auto_run):
    folder, result = auto_run
    kept = load(folder / "base").settings_.to_dict()
    assert kept == result["settings"] | {"regularize": False}


def test_the_kept_model_is_that_of_the_search(auto_run):
    folder, result = auto_run
    split = auto().split(roles(), 0)
    model = auto().model(OURS, 0).fit(roles(), split.train, split.val)
    np.testing.assert_array_equal(load(folder).predict_proba(roles()), model.predict_proba(roles()))
    assert model.choice_.settings == result["settings"]


def test_metrics_tell_only_of_trainings_that_are_kept(auto_run):
    folder, _ = auto_run
    found = [(line["split"], line["model"], line["epoch"]) for line in lines(folder / "metrics.jsonl")]
    assert found == [(s, kind, e) for s in range(2) for kind in (OURS, BASE) for e in range(1, 7)]


def counted(searches):
    """Return the search, which says in ``searches`` when it is called."""
    choose = estimator.choose
    return lambda *given, **options: searches.append(given) or choose(*given, **options)


@pytest.mark.parametrize("after", [(0, OURS), (0, BASE), (1, OURS)])
def test_a_run_that_goes_on_does_not_search_again(auto_run, tmp_path, monkeypatch, after):
    folder, result = auto_run

    def stop(record):
        if (record["split"], record["model"]) == after:
            raise Stop

    with pytest.raises(Stop):
        train_run(auto(), roles(), tmp_path / "run", on_done=stop)
    searches = []
    monkeypatch.setattr("infomotif.model.estimator.choose", counted(searches))
    again = train_run(auto(), roles(), tmp_path / "run", resume=True)
    assert len(searches) == 1 - after[0]
    assert without_times(plain(again)) == without_times(plain(result))
    for name in ("predictions.csv", "model.safetensors", "model.json"):
        assert (tmp_path / "run" / name).read_bytes() == (folder / name).read_bytes()


def test_a_search_that_was_cut_off_comes_to_the_same_choice(auto_run, tmp_path, monkeypatch):
    folder, result = auto_run
    with monkeypatch.context() as patch:
        patch.setattr("infomotif.search.auto.reason", lambda *_: (_ for _ in ()).throw(Stop))
        with pytest.raises(Stop):
            train_run(auto(), roles(), tmp_path / "run")
    again = train_run(auto(), roles(), tmp_path / "run", resume=True)
    assert without_times(plain(again)) == without_times(plain(result))


def test_a_run_cut_off_right_after_its_choice_trains_the_same_again(auto_run, tmp_path, monkeypatch):
    folder, result = auto_run
    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "keep_model", lambda *_: (_ for _ in ()).throw(Stop))
        with pytest.raises(Stop):
            train_run(auto(), roles(), tmp_path / "run")
    searches = []
    monkeypatch.setattr("infomotif.model.estimator.choose", counted(searches))
    again = train_run(auto(), roles(), tmp_path / "run", resume=True)
    assert len(searches) == 1
    assert without_times(plain(again)) == without_times(plain(result))
    assert (tmp_path / "run" / "model.safetensors").read_bytes() == (folder / "model.safetensors").read_bytes()
    assert (tmp_path / "run" / "metrics.jsonl").read_text().count("\n") == 24


def test_a_broken_choice_is_named(tmp_path):
    run = RunFolder(tmp_path / "run")
    run.start(asdict(auto()), resume=False, fingerprint=roles().fingerprint())
    for text in ("", "{", "{}", '{"tried": []}'):
        (run.state / "choice-0.json").write_text(text)
        with pytest.raises(InputError, match="choice-0.json: cannot be read .*; remove it to search again"):
            train_run(auto(), roles(), run.path, resume=True)


def test_settings_of_a_split_are_those_that_its_own_labels_choose(tmp_path, monkeypatch):
    chosen, trained = [], []
    choose, train_one = estimator.choose, runs._train_one

    def differently(job, given, split, **options):
        """Choose another dropout on every split."""
        choice, _ = choose(job, given, split, **options)
        chosen.append(np.union1d(split.train, split.val))
        changed = choice.settings | {"dropout": 0.1 * len(chosen)}
        return replace(choice, name=f"choice {len(chosen)}", settings=changed, base_better=len(chosen) == 1), None

    monkeypatch.setattr("infomotif.model.estimator.choose", differently)
    monkeypatch.setattr(runs, "_train_one", lambda model, *rest: trained.append(model) or train_one(model, *rest))
    result = train_run(auto(), roles(), tmp_path / "run")
    for number, nodes in enumerate(chosen):
        assert not np.intersect1d(nodes, auto().split(roles(), number).test).size
    assert [model.settings_.dropout for model in trained] == [0.1, 0.1, 0.2, 0.2]
    assert (result["choice"]["name"], result["choice"]["base_splits"]) == ("choice 1", 1)
    assert result["choice"]["notes"][-1].endswith("'choice 1' in 1, 'choice 2' in 1 of 2")


def test_a_run_that_lost_its_choices_is_refused(tmp_path):
    def stop(record):
        raise Stop

    with pytest.raises(Stop):
        train_run(auto(), roles(), tmp_path / "run", on_done=stop)
    (RunFolder(tmp_path / "run").state / "choice-0.json").unlink()
    with pytest.raises(InputError, match="was begun by another version, or lost its choices; name another --out"):
        train_run(auto(), roles(), tmp_path / "run", resume=True)


def test_a_result_of_before_every_split_chose_is_read(auto_run, tmp_path):
    folder, result = auto_run
    for better in (True, False):
        old = plain(result)
        del old["choice"]["base_splits"]
        old["choice"]["base_better"] = better
        (tmp_path / "result.json").write_text(json.dumps(old))
        assert read_result(tmp_path)["choice"]["base_splits"] == (2 if better else 0)


def test_where_the_base_is_chosen_both_models_are_the_base(tmp_path):
    asked = replace(auto(), settings={"epochs": 4, "hidden": 8, "regularize": False})
    result = train_run(asked, roles(), tmp_path / "run")
    assert result["choice"]["base_better"]
    assert result["outcome"]["difference"]["mean"] == 0
    assert load(tmp_path / "run").network_.regularizer is None
    assert (tmp_path / "run" / "report.html").exists()


def test_data_that_changed_since_the_run_began_are_refused(tmp_path, run):
    train_run(plan(), roles(), tmp_path / "mine")
    other = roles().replace(y=np.roll(roles().y, 1))
    with pytest.raises(InputError, match="config.yaml: began with other data than is there now"):
        train_run(plan(), other, tmp_path / "mine", resume=True)


def test_a_folder_that_is_being_trained_into_is_refused(tmp_path):
    def again(record):
        with pytest.raises(InputError, match="another process trains into it"):
            train_run(plan(), roles(), tmp_path / "mine", resume=True)

    alone = train_run(plan(), roles(), tmp_path / "alone")
    beside = train_run(plan(), roles(), tmp_path / "mine", on_done=again)
    assert beside["outcome"] == alone["outcome"]


def test_a_training_that_is_told_twice_counts_once(tmp_path):
    run = RunFolder(tmp_path)
    run.state.mkdir()
    for accuracy in (0.5, 0.6):
        run.add_outcome({"split": 0, "model": BASE, "test_accuracy": accuracy})
    assert run.outcomes() == [{"split": 0, "model": BASE, "test_accuracy": 0.5}]


@pytest.mark.parametrize("changes", [{"threads": 5000}, {"seed": 2**63 - 1, "splits": 2}])
def test_what_a_later_training_would_refuse_is_refused_before_the_first(tmp_path, changes):
    with pytest.raises(InputError, match="threads must be|random_state must be"):
        train_run(plan(**changes), roles(), tmp_path / "mine")
    assert not (tmp_path / "mine").exists()
