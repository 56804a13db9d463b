"""The settings that the paper has, or leaves open. The defaults are its strongest planner's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pixelplan.planning.limits import Amount, Count, Limits, Positive, Share, check_limits

Caching = Literal["none", "partial", "full"]
NothingFound = Literal["longest", "random"]
CachedNodes = Literal["pass", "test"]

DEEPEST = 32_766
"""Novelty tables may keep depths in 16 bits."""


@dataclass(frozen=True, kw_only=True)
class PaperSettings:
    """How one lookahead of the paper is made."""

    planner: str = "rollout-iw"
    """Search: see `pixelplan planners`. MODULE:NAME is a planner of your own."""
    width: Positive = 1
    """Size of the conjunctions of features whose novelty counts, for small feature sets."""
    discount: Share = 1.0
    """Factor per action for rewards further away."""
    caching: Caching = "full"
    """What is kept of the last lookahead: nothing, all but simulator states, or all."""
    risk_averse: bool = True
    """Multiply negative rewards by alpha, and penalise lost lives."""
    alpha: Amount = 50_000.0
    """Factor for negative rewards, where the search is averse to risk."""
    death_penalty: Amount = 10.0
    """Price of a lost life in alphas, where the search is averse to risk."""
    subscoring: bool = True
    """One novelty table per logscore, or one in all."""
    subgoaling: bool = False
    """One novelty table per number of goals that hold, in worlds that have goals."""
    nothing_found: NothingFound = "longest"
    """Action when no reward is in sight: into the highest subtree, or any."""
    root_in_table: bool = True
    """Enter the root in the novelty table. Paper: d[f] = 0 for its features. The published program leaves
    it out."""
    cached_nodes: CachedNodes = "pass"
    """Pass nodes of earlier lookaheads, as in the paper, or test their novelty, as the published program."""
    no_effect_repeats: Count = 1
    """How often an action that changed no feature is repeated before its node is judged. Paper: once. The
    published program: up to twice."""
    max_depth: Annotated[int, Limits(1, DEEPEST)] = 1_500
    """Depth at which a branch ends, in actions."""
    max_nodes: Positive = 50_000
    """Number of simulated nodes in the tree at which a lookahead ends."""

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        check_limits(self)
