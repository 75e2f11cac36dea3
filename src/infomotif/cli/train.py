"""``infomotif train``: labels for all nodes from those of some, into a run folder."""

from __future__ import annotations

import contextlib
import os
import warnings
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infomotif.cli import console
from infomotif.cli.graph_options import KINDS, VALIDATE, GraphSource, graph_options
from infomotif.cli.motifs import MotifsOption
from infomotif.cli.tables import answer_text, choice_table, result_table
from infomotif.errors import InputError, shown, unknown_name
from infomotif.nn.encoders import encoder_names
from infomotif.training.config import SETTINGS_HELP

if TYPE_CHECKING:
    from infomotif.datasets.spec import DatasetSpec
    from infomotif.graph import Graph
    from infomotif.runs import RunPlan, TrainingOutcome

EMBEDDED = "roles"

_CONFIG_KINDS: dict[str, tuple[Any, int | None]] = {
    "ratio": (float, None), "val": (float, None), "coverage": (float, None), "splits": (int, 1), "seed": (int, 0),
    "threads": (int, 1), "motifs": (list, None), "single": (bool, None), "refit": (bool, None),
    **{name: (kind, None) for name, kind in KINDS.items()},
}  # fmt: skip
_CONFIG_NAMES = {"id": "node_id", "set": "settings"}
_KIND_WORDS = {float: "a number", int: "a whole number", list: "a list of names", bool: "yes or no", str: "text"}

_EXAMPLES = """Learn the labels of some nodes and predict those of all others.

By default simple models, GNNs and InfoMotif are tried, and validation chooses one of them or a mean. Other presets
train the base GNN and InfoMotif on the same splits and compare them. Without an argument it trains on the embedded
graph.

Examples:

  infomotif train

  infomotif train cora --ratio 0.2 --splits 5

  infomotif train cora --preset paper

  infomotif train usa --encoder jknet --set inputs=orbits

  infomotif train --edges edges.csv --nodes nodes.csv --label topic --out runs/mine

  infomotif train stores/mine

  torchrun --nproc-per-node 2 --max-restarts 3 -m infomotif train stores/mine --out runs/mine
"""


@graph_options()
def train(
    context: typer.Context,
    graph: GraphSource,
    encoder: Annotated[
        str, typer.Option(help=f"Base GNN: {', '.join(encoder_names())}; auto tries several with --preset auto.")
    ] = "auto",
    preset: Annotated[
        str,
        typer.Option(
            help="auto (validation chooses among simple models, GNNs and InfoMotif), paper (as published), authors (as "
            "the authors' code), joint, fast (joint on fewer instances), or base (without motifs)."
        ),
    ] = "auto",
    budget: Annotated[
        str,
        typer.Option(help="What --preset auto may cost: seconds of one thread such as 30, or '8 trainings'."),
    ] = "auto",
    single: Annotated[
        bool, typer.Option("--single", help="Let --preset auto answer with one model, never with a mean.")
    ] = False,
    refit: Annotated[
        bool,
        typer.Option("--refit/--no-refit", help="Whether --preset auto trains once more, with validation labels too."),
    ] = True,
    without: Annotated[
        str | None,
        typer.Option("--without", metavar="PART", help="Leave a part out of --preset auto; the only one is motifs."),
    ] = None,
    ratio: Annotated[
        float | None,
        typer.Option(help="Share of labelled nodes that train. Default: the dataset's own, else 0.2; own files 0.6."),
    ] = None,
    val: Annotated[float, typer.Option(help="Share of labelled nodes that validate.")] = VALIDATE,
    splits: Annotated[int, typer.Option(min=1, help="Number of random splits; more show the spread.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="First seed.")] = 0,
    motifs: MotifsOption = None,
    coverage: Annotated[
        float, typer.Option(help="Share of nodes whose set of classes in predictions.csv holds the label.")
    ] = 0.9,
    change: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help=f"Change a setting, such as lr=0.001 or encoder.heads=4; may be repeated. {SETTINGS_HELP}",
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="YAML with these options' names, or a run's config.yaml."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="Run folder. Default: runs/NAME.")] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in --out, by its own options, or begin it there.")
    ] = False,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:N.")] = "auto",
    threads: Annotated[int | None, typer.Option(min=1, help="Threads. Default: by the size of the graph.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Learn the labels of some nodes and predict those of all others."""
    given = {
        **graph.values(), "encoder": encoder, "preset": preset, "budget": budget, "single": single, "refit": refit,
        "without": without, "ratio": ratio, "val": val, "splits": splits, "seed": seed, "motifs": motifs,
        "device": device, "threads": threads, "coverage": coverage,
    }  # fmt: skip
    changes = {}
    if config is None and resume and out is not None and (out / "config.yaml").is_file():
        config = out / "config.yaml"
    if config is not None:
        typed = {key for key in given if getattr(context.get_parameter_source(key), "name", "") == "COMMANDLINE"}
        changes = merge_config(config, given, typed)
    run_training(given, changes, change or [], out=out, resume=resume, as_json=as_json)


train.__doc__ = _EXAMPLES


def run_training(
    given: dict[str, Any], changes: dict[str, Any], texts: list[str], *, out: Path | None, resume: bool, as_json: bool
) -> None:
    """Load the graph, train, show and write the run."""
    with _in_unison():
        graph, plan, fixed = _planned(given, changes, texts, out=out, resume=resume)
        proposed = _run_folder(out, graph.name, resume)

    from infomotif._core.malloc import keep_freed_memory
    from infomotif.runs import follow_run, train_run
    from infomotif.training.distributed import current_world

    keep_freed_memory()
    world = current_world()
    folder = Path(world.agree(str(proposed)))
    if not world.first:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # The first process shows them.
            follow_run(plan, graph, folder, train=fixed)
        return

    # A script that is started again and again need not know whether it was cut off before the folder was there.
    anew = resume and not folder.exists()

    def show_graph() -> None:
        if anew:
            console.err().print(f"{folder}: no run to resume yet; beginning one", style="dim", markup=False)
        if not as_json:
            console.err().print(graph)
        if given["edges"] is not None:
            _ask(graph)
        if given["dataset"] is None and given["edges"] is None:
            hint = "the embedded graph; name a dataset or --edges for another"
            console.err().print(f"Training on '{graph.name}' ({hint}).", style="dim")

    ours = "auto" if plan.preset == "auto" else "InfoMotif"

    def tell(outcome: TrainingOutcome) -> None:
        accuracy = outcome.val_accuracy if outcome.test_accuracy is None else outcome.test_accuracy
        shown = "" if accuracy is None else f" {100 * accuracy:.1f} %"
        name = "base" if outcome.model == "base" else ours
        console.err().print(f"split {outcome.split + 1}: {name}{shown}, {outcome.seconds:.1f} s", style="dim")

    result = train_run(plan, graph, folder, train=fixed, resume=resume, on_start=show_graph, on_done=tell)
    if as_json:
        console.print_json(result.to_dict() | {"folder": str(folder)})
    else:
        if result.choice is None:
            console.out().print(result_table(result))
        else:
            console.out().print(choice_table(result.choice))
            console.out().print(answer_text(result))
        console.out().print(f"run folder: {folder}", markup=False)


def _ask(graph: Graph) -> None:
    """Ask about what is often a mistake in files: directions that are none, and classes with one label."""
    from infomotif.doctor.label_findings import single_label_classes, single_label_text
    from infomotif.doctor.structure_findings import ONE_WAY, one_way_by_id

    if one_way_by_id(graph):
        console.warning(ONE_WAY)
    single = single_label_classes(graph)
    if single:
        console.warning(single_label_text(single))


def _in_unison() -> contextlib.AbstractContextManager[None]:
    """Let one process say what is wrong where torchrun started several; torch is not loaded for one alone."""
    if "TORCHELASTIC_RUN_ID" not in os.environ:
        return contextlib.nullcontext()
    from infomotif.training.distributed import current_world

    return current_world().in_unison()


def _planned(
    given: dict[str, Any], changes: dict[str, Any], texts: list[str], *, out: Path | None, resume: bool
) -> tuple[Graph, RunPlan, Any]:
    """Return the graph, what is to be trained, and the dataset's fixed training nodes if it has any.

    Whatever can be refused without the graph is refused before it is read, which may take minutes.
    """
    if given["dataset"] is None and given["edges"] is None and given["nodes"] is None:
        given = {**given, "dataset": EMBEDDED}
    source = GraphSource.among(given)
    source.check_source()
    spec = _dataset_spec(None if source.is_store else source.dataset)
    spec_settings = {} if spec is None else {key: v for key, v in spec.settings.items() if key != "ratio"}
    if given["preset"] == "auto" and given["encoder"] == "auto":
        # They are those of one encoder.
        spec_settings = {}
    source.check_ratio(given["ratio"])
    ratio = source.usual_ratio if given["ratio"] is None else given["ratio"]

    from infomotif.motifs.catalog import select_motifs
    from infomotif.nn.encoders import as_encoder
    from infomotif.runs import RunPlan
    from infomotif.runs.folder import RunFolder
    from infomotif.runs.plan import OURS
    from infomotif.training.config import parse_setting
    from infomotif.training.presets import make_settings

    encoder = as_encoder(given["encoder"])
    settings = {**spec_settings, **changes, **dict(parse_setting(text, encoder) for text in texts)}
    make_settings(given["preset"], encoder, **settings)
    motifs = given["motifs"] or ["auto"]
    search = _search_options(given)
    plan = RunPlan(
        source=source.resolved(),
        encoder=given["encoder"], preset=given["preset"], settings=settings, search=search,
        motifs=motifs[0] if len(motifs) == 1 else motifs,
        ratio=float(ratio), val=given["val"], splits=given["splits"], seed=given["seed"], device=given["device"],
        threads=given["threads"], coverage=given["coverage"],
    )  # fmt: skip
    plan.model(OURS, 0).settings()
    # Only the graph tells whether directed motifs can be had, and which motifs a set of its types has.
    select_motifs(plan.motifs, directed=True, data_set=lambda name: ())
    if not 0 < plan.ratio <= 1:
        raise InputError(f"ratio must be above 0 and at most 1 (got {plan.ratio})")
    if not 0 <= plan.val < 1:
        raise InputError(f"val must be at least 0 and below 1 (got {plan.val})")
    if out is not None and out.exists():
        RunFolder(out).check(asdict(plan), resume=resume)
    graph = source.read(need_labels=True)
    return graph, plan, None if spec is None or spec.train_mask is None else spec.train_mask(graph)


def _search_options(given: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the search that differ from their defaults."""
    from infomotif.search.options import Search

    if given["without"] not in (None, "motifs"):
        raise unknown_name("part of --without:", given["without"], ("motifs",))
    options = {
        "budget": given["budget"],
        "ensemble": not given["single"],
        "refit": given["refit"],
        "with_motifs": given["without"] is None,
    }
    changed = {name: value for name, value in options.items() if value != getattr(Search(), name)}
    if changed and given["preset"] != "auto":
        raise InputError("--budget, --single, --no-refit and --without are for --preset auto; leave them out")
    return dict(Search(**changed).given)


def merge_config(path: Path, given: dict[str, Any], typed: set[str]) -> dict[str, Any]:
    """Put a config file's values under the options that were left at their defaults; return its settings."""
    from infomotif._core.reading.yaml import read_yaml
    from infomotif.training.config import parse_setting

    value = read_yaml(path, missing="--config takes a YAML file", example="encoder: gat")
    if isinstance(value.get("source"), dict):
        # The config.yaml of a run says where its graph comes from under one key.
        value = {**value.pop("source"), **value}
        value.pop("fingerprint", None)
    value = {_CONFIG_NAMES.get(key, key): item for key, item in value.items()}
    value |= _search_in_config(path, value.pop("search", None))
    if isinstance(value.get("undirected"), bool):
        value["directed"] = not value.pop("undirected")
    settings = value.pop("settings", {}) or {}
    if not isinstance(settings, dict):
        raise InputError(f"{path}: settings must hold keys and values")
    for key, item in value.items():
        if key not in given:
            raise unknown_name(f"option in {path}", str(key), given)
        if item is not None and key not in typed:
            given[key] = _option(path, key, item)
    # YAML takes 1e-3 for text; as on the command line, what a setting is decides what its text means.
    texts = {str(key): item for key, item in settings.items()}
    return {k: parse_setting(f"{k}={item}")[1] if isinstance(item, str) else item for k, item in texts.items()}


def _search_in_config(path: Path, value: Any) -> dict[str, Any]:
    """Return the search of a run's config as this command's options."""
    if value is None:
        return {}
    if not isinstance(value, dict) or not value.keys() <= {"budget", "ensemble", "refit", "with_motifs"}:
        raise InputError(f"{path}: search must hold budget, ensemble, refit or with_motifs")
    options = {key: value[key] for key in ("budget", "refit") if key in value}
    if "ensemble" in value:
        options["single"] = value["ensemble"] is False
    if value.get("with_motifs") is False:
        options["without"] = "motifs"
    return options


def _option(path: Path, key: str, value: Any) -> Any:
    """Return a config file's value as the option ``key`` takes it, checked as the command line checks it."""
    kind, least = _CONFIG_KINDS.get(key, (str, None))
    if kind is list and isinstance(value, str):
        value = [value]
    if kind in (str, float) and isinstance(value, int | float) and not isinstance(value, bool):
        value = kind(value)
    if type(value) is not kind or (kind is list and not all(isinstance(item, str) for item in value)):
        raise InputError(f"{path}: {key} must be {_KIND_WORDS[kind]} (got {shown(value)})")
    if least is not None and value < least:
        raise InputError(f"{path}: {key} must be at least {least} (got {value})")
    return Path(value) if key in ("edges", "nodes") else value


def _dataset_spec(dataset: str | None) -> DatasetSpec | None:
    from infomotif.datasets import dataset_spec

    return None if dataset is None else dataset_spec(dataset)


def _run_folder(out: Path | None, name: str, resume: bool) -> Path:
    if out is not None:
        return out
    from infomotif.runs.folder import RunFolder

    safe = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip(".") or "run"
    number = 1
    while True:
        folder = Path("runs") / (safe if number == 1 else f"{safe}-{number}")
        taken = folder.exists()
        if not taken and resume:
            raise InputError(f"no unfinished run of '{name}' in 'runs' to resume; leave --resume out to begin one")
        if not taken or RunFolder(folder).interrupted or (resume and not (folder / "result.json").exists()):
            return folder
        number += 1
