"""``infomotif predict``: labels for the nodes of a graph, predicted by the model of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infomotif.cli import console
from infomotif.cli.graph_options import GraphSource, graph_options
from infomotif.cli.motifs import RawIdsOption
from infomotif.cli.run_argument import RunArgument, graph_of_run
from infomotif.errors import InputError

if TYPE_CHECKING:
    from infomotif.graph import Graph
    from infomotif.model.estimator import InfoMotif
    from infomotif.model.prediction_sets import PredictionSets


@graph_options(only=("edges", "nodes", "fill", "ignore", "component"), dataset=False)
def predict(
    run: RunArgument,
    graph: GraphSource,
    dataset: Annotated[
        str | None, typer.Option("--dataset", metavar="DATASET|FOLDER", help="A dataset or a graph store.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to write. Default: standard output.")
    ] = None,
    coverage: Annotated[
        float | None,
        typer.Option(help="Share of nodes whose set of classes holds the label. Default: that of the run."),
    ] = None,
    raw_ids: RawIdsOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON.")] = False,
) -> None:
    """Predict labels for new or changed nodes with the model of a run.

    Without --edges or --dataset it predicts on the graph that the run was trained on. For example:
    infomotif predict runs/mine --edges new-edges.csv --nodes new-nodes.csv --out predictions.csv
    """
    from infomotif.model.saving import load
    from infomotif.runs.predictions import write_predictions

    model = load(run)
    instead: dict[str, Any] | None = None
    if graph.component != "largest" and dataset is None:
        raise InputError("--component is for --dataset; files and graph stores are always read whole")
    if graph.edges is None and (graph.fill is not None or graph.ignore):
        raise InputError(f"--{'ignore' if graph.fill is None else 'fill'} is for new files (--edges); leave it out")
    if graph.edges is not None or graph.nodes is not None or dataset is not None:
        instead = {"edges": graph.edges, "nodes": graph.nodes, "dataset": dataset, "component": graph.component}
        instead |= {} if graph.fill is None else {"fill": graph.fill}
        instead |= {"ignore": graph.ignore} if graph.ignore else {}
    data = graph_of_run(run, model, instead)
    unseen = data.notes.get("unseen_categories", 0)
    if unseen:
        console.warning(f"{unseen:,} values are of categories that the model was not trained on and are ignored")
    labels = data.y if data.class_names == tuple(model.classes_) else None
    sets = _sets(run, coverage)
    if out is None and not as_json:
        write_predictions(None, data, model, labels=labels, sets=sets, raw_ids=raw_ids)
        return
    if out is not None:
        write_predictions(out, data, model, labels=labels, sets=sets, raw_ids=raw_ids)
    summary = {"nodes": data.num_nodes, "classes": [str(c) for c in model.classes_], "file": str(out) if out else None}
    if labels is not None and (labels >= 0).any():
        summary |= _accuracies(run, model, data)
    if as_json:
        console.print_json(summary)
    else:
        console.out().print(f"{data.num_nodes} predictions written to {out}", markup=False)


def _sets(run: Path, coverage: float | None) -> PredictionSets | None:
    """Return how the run makes sets of classes; None if nothing calibrates them."""
    from infomotif.model.prediction_sets import COVERAGE, PredictionSets
    from infomotif.runs.opened import PREDICTIONS, read_config
    from infomotif.runs.predictions import read_calibration

    # The base GNN of a run has no file of predictions, and other scores than the run's model.
    scores = read_calibration(run / PREDICTIONS) if (run / PREDICTIONS).exists() else ()
    if coverage is not None and len(scores) == 0:
        raise InputError(f"{run}: no node validated, so nothing says how large sets must be; leave --coverage out")
    if len(scores) == 0:
        return None
    wanted = read_config(run).get("coverage", COVERAGE) if coverage is None else coverage
    return PredictionSets.from_scores(scores, wanted)


def _accuracies(run: Path, model: InfoMotif, data: Graph) -> dict[str, float | list[float]]:
    """Return the accuracy on the labelled nodes; on the graph of the run those that it learned from count apart.

    Nodes that the model did not learn from have a 95 % interval too.
    """
    from infomotif._core.statistics import wilson_interval
    from infomotif.runs.opened import PREDICTIONS
    from infomotif.runs.predictions import PARTS, read_split

    if data.fingerprint() != model.graph_info_.get("fingerprint"):
        accuracy = model.score(graph=data)
        labelled = 0 if data.y is None else int((data.y >= 0).sum())
        return {"accuracy_on_labelled": accuracy, "interval_on_labelled": list(wilson_interval(accuracy, labelled))}
    held = [folder / PREDICTIONS for folder in (run, run.parent) if (folder / PREDICTIONS).exists()]
    if not held:
        return {"accuracy_with_training_nodes": model.score(graph=data)}
    split = read_split(held[0], data)
    found: dict[str, float | list[float]] = {}
    for part, nodes in zip(PARTS, (split.train, split.val, split.test), strict=True):
        if len(nodes):
            accuracy = model.score(nodes, graph=data)
            found[f"{part}_accuracy"] = accuracy
            if part != "train":
                found[f"{part}_interval"] = list(wilson_interval(accuracy, len(nodes)))
    return found
