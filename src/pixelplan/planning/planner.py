"""Planners: a search, with the facts about it that others need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pixelplan.planning.lookahead import Lookahead, Observer, Search
from pixelplan.planning.novelty import NoveltyTables
from pixelplan.planning.valuation import PaperValuation, Valuation

if TYPE_CHECKING:
    from random import Random

    from pixelplan.planning.settings import SearchSettings
    from pixelplan.planning.simulator import Simulator

Cost = Callable[[int, float], int]
"""The number that novelty tables compare, by depth and path reward. A smaller number is more novel."""


def by_depth(depth: int, path_reward: float) -> int:  # noqa: ARG001
    """Compare depths, as the paper does."""
    return depth


@dataclass(frozen=True, kw_only=True)
class Planner:
    """A planner. A new one is a file with its search and such a record, and a line in planners.py."""

    search: Callable[[Lookahead], Search]
    """Makes the search of one decision."""
    about: str
    """One line that says what it does."""
    cost: Cost | None = None
    """The number that its novelty tables compare; None if it judges no novelty."""
    valuation: Callable[[SearchSettings, Simulator], Valuation] = PaperValuation
    """Makes what values the nodes of its lookaheads."""

    def plant(
        self, simulator: Simulator, settings: SearchSettings, rng: Random, observer: Observer | None = None
    ) -> Lookahead:
        """Make the lookahead of an episode, with the root of a world."""
        valuation = self.valuation(settings, simulator)
        tables = NoveltyTables(partial(simulator.novelty_table, settings.width))
        return Lookahead(simulator, settings, valuation, tables, rng, observer)
