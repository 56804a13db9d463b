"""Settings of the ideas that `best` adds to the paper. Each of them is off by default."""

from __future__ import annotations

from dataclasses import dataclass

from pixelplan.planning.limits import Amount, Count, Share


@dataclass(frozen=True, kw_only=True)
class BestSettings:
    """What `best` adds."""

    lost_life_ends: bool = False
    """Whether nothing is looked for beyond a lost life."""
    cautious: bool = False
    """Whether only what has been seen counts. Otherwise an untried action counts 0 where all others lead to a
    loss. A node that equals a sibling is looked at once."""
    persistence: Share = 0.0
    """Probability that a rollout repeats its last action. Paper: it takes any action, uniformly."""
    foresight: bool = False
    """Whether Rollout IW tries an action last that will show just what a sibling has shown, if both do what
    they did in the nearest node above where both were tried. Needs `cautious`."""
    curiosity: Amount = 0.0
    """Value of a feature that no played state has had: half of it if one has, a third if two have.
    Meant to be so little that it counts only where rewards are equal."""
    verifications: Count = 0
    """In how many ways the best branch is followed beyond its end, novel or not, before it is believed.
    While none is sure to end well, ways out are looked for too, along the one that goes well for longest.
    For Rollout IW that is cautious and averse to risk."""
    patience: Count = 0
    """After how many decisions without a reward or a lost life a life may be lost at no cost, until there is
    one of the two; 0: never. For searches that are averse to risk. The last life is not risked."""
