"""Whether the best branch can be believed.

A branch ends where it shows nothing new. It may end at a reward, behind which a life is lost, whatever
is done: the planner would take the reward and find that out too late. Here the best branch is followed
to the greatest depth, novel or not, before it is believed.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pixelplan.planning.guidance import next_action
from pixelplan.planning.lookahead import Case, Lookahead, Strand, simulate
from pixelplan.planning.node import solve_and_propagate_label

if TYPE_CHECKING:
    from pixelplan.planning.node import Node


def unverified_branch(lookahead: Lookahead) -> list[Node]:
    """Return the path to the end of the best branch, if it promises something and may go on; else nothing.

    It may promise a reward, or what is rare, if the search is curious.
    """
    if lookahead.settings.verifications == 0:
        return []
    node = lookahead.root
    path = [node]
    while (best := node.best_child()) is not None:
        node = best
        path.append(node)
    promises_something = len(path) > 1 and path[1].value > 0
    can_go_on = node.state is not None and not node.in_flight and lookahead.branch_end(node) is None
    return path if promises_something and can_go_on else []


def verify(lookahead: Lookahead, branch: list[Node]) -> Strand:
    """Go on from the end of a branch, in several ways unless one of them ends well."""
    for parent, node in pairwise(branch):
        lookahead.note(parent, node, Case.FOLLOWED)
    for _ in range(lookahead.settings.verifications):
        path = list(branch)
        case = Case.FOLLOWED
        try:
            while case is Case.FOLLOWED:
                parent = path[-1]
                untried = [action for action in parent.candidates() if action not in parent.children]
                if not untried:
                    return
                node = yield from simulate(lookahead, parent, next_action(lookahead, parent, untried))
                path.append(node)
                case = lookahead.branch_end(node) or Case.FOLLOWED
                lookahead.note(parent, node, case)
            solve_and_propagate_label(path)
        finally:
            # Also when the budget ends it: what it has seen counts.
            lookahead.back_up(path)
        if case is not Case.DEAD_END:
            return
