"""UCT: Monte-Carlo rollouts, guided by upper confidence bounds where all actions have been tried.

Kocsis and Szepesvari, "Bandit Based Monte-Carlo Planning", ECML 2006. Horizon and exploration
constant are those of Bellemare et al., "The Arcade Learning Environment", JAIR 2013. Values are
normalised: the least return of a lookahead counts 0 and the greatest 1. Source: Schrittwieser et
al., "Mastering Atari, Go, chess and shogi by planning with a learned model", Nature 2020.

A rollout is kept whole, not its first new node alone: nodes have been simulated at a price. Where all
that can follow within the horizon has been seen, no rollout goes again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pixelplan.planning.case import BRANCH_ENDS, LASTING_ENDS, Case
from pixelplan.planning.limits import Amount, Positive
from pixelplan.planning.lookahead import Lookahead, Search, Strand, simulate
from pixelplan.planning.node import solve_and_propagate_label, walk
from pixelplan.planning.planner import Planner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pixelplan.planning.node import Node
    from pixelplan.planning.simulator import Action


@dataclass(frozen=True, kw_only=True)
class UctSettings:
    """The settings that UCT adds."""

    uct_horizon: Positive = 20
    """Length of a rollout of UCT in actions. Bellemare et al. 2013 have 300 frames, which are 20 actions."""
    uct_constant: Amount = 0.1
    """Weight of exploration in UCT, as in Bellemare et al. 2013."""


def settings_of(lookahead: Lookahead) -> UctSettings:
    """Return UCT's own settings."""
    assert isinstance(lookahead.settings, UctSettings), "whoever searches with UCT has them"
    return lookahead.settings


def uct(lookahead: Lookahead) -> Search:
    """Make rollouts until all that can follow within the horizon has been seen."""
    returns = range_of(lookahead)
    while not lookahead.root.is_solved:
        yield rollout(lookahead, returns)


def range_of(lookahead: Lookahead) -> ReturnRange:
    """Return the range of the values kept from the last decision."""
    returns = ReturnRange()
    for node in walk(lookahead.root):
        if node.visits > 0 and node.depth > 0:
            returns.note(node.value)
    return returns


class ReturnRange:
    """The least and the greatest return that a lookahead has seen."""

    def __init__(self) -> None:
        self._least = math.inf
        self._greatest = -math.inf

    def note(self, value: float) -> None:
        """Take in a return."""
        self._least = min(self._least, value)
        self._greatest = max(self._greatest, value)

    def normalise(self, value: float) -> float:
        """Return a value as a share of the range."""
        width = self._greatest - self._least
        return (value - self._least) / width if width > 0 else 0.0


def rollout(lookahead: Lookahead, returns: ReturnRange) -> Strand:
    """Go down from the root as far as the horizon, and take the return into the means on the way."""
    lookahead.rollouts += 1
    node = lookahead.root
    path = [node]
    has_news = False
    try:
        while not node.is_solved:
            candidates = node.candidates()
            if not candidates:
                # Other rollouts are at all of them. This one will be started again.
                lookahead.rollouts -= 1
                break
            parent, action = node, select(lookahead, node, candidates, returns)
            child = parent.children.get(action)
            if child is None or child.state is None:
                is_new = child is None
                child = yield from simulate(lookahead, parent, action)
                has_news = has_news or is_new
            path.append(child)
            node = child
            case = judge(lookahead, node)
            lookahead.note(parent, node, case)
            if case in BRANCH_ENDS:
                solve_and_propagate_label(path)
    finally:
        # Also when the budget ends the rollout: what it has seen counts. Where it has seen nothing new,
        # its return is that of a longer rollout without the end, and would spoil the means; so would that of
        # one that ends at a twin.
        if (has_news or node.is_solved) and node.end not in LASTING_ENDS:
            back_up_means(path, lookahead.settings.discount, returns)


def judge(lookahead: Lookahead, node: Node) -> Case:
    """Tell whether a rollout ends at a node. Novelty is not looked at."""
    if node.end is not None:
        return node.end
    return Case.TOO_DEEP if node.depth >= settings_of(lookahead).uct_horizon else Case.UNTESTED


def select(lookahead: Lookahead, node: Node, candidates: Sequence[Action], returns: ReturnRange) -> Action:
    """Choose an action that was never tried, or else the one with the greatest upper confidence bound."""
    untried = [action for action in candidates if action not in node.children]
    if untried:
        return lookahead.rng.choice(untried)
    log_visits = math.log(max(node.visits, 1))

    def bound(action: Action) -> float:
        child = node.children[action]
        exploration = math.sqrt(log_visits / max(child.visits, 1))
        return returns.normalise(child.value) + settings_of(lookahead).uct_constant * exploration

    bounds = [bound(action) for action in candidates]
    greatest = max(bounds)
    best = [action for action, value in zip(candidates, bounds, strict=True) if value == greatest]
    return lookahead.rng.choice(best)


def back_up_means(path: Sequence[Node], discount: float, returns: ReturnRange) -> None:
    """Take a rollout's return into the mean of each node on its path."""
    total = 0.0
    for height, node in enumerate(reversed(path), start=1):
        total = node.reward + discount * total
        if node.depth > 0:
            # No other return has the reward that led to the root.
            returns.note(total)
        node.visits += 1
        node.value += (total - node.value) / node.visits
        node.height = max(node.height, height)


UCT = Planner(
    search=uct,
    about="UCT: Monte-Carlo rollouts, guided by upper confidence bounds where all actions have been tried",
    has_mean_values=True,
)
