"""The result of a run as tables for terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from infomotif.runs import RunResult
    from infomotif.search.choice import Choice


UNTESTED = (
    "no labelled node was left to test, and validation nodes flatter the model that they chose: lower --ratio or "
    "--val, or label more nodes"
)


def choice_table(choice: Choice) -> Group:
    """Return the candidates of ``preset="auto"`` that trained to the end, and why which were chosen."""
    from rich.console import Group, RenderableType
    from rich.table import Table
    from rich.text import Text

    table = Table(title="What was tried", title_justify="left")
    table.add_column("candidate")
    table.add_column("motifs")
    for name in ("validation, %", "loss", "seconds", "weight"):
        table.add_column(name, justify="right")
    weights = {member.name: member.weight for member in choice.members}
    finished = [tried for tried in choice.tried if tried.finished]
    for tried in sorted(finished, key=lambda each: (-(each.accuracy or 0.0), each.loss or 0.0)):
        weight = weights.get(tried.name, 0.0)
        accuracy = "failed" if tried.accuracy is None else f"{100 * tried.accuracy:.1f}"
        loss = "" if tried.loss is None else f"{tried.loss:.3f}"
        shown = f"{weight:.2f}" if weight else ""
        cells = (tried.name, "yes" if tried.motifs else "", accuracy, loss, f"{tried.seconds:.1f}", shown)
        table.add_row(*map(Text, cells), style="bold" if weight else None)
    parts: list[RenderableType] = [table] if finished else []
    stopped = [tried.name for tried in choice.tried if not tried.finished]
    if stopped:
        parts.append(Text(f"stopped early, behind the others: {'; '.join(stopped)}"))
    parts.append(Text(f"auto: {choice.reason}"))
    parts += [Text(f"note: {note}") for note in choice.notes]
    return Group(*parts)


def answer_text(result: RunResult) -> Text:
    """Return what ``preset="auto"`` reaches, with an interval, in a sentence or two."""
    from rich.text import Text

    outcome, choice = result.outcome, result.choice
    if outcome.infomotif is None or choice is None:
        return Text(UNTESTED)
    tested = outcome.measure == "test_accuracy"
    _, val, test = result.trainings[0].nodes
    value, shown = outcome.infomotif, outcome.infomotif.interval_text
    spread = "" if value.deviation is None else f" ± {100 * value.deviation:.1f}"
    on = f"{test if tested else val:,} nodes" if value.count == 1 else f"{value.count} splits"
    interval = f", 95 % interval {shown}" if shown else ""
    text = f"{outcome.measure.replace('_', ' ')}: {100 * value.mean:.1f} %{spread}{interval} ({on})"
    if result.plan.search.get("refit", True) and val and choice.tried:
        text += f"; measured before the last training, which also uses the labels of the {val:,} validation nodes"
    return Text(text if tested else f"{text}\n{UNTESTED}")


def result_table(result: RunResult) -> Table:
    """Return the result of a run as a table: both models with spread, their difference, and the verdict."""
    from rich.table import Table
    from rich.text import Text

    outcome, nodes = result.outcome, result.trainings[0].nodes
    title = f"{result.graph.name}, {100 * nodes[0] / sum(nodes):.3g} % of the labels train"
    table = Table(title=Text(title), title_justify="left")
    table.add_column("model")
    table.add_column(f"{outcome.measure.replace('_', ' ')}, %", justify="right")
    table.add_column("95 % interval", justify="right")
    table.add_column("epoch kept", justify="right")
    table.add_column("seconds per training", justify="right")
    names = _names(result)
    for kind, accuracy in (("base", outcome.base), ("infomotif", outcome.infomotif)):
        trainings = [training for training in result.trainings if training.model == kind]
        epochs = sorted({training.best_epoch for training in trainings})
        seconds = sum(training.seconds for training in trainings) / len(trainings)
        shown = "not measured" if accuracy is None else str(accuracy)
        interval = "" if accuracy is None else accuracy.interval_text
        span = f"{epochs[0]}" if len(epochs) == 1 else f"{epochs[0]} to {epochs[-1]}"
        table.add_row(names[kind], shown, interval, span, f"{seconds:.1f}")
    if outcome.difference is not None:
        table.add_section()
        table.add_row("difference", str(outcome.difference), "", "", "")
        table.caption = f"{names['infomotif']} against {names['base']}: {outcome.difference.verdict()}"
    if outcome.measure != "test_accuracy":
        table.caption = "\n".join(filter(None, (str(table.caption or ""), UNTESTED)))
    table.caption_justify = "left"
    return table


def _names(result: RunResult) -> dict[str, str]:
    """Return what the two models of a run are called."""
    encoder, preset = as_name(result.plan.encoder), result.plan.preset
    ours = f"InfoMotif-{encoder} ({preset})" if result.settings["regularize"] else f"{encoder} (once more)"
    return {"base": encoder, "infomotif": ours}


def as_name(encoder: str) -> str:
    """Return what an encoder is called; without a search ``auto`` is GCN."""
    return "GCN" if encoder == "auto" else encoder.upper()
