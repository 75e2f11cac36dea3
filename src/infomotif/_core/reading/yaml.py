"""Reading YAML that people write; errors are one line that names the place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from infomotif._core.reading.documents import read_document
from infomotif._core.reading.limits import DEPTH, YAML_VALUES
from infomotif.errors import InputError

_MERGE = "tag:yaml.org,2002:merge"
_MAX_BITS = 63


class _Loader(yaml.SafeLoader):
    """Loads plain values only, and refuses a key that appears twice: the first would be lost silently.

    Aliases and merge keys may repeat values, each counted as often as it is repeated, so a short text cannot become a
    huge value.
    """

    def __init__(self, text: str) -> None:
        """Count no value yet."""
        super().__init__(text)
        self._sizes: dict[int, int] = {}
        self._depth = 0
        self._values = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Return a node, or the one that an alias names, after counting the values in it."""
        alias = self.check_event(yaml.AliasEvent)
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        self._depth += 1
        if self._depth > DEPTH.value:
            raise _limit(f"more than {DEPTH.value:,} levels, see {DEPTH.variable}", event)
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        if alias and id(node) not in self._sizes:
            raise _limit("an alias within what it names", event)
        if not alias:
            self._sizes[id(node)] = 1 + sum(self._sizes[id(part)] for part in _parts(node))
        size = self._sizes[id(node)]
        self._values += size if alias else 1
        if max(size, self._values) > YAML_VALUES.value:
            raise _limit(
                f"aliases and values add up to more than {YAML_VALUES.value:,}, see {YAML_VALUES.variable}", event
            )
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return a mapping whose keys are all different; keys merged in by ``<<`` may be given again."""
        seen = set()
        for key_node, _ in node.value:
            if not isinstance(key_node, yaml.ScalarNode) or key_node.tag == _MERGE:
                continue
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise _refusal(f"'{key_node.value}' appears twice", key_node)
            seen.add(key)
        return super().construct_mapping(node, deep=deep)

    def construct_yaml_int(self, node: yaml.ScalarNode) -> int:
        """Return a whole number that fits into 64 bits."""
        value = super().construct_yaml_int(node)
        if value.bit_length() > _MAX_BITS:
            raise _refusal(f"a whole number of more than {_MAX_BITS} bits", node)
        return value


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.construct_yaml_int)


def _parts(node: yaml.Node | None) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def _limit(problem: str, event: yaml.Event) -> yaml.MarkedYAMLError:
    mark: Any = event.start_mark
    return yaml.composer.ComposerError(None, None, problem, mark)


def _refusal(problem: str, node: yaml.Node) -> yaml.MarkedYAMLError:
    return yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


def parse_yaml(text: str, where: str) -> Any:
    r"""Return the value of a YAML text.

    Args:
        text: The text.
        where: How messages call the text.

    Raises:
        InputError: If it is not valid YAML, has a key twice, or holds more than plain values.

    Example:
        >>> parse_yaml("encoder: gat", "my.yaml")
        {'encoder': 'gat'}
        >>> parse_yaml("lr: 0.1\nlr: 0.2", "my.yaml")
        Traceback (most recent call last):
        ...
        infomotif.errors.InputError: my.yaml, line 2: not valid YAML ('lr' appears twice)
    """
    try:
        return _Loader(text).get_single_data()
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f", line {error.problem_mark.line + 1}"
        problem = " ".join(str(error.problem).split())[:160]
    except RecursionError:
        line, problem = "", "too deep"
    except (yaml.YAMLError, ArithmeticError, LookupError, ValueError, AttributeError, TypeError) as error:
        line, problem = "", " ".join(str(error).split())[:160]
    raise InputError(f"{where}{line}: not valid YAML ({problem})")


def read_yaml(path: Path, *, missing: str, example: str = "") -> dict[str, Any]:
    """Return the keys and values of a YAML file.

    Args:
        path: The file.
        missing: What to say besides "no such file" if there is none.
        example: A line that such a file may hold, for the message if it holds something else.

    Raises:
        InputError: If the file is missing, cannot be read, or does not hold keys and values.
    """
    if not path.exists():
        raise InputError(f"{path}: no such file; {missing}")
    try:
        text = read_document(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: cannot be read ({error.reason} at byte {error.start})") from None
    value = parse_yaml(text, str(path))
    if not isinstance(value, dict):
        such_as = f", such as '{example}'" if example else ""
        raise InputError(f"{path}: must hold keys and values{such_as}")
    return value
