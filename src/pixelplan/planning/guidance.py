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
    last_action = path[-1].action
    rng, persistence = lookahead.rng, lookahead.settings.persistence
    if lookahead.settings.foresight:
        candidates = without_twins(path, candidates) or candidates
    if persistence and last_action in candidates and rng.random() < persistence:
        return last_action
    return rng.choice(candidates)


def without_twins(path: Sequence[Node], candidates: Sequence[Action]) -> Sequence[Action]:
    """Leave out the untried actions that will show what another one shows, if they do what they did above."""
    *above, node = path
    others = [*node.children, *node.in_flight]
    if not others:
        return candidates
    return [action for action in candidates if action in node.children or not was_twin(above, action, others)]


def was_twin(path: Sequence[Node], action: Action, others: Sequence[Action]) -> bool:
    """Say whether an action showed what one of the others did, in the last node where it was tried."""
    for node in reversed(path):
        if (child := node.children.get(action)) is not None:
            siblings = map(node.children.get, others)
            return any(sibling and sibling.first_alike == child.first_alike for sibling in siblings)
    return False
