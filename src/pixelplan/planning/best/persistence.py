"""Persistence: a rollout tends to repeat its last action.

Paper: a rollout takes any of the unsolved actions, uniformly. Such a walk hardly leaves the place where it
starts; one that persists travels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random


def persists(persistence: float, rng: Random) -> bool:
    """Draw whether a rollout repeats its last action; nothing is drawn where it never does."""
    return persistence > 0 and rng.random() < persistence
