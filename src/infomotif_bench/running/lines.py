"""How the lines of a store are read: a dataclass states what a line must hold, and every value is checked by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING
from typing import Any, TypeVar

from infomotif._core.validate import fields_of
from infomotif.errors import InputError

Json = dict[str, Any]
T = TypeVar("T")


def read_line(cls: type[T], line: Mapping[str, Any]) -> T:
    """Make a dataclass from the keys of a line that it has; other keys are ignored.

    Raises:
        InputError: Naming the value that is missing or damaged.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True)
        ... class Point:
        ...     x: int
        ...     y: int = 0
        >>> read_line(Point, {"x": 1, "kind": "point"})
        Point(x=1, y=0)
        >>> read_line(Point, {"y": 1})
        Traceback (most recent call last):
        infomotif.errors.InputError: lacks 'x'
    """
    known = fields_of(cls)
    return cls(**{name: known[name].check(value) for name, value in values_of(cls, line).items()})


def values_of(cls: type, line: Mapping[str, Any]) -> Json:
    """Return the values of a line that a dataclass has a field for, not checked.

    Raises:
        InputError: Naming the first that is missing and has no default.
    """
    values = {}
    for name, info in fields_of(cls).items():
        if name in line:
            values[name] = line[name]
        elif info.default is MISSING:
            raise InputError(f"lacks '{name}'")
    return values
