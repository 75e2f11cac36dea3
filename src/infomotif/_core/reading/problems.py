"""All that is wrong with some input at once: checks note what they find, and reading goes on where it can.

Outside of :func:`collecting` a noted error is raised at once, so readers stop at the first problem as usual.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

from infomotif.errors import InputError

MAX_NOTED = 20
"""So many problems are listed; a file in which every line is wrong is not read to its end."""
_noted: ContextVar[list[InputError] | None] = ContextVar("noted", default=None)


@contextlib.contextmanager
def collecting() -> Iterator[list[InputError]]:
    """Yield a list that holds, after the block, every problem that it noted, and the one that ended it.

    Example:
        >>> with collecting() as problems:
        ...     note(InputError("line 2 is wrong"))
        ...     raise InputError("line 7 ends the file")
        >>> [str(problem) for problem in problems]
        ['line 2 is wrong', 'line 7 ends the file']
    """
    problems: list[InputError] = []
    token = _noted.set(problems)
    try:
        yield problems
    except InputError as error:
        _keep(problems, error)
    finally:
        _noted.reset(token)


def note(error: InputError) -> None:
    """Keep a problem if all are collected, so that the caller goes on without the part that is wrong; else raise it.

    Raises:
        InputError: The problem, if nothing is collected or enough was.
    """
    problems = _noted.get()
    if problems is None or len(problems) >= MAX_NOTED:
        raise error
    _keep(problems, error)


@contextlib.contextmanager
def noted() -> Iterator[None]:
    """Note the problem that ends the block; what follows must do without its outcome."""
    try:
        yield
    except InputError as error:
        note(error)


@contextlib.contextmanager
def together() -> Iterator[None]:
    """Let several checks in the block note what they find, and end it with the first of that.

    Raises:
        InputError: If a problem was noted in the block.
    """
    problems = _noted.get()
    before = len(problems or ())
    yield
    if problems is not None and len(problems) > before:
        raise problems[before]


def raise_noted() -> None:
    """End reading with the first noted problem, before something is built without the parts that are wrong.

    Raises:
        InputError: If a problem was noted.
    """
    for problem in _noted.get() or ():
        raise problem


def _keep(problems: list[InputError], error: InputError) -> None:
    if str(error) not in map(str, problems):
        problems.append(error)
