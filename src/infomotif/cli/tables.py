"""What ``preset="auto"`` tried and chose, as a table for terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Group


def choice_table(choice: dict[str, Any]) -> Group:
    """Return every candidate with its validation, the chosen one marked, and why it was chosen."""
    from rich.console import Group, RenderableType
    from rich.table import Table
    from rich.text import Text

    table = Table(title="What was tried", title_justify="left")
    table.add_column("candidate")
    for name in ("validation, %", "loss", "epochs", "seconds"):
        table.add_column(name, justify="right")
    before = None
    for row in choice["tried"]:
        if before not in (None, row["regularized"]):
            table.add_section()
        before, chosen = row["regularized"], row["name"] == choice["name"]
        name = f"{row['name']} (chosen)" if chosen else row["name"]
        score = ("failed", "") if row["accuracy"] is None else (f"{100 * row['accuracy']:.1f}", f"{row['loss']:.3f}")
        cells = (name, *score, f"{row['epochs']}", f"{row['seconds']:.1f}")
        table.add_row(*map(Text, cells), style="bold" if chosen else None)
    parts: list[RenderableType] = [table] if choice["tried"] else []
    parts.append(Text(f"auto: {choice['reason']}"))
    parts += [Text(f"note: {note}") for note in choice["notes"]]
    return Group(*parts)
