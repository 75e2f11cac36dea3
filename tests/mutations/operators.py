"""Small changes of a syntax tree, one at a time: what the long run makes its mutants of."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import Any

_COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.LShift: ast.RShift,
}  # fmt: skip


def mutants(source: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, kind and text of every mutant; docstrings, annotations and messages of errors stay."""
    tree = ast.parse(source)
    places = list(_places(tree))
    for number, (kind, node) in enumerate(places):
        changed = copy.deepcopy(tree)
        _change(kind, list(_places(changed))[number][1])
        yield node.lineno, kind, ast.unparse(ast.fix_missing_locations(changed))


def _places(tree: ast.AST) -> Iterator[tuple[str, Any]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Raise | ast.Import | ast.ImportFrom | ast.AnnAssign):
            continue
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARE:
            yield "comparison", node
        elif isinstance(node, ast.BoolOp):
            yield "and / or", node
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield "not", node
        elif isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC and not isinstance(node.left, ast.Constant):
            yield "arithmetic", node
        elif isinstance(node, ast.Constant) and type(node.value) in (bool, int):
            yield "constant", node
        elif isinstance(node, ast.If):
            yield "condition", node
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield "call left out", node
        elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
            yield "return None", node
        if not isinstance(node, ast.arg | ast.JoinedStr):
            yield from _places(node)


def _change(kind: str, node: Any) -> None:
    if kind == "comparison":
        node.ops[0] = _COMPARE[type(node.ops[0])]()
    elif kind == "and / or":
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif kind == "not":
        node.op = ast.UAdd()
        node.operand = ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])
    elif kind == "arithmetic":
        node.op = _ARITHMETIC[type(node.op)]()
    elif kind == "constant":
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1
    elif kind == "condition":
        node.test = ast.Constant(False)
    elif kind == "call left out":
        node.value = ast.Constant(None)
    else:
        node.value = ast.Constant(None)
