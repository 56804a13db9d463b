"""Novelty: does a node reach some feature at a smaller depth than any node before it?

Paper: section "IW Rollouts", the values d[f]. A table keeps, for each feature, the least depth at
which it was reached; it is the only thing that knows what features are.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

Features = Any
"""Whatever a novelty table can judge."""


class Novelty(enum.Enum):
    """How a node's depth compares with the least depths d[f] of its features f."""

    IMPROVES = 0
    """depth < d[f] for some f"""
    TIES = 1
    """depth >= d[f] for all f, and depth = d[f] for some f"""
    WORSE = 2
    """depth > d[f] for all f"""


class NoveltyTable(Protocol):
    """The least depth at which each feature was reached."""

    def compare(self, features: Features, depth: int) -> Novelty:
        """Compare a depth with the least depths of these features."""
        ...

    def update(self, features: Features, depth: int) -> Novelty:
        """Compare, then lower the features' least depths to this depth where they are greater."""
        ...

    def clear(self) -> None:
        """Forget all depths."""
        ...


class AtomTable:
    """A table for small feature sets: features are an iterable of hashable atoms."""

    def __init__(self) -> None:
        self._least_depth: dict[Hashable, int] = {}

    def compare(self, features: Iterable[Hashable], depth: int) -> Novelty:
        """Compare a depth with the least depths of these atoms."""
        novelty = Novelty.WORSE
        for atom in features:
            least = self._least_depth.get(atom)
            if least is None or depth < least:
                return Novelty.IMPROVES
            if depth == least:
                novelty = Novelty.TIES
        return novelty

    def update(self, features: Iterable[Hashable], depth: int) -> Novelty:
        """Compare, then lower the atoms' least depths to this depth where they are greater."""
        novelty = self.compare(features, depth)
        if novelty is Novelty.IMPROVES:
            for atom in features:
                self._least_depth[atom] = min(depth, self._least_depth.get(atom, depth))
        return novelty

    def clear(self) -> None:
        """Forget all depths."""
        self._least_depth.clear()


class NoveltyTables:
    """One novelty table per part of the search space, made when first needed and used again."""

    def __init__(self, make_table: Callable[[], NoveltyTable]) -> None:
        self._make_table = make_table
        self._tables: dict[int, NoveltyTable] = {}
        self._spare: list[NoveltyTable] = []

    def __getitem__(self, part: int) -> NoveltyTable:
        """Return the table of one part."""
        table = self._tables.get(part)
        if table is None:
            table = self._spare.pop() if self._spare else self._make_table()
            self._tables[part] = table
        return table

    def clear(self) -> None:
        """Empty all tables, before a new decision."""
        for table in self._tables.values():
            table.clear()
            self._spare.append(table)
        self._tables.clear()
