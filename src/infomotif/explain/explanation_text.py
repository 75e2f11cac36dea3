"""Explanations as short text for prompts and as tables for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from infomotif._core.display.html import Markup, bar, block, details, escape, heading, muted, strong, table

if TYPE_CHECKING:
    from infomotif.explain.attributes import Contribution
    from infomotif.explain.node import Instance, NodeExplanation, TwinNode
    from infomotif.explain.overview import Overview
    from infomotif.motifs import Motif

_CLASSES = 6
_MOTIFS = 16
_SHOWN = 4


def explanation_text(explanation: NodeExplanation) -> str:
    """Return at most four lines: the prediction, the motif weights and the strongest instance."""
    prediction = explanation.prediction
    share = 100 * prediction.probabilities[prediction.label]
    label = "" if explanation.label is None else f", label {explanation.label!r}"
    lines = [f"NodeExplanation({explanation.node!r}: predicted {prediction.label!r}, {share:.1f} %{label})"]
    if explanation.motifs:
        ranked = sorted(explanation.motifs, key=lambda m: -m.weight)
        rest = f", and {len(ranked) - _SHOWN} more" if len(ranked) > _SHOWN else ""
        lines.append("  motif weights: " + ", ".join(f"{m.motif} {m.weight:.2f}" for m in ranked[:_SHOWN]) + rest)
    if explanation.instances:
        first = explanation.instances[0]
        members = ", ".join(member.node for member in first.members)
        lines.append(f"  strongest instance: {first.motif} {first.title} of {members}")
    if explanation.attributes:
        lines.append("  attributes: " + ", ".join(a.name for a in explanation.attributes[:_SHOWN]))
    return "\n".join(lines)


def explanation_html(explanation: NodeExplanation) -> str:
    """Return tables of probabilities, motif weights, instances and role twins."""
    prediction = explanation.prediction
    if explanation.label is None:
        note = ""
    elif explanation.label == prediction.label:
        note = "as labelled"
    else:
        note = f"its label is {explanation.label}"
    parts: list[object] = [heading(f"{explanation.node} is predicted {prediction.label}", note)]
    parts.append(_probabilities(explanation))
    if explanation.motifs:
        parts.append(_weights(explanation))
    if explanation.instances:
        parts.append(_instances(explanation.instances))
    if explanation.attributes:
        parts.append(Markup(f"<div>{strong('attributes')} {_words(explanation.attributes)}</div>"))
    for title, twins in (("role twins", explanation.twins), ("distant role twins", explanation.distant_twins)):
        if twins:
            parts.append(details(f"{len(twins)} {title}", _twins(twins)))
    if explanation.labels is not None:
        found = explanation.labels
        parts.append(muted(f"{found.training} of {found.nodes} nodes within {found.hops} hops are training nodes. "))
    parts += [muted(f"{note[:1].upper()}{note[1:]}. ") for note in explanation.notes]
    return block(*parts)


def _probabilities(explanation: NodeExplanation) -> Markup:
    base = explanation.base
    ordered = sorted(explanation.prediction.probabilities.items(), key=lambda item: -item[1])
    rows = [
        [name, f"{100 * p:.1f} %", bar(p), *([] if base is None else [f"{100 * base.probabilities[name]:.1f} %"])]
        for name, p in ordered[:_CLASSES]
    ]
    more = f"class ({_CLASSES} of {len(ordered)})" if len(ordered) > _CLASSES else "class"
    return table(rows, (more, "probability", "", *([] if base is None else ["base GNN"])))


def _weights(explanation: NodeExplanation) -> Markup:
    scene = explanation.scene
    drawn: Sequence[Motif | None] = (None,) * len(explanation.motifs) if scene is None else scene.motifs
    rows = [
        [_drawing(motif), f"{m.motif} {m.title}", f"{m.weight:.3f}", bar(m.weight), f"{m.mean:.3f}", m.instances]
        for motif, m in list(zip(drawn, explanation.motifs, strict=True))[:_MOTIFS]
    ]
    return table(rows, ("", "motif", "weight", "", "mean over the graph", "instances"))


def _instances(instances: Sequence[Instance]) -> Markup:
    rows = []
    for instance in instances:
        members = Markup(", ".join(f"{strong(m.node)} {muted(f'{m.role}, {m.shown}')}" for m in instance.members))
        words = _words(instance.attributes) if instance.attributes else Markup("")
        rows.append([f"{instance.motif} {instance.title}", f"{instance.score:+.1f}", members, words])
    return table(rows, ("strongest instances", "score", "members", "shared attributes"))


def _twins(twins: Sequence[TwinNode]) -> Markup:
    rows = [
        [
            t.node,
            t.label if t.label is not None else f"({t.predicted})",
            f"{t.similarity:.3f}",
            "–" if t.hops < 0 else t.hops,
        ]
        for t in twins
    ]
    return table(rows, ("node", "label or (prediction)", "similarity", "hops"))


def _words(attributes: Sequence[Contribution]) -> Markup:
    return Markup(", ".join(f"{escape(a.name)} {muted(f'{a.value:+.2g}')}" for a in attributes))


def _drawing(motif: Motif | None) -> Markup:
    small = "" if motif is None else motif.svg.replace('width="56" height="56"', 'width="30" height="30"')
    return Markup(small)


def overview_text(overview: Overview) -> str:
    """Return one line: the motifs with the largest weights, classes and roles."""
    if not overview.motifs:
        return f"Overview(base GNN without motif weights, {len(overview.roles.roles)} roles)"
    ranked = sorted(zip(overview.motifs, overview.weights, strict=True), key=lambda pair: -pair[1])
    rest = f", and {len(ranked) - _SHOWN} more" if len(ranked) > _SHOWN else ""
    weights = ", ".join(f"{name} {weight:.2f}" for name, weight in ranked[:_SHOWN]) + rest
    return f"Overview(motif weights {weights}; {len(overview.classes)} classes, {len(overview.roles.roles)} roles)"


def overview_html(overview: Overview) -> str:
    """Return mean motif weights by predicted class."""
    note = f"{len(overview.roles.roles)} roles"
    if not overview.motifs:
        return block(heading("Overview", f"a base GNN without motif weights, {note}"))
    pictures = overview.drawings or (None,) * len(overview.motifs)
    header = [
        "",
        "nodes",
        *(Markup(f"{_drawing(m)}<br>{escape(n)}") for m, n in zip(pictures, overview.motifs, strict=True)),
    ]
    total = sum(c.size for c in overview.classes)
    rows = [["all nodes", total, *(f"{w:.2f}" for w in overview.weights)]]
    rows += [[c.name, c.size, *(f"{w:.2f}" for w in c.weights)] for c in overview.classes]
    return block(heading("Motif weights by predicted class", note), table(rows, header))
