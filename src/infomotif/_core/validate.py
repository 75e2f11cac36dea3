"""The one declarative validator: a field states its default, what is allowed and what it means, and the rest follows.

Configuration objects (:func:`config`) are frozen dataclasses whose fields are made by :func:`setting`. Checks,
messages, help texts, the parsing of ``key=value`` and the tables of the documentation follow from the fields.
:func:`from_mapping` reads records of files by the same rules, so that they need no checks of their own.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import math
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

from infomotif.errors import InputError, shown, unknown_name

T = TypeVar("T")
Choices = tuple[str, ...] | Callable[[], Iterable[str]]

_WORDS = {"yes": True, "true": True, "1": True, "on": True, "no": False, "false": False, "0": False, "off": False}
_PARSERS: dict[Any, Callable[[str], Any]] = {
    int: int,
    float: float,
    str: str,
    bool: lambda text: _WORDS[text.lower()],
}
_AS_DEFAULT = object()
_KINDS = {int: "a whole number", float: "a number", bool: "yes or no", str: "text"}


@dataclasses.dataclass(frozen=True)
class Rule:
    """What a field allows, and what it means.

    Attributes:
        help: One sentence or more for help texts and the documentation.
        at_least: Smallest value.
        at_most: Largest value.
        above: The value must be larger than this.
        below: The value must be smaller than this.
        limit: Largest value that makes any sense; help texts do not mention it.
        choices: Names to choose from, or a function that returns them where listing them needs an import.
        check: Called with a value that passed all else; raises InputError.
        flat: The field's name among the settings of all configuration objects, where it differs.
        unset: How a field that was not given is written to files, where that differs from the default.
    """

    help: str = ""
    at_least: float | None = None
    at_most: float | None = None
    above: float | None = None
    below: float | None = None
    limit: float | None = None
    choices: Choices | None = None
    check: Callable[[Any], None] | None = None
    flat: str | None = None
    unset: Any = _AS_DEFAULT

    def names(self) -> tuple[str, ...] | None:
        """Return the names to choose from, if the field is a choice."""
        return tuple(self.choices()) if callable(self.choices) else self.choices

    def allowed(self) -> str:
        """Say what is allowed, such as ``at least 0 and below 1``; empty if anything is.

        Example:
            >>> Rule(at_least=0, at_most=1).allowed(), Rule(above=0).allowed(), Rule(at_least=0, below=1).allowed()
            ('from 0 to 1', 'above 0', 'at least 0 and below 1')
        """
        if self.choices is not None:
            return f"one of {', '.join(self.names() or ())}"
        if self.at_least is not None and self.at_most is not None:
            return f"from {self.at_least:,} to {_number(self.at_most)}"
        bounds = {"at least": self.at_least, "above": self.above, "at most": self.at_most, "below": self.below}
        return " and ".join(f"{words} {_number(bound)}" for words, bound in bounds.items() if bound is not None)

    def violated(self, value: Any) -> str:
        """Say what a number must be that is out of bounds; empty if it is within.

        Example:
            >>> Rule(at_least=1, limit=100).violated(0), Rule(at_least=0, at_most=1).violated(2), Rule().violated(3)
            ('at least 1', 'from 0 to 1', '')
        """
        within = (
            (self.at_least is None or value >= self.at_least)
            and (self.at_most is None or value <= self.at_most)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )
        if not within:
            return self.allowed()
        return f"at most {_number(self.limit)}" if self.limit is not None and value > self.limit else ""


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def setting(*, help: str, default: Any = dataclasses.MISSING, **rule: Any) -> Any:
    """Return a dataclass field that is checked by these rules; see :class:`Rule`.

    Example:
        >>> @config
        ... class Box(Config):
        ...     width: int = setting(default=3, at_least=1, help="How wide it is.")
        >>> Box(width=0)
        Traceback (most recent call last):
        infomotif.errors.InputError: width must be at least 1 (got 0)
    """
    return dataclasses.field(default=default, metadata={"rule": Rule(help=help, **rule)})


def inherited(parent: type, name: str, *, default: Any) -> Any:
    """Return the field ``name`` of a parent class with another default."""
    made: Any = parent
    field = next(field for field in dataclasses.fields(made) if field.name == name)
    return dataclasses.field(default=default, metadata=field.metadata)


@dataclasses.dataclass(frozen=True)
class FieldInfo:
    """A field of a configuration object: its name, type, default and rule."""

    name: str
    hint: Any
    default: Any
    rule: Rule

    @property
    def flat(self) -> str:
        """The field's name among the settings of all configuration objects."""
        return self.rule.flat or self.name

    @property
    def unset(self) -> Any:
        """The value that files hold if the field was not given."""
        return self.default if self.rule.unset is _AS_DEFAULT else self.rule.unset

    @property
    def optional(self) -> bool:
        """Whether None is allowed."""
        return type(None) in _kinds(self.hint)

    def check(self, value: Any, name: str | None = None) -> Any:
        """Return the value with its type put right.

        Args:
            value: The value.
            name: How messages call the field; by default its own name.

        Raises:
            InputError: If the value is not allowed; the message names the field and what is.
        """
        name, rule = name or self.name, self.rule
        try:
            value = conform(value, self.hint, name)
        except InputError:
            if rule.choices is None:
                raise
            raise InputError(f"{name} must be {rule.allowed()} (got {shown(value)})") from None
        if value is None:
            return None
        names = rule.names()
        if names is not None and value not in names:
            raise unknown_name(name, value, names)
        if isinstance(value, int | float) and rule.violated(value):
            raise InputError(f"{name} must be {rule.violated(value)} (got {value})")
        if rule.check is not None:
            rule.check(value)
        return value

    def parse(self, text: str, name: str | None = None) -> Any:
        """Return the value that ``text`` means, as commands give it; not yet checked by the rule.

        Raises:
            InputError: If the text does not have the field's type.
        """
        if self.optional and text.lower() in ("none", ""):
            return None
        kinds = [kind for kind in _kinds(self.hint) if kind is not type(None)]
        for kind in kinds[:-1]:
            with contextlib.suppress(InputError):
                return parse_text(name or self.name, text, kind)
        return parse_text(name or self.name, text, kinds[-1])


def parse_text(name: str, text: str, kind: type) -> Any:
    """Parse a whole number, a number, yes or no, or text.

    Raises:
        InputError: If the text does not mean such a value.

    Example:
        >>> parse_text("q", "4", float), parse_text("novelty", "no", bool)
        (4.0, False)
    """
    try:
        return _PARSERS[kind](text)
    except (ValueError, KeyError):
        raise InputError(f"{name} must be {_KINDS[kind]} (got {shown(text)})") from None


def _kinds(hint: Any) -> tuple[Any, ...]:
    return typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)


def fields_of(cls: Any) -> Mapping[str, FieldInfo]:
    """Return the fields of a dataclass by name."""
    if cls not in _FIELDS:
        _FIELDS[cls] = _fields(cls)
    return _FIELDS[cls]


_FIELDS: dict[Any, Mapping[str, FieldInfo]] = {}


def _fields(cls: Any) -> Mapping[str, FieldInfo]:
    hints = typing.get_type_hints(cls)
    return types.MappingProxyType(
        {
            field.name: FieldInfo(field.name, hints[field.name], field.default, field.metadata.get("rule", Rule()))
            for field in dataclasses.fields(cls)
        }
    )


class Config:
    """A frozen configuration object that knows which of its fields were given.

    Presets fill in the other fields, so that ``Training(lr=0.1)`` changes that of any preset.

    Example:
        >>> @config
        ... class Box(Config):
        ...     width: int = setting(default=3, at_least=1, help="How wide it is.")
        ...     colour: str = setting(default="red", choices=("red", "blue"), help="Its colour.")
        >>> box = Box(colour="blue")
        >>> box.width, box.given, box.replace(width=5)
        (3, {'colour': 'blue'}, Box(width=5, colour='blue'))
    """

    _given: frozenset[str]
    moved: ClassVar[str] = ""
    """What to say to those who pass values by position."""
    renamed: ClassVar[Mapping[str, tuple[str, Mapping[Any, Any]]]] = types.MappingProxyType({})
    """Fields of earlier releases: the field that each became, and what its values are there."""

    def __post_init__(self) -> None:
        """Check every value; the error names the field and what is allowed."""
        for name, info in fields_of(type(self)).items():
            object.__setattr__(self, name, info.check(getattr(self, name)))
        self.check()

    def check(self) -> None:
        """Check rules between fields; subclasses may have some."""

    @property
    def given(self) -> dict[str, Any]:
        """The fields that were given, by name."""
        return {name: getattr(self, name) for name in fields_of(type(self)) if name in self._given}

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed, which then count as given.

        Raises:
            InputError: If there is no such field, or its value is not allowed.
        """
        known = fields_of(type(self))
        for name in changes:
            if name not in known:
                raise unknown_name(f"option of {type(self).__name__}", name, known)
        return type(self)(**{**self.given, **changes})

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return all fields by name, as scikit-learn asks for them."""
        return {name: getattr(self, name) for name in fields_of(type(self))}

    def __sklearn_clone__(self) -> Self:
        """Return the object itself: it cannot change."""
        return self

    def __repr__(self) -> str:
        """Show the fields that were given."""
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.given.items())})"


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(setting, inherited))
def config(cls: type[T]) -> type[T]:
    """Make a class a frozen dataclass that takes its fields by name and remembers which were given."""
    made: Any = dataclasses.dataclass(frozen=True, kw_only=True, repr=False)(cls)
    initialise: Any = made.__init__

    @functools.wraps(initialise)
    def __init__(self: Any, *args: Any, **values: Any) -> None:
        if args:
            raise TypeError(f"{cls.__name__} takes its options by name. {getattr(cls, 'moved', '')}".strip())
        known = fields_of(type(self))
        values = dict(up_to_date(type(self), name, value) for name, value in values.items())
        for name in values:
            if name not in known:
                raise unknown_name(f"option of {cls.__name__}", name, known)
        object.__setattr__(self, "_given", frozenset(values))
        initialise(self, **values)

    made.__init__ = __init__
    return cls


def up_to_date(cls: type[Config], name: str, value: Any) -> tuple[str, Any]:
    """Return a field and its value; one that an earlier release had, by its name and value of today.

    Raises:
        InputError: If the field of the earlier release had no such value.
    """
    if name not in cls.renamed:
        return name, value
    today, values = cls.renamed[name]
    if not isinstance(value, str) or value not in values:
        raise InputError(f"{name} must be one of {', '.join(values)} (got {value!r}); its name today is {today}")
    return today, values[value]


def conform(value: Any, hint: Any, name: str) -> Any:
    """Return a plain value as a type hint wants it: lists may become tuples, mappings dataclasses.

    Args:
        value: The value, as JSON, YAML or a caller has it.
        hint: ``int``, ``float``, ``bool``, ``str``, ``None``, ``Any``, a union of these, ``list[T]``,
            ``tuple[T, ...]``, ``dict[str, T]``, a dataclass, or a class of which the value must be an instance.
        name: How messages call the value.

    Raises:
        InputError: If it does not conform; the message names the value, or the part of it, and what it must be.

    Example:
        >>> conform([1, 2], tuple[float, ...], "bounds"), conform(None, int | None, "seed")
        ((1.0, 2.0), None)
        >>> conform({"a": "x"}, dict[str, int], "counts")
        Traceback (most recent call last):
        infomotif.errors.InputError: counts.a must be a whole number (got 'x')
    """
    if hint is Any:
        return value
    kinds = _kinds(hint)
    if value is None and type(None) in kinds:
        return None
    errors = []
    for kind in kinds:
        if kind is type(None):
            continue
        try:
            return _conform_one(value, kind, name)
        except InputError as error:
            errors.append(error)
    # The last alternative is usually the most general one.
    raise errors[-1]


def _conform_one(value: Any, kind: Any, name: str) -> Any:
    if getattr(value, "shape", None) == ():
        # A scalar of NumPy; commands that only show help do without importing it.
        value = value.item()
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is list or origin is tuple:
        if not isinstance(value, list | tuple):
            raise InputError(f"{name} must be a list (got {shown(value)})")
        item = arguments[0] if arguments else Any
        return origin(conform(part, item, f"{name}[{i}]") for i, part in enumerate(value))
    if origin is dict or origin is Mapping:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise InputError(f"{name} must hold keys and values (got {shown(value)})")
        return {key: conform(part, arguments[1], f"{name}.{key}") for key, part in value.items()}
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return value if isinstance(value, kind) else from_mapping(kind, value, name)
    return _plain(value, kind, name)


def _plain(value: Any, kind: Any, name: str) -> Any:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        # A number of 400 digits is not a float.
        value = float(value) if abs(value) < 2**1023 else math.inf
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        wanted = _KINDS.get(kind, f"of type {getattr(kind, '__name__', kind)}")
        if kind is bool and isinstance(value, str):
            wanted = "true or false, not text"
        raise InputError(f"{name} must be {wanted} (got {shown(value)})")
    if kind is float and not math.isfinite(value):
        raise InputError(f"{name} must be a finite number (got {value})")
    return value


def from_mapping(cls: type[T], values: Any, where: str, *, ignore: Iterable[str] = ()) -> T:
    """Make a dataclass from keys and values of a file, every value checked by its field's type and rule.

    Args:
        cls: The dataclass.
        values: What the file holds.
        where: How messages call it: a file, or a part of one.
        ignore: Keys that may be there and are not read.

    Raises:
        InputError: If a key is missing, unknown, or has a value that is not allowed.

    Example:
        >>> @dataclasses.dataclass(frozen=True)
        ... class Point:
        ...     x: float
        ...     y: float = 0.0
        >>> from_mapping(Point, {"x": 1}, "point.json")
        Point(x=1.0, y=0.0)
        >>> from_mapping(Point, {"y": 1}, "point.json")
        Traceback (most recent call last):
        infomotif.errors.InputError: point.json: lacks 'x'
    """
    if not isinstance(values, Mapping):
        raise InputError(f"{where}: must hold keys and values (got {shown(values)})")
    known = fields_of(cls)
    for key in values:
        if key not in known and key not in set(ignore):
            raise unknown_name(f"key in {where}:", str(key), known)
    made = {}
    for name, info in known.items():
        if name in values:
            try:
                made[name] = info.check(values[name])
            except InputError as error:
                raise InputError(f"{where}: {error}") from None
        elif info.default is dataclasses.MISSING and not _has_factory(cls, name):
            raise InputError(f"{where}: lacks '{name}'")
    return cls(**made)


def _has_factory(cls: type, name: str) -> bool:
    made: Any = cls
    return any(f.name == name and f.default_factory is not dataclasses.MISSING for f in dataclasses.fields(made))


def rows_of(cls: type) -> Iterator[tuple[str, str, str, str]]:
    """Return name, default, what is allowed and help of every field, for tables and help texts.

    Example:
        >>> @config
        ... class Box(Config):
        ...     width: int = setting(default=3, at_least=1, help="How wide it is.")
        >>> list(rows_of(Box))
        [('width', '3', 'whole number, at least 1', 'How wide it is.')]
    """
    for info in fields_of(cls).values():
        kinds = [k for k in _kinds(info.hint) if k is not type(None)]
        kind = "" if info.rule.choices is not None or kinds[0] is str else _KINDS.get(kinds[0], "").removeprefix("a ")
        allowed = ", ".join(part for part in (kind, info.rule.allowed()) if part) or "text"
        yield info.name, _shown(info.default), allowed + (", or none" if info.optional else ""), info.rule.help


def _shown(value: Any) -> str:
    return {True: "yes", False: "no", None: "none"}[value] if value is None or isinstance(value, bool) else str(value)
