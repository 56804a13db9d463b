"""Which of the unsolved actions a rollout takes.

Paper: any of them, uniformly. A uniform walk hardly leaves the place where it starts; one that tends to
repeat its last action travels. And where few of the actions differ, most of a uniform walk's calls show
what a sibling has shown; the nodes above tell which these are likely to be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pixelplan.planning.lookahead import Lookahead
    from pixelplan.planning.node import Node
    from pixelplan.planning.simulator import Action


def next_action(lookahead: Lookahead, path: Sequence[Node], candidates: Sequence[Action]) -> Action:
    """Choose among the candidates of the last node of a path: the action that led there, perhaps, or any."""
    rng, persistence = lookahead.rng, lookahead.settings.persistence
    last = path[-1].action
    if lookahead.settings.foresight:
        candidates = [action for action in candidates if alike(path, action) == action] or candidates
        last = alike(path, last)
    if persistence and last in candidates and rng.random() < persistence:
        return last
    return rng.choice(candidates)


def alike(path: Sequence[Node], action: Action) -> Action:
    """Return what was tried in the last node of a path and shows the same as an action, or else the action.

    An action that was not tried itself is foreseen to do what it did in the nearest node above where both
    were tried.
    """
    *above, node = path
    if action in node.children:
        return node.children[action].first_alike
    others = [*node.children, *node.in_flight]
    while others and above:
        tried = above.pop().children
        if action in tried:
            for other in others:
                if other in tried and tried[other].first_alike == tried[action].first_alike:
                    return other
            others = [other for other in others if other not in tried]
    return action
