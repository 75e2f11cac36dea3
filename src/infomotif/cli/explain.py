"""``infomotif explain``: why a node got its label, or which motifs matter where in the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from infomotif.cli import console
from infomotif.cli.run_argument import RunArgument, opened
from infomotif.errors import InputError

if TYPE_CHECKING:
    from rich.console import Group

    from infomotif.explain import Overview, Subject


def explain(
    run: RunArgument,
    node: Annotated[
        str | None,
        typer.Argument(metavar="[NODE]", help="A node's name; without it the whole graph is explained."),
    ] = None,
    instances: Annotated[
        int | None, typer.Option(min=1, help="How many motif instances of the node to show.  [default: 5]")
    ] = None,
    twins: Annotated[
        int | None, typer.Option(min=1, help="How many role twins of the node to show.  [default: 5]")
    ] = None,
    roles: Annotated[
        int | None, typer.Option(min=1, help="How many roles to find in the whole graph.  [default: 2 to 8]")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Explain a prediction: motifs, the instances that count most, and distant nodes with the same role.

    Without a node it shows which motifs matter for which class, and which roles the nodes have. For example:
    infomotif explain runs/cora 31336; infomotif explain runs/cora --json
    """
    from infomotif.explain import explain_graph, explain_node

    counts = {name: count for name, count in (("instances", instances), ("twins", twins)) if count is not None}
    if node is not None and roles is not None:
        raise InputError("--roles is for the whole graph; leave it out, or leave the node out")
    if node is None and counts:
        raise InputError(f"--{next(iter(counts))} is for a node; name the node after the run, or leave it out")
    subject = opened(run).subject()
    if node is not None:
        explanation = explain_node(subject, node, **counts)
        if as_json:
            console.print_json(explanation.to_dict())
        else:
            console.out().print(explanation)
        return
    overview = explain_graph(subject, roles=roles)
    if as_json:
        value = overview.to_dict()
        for role in value["roles"]:
            role["representatives"] = subject.graph.names_of(role["representatives"]).tolist()
        console.print_json(value)
    else:
        console.out().print(_overview(subject, overview))


def _overview(subject: Subject, overview: Overview) -> Group:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from infomotif.explain.node import NO_MOTIFS

    parts: list[Any] = []
    if overview.motifs:
        weights = Table(title="mean motif weight alpha by predicted class", title_justify="left")
        weights.add_column("class")
        weights.add_column("nodes", justify="right")
        for name in overview.motifs:
            weights.add_column(Text(name), justify="right")
        for group in overview.classes:
            weights.add_row(Text(group.name), f"{group.size:,}", *(f"{w:.3f}" for w in group.weights))
        weights.add_section()
        weights.add_row("all", f"{subject.graph.num_nodes:,}", *(f"{w:.3f}" for w in overview.weights))
        parts.append(weights)
    space = "motif-level space" if overview.motifs else "the space of representations"
    roles = Table(title=f"roles, by clustering in {space}", title_justify="left")
    for name in ("role", "nodes", "neighbours per node", "predicted classes", "typical nodes"):
        roles.add_column(name, justify="right" if name in ("nodes", "neighbours per node") else "left")
    for number, role in enumerate(overview.roles.roles):
        order = sorted(zip(role.classes, subject.class_names, strict=True), reverse=True)
        classes = ", ".join(f"{name} {100 * share:.0f} %" for share, name in order[:3] if share > 0)
        typical = ", ".join(str(subject.graph.names_of(v)) for v in role.representatives)
        roles.add_row(str(number + 1), f"{role.size:,}", f"{role.degree:.1f}", Text(classes), Text(typical))
    parts.append(roles)
    if not overview.motifs:
        parts.append(Text(f"note: {NO_MOTIFS}", style="dim"))
    return Group(*parts)
