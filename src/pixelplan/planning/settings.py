"""Every setting of a search, the four presets of the paper's experiments, and a stronger one."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

from pixelplan.errors import InputError

Caching = Literal["none", "partial", "full"]
NothingFound = Literal["longest", "random"]
CachedNodes = Literal["pass", "test"]
Preset = Literal["iw", "rollout", "ra", "ras", "best"]

DEEPEST = 32_766
"""Novelty tables may keep depths in 16 bits."""


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How one lookahead is made. The defaults are the preset ``ras``."""

    planner: str = "rollout-iw"
    """Name of the search, see planners.py."""
    width: int = 1
    """A node is novel if a conjunction of up to this many features is."""
    discount: float = 1.0
    """Factor per action for rewards further away."""
    caching: Caching = "full"
    """What is kept of the subtree below the played action: nothing, all but the states, or all."""
    risk_averse: bool = True
    """Whether negative rewards grow and lost lives are penalised."""
    alpha: float = 50_000.0
    """Factor for negative rewards when risk averse."""
    death_penalty: float = 10.0
    """What a lost life costs when risk averse, in alphas."""
    lost_life_ends: bool = False
    """Whether nothing is looked for beyond a lost life."""
    cautious: bool = False
    """Whether only what has been seen counts. Otherwise an untried action counts 0 where all others lead to a
    loss. What shows just what a sibling has shown is not looked at twice."""
    subscoring: bool = True
    """Whether there is one novelty table per logscore, or one in all."""
    subgoaling: bool = False
    """Whether there is one novelty table per number of goals that hold, in worlds that have goals."""
    nothing_found: NothingFound = "longest"
    """The action when no reward is in sight: into the highest subtree, or any."""
    root_in_table: bool = True
    """Paper: features true in the root have d[f] = 0. The published program leaves the root out."""
    cached_nodes: CachedNodes = "pass"
    """Paper: cached nodes are passed. The published program tests them (case 3 can prune them)."""
    no_effect_repeats: int = 1
    """How often an action that changed no feature is repeated before the node is judged.
    Paper: once. The published program: up to twice."""
    persistence: float = 0.0
    """Probability that a rollout repeats its last action. Paper: it takes any action, uniformly."""
    foresight: bool = False
    """Whether Rollout IW tries an action last that will show just what a sibling has shown, if both do what
    they did in the nearest node above where both were tried. Only the cautious notice that."""
    curiosity: float = 0.0
    """What a feature is worth that no played state has had: half of it if one has, a third if two have.
    Meant to be so little that it counts only where rewards are equal."""
    verifications: int = 0
    """In how many ways the best branch is followed beyond its end, novel or not, before it is believed.
    While none is sure to end well, ways out are looked for too, along the one that goes well for longest.
    See also `is_wary`."""
    patience: int = 0
    """After how many decisions without a reward or a lost life a life may be lost at no cost, until there is
    one of the two; 0: never. For searches that are averse to risk. The last life is not risked."""
    max_depth: int = 1_500
    """A node this deep is solved on arrival."""
    max_nodes: int = 50_000
    """A tree of this many simulated nodes ends the lookahead."""
    uct_horizon: int = 20
    """UCT: length of a rollout. Bellemare et al. 2013 have 300 frames, which are 20 actions of 15 frames."""
    uct_constant: float = 0.1
    """UCT: weight of exploration, as in Bellemare et al. 2013."""

    @property
    def is_wary(self) -> bool:
        """Whether a branch is believed only as far as it was followed.

        The cautious who are averse to risk are so, if the search can find out: Rollout IW, by verifications.
        """
        can_find_out = self.planner == "rollout-iw" and self.verifications > 0
        return self.cautious and self.risk_averse and can_find_out

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        choices = {"caching": Caching, "nothing_found": NothingFound, "cached_nodes": CachedNodes}
        for name, kind in choices.items():
            known = get_args(kind)
            _check(name, getattr(self, name), getattr(self, name) in known, f"one of {', '.join(known)}")
        for name in ("discount", "persistence"):
            _check(name, getattr(self, name), 0 <= getattr(self, name) <= 1, "between 0 and 1")
        _check("width", self.width, self.width >= 1, "at least 1")
        for name in ("alpha", "death_penalty", "curiosity", "uct_constant"):
            number = getattr(self, name)
            _check(name, number, number >= 0 and math.isfinite(number), "0 or more")
        for name in ("no_effect_repeats", "verifications", "patience"):
            _check(name, getattr(self, name), getattr(self, name) >= 0, "0 or more")
        _check("max_depth", self.max_depth, 1 <= self.max_depth <= DEEPEST, f"between 1 and {DEEPEST}")
        for name in ("max_nodes", "uct_horizon"):
            _check(name, getattr(self, name), getattr(self, name) >= 1, "at least 1")


def _check(name: str, value: object, is_valid: bool, expected: str) -> None:
    if not is_valid:
        raise InputError(f"{name} must be {expected}, not {value}")


_RAS = SearchSettings()
_RA = replace(_RAS, subscoring=False)
_ROLLOUT = replace(_RA, risk_averse=False, nothing_found="random")
_IW = replace(_ROLLOUT, planner="iw")
_BEST = replace(
    _RAS,
    discount=0.99,
    lost_life_ends=True,
    cautious=True,
    persistence=0.5,
    foresight=True,
    curiosity=1e-6,
    verifications=3,
    patience=100,
    max_depth=15,
)

PRESETS: dict[str, SearchSettings] = {
    "iw": _IW,
    "rollout": _ROLLOUT,
    "ra": _RA,
    "ras": _RAS,
    "best": _BEST,
}
"""The planners of the paper's Table 2, as the published experiments ran, and one that plays better."""
