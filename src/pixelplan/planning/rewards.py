"""Risk aversion: rewards as a search sees them.

Paper: section "Penalties and Risk Aversion".
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class RiskAversion:
    """Negative rewards grow by a factor, and a lost life costs more than any score is worth."""

    alpha: float
    """Factor for negative rewards."""
    death_penalty: float
    """Price of a lost life in multiples of alpha, in place of the action's reward."""

    def transform(self, reward: float, *, has_lost_life: bool) -> float:
        """Return the reward that the search sees."""
        if has_lost_life:
            # Not -0.0 where it costs nothing.
            return 0.0 - self.death_penalty * self.alpha
        return reward * self.alpha if reward < 0 else reward
