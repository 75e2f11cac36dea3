"""Reading YAML that people write; errors are one line that names the place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from infomotif.errors import InputError

_MERGE = "tag:yaml.org,2002:merge"
_MAX_BITS = 63


class _Loader(yaml.SafeLoader):
    """Loads plain values only, and refuses a key that appears twice: the first would be lost silently."""

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
