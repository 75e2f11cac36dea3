"""A node's explanation as tables for terminals; names and labels are never read as markup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from infomotif.errors import printable

if TYPE_CHECKING:
    from infomotif.explain.attributes import Contribution
    from infomotif.explain.node import Instance, LabelsInReach, MotifWeight, NodeExplanation, Prediction, TwinNode

_BAR = 20
_CLASSES = 6


def render(explanation: NodeExplanation) -> Group:
    """Return the explanation as tables under each other."""
    explanation = _printable(explanation)
    parts: list[RenderableType] = [_headline(explanation), _predictions(explanation)]
    if explanation.motifs:
        parts.append(_motifs(explanation.motifs))
    if explanation.instances:
        parts.append(_instances(explanation.instances))
    if explanation.attributes:
        parts.append(Text.assemble(("attributes that carry the prediction  ", "bold"), _words(explanation.attributes)))
    for title, twins in (
        (
            "role twins: nearest in " + ("motif-level space" if explanation.motifs else "the space of the base GNN"),
            explanation.twins,
        ),
        ("role twins beyond the reach of messages", explanation.distant_twins),
    ):
        if twins:
            parts.append(_twins(title, twins))
    if explanation.labels is not None:
        parts.append(_labels(explanation.labels))
    parts += [Text(f"note: {note}", style="dim") for note in explanation.notes]
    return Group(*parts)


def _printable(value: Any) -> Any:
    """Return the same with control characters of names written out."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return {_printable(key): _printable(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(_printable(item) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: _printable(getattr(value, field.name)) for field in fields(value)})
    return value


def _headline(explanation: NodeExplanation) -> Text:
    prediction = explanation.prediction
    line = Text.assemble((explanation.node, "bold"), " is predicted ", (prediction.label, "bold"))
    line.append(f" ({100 * prediction.probabilities[prediction.label]:.1f} %)")
    if explanation.label is not None:
        right = explanation.label == prediction.label
        line.append(f"; its label is {explanation.label}", style="green" if right else "red")
    if explanation.base is not None:
        same = explanation.base.label == prediction.label
        share = 100 * explanation.base.probabilities[explanation.base.label]
        line.append(f"; the base GNN alone says {'the same' if same else explanation.base.label} ({share:.1f} %)")
    return line


def _predictions(explanation: NodeExplanation) -> Table:
    table = Table(title="probabilities", title_justify="left")
    table.add_column("class")
    table.add_column("InfoMotif" if explanation.motifs else "base GNN", justify="right")
    if explanation.base is not None:
        table.add_column("base GNN", justify="right")
    table.add_column("")
    ordered = sorted(explanation.prediction.probabilities.items(), key=lambda item: -item[1])
    for name, p in ordered[:_CLASSES]:
        cells = [Text(name), Text(f"{100 * p:.1f} %"), *_base_cell(explanation.base, name)]
        table.add_row(*cells, Text("█" * round(_BAR * p), style="cyan"))
    if len(ordered) > _CLASSES:
        rest = 100 * sum(p for _, p in ordered[_CLASSES:])
        table.add_row(Text(f"{len(ordered) - _CLASSES} more"), Text(f"{rest:.1f} %"))
    return table


def _base_cell(base: Prediction | None, name: str) -> list[Text]:
    return [] if base is None else [Text(f"{100 * base.probabilities[name]:.1f} %")]


def _motifs(motifs: Sequence[MotifWeight]) -> Table:
    table = Table(title="motif weights alpha", title_justify="left")
    table.add_column("motif")
    for name in ("this node", "mean over the graph", "instances"):
        table.add_column(name, justify="right")
    table.add_column("")
    for m in motifs:
        bar = Text("█" * round(_BAR * m.weight), style="cyan")
        table.add_row(Text(f"{m.motif} {m.title}"), f"{m.weight:.3f}", f"{m.mean:.3f}", f"{m.instances:,}", bar)
    return table


def _instances(instances: Sequence[Instance]) -> Table:
    table = Table(title="instances that count most (motif weight times score)", title_justify="left", show_lines=True)
    table.add_column("motif")
    table.add_column("score", justify="right")
    table.add_column("members: position, label or (prediction)")
    table.add_column("shared attributes")
    for instance in instances:
        members = Text("\n").join(Text.assemble((m.node, "bold"), f" {m.role}, {m.shown}") for m in instance.members)
        words = _words(instance.attributes) if instance.attributes else Text("-")
        table.add_row(Text(f"{instance.motif}\n{instance.title}"), f"{instance.score:+.1f}", members, words)
    return table


def _words(attributes: Sequence[Contribution]) -> Text:
    return Text(", ").join(Text(f"{a.name} {a.value:+.2g}") for a in attributes)


def _twins(title: str, twins: Sequence[TwinNode]) -> Table:
    table = Table(title=title, title_justify="left")
    for name in ("node", "label or (prediction)", "similarity", "hops"):
        table.add_column(name, justify="right" if name in ("similarity", "hops") else "left")
    for twin in twins:
        shown = twin.label if twin.label is not None else f"({twin.predicted})"
        hops = "not connected" if twin.hops < 0 else str(twin.hops)
        table.add_row(Text(twin.node), Text(shown), f"{twin.similarity:.3f}", hops)
    return table


def _labels(labels: LabelsInReach) -> Text:
    line = Text.assemble(("training labels within reach  ", "bold"))
    line.append(f"{labels.training} of {labels.nodes} nodes within {labels.hops} hops ({100 * labels.fraction:.1f} %)")
    if labels.nearest:
        line.append(": " + ", ".join(f"{name} ({label}, {hops})" for name, label, hops in labels.nearest))
    return line
