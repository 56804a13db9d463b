"""Whether the best branch can be believed, and whether there is a way out where all is lost.

A branch ends where it shows nothing new. It may end at a reward, behind which a life is lost, whatever
is done: the planner would take the reward and find that out too late. Here the best branch is followed
to the greatest depth, novel or not, before it is believed. And while no branch is sure to end well, the
one that goes well for longest is left at any place, to see where that leads.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pixelplan.planning.guidance import next_action
from pixelplan.planning.lookahead import Case, Lookahead, Strand, simulate
from pixelplan.planning.node import ENDLESS, Node, solve_and_propagate_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def doubts(lookahead: Lookahead) -> Iterator[Strand]:
    """Look behind the best branch, and for a way out, where there is reason to."""
    if not lookahead.is_wary:
        return
    if branch := unverified_branch(lookahead):
        yield verify(lookahead, branch, lookahead.settings.verifications)
    if branch := lost_branch(lookahead):
        yield verify(lookahead, branch)


def unverified_branch(lookahead: Lookahead) -> list[Node]:
    """Return the path to the end of the best branch, if it promises something and may go on; else nothing.

    It may promise a reward, or what is rare, if the search is curious.
    """
    path = _branch(lookahead.root, Node.best_child)
    promises_something = len(path) > 1 and path[1].value > 0
    return path if promises_something and _can_go_on(lookahead, path[-1]) else []


def lost_branch(lookahead: Lookahead) -> list[Node]:
    """Return part of the branch that goes well for longest, if none is sure to end well; else nothing."""
    surest = lookahead.root.surest_child()
    if surest is None or surest.assured == ENDLESS:
        return []
    path = [lookahead.root, *_branch(surest, Node.surest_child)]
    lengths = [length for length, node in enumerate(path, 1) if _can_go_on(lookahead, node)]
    return path[: lookahead.rng.choice(lengths)] if lengths else []


def _branch(start: Node, next_child: Callable[[Node], Node | None]) -> list[Node]:
    path = [start]
    while (child := next_child(path[-1])) is not None:
        path.append(child)
    return path


def _can_go_on(lookahead: Lookahead, node: Node) -> bool:
    return (
        node.state is not None
        and not node.in_flight
        and node.has_untried_action()
        and lookahead.branch_end(node) is None
    )


def verify(lookahead: Lookahead, branch: list[Node], ways: int = 1) -> Strand:
    """Go on from the end of a branch to the greatest depth, in several ways unless one of them ends well.

    What shows just what a sibling has shown is no way of its own.
    """
    for parent, node in pairwise(branch):
        lookahead.note(parent, node, Case.FOLLOWED)
    while ways > 0:
        path = list(branch)
        case = Case.FOLLOWED
        try:
            while case is Case.FOLLOWED:
                parent = path[-1]
                untried = [action for action in parent.candidates() if action not in parent.children]
                if not untried:
                    return
                node = yield from simulate(lookahead, parent, next_action(lookahead, path, untried))
                node.mark_cached()
                path.append(node)
                case = lookahead.branch_end(node) or Case.FOLLOWED
                lookahead.note(parent, node, case)
            solve_and_propagate_label(path)
        finally:
            # Also when the budget ends it: what it has seen counts.
            lookahead.back_up(path)
        if case is Case.TWIN:
            continue
        if not any(node.is_loss for node in path[len(branch) :]):
            return
        ways -= 1
