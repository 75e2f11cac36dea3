"""The package keeps its one direction, and its files hold what they may."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "infomotif"
FILES = sorted(PACKAGE.rglob("*.py"))

# A module may import only from those above it (and from itself).
ORDER = (
    "errors",
    "versions",
    "files",
    "yamltext",
    "locks",
    "memory",
    "progress",
    "parallel",
    "randomness",
    "parameters",
    "schema",
    "validation",
    "fingerprint",
    "graph",
    "io",
    "datasets",
    "motifs",
    "nn",
    "training",
    "doctor",
    "explain",
    "persistence",
    "estimator",
    "loading",
    "statistics",
    "runfolder",
    "report",
    "runs",
    "baselines",
    "bench",
    "cli",
)


def top_name(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def run_time_imports(path: Path) -> set[str]:
    """Names below ``infomotif`` that a file imports, leaving out what only type checkers see."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.split(".")[1] for name in found if name.startswith("infomotif.")} & set(ORDER)


def test_every_module_has_its_place_in_the_order():
    names = {top_name(path) for path in FILES} - {"__init__", "__main__"}
    assert names <= set(ORDER), f"give {names - set(ORDER)} a place"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path):
    name = top_name(path)
    if name in ("__init__", "__main__"):
        return
    later = set(ORDER[ORDER.index(name) + 1 :])
    assert not run_time_imports(path) & later


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_unsafe_loading_and_no_assert_for_input(path: Path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Assert), f"line {node.lineno}: raise InputError instead of assert"
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] + [getattr(node, "module", "") or ""]
            assert not {"pickle", "marshal", "shelve"} & {n.split(".")[0] for n in names}
        if isinstance(node, ast.Call):
            assert ast.unparse(node.func) not in ("eval", "exec", "torch.load", "pickle.load", "pickle.loads")
            unpickles = [k for k in node.keywords if k.arg == "allow_pickle" and ast.unparse(k.value) != "False"]
            assert not unpickles, f"line {node.lineno}: arrays are never unpickled"
