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
    """Name of the search, see planners.py."""
    width: Positive = 1
    """A node is novel if a conjunction of up to this many features is."""
    discount: Share = 1.0
    """Factor per action for rewards further away."""
    caching: Caching = "full"
    """What is kept of the subtree below the played action: nothing, all but the states, or all."""
    risk_averse: bool = True
    """Whether negative rewards grow and lost lives are penalised."""
    alpha: Amount = 50_000.0
    """Factor for negative rewards when risk averse."""
    death_penalty: Amount = 10.0
    """What a lost life costs when risk averse, in alphas."""
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
    no_effect_repeats: Count = 1
    """How often an action that changed no feature is repeated before the node is judged.
    Paper: once. The published program: up to twice."""
    max_depth: Annotated[int, Limits(1, DEEPEST)] = 1_500
    """A node this deep is solved on arrival."""
    max_nodes: Positive = 50_000
    """A tree of this many simulated nodes ends the lookahead."""

    def __post_init__(self) -> None:
        """Refuse values that mean nothing."""
        check_limits(self)
