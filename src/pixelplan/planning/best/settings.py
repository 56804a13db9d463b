"""Settings of the ideas that `best` adds to the paper. Each of them is off by default."""

from __future__ import annotations

from dataclasses import dataclass

from pixelplan.planning.limits import Amount, Count, Share


@dataclass(frozen=True, kw_only=True)
class BestSettings:
    """What `best` adds."""

    lost_life_ends: bool = False
    """Look no further where a life is lost."""
    cautious: bool = False
    """Count only what was seen: an untried action is no way out of a loss, and a node that equals a
    sibling is looked at once."""
    persistence: Share = 0.0
    """Probability that a rollout repeats its last action."""
    foresight: bool = False
    """Try actions last that are likely to show what a sibling has shown, as they did higher up in the
    tree. For Rollout IW that is cautious."""
    curiosity: Amount = 0.0
    """Value of a feature that the game has not shown yet. It should be little beside any reward."""
    verifications: Count = 0
    """Ways in which the best branch is followed beyond its end before it is believed. If any, ways out are
    looked for where all is lost. For Rollout IW that is cautious and averse to risk."""
    patience: Count = 0
    """Decisions without a reward or a lost life after which a life may be lost at no cost; 0: never. The
    last life is not risked. For searches that are averse to risk."""
