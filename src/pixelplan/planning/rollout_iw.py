"""Rollout IW(k): a sequence of rollouts that does the work of a breadth-first search, depth first.

Paper: section "IW Rollouts", Figure 1. The cases are numbered as there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pixelplan.planning.case import BRANCH_ENDS, Case
from pixelplan.planning.lookahead import Lookahead, Search, Strand, simulate
from pixelplan.planning.node import solve_and_propagate_label
from pixelplan.planning.novelty import IMPROVES, WORSE
from pixelplan.planning.planner import Planner, by_depth

if TYPE_CHECKING:
    from pixelplan.planning.node import Node
    from pixelplan.planning.simulator import Action

Select = Callable[["Lookahead", Sequence["Node"], Sequence["Action"]], "Action"]
"""Selects the action by which a rollout goes on, of a lookahead, the path so far, and the candidates."""

UNTESTED, NOVEL, NOT_NOVEL, NO_LONGER_NOVEL, STILL_NOVEL, *_ = Case
SOLVING_CASES = (*BRANCH_ENDS, NOT_NOVEL, NO_LONGER_NOVEL)


def uniform(lookahead: Lookahead, path: Sequence[Node], candidates: Sequence[Action]) -> Action:  # noqa: ARG001
    """Select any of the actions by which a path may go on. Another selection may look at the path."""
    return lookahead.rng.choice(candidates)


def rollout_iw(lookahead: Lookahead, select: Select = uniform) -> Search:
    """Generate the lookahead tree, until its root is solved."""
    lookahead.enter_root()
    while not lookahead.root.is_solved:
        yield rollout(lookahead, select)


def rollout(lookahead: Lookahead, select: Select = uniform) -> Strand:
    """Go down from the root, along unsolved nodes, until a node is solved."""
    lookahead.rollouts += 1
    node = lookahead.root
    path = [node]
    try:
        while not node.is_solved:
            candidates = node.candidates()
            if not candidates:
                # Other rollouts are at all of them. This one will be started again.
                lookahead.rollouts -= 1
                break
            parent, action = node, select(lookahead, path, candidates)
            child = parent.children.get(action)
            if child is None or child.state is None:
                child = yield from simulate(lookahead, parent, action)
                path.append(child)
                if any(ancestor.is_solved for ancestor in path):
                    # Another rollout has solved one meanwhile: nothing below it matters any more.
                    break
            else:
                path.append(child)
            node = child
            case = judge(lookahead, node, node.depth)
            lookahead.note(parent, node, case)
            if case in SOLVING_CASES:
                solve_and_propagate_label(path)
    finally:
        # Also when the budget ends the rollout: what it has seen counts.
        lookahead.back_up(path)


def judge(lookahead: Lookahead, node: Node, cost: int) -> Case:
    """Tell the four cases apart, and enter a novel node in the table. IW meets the first two only."""
    if node.end is not None:
        return node.end
    if lookahead.is_passed(node):
        return UNTESTED
    was_visited, novelty = node.is_visited, lookahead.novelty(node, cost)
    if not was_visited:
        return NOVEL if novelty is IMPROVES else NOT_NOVEL  # cases 1 and 2
    return NO_LONGER_NOVEL if novelty is WORSE else STILL_NOVEL  # cases 3 and 4


ROLLOUT_IW = Planner(
    search=rollout_iw,
    about="Rollout IW(k): a sequence of rollouts that does the work of a breadth-first search, depth first",
    cost=by_depth,
)
