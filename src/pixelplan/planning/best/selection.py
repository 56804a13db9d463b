"""The selection of `best`: persistence and foresight together say by which action a rollout goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.planning.best.foresight import alike, unlike_the_tried
from pixelplan.planning.best.persistence import persists

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pixelplan.planning.lookahead import Lookahead
    from pixelplan.planning.node import Node
    from pixelplan.planning.rollout_iw import Select
    from pixelplan.planning.simulator import Action


def selection(persistence: float, *, has_foresight: bool) -> Select:
    """Make a selection that repeats the last action, or one expected to equal it, with this probability."""

    def select(lookahead: Lookahead, path: Sequence[Node], candidates: Sequence[Action]) -> Action:
        last = path[-1].action
        if has_foresight:
            candidates = unlike_the_tried(path, candidates)
            last = alike(path, last)
        if last in candidates and persists(persistence, lookahead.rng):
            return last
        return lookahead.rng.choice(candidates)

    return select
