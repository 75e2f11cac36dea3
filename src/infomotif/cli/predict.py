"""``infomotif predict``: labels for the nodes of a graph, by the model of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from infomotif.cli import console
from infomotif.cli.graph_options import ComponentOption, EdgesOption, FillOption, IgnoreOption, NodesOption
from infomotif.cli.run_argument import RunArgument, graph_of_run
from infomotif.errors import InputError


def predict(
    run: RunArgument,
    dataset: Annotated[
        str | None, typer.Option("--dataset", metavar="DATASET|FOLDER", help="A dataset or a graph store.")
    ] = None,
    edges: EdgesOption = None,
    nodes: NodesOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to write. Default: standard output.")
    ] = None,
    fill: FillOption = None,
    ignore: IgnoreOption = None,
    component: ComponentOption = "largest",
    as_json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON.")] = False,
) -> None:
    """Predict labels for new or changed nodes with the model of a run.

    Without --edges or --dataset it predicts on the graph that the run was trained on. For example:
    infomotif predict runs/mine --edges new-edges.csv --nodes new-nodes.csv --out predictions.csv
    """
    from infomotif.model.loading import load
    from infomotif.runs.predictions import write_predictions

    model = load(run)
    instead: dict[str, Any] | None = None
    if component != "largest" and dataset is None:
        raise InputError("--component is for --dataset; own files and graph stores are taken whole")
    if edges is None and (fill is not None or ignore):
        raise InputError(f"--{'ignore' if fill is None else 'fill'} is for new files (--edges); leave it out")
    if edges is not None or nodes is not None or dataset is not None:
        instead = {"edges": edges, "nodes": nodes, "dataset": dataset, "component": component}
        instead |= {} if fill is None else {"fill": fill}
        instead |= {"ignore": ignore} if ignore else {}
    graph = graph_of_run(run, model, instead)
    unseen = graph.notes.get("unseen_categories", 0)
    if unseen:
        console.warning(f"{unseen:,} values of a category that the model was not trained on count as none of them")
    labels = graph.y if graph.class_names == tuple(model.classes_) else None
    if out is None and not as_json:
        write_predictions(None, graph, model, labels=labels)
        return
    if out is not None:
        write_predictions(out, graph, model, labels=labels)
    summary = {"nodes": graph.num_nodes, "classes": [str(c) for c in model.classes_], "file": str(out) if out else None}
    if labels is not None and (labels >= 0).any():
        summary["accuracy_on_labelled"] = model.score(graph=graph)
    if as_json:
        console.print_json(summary)
    else:
        console.out().print(f"{graph.num_nodes} predictions written to {out}", markup=False)
