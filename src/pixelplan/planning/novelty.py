"""Novelty: does a node reach some feature at a smaller depth than any node before it?

Paper: section "IW Rollouts", the values d[f]. A table keeps, for each feature, the least depth at
which it was reached; it is the only thing that knows what features are. For width k > 1 the table is
one of conjunctions of up to k features.
"""

from __future__ import annotations

import enum
import math
from itertools import accumulate, chain, combinations, takewhile
from typing import TYPE_CHECKING, Any, Protocol

from pixelplan.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Iterator

Features = Any
"""Whatever a novelty table can judge."""

MAX_CONJUNCTIONS = 1_000_000
"""A state may have so many true conjunctions: each is looked at whenever the state is judged."""


class Novelty(enum.IntEnum):
    """Result of comparing a node's depth with the least depths d[f] of its features f."""

    IMPROVES = 0
    """depth < d[f] for some f"""
    TIES = 1
    """depth >= d[f] for all f, and depth = d[f] for some f"""
    WORSE = 2
    """depth > d[f] for all f"""


IMPROVES, TIES, WORSE = Novelty
"""For the inner loop, where looking up a member of an enumeration takes time."""


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
        self._find = self._least_depth.__getitem__

    def compare(self, features: Iterable[Hashable], depth: int) -> Novelty:
        """Compare a depth with the least depths of these atoms."""
        try:
            greatest = max(map(self._find, features), default=-1)
        except KeyError:
            # An atom was never reached.
            return IMPROVES
        if depth < greatest:
            return IMPROVES
        return TIES if depth == greatest else WORSE

    def update(self, features: Iterable[Hashable], depth: int) -> Novelty:
        """Compare, then lower the atoms' least depths to this depth where they are greater."""
        novelty = self.compare(features, depth)
        if novelty is IMPROVES:
            for atom in features:
                self._least_depth[atom] = min(depth, self._least_depth.get(atom, depth))
        return novelty

    def clear(self) -> None:
        """Forget all depths."""
        self._least_depth.clear()


class ConjunctionTable:
    """The least depth of each conjunction of up to `width` atoms, enumerated when a node is judged."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._table = AtomTable()
        self._number_of: dict[Hashable, int] = {}

    def compare(self, features: Collection[Hashable], depth: int) -> Novelty:
        """Compare a depth with the least depths of the conjunctions of these atoms."""
        return self._table.compare(self._conjunctions(features), depth)

    def update(self, features: Collection[Hashable], depth: int) -> Novelty:
        """Compare, then lower the conjunctions' least depths to this depth where they are greater."""
        return self._table.update(self._conjunctions(features), depth)

    def clear(self) -> None:
        """Forget all depths."""
        self._table.clear()

    def _conjunctions(self, features: Collection[Hashable]) -> Conjunctions:
        check_width(len(features), self._width)
        # Atoms need not be comparable, but the numbers in which they were first met are.
        numbers = sorted(self._number_of.setdefault(atom, len(self._number_of)) for atom in features)
        return Conjunctions(numbers, self._width)


class Conjunctions:
    """The conjunctions of up to `width` of some atoms, made anew whenever they are iterated over."""

    def __init__(self, atoms: list[int], width: int) -> None:
        self._atoms = atoms
        self._width = width

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield the conjunctions, the smaller ones first."""
        sizes = range(1, self._width + 1)
        return chain.from_iterable(combinations(self._atoms, size) for size in sizes)


def check_width(atoms: int, width: int, what: str = "this world") -> None:
    """Refuse a width for which a state with so many atoms has too many conjunctions."""
    possible = possible_width(atoms, width)
    if possible < width:
        raise InputError(
            f"width {width} is too much for {what}: {atoms:,} atoms of a state have more than "
            f"{MAX_CONJUNCTIONS:,} conjunctions of up to {width}; the greatest possible width is {possible}"
        )


def possible_width(atoms: int, width: int) -> int:
    """Return the greatest width up to this one for which there are not too many conjunctions."""
    counts = accumulate(math.comb(atoms, size) for size in range(1, width + 1))
    return max(1, sum(1 for _ in takewhile(lambda count: count <= MAX_CONJUNCTIONS, counts)))


def atom_table(width: int) -> NoveltyTable:
    """Make an empty table for features that are sets of atoms."""
    return AtomTable() if width == 1 else ConjunctionTable(width)


class NoveltyTables:
    """One novelty table per part of the search space, made when first needed and used again."""

    def __init__(self, make_table: Callable[[], NoveltyTable]) -> None:
        self._make_table = make_table
        self._tables: dict[Hashable, NoveltyTable] = {}
        # One is made at once, so that features that cannot be judged are refused before anything starts.
        self._spare = [make_table()]

    def __getitem__(self, part: Hashable) -> NoveltyTable:
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
