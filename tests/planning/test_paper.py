"""The paper stands alone: its files know nothing of what `best` adds."""

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest

PAPER = (
    *("rollout_iw", "iw", "lookahead", "node", "valuation", "choice"),
    *("case", "novelty", "paper_settings", "partition", "planner", "rewards"),
)
BEST = "pixelplan.planning.best"


def imports(module: str, *, at_run_time: bool) -> set[str]:
    """Return the modules of this package that a module imports."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text())
    if at_run_time:
        tree.body = [node for node in tree.body if not isinstance(node, ast.If)]
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            # A name that is imported may be a module.
            submodules = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {node.module} | {name for name in submodules if is_module(name)}
    return {name for name in found if name.startswith("pixelplan")}


def is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def of_best(modules: set[str]) -> list[str]:
    """Return those that are part of `best`."""
    return [name for name in modules if name == BEST or name.startswith(f"{BEST}.")]


@pytest.mark.parametrize("name", PAPER)
def test_a_file_of_the_paper_imports_nothing_of_best(name: str) -> None:
    """Not for types either; and at run time not by way of another module."""
    module = f"pixelplan.planning.{name}"
    assert of_best(imports(module, at_run_time=False)) == []
    seen: set[str] = set()
    waiting = {module}
    while waiting:
        seen |= waiting
        waiting = set().union(*(imports(found, at_run_time=True) for found in waiting)) - seen
    assert of_best(seen) == []
