"""The application: its commands, global options, and how errors become exit codes."""

from __future__ import annotations

import contextlib
import difflib
import errno
import logging
import os
import sys
import warnings
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from infomotif._core.extras import needed_for
from infomotif.cli import bench, console, convert, datasets, doctor, explain, motifs, predict, report, suggest, train
from infomotif.cli.crash import crash_line, show_tracebacks
from infomotif.errors import ElsewhereError, InputError

CLOSED_PIPE = FAULT = 1
BAD_INPUT = 2
INTERRUPTED = 130
_OUT_OF_MEMORY = ("can't allocate memory", "out of memory")
"""What messages of PyTorch say."""


class NearestNameGroup(TyperGroup):
    """A command group that answers an unknown command with the nearest known one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command, or name the nearest in the error."""
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
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print more about each step, and the traceback of a fault.")
    ] = False,
) -> None:
    show_tracebacks(verbose)
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s", stream=sys.stderr)


app.command("train")(train.train)
app.command("predict")(predict.predict)
app.command("explain")(explain.explain)
app.command("suggest")(suggest.suggest)
app.command("report")(report.report)
app.command("motifs")(motifs.motifs)
app.command("convert")(convert.convert)
app.command("doctor")(doctor.doctor)
app.command("bench", cls=bench.LazyBench, help=bench.HELP)(bench.bench)
app.add_typer(datasets.app, name="datasets")


def run(args: list[str] | None = None) -> None:
    """Run the command line; bad input ends with one line and code 2, a fault with one and code 1, Ctrl-C with 130."""
    warnings.showwarning = _show_warning
    _escape_unencodable()
    try:
        with needed_for("this command"):
            code = app(args=args, standalone_mode=False)
        if code == INTERRUPTED:
            console.error("interrupted; continue 'train' with --resume, 'bench' with the same command")
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
    except OSError as error:
        if is_closed_pipe(error):
            # Python flushes the stream once more when it ends.
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(CLOSED_PIPE)
        console.error(f"{error.filename or 'output'}: {error.strerror or error}; check the path and the free space")
        sys.exit(BAD_INPUT)
    except Exception as error:
        if isinstance(error, RuntimeError) and any(words in str(error) for words in _OUT_OF_MEMORY):
            _end_without_memory()
        # Options that do not parse: the class of these errors is not public, but their method is.
        if not hasattr(error, "format_message"):
            console.error(crash_line(error))
            sys.exit(FAULT)
        problem: Any = error
        if "NoArgsIsHelp" in type(error).__name__:
            problem.show()
        else:
            console.error(problem.format_message())
        sys.exit(BAD_INPUT)


def is_closed_pipe(error: OSError, platform: str = sys.platform) -> bool:
    """Whether a program that reads the output, such as ``head``, has ended; Windows reports it by another number."""
    if isinstance(error, BrokenPipeError):
        return True
    return platform == "win32" and error.errno == errno.EINVAL and error.filename is None


def _end_without_memory() -> NoReturn:
    console.error("not enough memory; lower hidden, q or other sizes that you raised, or use a smaller graph")
    sys.exit(BAD_INPUT)


def _escape_unencodable() -> None:
    """Let streams write characters that their encoding lacks as escapes, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        # Replacements of the streams, as in tests and notebooks, may hold text as it is.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Print the text of a warning; where in the code it was raised helps nobody here."""
    console.warning(str(message))
