"""The ideas of the preset `best`, which plays better than the paper's planners: one idea a file.

- Lost lives: a lost life ends its branch (lost_lives.py).
- Caution: an untried action is no way out of a loss, nor is one that equals a sibling (caution.py).
- Assurance: each node knows for how many actions nothing is lost for sure. Choices go by that number first
  (assurance.py).
- Verification: the best branch is followed before it is believed. Where no branch is sure, a way out is
  looked for (verification.py).
- Persistence: rollouts tend to repeat their last action, and so travel (persistence.py).
- Foresight: an action that will equal a tried sibling comes last (foresight.py).
- Curiosity: a small bonus for features that the game has seldom shown (curiosity.py).
- Patience: after a long time without an event, a lost life costs nothing for once (patience.py).

How they act together, and what each of them needs:
- Values, ends and choices are one valuation (valuation.py). Any planner can search with it.
- Persistence and foresight are one selection (selection.py), and verification is a search around Rollout IW.
- So these three act on Rollout IW alone. Other searches take no selection, and reach too little to verify.
- Foresight needs caution, which finds the twins that it goes by.
- Verification needs caution and aversion to risk. Without them no branch is in doubt.
- Assurance is no setting of its own. It is on with verification.
- Patience needs aversion to risk. While a lost life costs nothing, it ends no branch either.
- Curiosity values kept trees anew, by maxima. So it adds nothing where values are means, as in UCT.
- A planner with a valuation of its own keeps that. Of these ideas, persistence is left to it.

`planner_of` puts the ideas in the place of the planner's own. Each is a setting, and off by default.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pixelplan.planning.best.selection import selection
from pixelplan.planning.best.valuation import BestValuation
from pixelplan.planning.best.verification import verified_rollout_iw
from pixelplan.planning.planners import PLANNERS, find_planner
from pixelplan.planning.rollout_iw import rollout_iw
from pixelplan.planning.valuation import PaperValuation

if TYPE_CHECKING:
    from pixelplan.planning.planner import Planner
    from pixelplan.planning.settings import SearchSettings
    from pixelplan.planning.valuation import Valuation


def planner_of(settings: SearchSettings, planner: Planner | None = None) -> Planner:
    """Return a planner, or the one that settings name, with the ideas that they switch on."""
    planner = planner or find_planner(settings.planner)
    is_ours = planner.valuation is PaperValuation and is_valued_otherwise(settings)
    verifies = is_ours and is_verified(settings, planner)
    has_foresight = is_ours and settings.cautious and settings.foresight
    if planner.search is rollout_iw and (verifies or settings.persistence or has_foresight):
        select = selection(settings.persistence, has_foresight=has_foresight)
        search = partial(rollout_iw, select=select)
        if verifies:
            search = partial(verified_rollout_iw, select=select, ways=settings.verifications)
        planner = replace(planner, search=search)
    if is_ours:
        is_curious = not planner.has_mean_values
        planner = replace(
            planner, valuation=partial(BestValuation, is_verified=verifies, is_curious=is_curious)
        )
    return planner


def is_verified(settings: SearchSettings, planner: Planner) -> bool:
    """Say whether a planner follows its best branch, and believes it only as far as it was followed."""
    is_asked_for = settings.cautious and settings.risk_averse and settings.verifications > 0
    return is_asked_for and planner.search is rollout_iw


def is_valued_otherwise(settings: SearchSettings) -> bool:
    """Say whether nodes have other values than in the paper."""
    return bool(settings.cautious or settings.lost_life_ends or settings.curiosity or settings.patience)


def recorded_valuation(settings: SearchSettings) -> Valuation:
    """Make the valuation of an episode that was recorded: there is no world, and so nothing is rare.

    A planner from outside is not imported. It is taken for one that verifies nothing.
    """
    planner = PLANNERS.get(settings.planner)
    if not is_valued_otherwise(settings):
        return PaperValuation(settings)
    return BestValuation(settings, is_verified=planner is not None and is_verified(settings, planner))
