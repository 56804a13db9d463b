"""Rollout IW(k): a sequence of rollouts that does the work of a breadth-first search, depth first.

Paper: section "IW Rollouts", Figure 1. The cases are numbered as there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.planning.guidance import next_action
from pixelplan.planning.lookahead import BRANCH_ENDS, Case, Lookahead, Search, Strand, simulate
from pixelplan.planning.node import solve_and_propagate_label
from pixelplan.planning.novelty import IMPROVES, WORSE
from pixelplan.planning.verification import doubts

if TYPE_CHECKING:
    from pixelplan.planning.node import Node

UNTESTED, NOVEL, NOT_NOVEL, NO_LONGER_NOVEL, STILL_NOVEL, *_ = Case
SOLVING_CASES = (*BRANCH_ENDS, NOT_NOVEL, NO_LONGER_NOVEL)


def rollout_iw(lookahead: Lookahead) -> Search:
    """Generate the lookahead tree, until its root is solved and nothing is left to doubt."""
    lookahead.enter_root()
    while not lookahead.root.is_solved:
        yield rollout(lookahead)
        # Not in the paper, and only if asked for.
        yield from doubts(lookahead)
    while True:
        # All that is new has been seen. None while there is no doubt, or others are looking into it.
        yield next(doubts(lookahead), None)


def rollout(lookahead: Lookahead) -> Strand:
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
            parent, action = node, next_action(lookahead, path, candidates)
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
    if (end := lookahead.branch_end(node)) is not None:
        return end
    if lookahead.is_passed(node):
        return UNTESTED
    was_visited, novelty = node.is_visited, lookahead.novelty(node, cost)
    if not was_visited:
        return NOVEL if novelty is IMPROVES else NOT_NOVEL  # cases 1 and 2
    return NO_LONGER_NOVEL if novelty is WORSE else STILL_NOVEL  # cases 3 and 4
