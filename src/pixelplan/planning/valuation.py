"""Valuations: they give nodes of a lookahead their values, and choose an action by these.

Paper: section "Planning with Simulators". A lookahead asks its valuation wherever a reward counts, so that
another one can be put in its place. The paper's is this: rewards, transformed where the search is averse to
risk, are backed up as maxima over children with the discount.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from pixelplan.planning.choice import Choice, choose_action, follow, value_of
from pixelplan.planning.rewards import RiskAversion

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from pixelplan.planning.node import Node
    from pixelplan.planning.paper_settings import PaperSettings
    from pixelplan.planning.simulator import Action, Simulator, Transition


Worth = tuple[float, float]
"""The number of actions for which nothing is lost for sure, and the value: actions are chosen by these."""


class Valuation(Protocol):
    """Values nodes. It lives as long as its lookahead, and may remember played states."""

    @property
    def risks_life(self) -> bool:
        """Whether a lost life costs nothing in this decision."""
        ...

    def reward(self, parent: Node, transition: Transition) -> float:
        """Return the reward of an action in a node, as the search sees it."""
        ...

    def leaf(self, parent: Node | None, node: Node) -> None:
        """Value a node by itself, when it has just been simulated. A root has no parent.

        `node.end` may be set to say that nothing is to follow; `node.extra` is the valuation's own.
        """
        ...

    def back_up(self, node: Node) -> bool:
        """Value a node by its children; say whether that, or its height, has changed."""
        ...

    def worth(self, node: Node) -> Worth:
        """Return the worth of a node; the number of actions is endless where no search verifies anything."""
        ...

    def best_child(self, node: Node) -> Node | None:
        """Return the child with which a branch goes on; None if there is none, or the untried is better."""
        ...

    def choose(self, root: Node, rng: Random) -> Choice:
        """Choose the action to play."""
        ...

    def start(self, root: Node) -> None:
        """Begin a decision. Nodes that were kept below the root may be forgotten."""
        ...

    def renew(self, root: Node) -> None:
        """Value the kept tree anew, as far as values depend on the root or on played states.

        The tree has its new depths by then, and `node.end` is what terminal states and depth say.
        """
        ...

    def observe(self, reward: float) -> None:
        """Note the reward of the action that was played."""
        ...


class PaperValuation:
    """Values of the paper: they depend on nothing above a node, so a kept tree keeps them."""

    risks_life = False

    def __init__(self, settings: PaperSettings, simulator: Simulator | None = None) -> None:  # noqa: ARG002
        self._settings = settings
        self._risk = RiskAversion(alpha=settings.alpha, death_penalty=settings.death_penalty)

    def reward(self, parent: Node, transition: Transition) -> float:
        """Return the reward, after the risk-averse transformation if that is asked for."""
        if not self._settings.risk_averse:
            return transition.reward
        return self._risk.transform(transition.reward, has_lost_life=transition.lives < parent.lives)

    def leaf(self, parent: Node | None, node: Node) -> None:  # noqa: ARG002
        """Value a node by its reward: later rewards count 0."""
        node.value = node.reward

    def back_up(self, node: Node) -> bool:
        """Take the best child's value; an action that was not tried yet counts 0."""
        children = node.children.values()
        best = max([child.value for child in children])
        if best < 0 and node.has_untried_action():
            best = 0.0
        value = node.reward + self._settings.discount * best
        height = 1 + max([child.height for child in children])
        has_changed = value != node.value or height != node.height
        node.value, node.height = value, height
        return has_changed

    def worth(self, node: Node) -> Worth:
        """Return the value, which the paper believes as it is."""
        return math.inf, node.value

    def best_child(self, node: Node) -> Node | None:
        """Return the child of the greatest value, of equal ones that of the highest subtree."""
        best = max(node.children.values(), key=lambda child: (child.value, child.height), default=None)
        return None if best is None or (best.value < 0 and node.has_untried_action()) else best

    def choose(self, root: Node, rng: Random) -> Choice:
        """Take the first action of the best sequence; where nothing was found, stay alive and explore."""
        action = choose_action(root, root.actions, self._settings.nothing_found, rng)
        return Choice(action, value_of(root, action), follow(root, action, self.best_child))

    def start(self, root: Node) -> None:
        """Begin a decision: nothing is forgotten."""

    def renew(self, root: Node) -> None:
        """Value nothing anew."""

    def observe(self, reward: float) -> None:
        """Note nothing: only rewards ahead count."""


def best_branch(root: Node, valuation: Valuation) -> tuple[Action, ...]:
    """Return the branch that is best so far; nothing if whatever was not tried yet is better."""
    child = valuation.best_child(root)
    return () if child is None else follow(root, child.action, valuation.best_child)


def back_up(path: Sequence[Node], valuation: Valuation) -> None:
    """Back up values and heights along a path, from its last node as far as they change.

    Above the first node that does not change, nothing changes. So behind a node that was simulated
    since the last back-up, the path must have such nodes only.
    """
    for node in reversed(path[:-1]):
        if not valuation.back_up(node):
            break
