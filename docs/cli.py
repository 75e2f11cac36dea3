"""Writes ``docs/cli.md`` from the commands themselves: ``python docs/cli.py``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from typer.main import get_command

from infomotif._core.reading.limits import LIMITS
from infomotif.cli import main

FOLDER = Path(__file__).parent
OPENING = f"""# Command line

`infomotif COMMAND --help` prints the same in the terminal. `--json`, where a command has it, prints for machines.

| code | meaning |
|--:|---|
| 0 | done |
| {main.CLOSED_PIPE} | a program that reads the output ended, such as `head`, or a fault: one line names a log file |
| {main.BAD_INPUT} | bad input: one line that names the place, what is wrong and what to do |
| {main.INTERRUPTED} | interrupted; `train` continues with `--resume`, `bench` with the same command |
"""
VARIABLES = """
## Environment variables

| variable | meaning |
|---|---|
| `INFOMOTIF_DATA` | folder with the files of the [datasets](datasets.md) |
| `INFOMOTIF_THREADS` | threads for counting motifs; all cores by default |
| `INFOMOTIF_CHECKPOINT_SECONDS` | seconds between checkpoints of `train`; 10 by default |

Files and downloads are read up to these sizes, which keep a few hostile bytes from filling the memory. Where data that
you trust is larger, one line names the variable to raise.

| variable | default | limits |
|---|--:|---|
"""
VARIABLES += "".join(f"| `{limit.variable}` | {limit.default:,} | {limit.help} |\n" for limit in LIMITS)


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command with its full name."""
    for name, command in get_command(main.app).commands.items():  # type: ignore[attr-defined]
        if name == "bench":
            command = get_command(import_module("infomotif_bench.cli").app)
        yield name, command
        for inner, subcommand in getattr(command, "commands", {}).items():
            yield f"{name} {inner}", subcommand


def flat(text: str) -> str:
    """Return text for a cell of a table, options in it as code."""
    text = re.sub(r"(?<![\w-])(--[a-z][a-z-]+)", r"`\1`", re.sub(r"\s+", " ", text or "").strip())
    return text.replace("|", "\\|")


def option_names(option: Any) -> str:
    """Return the names of an option with what it takes."""
    if not option.opts[0].startswith("-"):
        return f"`{option.metavar or option.name.upper()}`".replace("|", "\\|")
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    return names if option.is_flag else f"{names} `{option.metavar or option.name.upper()}`".replace("|", "\\|")


def default_of(option: Any) -> str:
    """Return the default for a cell of a table."""
    if option.required:
        return "required"
    value = option.default
    if value is None or value is False or callable(value) or value in ((), []):
        return ""
    return f"`{option.opts[0]}`" if value is True else f"`{value}`"


def meaning(option: Any) -> str:
    """Return the help of an option; the settings, which have a page of their own, are not listed again."""
    text, _, settings = flat(option.help).partition(" regularizer: ")
    return f"{text} [Settings](settings.md) has all of them." if settings else text


def table(options: list[Any]) -> str:
    """Return options as a table."""
    rows = [f"| {option_names(o)} | {default_of(o)} | {meaning(o)} |" for o in options]
    return "\n".join(["| option | default | |", "|---|---|---|", *rows])


def described(text: str) -> str:
    """Return the help of a command: its sentences, and its examples as a block."""
    text, _, examples = re.sub(r"[ \t]*\n(?!\n)(?<!\n\n)[ \t]*", " ", text.replace("\b", "")).partition("Examples:")
    text, _, single = text.partition("For example:")
    lines = [
        line.strip() for line in re.split(r";\s|\n+|, (?=infomotif)|\s{2,}(?=infomotif|torchrun)", examples + single)
    ]
    block = "\n".join(f"$ {line}" for line in lines if line)
    sentences = "\n\n".join(flat(part) for part in text.split("\n\n") if part.strip())
    return sentences + (f"\n\n```console\n{block}\n```" if block else "")


def section(name: str, command: Any) -> str:
    """Return the section of one command."""
    wanted = [o for o in command.params if o.name != "help" and not getattr(o, "hidden", False)]
    own = sorted((o for o in wanted if o.rich_help_panel is None), key=lambda o: o.opts[0].startswith("-"))
    parts = [f"\n## `infomotif {name}`\n", described(f"{command.help or ''} {command.epilog or ''}")]
    if own:
        parts.append("\n" + table(own))
    files = [o.opts[0] for o in wanted if o.rich_help_panel is not None]
    if files:
        parts.append("\n[Files](#your-files): " + ", ".join(f"`{name}`" for name in files) + ".")
    return "\n".join(parts) + "\n"


def your_files() -> str:
    """Return the options for own files, which several commands share."""
    options = {o.opts[0]: o for _, command in commands() for o in command.params if getattr(o, "rich_help_panel", None)}
    return "\n## Your files\n\n" + table(list(options.values())) + "\n\n[File formats](files.md) has the rules.\n"


def page() -> str:
    """Return the page."""
    return OPENING + "".join(section(name, command) for name, command in commands()) + your_files() + VARIABLES


def pages() -> dict[str, str]:
    """Return what to write, by file name."""
    return {"cli.md": page()}


if __name__ == "__main__":
    for file, content in pages().items():
        (FOLDER / file).write_text(content, encoding="utf-8")
