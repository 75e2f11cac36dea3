"""YAML that people write: read one way, and refused in one line that says where it goes wrong."""

from __future__ import annotations

from typing import Any

import yaml

from infomotif.errors import InputError


class _Loader(yaml.SafeLoader):
    """Plain values alone, and no key twice: of two the last would count, and nobody would know."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return a mapping whose keys are all different; those that ``<<`` brings in may be given again."""
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    told = f"'{key.value}' stands twice"
                    raise yaml.constructor.ConstructorError(None, None, told, key.start_mark)
                seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


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
    except (yaml.YAMLError, ValueError, AttributeError, TypeError) as error:
        line, problem = "", " ".join(str(error).split())[:160]
    raise InputError(f"{where}{line}: not YAML that can be read ({problem})")
