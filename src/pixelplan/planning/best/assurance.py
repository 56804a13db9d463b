"""Assurance: the number of actions for which nothing is lost for sure.

A value is a promise. It may be that of a reward behind which a life is lost, whatever is played. So each
node is also *assured* of a number of actions that go well. It is 0 if something is lost on getting there,
and endless if a branch was followed as far as the search looks. An action is chosen by that number first
and by the value second. No penalty for the unknown would do: where each step costs points, any is soon too
small.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pixelplan.planning.node import Node

NOTHING = 0.0
"""Something is lost at once."""
UNTRIED = 0.5
"""Nobody has tried: better than a loss at once, and worse than one action that goes well."""
ONE_ACTION = 1.0
"""One action goes well, and nobody has looked behind it."""
ENDLESS = math.inf
"""As many actions as the search looks ahead go well."""


def is_loss(node: Node) -> bool:
    """Say whether something is lost on getting to a node. The end of the game is no good unless rewarded."""
    return node.reward < 0 or (node.is_terminal and node.reward == 0)


def assured_alone(node: Node) -> float:
    """Return the assurance of a node without children."""
    if is_loss(node):
        return NOTHING
    return ONE_ACTION if node.end is None else ENDLESS


def assured_below(node: Node, children: Iterable[Node]) -> float:
    """Return the assurance of a node with children, of which the surest counts."""
    if is_loss(node):
        return NOTHING
    surest: float = max([child.extra.assured for child in children])
    return ONE_ACTION + surest
