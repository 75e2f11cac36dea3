"""The application: global options, how errors become exit codes, and the list of commands."""

from __future__ import annotations

import contextlib
import difflib
import logging
import os
import sys
import warnings
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from infomotif._core.extras import needed_for
from infomotif.cli import bench, console, convert, datasets, doctor, explain, motifs, predict, report, train
from infomotif.errors import ElsewhereError, InputError

BAD_INPUT = 2
INTERRUPTED = 130
_TORCH_IS_FULL = ("can't allocate memory", "out of memory")


class NearestNameGroup(TyperGroup):
    """A command group that answers an unknown command with the nearest known one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command, or say which one was probably meant."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            known = self.list_commands(ctx)
            close = difflib.get_close_matches(args[0].lower(), known, n=1, cutoff=0.5)
            hint = f"did you mean '{close[0]}'? " if close else ""
            raise InputError(f"no command '{args[0]}': {hint}commands: {', '.join(known)}")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="infomotif",
    cls=NearestNameGroup,
    help="Learn from the motifs of attributed graphs.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from infomotif.cli.version import environment_table

        console.out().print(environment_table())
        raise typer.Exit


@app.callback()
def _global_options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Show versions, cores, memory and folders, as issue reports need them.",
            is_eager=True,
            callback=_print_version,
        ),
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say more about what is done.")] = False,
) -> None:
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s", stream=sys.stderr)


app.command("train")(train.train)
app.command("predict")(predict.predict)
app.command("explain")(explain.explain)
app.command("report")(report.report)
app.command("motifs")(motifs.motifs)
app.command("convert")(convert.convert)
app.command("doctor")(doctor.doctor)
app.command("bench", cls=bench.LazyBench, help=bench.HELP)(bench.bench)
app.add_typer(datasets.app, name="datasets")


def run(args: list[str] | None = None) -> None:
    """Run the command line; bad input ends with one line and code 2, Ctrl-C with code 130."""
    warnings.showwarning = _show_warning
    _write_whatever_the_encoding()
    try:
        with needed_for("this command"):
            code = app(args=args, standalone_mode=False)
        if code == INTERRUPTED:
            console.error("interrupted; 'train' goes on with --resume, 'bench' with the same command")
        sys.exit(code if isinstance(code, int) else 0)
    except InputError as error:
        if not isinstance(error, ElsewhereError):
            console.error(str(error))
        sys.exit(BAD_INPUT)
    except KeyboardInterrupt:
        console.error("interrupted")
        sys.exit(INTERRUPTED)
    except MemoryError:
        _end_without_memory()
    except BrokenPipeError:
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        console.error(f"{error.filename or 'output'}: {error.strerror or error}; check the path and the space left")
        sys.exit(BAD_INPUT)
    except Exception as error:
        if isinstance(error, RuntimeError) and any(sign in str(error) for sign in _TORCH_IS_FULL):
            _end_without_memory()
        # Options that do not parse; the class of these errors is not public, what they offer is.
        if not hasattr(error, "format_message"):
            raise
        problem: Any = error
        if "NoArgsIsHelp" in type(error).__name__:
            problem.show()
        else:
            console.error(problem.format_message())
        sys.exit(BAD_INPUT)


def _end_without_memory() -> NoReturn:
    console.error("not enough memory; lower hidden, q or other sizes that were raised, or take a smaller graph")
    sys.exit(BAD_INPUT)


def _write_whatever_the_encoding() -> None:
    """Write what the output's encoding lacks as an escape by its number, in place of ending in an error."""
    for stream in (sys.stdout, sys.stderr):
        # Streams that stand in for these, as tests and notebooks have them, may hold text as it is.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _show_warning(message: Warning | str, *place: Any, **more: Any) -> None:
    """Show what a warning says; where in the code it was raised helps nobody here."""
    console.warning(str(message))
