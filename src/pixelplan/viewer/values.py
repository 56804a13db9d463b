"""Values of trees that earlier versions have recorded without: the valuation of their planner, once more.

Two things are not known of them. What was rare is not, so curiosity adds nothing. Nor is how often a node was
visited, so UCT's values are the greatest returns instead of the mean ones.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pixelplan.planning.best import recorded_valuation
from pixelplan.planning.case import Case
from pixelplan.planning.node import Node
from pixelplan.planning.simulator import Transition
from pixelplan.planning.valuation import Valuation, best_branch
from pixelplan.viewer.encoding import NO_PARENT_ROW, Flag

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pixelplan.planning.settings import SearchSettings
    from pixelplan.planning.simulator import Action
    from pixelplan.viewer.tree import Row, ShownTree


def value_tree(
    tree: ShownTree, settings: SearchSettings, actions: Sequence[Action], *, is_bold: bool
) -> None:
    """Value the nodes of a tree, and find its best branch."""
    if is_bold:
        # A lost life ended no branch then.
        settings = replace(settings, lost_life_ends=False)
    valuation = recorded_valuation(settings)
    nodes: dict[int, Node] = {}
    for row, lives in tree.nodes():
        parent = nodes.get(row.parent)
        node = nodes[row.id] = make_node(row, lives, parent, actions)
        if parent is None:
            valuation.leaf(None, node)
            valuation.start(node)
        else:
            if not row.flags & Flag.END:
                node.end = Case.TOO_DEEP if node.depth >= settings.max_depth else None
            valuation.leaf(parent, node)
            parent.children[row.action] = node
    for node in reversed(nodes.values()):
        if node.children:
            valuation.back_up(node)
    tree.value({number: valuation.worth(node) for number, node in nodes.items()})
    tree.branch = _branch(nodes, valuation)


def _branch(nodes: dict[int, Node], valuation: Valuation) -> tuple[Action, ...]:
    return best_branch(next(iter(nodes.values())), valuation) if nodes else ()


def make_node(row: Row, lives: int, parent: Node | None, actions: Sequence[Action]) -> Node:
    """Make the node of a row. Its features are unknown, but for being those of a sibling or not."""
    is_end = bool(row.flags & Flag.END)
    features: object = row.id
    if parent is not None and row.flags & Flag.TWIN:
        features = _sibling_features(row, lives, is_end, parent)
    node = Node(row.id, row.action, Transition(b"", features, row.reward, is_end, lives), row.reward)
    if is_end:
        node.end = Case.DEAD_END
    else:
        node.actions = (row.action,) if row.flags & Flag.REPEAT else actions
    node.depth = 0 if row.parent == NO_PARENT_ROW or parent is None else parent.depth + 1
    node.repeats = int(bool(row.flags & Flag.REPEAT))
    return node


def _sibling_features(row: Row, lives: int, is_end: bool, parent: Node) -> object:
    """Return the features of a sibling whose price is that of a twin."""
    price = (row.reward, lives, is_end)
    for sibling in parent.children.values():
        if (sibling.reward, sibling.lives, sibling.is_terminal) == price and sibling.end is not Case.TWIN:
            return sibling.features
    return row.id
