"""The settings that the paper has, or leaves open. The defaults are its strongest planner's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pixelplan.planning.limits import Amount, Count, Form, Limits, Positive, Share, check_limits

Caching = Literal["none", "partial", "full"]
NothingFound = Literal["longest", "random"]
CachedNodes = Literal["pass", "test"]

DEEPEST = 32_766
"""Novelty tables may keep depths in 16 bits."""


@dataclass(frozen=True, kw_only=True)
class PaperSettings:
    """The paper's settings of one lookahead."""

    planner: Annotated[str, Form("MODULE:NAME")] = "rollout-iw"
    """Search, by its name in `pixelplan planners`; MODULE:NAME is a planner of your own."""
    width: Positive = 1
    """Largest number of features in a conjunction whose novelty counts. Above 1 for small feature sets
    only."""
    discount: Share = 1.0
    """Factor on a reward for each action by which it lies further away."""
    caching: Caching = "full"
    """Part of the last lookahead that is kept: none of it, all but simulator states (partial), or all
    (full)."""
    risk_averse: bool = True
    """Multiply negative rewards by alpha, and penalise lost lives."""
    alpha: Amount = 50_000.0
    """Factor on negative rewards. For searches that are averse to risk."""
    death_penalty: Amount = 10.0
    """Price of a lost life, in multiples of alpha points. For searches that are averse to risk."""
    subscoring: bool = True
    """Keep one novelty table per logscore, instead of one in all."""
    subgoaling: bool = False
    """Keep one novelty table per number of goals that hold. For worlds that have goals."""
    nothing_found: NothingFound = "longest"
    """Action played when no reward is in sight: the one with the highest subtree (longest), or any
    (random)."""
    root_in_table: bool = True
    """Enter the root's features in the novelty table. Paper: d[f] = 0 for them. The published program leaves
    them out."""
    cached_nodes: CachedNodes = "pass"
    """Treatment of nodes of earlier lookaheads: pass them untested, as in the paper, or test their novelty,
    as the published program does."""
    no_effect_repeats: Count = 1
    """Number of times that an action without effect on the features is repeated before its node is judged.
    Paper: 1. Published program: up to 2."""
    max_depth: Annotated[int, Limits(1, DEEPEST)] = 1_500
    """Depth at which a branch ends, in actions."""
    max_nodes: Positive = 50_000
    """Number of simulated nodes in the tree at which a lookahead ends."""

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        check_limits(self)
