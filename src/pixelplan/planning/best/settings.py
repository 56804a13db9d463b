"""Settings of the ideas that `best` adds to the paper. Each of them is off by default."""

from __future__ import annotations

from dataclasses import dataclass

from pixelplan.planning.limits import Amount, Count, Share


@dataclass(frozen=True, kw_only=True)
class BestSettings:
    """The settings that `best` adds to the paper's."""

    lost_life_ends: bool = False
    """End a branch where a life is lost."""
    cautious: bool = False
    """Do not count an untried action as a way out of a loss. End a branch at a node that equals a
    sibling."""
    persistence: Share = 0.0
    """Probability that a rollout repeats its last action."""
    foresight: bool = False
    """Try an action last if it equalled one of those already tried, in the nearest node above where both
    were tried. For cautious Rollout IW."""
    curiosity: Amount = 0.0
    """Bonus in points for each feature of a node that the played game has never shown; after n times it is
    divided by 1 + n. Keep it far below any reward."""
    verifications: Count = 0
    """Number of ways in which the best branch is followed beyond its end before it is believed; 0 = none.
    Above 0, a way out is searched for while no branch is sure to end well. For cautious Rollout IW that is
    averse to risk."""
    patience: Count = 0
    """Number of decisions without a point or a lost life after which a lost life costs nothing; 0 = never.
    The last life is not risked. For searches that are averse to risk."""
