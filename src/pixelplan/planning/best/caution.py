"""Caution: only states that were seen count.

Where all actions that were tried lead to a loss, an untried one is no way out. Nor is one whose child is a
*twin*: it has the features of a sibling, and has come to them at the same price. A twin ends its branch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.planning.case import Case

if TYPE_CHECKING:
    from pixelplan.planning.node import Node
    from pixelplan.planning.simulator import Action


def find_alike(parent: Node, child: Node) -> Action:
    """Return the action of the first sibling that a new child equals; its own if there is none."""
    # A node whose action is to be repeated is not judged yet, and no sibling repeats its action.
    if child.repeats == 0:
        for sibling in parent.children.values():
            if are_alike(child, sibling):
                return sibling.action
    return child.action


def are_alike(node: Node, other: Node) -> bool:
    """Say whether two nodes have the same features, at the same price."""
    return bool(
        node.features == other.features
        and node.reward == other.reward
        and node.lives == other.lives
        and node.is_terminal == other.is_terminal
    )


def counted(node: Node) -> list[Node]:
    """Return the simulated children that are no twins."""
    return [child for child in node.children.values() if child.end is not Case.TWIN]
