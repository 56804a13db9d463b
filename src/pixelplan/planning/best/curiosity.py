"""Curiosity: a small bonus for features that the game has seldom shown.

Novelty tables forget everything between decisions. A familiarity remembers, and counts the features of
played states only. Where no reward is in sight, the search goes where the game has not been. Counts as a
reason to explore:
- Strehl and Littman, "An analysis of model-based interval estimation for Markov decision processes",
  JCSS 2008;
- Bellemare et al., "Unifying count-based exploration and intrinsic motivation", NIPS 2016.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pixelplan.planning.familiarity import Familiarity
    from pixelplan.planning.node import Node


class Curiosity:
    """Tells the bonus of a node, which is the greater the less familiar its features are."""

    def __init__(self, weight: float, familiarity: Familiarity) -> None:
        self._weight = weight
        self._familiarity = familiarity

    def note(self, root: Node) -> None:
        """Count the features of a state that was played."""
        self._familiarity.note(root.features)

    def bonus(self, node: Node) -> float:
        """Return what the features of a node are worth because they are rare."""
        return self._weight * self._familiarity.rarity(node.features)
