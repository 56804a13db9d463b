"""Foresight: an action that is expected to equal a tried sibling is tried last.

Where few of the actions differ, most calls of a uniform rollout lead to a node that equals a sibling. The
nodes above tell which: two actions that led to equal nodes there will probably do so here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pixelplan.planning.node import Node
    from pixelplan.planning.simulator import Action


def unlike_the_tried(path: Sequence[Node], candidates: Sequence[Action]) -> Sequence[Action]:
    """Return the candidates in the last node of a path that are foreseen to show something of their own."""
    return [action for action in candidates if alike(path, action) == action] or candidates


def alike(path: Sequence[Node], action: Action) -> Action:
    """Return an action tried in the last node of a path that is expected to equal this one, or else this one.

    An untried action is expected to equal another as it did in the nearest node above where both
    were tried.
    """
    *above, node = path
    if action in node.children:
        return noted_alike(node, action)
    others = [*node.children, *node.in_flight]
    while others and above:
        parent = above.pop()
        if action in parent.children:
            for other in others:
                if other in parent.children and noted_alike(parent, other) == noted_alike(parent, action):
                    return other
            others = [other for other in others if other not in parent.children]
    return action


def noted_alike(node: Node, action: Action) -> Action:
    """Return the first action tried in a node that led to an equal child; caution has found it."""
    first: Action = node.children[action].extra.first_alike
    return first
