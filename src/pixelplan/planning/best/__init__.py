"""The ideas of the preset `best`, which plays better than the paper's planners: one idea a file.

- Rewards and lost lives are valued as in the paper; a lost life ends its branch (valuation.py).
- Caution: an untried action is no way out of a loss, nor is one that shows what a sibling shows (caution.py).
- Assurance: each node knows for how many actions nothing is lost for sure. Choices go by that number first
  (assurance.py).
- Verification: after each rollout the best branch is followed to the greatest depth, which makes it surer.
  Where no branch is sure, a way out is searched for (verification.py).
- Persistence: rollouts tend to repeat their last action, and so travel (persistence.py).
- Foresight: an action that will equal a tried sibling comes last (foresight.py).
- Curiosity: a small bonus for features that the game has seldom shown (curiosity.py).
- Patience: after a long time without an event, a lost life costs nothing for once (patience.py).

The first three and the last two are one valuation, the others a search and a selection around Rollout IW.
`planner_of` puts them in the place of the planner's own. Each idea is a setting, and off by default.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pixelplan.planning.best.persistence import selection
from pixelplan.planning.best.valuation import BestValuation
from pixelplan.planning.best.verification import verified_rollout_iw
from pixelplan.planning.planners import find_planner
from pixelplan.planning.rollout_iw import rollout_iw
from pixelplan.planning.valuation import PaperValuation

if TYPE_CHECKING:
    from pixelplan.planning.planner import Planner
    from pixelplan.planning.settings import SearchSettings


def planner_of(settings: SearchSettings, planner: Planner | None = None) -> Planner:
    """Return a planner, or the one that settings name, with the ideas that they switch on."""
    planner = planner or find_planner(settings.planner)
    if planner.valuation is PaperValuation and is_valued_otherwise(settings):
        planner = replace(planner, valuation=BestValuation)
    if planner.search is rollout_iw and (settings.is_verified or settings.persistence or settings.foresight):
        select = selection(settings.persistence, has_foresight=settings.foresight and settings.cautious)
        search = partial(rollout_iw, select=select)
        if settings.is_verified:
            search = partial(verified_rollout_iw, select=select, ways=settings.verifications)
        planner = replace(planner, search=search)
    return planner


def is_valued_otherwise(settings: SearchSettings) -> bool:
    """Say whether nodes have other values than in the paper."""
    return bool(settings.cautious or settings.lost_life_ends or settings.curiosity or settings.patience)
