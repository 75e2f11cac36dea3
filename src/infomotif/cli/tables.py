"""The result of a run as tables for terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

    from infomotif.runs import RunResult
    from infomotif.search.choice import Choice


UNTESTED = (
    "no labelled node was left to test, and validation nodes flatter the model that they chose: lower --ratio or "
    "--val, or label more nodes"
)


def choice_table(choice: Choice) -> Group:
    """Return every candidate of ``preset="auto"`` with its validation, the chosen one marked, and the reason."""
    from rich.console import Group, RenderableType
    from rich.table import Table
    from rich.text import Text

    table = Table(title="What was tried", title_justify="left")
    table.add_column("candidate")
    for name in ("validation, %", "loss", "epochs", "seconds"):
        table.add_column(name, justify="right")
    before = None
    for tried in choice.tried:
        if before not in (None, tried.regularized):
            table.add_section()
        before, chosen = tried.regularized, tried.name == choice.name
        name = f"{tried.name} (chosen)" if chosen else tried.name
        accuracy = "failed" if tried.accuracy is None else f"{100 * tried.accuracy:.1f}"
        loss = "" if tried.loss is None else f"{tried.loss:.3f}"
        cells = (name, accuracy, loss, f"{tried.epochs}", f"{tried.seconds:.1f}")
        table.add_row(*map(Text, cells), style="bold" if chosen else None)
    parts: list[RenderableType] = [table] if choice.tried else []
    parts.append(Text(f"auto: {choice.reason}"))
    parts += [Text(f"note: {note}") for note in choice.notes]
    return Group(*parts)


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
        if result.choice is not None and result.base_splits == result.plan.splits:
            table.caption = "the base was chosen, so there is no difference; --preset joint trains with motifs"
        else:
            table.caption = f"{names['infomotif']} against {names['base']}: {outcome.difference.verdict()}"
    if outcome.measure != "test_accuracy":
        table.caption = "\n".join(filter(None, (str(table.caption or ""), UNTESTED)))
    table.caption_justify = "left"
    return table


def _names(result: RunResult) -> dict[str, str]:
    """Return what the two models of a run are called."""
    plan, choice, on_base = result.plan, result.choice, result.base_splits
    encoder = plan.encoder.upper()
    if choice is None:
        ours = f"InfoMotif-{encoder} ({plan.preset})" if result.settings["regularize"] else f"{encoder} (once more)"
        return {"base": encoder, "infomotif": ours}
    base = f"{encoder} (tuned)" if choice.tried else encoder
    if 0 < on_base < plan.splits:
        ours = f"{encoder} (auto: InfoMotif in {plan.splits - on_base} of {plan.splits} splits)"
        return {"base": base, "infomotif": ours}
    # Splits may have chosen differently.
    name = f": {choice.name}" if plan.splits == 1 else ""
    ours = f"{encoder} (chosen{name})" if choice.base_better else f"InfoMotif-{encoder} (auto{name})"
    return {"base": base, "infomotif": ours}
