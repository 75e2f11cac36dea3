"""YAML that people write: read one way, and refused in one line that says where it goes wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from infomotif.errors import InputError

_MERGE = "tag:yaml.org,2002:merge"
_BITS = 63


class _Loader(yaml.SafeLoader):
    """Plain values alone, and no key twice: of two the last would count, and nobody would know."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return a mapping whose keys are all different; those that ``<<`` brings in may be given again."""
        seen = set()
        for written, _ in node.value:
            if not isinstance(written, yaml.ScalarNode) or written.tag == _MERGE:
                continue
            key = self.construct_object(written, deep=True)
            if key in seen:
                raise _refusal(f"'{written.value}' stands twice", written)
            seen.add(key)
        return super().construct_mapping(node, deep=deep)

    def construct_yaml_int(self, node: yaml.ScalarNode) -> int:
        """Return a whole number that other programs can hold too."""
        value = super().construct_yaml_int(node)
        if value.bit_length() > _BITS:
            raise _refusal(f"a whole number of more than {_BITS} bits", node)
        return value


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.construct_yaml_int)


def _refusal(told: str, node: yaml.Node) -> yaml.MarkedYAMLError:
    return yaml.constructor.ConstructorError(None, None, told, node.start_mark)


def parse_yaml(text: str, where: str) -> Any:
    r"""Return what YAML text holds.

    Args:
        text: The text.
        where: What the text is, for the message.

    Raises:
        InputError: If it is no YAML, names a key twice, or holds more than plain values.

    Example:
        >>> parse_yaml("encoder: gat", "my.yaml")
        {'encoder': 'gat'}
        >>> parse_yaml("lr: 0.1\nlr: 0.2", "my.yaml")
        Traceback (most recent call last):
        ...
        infomotif.errors.InputError: my.yaml, line 2: not YAML that can be read ('lr' stands twice)
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
    raise InputError(f"{where}{line}: not YAML that can be read ({problem})")


def read_yaml(path: Path, *, missing: str, example: str = "") -> dict[str, Any]:
    """Return the keys and values of a YAML file.

    Args:
        path: The file.
        missing: What to say besides "no such file" if there is none.
        example: A line that such a file may hold, for the message if it holds something else.

    Raises:
        InputError: If the file is missing, cannot be read, or does not hold keys and values.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; {missing}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None
    value = parse_yaml(text, str(path))
    if not isinstance(value, dict):
        such_as = f", such as '{example}'" if example else ""
        raise InputError(f"{path}: must hold keys and values{such_as}")
    return value
