"""Verification: the best branch is followed before it is believed, and a way out is searched for.

A branch ends where it shows nothing new. It may end at a reward behind which a life is lost, whatever is
played. The planner would take the reward, and find that out too late. So the best branch is followed to the
greatest depth, novel or not, before it is believed. While no branch is sure to end well, the search looks
for a way out. It leaves the branch that goes well for longest, at any place.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pixelplan.planning.best.assurance import ENDLESS, is_loss
from pixelplan.planning.best.caution import counted
from pixelplan.planning.best.valuation import surest_child
from pixelplan.planning.case import Case
from pixelplan.planning.lookahead import Lookahead, Search, Strand, simulate
from pixelplan.planning.node import Node, solve_and_propagate_label
from pixelplan.planning.rollout_iw import rollout_iw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pixelplan.planning.rollout_iw import Select


def verified_rollout_iw(lookahead: Lookahead, select: Select, ways: int) -> Search:
    """Verify the best branch after each rollout, and look for a way out where all is lost."""
    for strand in rollout_iw(lookahead, select):
        yield strand
        yield from doubts(lookahead, select, ways)
    while True:
        # All that is new has been seen. None while there is no doubt, or others are looking into it.
        yield next(doubts(lookahead, select, ways), None)


def doubts(lookahead: Lookahead, select: Select, ways: int) -> Iterator[Strand]:
    """Look behind the best branch, and for a way out, where there is reason to."""
    if branch := unverified_branch(lookahead):
        yield verify(lookahead, branch, select, ways)
    if branch := lost_branch(lookahead):
        yield verify(lookahead, branch, select)


def unverified_branch(lookahead: Lookahead) -> list[Node]:
    """Return the path to the end of the best branch, if it promises something and may go on; else nothing.

    It may promise a reward or, with curiosity, rare features.
    """
    path = _branch(lookahead.root, most_promising_child)
    promises_something = len(path) > 1 and path[1].value > 0
    return path if promises_something and _can_go_on(path[-1]) else []


def lost_branch(lookahead: Lookahead) -> list[Node]:
    """Return part of the branch that goes well for longest, if none is sure to end well; else nothing."""
    surest = surest_child(lookahead.root)
    if surest is None or surest.extra.assured == ENDLESS:
        return []
    path = [lookahead.root, *_branch(surest, surest_child)]
    lengths = [length for length, node in enumerate(path, 1) if _can_go_on(node)]
    return path[: lookahead.rng.choice(lengths)] if lengths else []


def most_promising_child(node: Node) -> Node | None:
    """Return the child of the greatest value, sure or not, of equal ones that of the highest subtree."""
    return max(counted(node), key=lambda child: (child.value, child.height), default=None)


def _branch(start: Node, next_child: Callable[[Node], Node | None]) -> list[Node]:
    path = [start]
    while (child := next_child(path[-1])) is not None:
        path.append(child)
    return path


def _can_go_on(node: Node) -> bool:
    return node.state is not None and not node.in_flight and node.has_untried_action() and node.end is None


def verify(lookahead: Lookahead, branch: list[Node], select: Select, ways: int = 1) -> Strand:
    """Go on from the end of a branch to the greatest depth, in several ways unless one of them ends well.

    An action whose node equals a sibling is no way of its own.
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
                node = yield from simulate(lookahead, parent, select(lookahead, path, untried))
                node.mark_known()
                path.append(node)
                case = node.end or Case.FOLLOWED
                lookahead.note(parent, node, case)
            solve_and_propagate_label(path)
        finally:
            # Also when the budget ends it: what it has seen counts.
            lookahead.back_up(path)
        if case is Case.TWIN:
            continue
        if not any(is_loss(node) for node in path[len(branch) :]):
            return
        ways -= 1
