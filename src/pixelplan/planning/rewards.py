"""How rewards steer a search: risk aversion, and the logscore that tells novelty tables apart.

Paper: sections "Penalties and Risk Aversion" and "From Subgoaling to Subscoring".
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class RiskAversion:
    """Negative rewards grow by a factor, and a lost life costs more than any score is worth."""

    alpha: float
    """Factor for negative rewards."""
    death_penalty: float
    """What a lost life costs, in alphas, instead of the action's own reward."""

    def transform(self, reward: float, *, has_lost_life: bool) -> float:
        """Return the reward that the search sees."""
        if has_lost_life:
            return -self.death_penalty * self.alpha
        return reward * self.alpha if reward < 0 else reward


def logscore(path_reward: float) -> int:
    """Return about the base-2 logarithm of the reward collected on a path; 0 if it is not positive."""
    if path_reward <= 0:
        return 0
    # frexp: path_reward = m * 2**exponent with 1/2 <= m < 1, so floor(log2) is exponent - 1, exactly.
    _, exponent = math.frexp(path_reward)
    return exponent - 1 if path_reward < 1 else exponent
