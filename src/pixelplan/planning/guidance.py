"""Which of the unsolved actions a rollout takes.

Paper: any of them, uniformly. A uniform walk hardly leaves the place where it starts; one that tends to
repeat its last action travels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pixelplan.planning.lookahead import Lookahead
    from pixelplan.planning.node import Node
    from pixelplan.planning.simulator import Action


def next_action(lookahead: Lookahead, node: Node, candidates: Sequence[Action]) -> Action:
    """Choose among the candidates of a node: the action that led there, perhaps, or any."""
    rng, persistence = lookahead.rng, lookahead.settings.persistence
    if persistence and node.action in candidates and rng.random() < persistence:
        return node.action
    return rng.choice(candidates)
