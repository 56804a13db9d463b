"""Planners: a search, with the facts about it that others need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pixelplan.errors import InputError, describe
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
    """A description in one line."""
    cost: Cost | None = None
    """The number that its novelty tables compare; None if it judges no novelty."""
    has_mean_values: bool = False
    """Whether the values of nodes are means over rollouts: nothing else may back them up."""
    valuation: Callable[[SearchSettings, Simulator], Valuation] = PaperValuation
    """Makes the valuation of its lookaheads."""

    def begin(self, lookahead: Lookahead) -> Search:
        """Begin the search of a decision; InputError if what was made is none."""
        search = self.search(lookahead)
        if not isinstance(search, Iterator):
            raise InputError(
                f"a search yields strands; {self.about!r} returned {describe(search)}: write `yield`"
            )
        return search

    def plant(
        self, simulator: Simulator, settings: SearchSettings, rng: Random, observer: Observer | None = None
    ) -> Lookahead:
        """Make the lookahead of an episode, with the root of a world."""
        valuation = self.valuation(settings, simulator)
        tables = NoveltyTables(partial(simulator.novelty_table, settings.width))
        return Lookahead(simulator, settings, valuation, tables, rng, observer)
