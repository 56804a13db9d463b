"""The paper's Figure 1, line by line, for comparison: slow, plain, and with nothing added."""

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from random import Random

from pixelplan.planning.simulator import Action
from worlds import Name, World


@dataclass
class FigureNode:
    """A node as the pseudo-code sees it."""

    state: Name
    depth: int
    parent: "FigureNode | None" = None
    children: dict[Action, "FigureNode"] = field(default_factory=dict)
    visited: bool = False
    solved: bool = False
    filled: bool = False


Depths = dict[Hashable, int]


def generate_lookahead_tree(world: World, rng: Random) -> tuple[FigureNode, Depths]:
    """Generate-Lookahead-Tree, without a budget."""
    root = FigureNode(world.root(), 0)
    d: Depths = dict.fromkeys(world.atoms[root.state], 0)
    while not root.solved:
        rollout(world, root, d, rng)
    return root, d


def rollout(world: World, n: FigureNode, d: Depths, rng: Random) -> None:
    """Rollout(n, d)."""
    n.filled = True
    while not n.solved:
        if not n.children:
            expand(world, n)
        n = rng.choice([child for child in n.children.values() if not child.solved])
        n.filled = True
        if n.state in world.terminals:
            n.visited = True
            solve_and_propagate_label(n)
            break
        least = get_novel_feature_depth(world, n, d)
        if n.depth < least:  # case 1
            n.visited = True
            for f in world.atoms[n.state]:
                d[f] = min(n.depth, d.get(f, n.depth))
        elif not n.visited and n.depth >= least:  # case 2
            n.visited = True
            solve_and_propagate_label(n)
            break
        elif n.visited and least < n.depth:  # case 3
            solve_and_propagate_label(n)
            break
        else:  # case 4
            pass


def expand(world: World, n: FigureNode) -> None:
    """Add a child for each action, not filled yet."""
    for action, successor in enumerate(world.successors[n.state]):
        n.children[action] = FigureNode(successor, n.depth + 1, parent=n)


def get_novel_feature_depth(world: World, n: FigureNode, d: Depths) -> float:
    """Return d[f] of the feature f that Get-Novel-Feature returns: the most novel one of the node."""
    return max((d.get(f, math.inf) for f in world.atoms[n.state]), default=-math.inf)


def solve_and_propagate_label(n: FigureNode) -> None:
    """Solve-and-Propagate-Label(n)."""
    n.solved = True
    while n.parent is not None and all(child.solved for child in n.parent.children.values()):
        n = n.parent
        n.solved = True


def solved_by_path(n: FigureNode, path: tuple[Action, ...] = ()) -> dict[tuple[Action, ...], bool]:
    """Return whether the filled nodes are solved, by the actions that lead to them."""
    labels = {path: n.solved}
    for action, child in n.children.items():
        if child.filled:
            labels |= solved_by_path(child, (*path, action))
    return labels
