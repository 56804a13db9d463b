"""Patience: after a long time without a point or a lost life, a lost life costs nothing.

A search that is averse to risk would stand for ever on a ledge from which all ways down are a fall. But
lives are left, and after a lost one the game goes on from elsewhere.
"""

from __future__ import annotations


class Patience:
    """Counts the decisions since a reward or a lost life, and says when a life may be lost at no cost."""

    def __init__(self, decisions: int) -> None:
        self.risks_life = False
        """Whether the decision is one that takes the risk."""
        self._limit = decisions
        self._uneventful = 0
        self._lives = 0

    def start(self, lives: int) -> bool:
        """Begin a decision with so many lives; say whether the price of a life has changed."""
        if lives < self._lives:
            self._uneventful = 0
        self._lives = lives
        risked_life = self.risks_life
        # The last life is not risked.
        self.risks_life = 0 < self._limit <= self._uneventful and lives > 1
        self._uneventful += 1
        return self.risks_life != risked_life

    def observe(self, reward: float) -> None:
        """Begin to count anew if the played action was rewarded."""
        if reward > 0:
            self._uneventful = 0
