"""Counts of features in the states that were played: a novelty table that never forgets."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from pixelplan.planning.novelty import Features


class Familiarity(Protocol):
    """How often each atom was true in the states that were played."""

    def note(self, features: Features) -> None:
        """Count the atoms of a played state."""
        ...

    def rarity(self, features: Features) -> float:
        """Return the sum of 1 / (1 + count) over the atoms of a state."""
        ...


class AtomFamiliarity:
    """A familiarity for small feature sets: features are an iterable of hashable atoms."""

    def __init__(self) -> None:
        self._counts: Counter[Hashable] = Counter()

    def note(self, features: Iterable[Hashable]) -> None:
        """Count the atoms of a played state."""
        self._counts.update(features)

    def rarity(self, features: Iterable[Hashable]) -> float:
        """Return the sum of 1 / (1 + count) over the atoms of a state."""
        # Exactly, whatever the order of a set is in this process.
        return math.fsum(1 / (1 + self._counts[atom]) for atom in features)
