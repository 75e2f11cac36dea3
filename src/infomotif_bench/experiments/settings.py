"""Settings from the command line, parsed by the types that the methods have for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from infomotif._core.validate import parse_text
from infomotif.errors import InputError, unknown_name
from infomotif.training.config import option, parse_setting
from infomotif_bench.methods import Method

MAX_NAMED = 3
"""Methods that a message names; more are counted."""


def parse_changes(texts: Iterable[str], methods: Sequence[Method]) -> dict[str, Any]:
    """Parse texts such as ``lr=0.001``, each value by the type of the methods' default.

    Args:
        texts: The values of ``--set``.
        methods: The methods that run; those that do not know a setting run without it.

    Raises:
        InputError: If no method knows a setting, one of them cannot take its value, or two would read it differently.

    Example:
        >>> from infomotif_bench.methods import get_method
        >>> parse_changes(["p=0.5", "q=2", "epochs=3"], [get_method("node2vec")])
        {'p': 0.5, 'q': 2.0, 'epochs': 3}
    """
    changes: dict[str, Any] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise InputError(f"'{text}' must have the form key=value, such as lr=0.001")
        takers = [method for method in methods if key in method.defaults()]
        if not takers:
            raise unknown_setting(key, methods)
        changes[key] = _agreed(key, value, takers)
    return changes


def unknown_setting(key: str, methods: Sequence[Method]) -> InputError:
    """Return the error for a setting that none of the methods knows.

    Example:
        >>> from infomotif_bench.methods import get_method
        >>> str(unknown_setting("lr", [get_method("structural-lr")]))
        "unknown setting 'lr': structural-lr has no settings; leave it out"
    """
    names = list(dict.fromkeys(method.name for method in methods))
    shown = ", ".join(names[:MAX_NAMED]) + (f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else "")
    known = {name for method in methods for name in method.defaults()}
    if not known:
        return InputError(
            f"unknown setting '{key}': {shown} {'has' if len(names) == 1 else 'have'} no settings; leave it out"
        )
    return unknown_name(f"setting of {shown}", key, known)


def _agreed(key: str, value: str, methods: Sequence[Method]) -> Any:
    """Return the value that all these methods parse alike."""
    parsed: dict[str, Any] = {}
    for method in methods:
        try:
            parsed[method.name] = _parsed(key, value, method)
        except InputError as error:
            raise InputError(f"{method.name}: {error}") from None
    first, agreed = next(iter(parsed.items()))
    for name, other in parsed.items():
        if repr(other) != repr(agreed):
            raise InputError(f"{key} is {agreed!r} to {first} and {other!r} to {name}; choose one of them by --methods")
    return agreed


def _parsed(key: str, value: str, method: Method) -> Any:
    if key in method.fields:
        return method.fields[key].parse(value)
    default = method.defaults()[key]
    if _is_trainers(key, default):
        return parse_setting(f"{key}={value}")[1]
    if default is not None:
        return parse_text(key, value, type(default))
    # Of a setting that is off by default and not declared, only its value says whether it is a number.
    if value.lower() in ("none", ""):
        return None
    try:
        return float(value) if "." in value else int(value)
    except ValueError:
        return value


def _is_trainers(key: str, default: Any) -> bool:
    """Whether a setting is the trainer's; a method may have one of the same name and another type."""
    try:
        hint = option(key).hint
    except InputError:
        return False
    return default is None or isinstance(default, hint)
