"""The tree of one decision as the viewer knows it, made of the visits that are told or were recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pixelplan.errors import InputError
from pixelplan.planning.case import Case
from pixelplan.play.trace import NO_PARENT, VISIT
from pixelplan.viewer.encoding import NO_PARENT_ROW, NOT_VISITED, ROW, Flag

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pixelplan.play.trace import Visits
    from pixelplan.viewer.encoding import Rows


LASTING = Flag.LIFE_LOST | Flag.REPEAT | Flag.TWIN | Flag.END
"""What stays true of a node in later decisions."""


class Row(NamedTuple):
    """The fields of ROW."""

    id: int
    parent: int
    reward: float
    action: int
    case: int
    flags: int
    unused: int = 0


class ShownTree:
    """The nodes below one root, and what was told of them in this decision.

    What is told is logged, so that each spectator can be sent what it has not seen yet.
    """

    def __init__(self) -> None:
        self.decision = -1
        self._rows: dict[int, Row] = {}
        """By id, parents first."""
        self._lives: dict[int, int] = {}
        self._born: dict[int, int] = {}
        self._root = NO_PARENT
        self._is_bold = False
        self.born_before = -1
        """The decision in which the root of the decision before was simulated."""
        self._visits: list[Visits] = [np.empty(0, VISIT)]
        self._changed: list[int] = []
        self._solved: list[int] = []

    def begin(self, decision: int, root_row: Visits, *, is_bold: bool = False) -> None:
        """Begin a decision: of what is known, keep what the lookahead has kept below the new root."""
        self.decision = decision
        self.born_before = self._born.get(self._root, decision)
        self._root = int(root_row["id"][0])
        self._keep_below(self._root, keeps_children=is_bold == self._is_bold)
        self._is_bold = is_bold
        self._visits, self._changed, self._solved = [], [], []
        self.add(root_row)

    def _keep_below(self, root: int, *, keeps_children: bool) -> None:
        kept: dict[int, Row] = {}
        for node, row in self._rows.items():
            if node == root or (keeps_children and row.parent in kept):
                kept[node] = row._replace(case=NOT_VISITED, flags=row.flags & LASTING | Flag.KEPT)
        self._rows = kept
        self._lives = {node: self._lives[node] for node in kept}
        self._born = {node: self._born[node] for node in kept}

    def add(self, visits: Visits) -> None:
        """Add nodes that were visited for the first time in this decision; known ones get their case."""
        self._visits.append(visits)
        for node, parent, action, reward, _, case, is_solved, lives in visits.tolist():
            known = self._rows.get(node)
            flags = 0 if known is None else known.flags
            if is_solved:
                flags |= Flag.SOLVED
            if known is None and case == Case.UNTESTED and parent != NO_PARENT:
                flags |= Flag.REPEAT
            if lives < self._lives.get(parent, lives):
                flags |= Flag.LIFE_LOST
            if case == Case.TWIN:
                flags |= Flag.TWIN
            # A lost life that ended a branch does not once its node has become the root.
            flags = flags | Flag.END if case == Case.DEAD_END else flags & ~Flag.END
            # A root has -1 for its parent, and perhaps for its action.
            self._rows[node] = Row(node, parent & NO_PARENT_ROW, reward, action & 0xFF, case, flags)
            self._lives[node] = lives
            self._born.setdefault(node, self.decision)
            self._changed.append(node)

    def solve(self, ids: Iterable[int]) -> None:
        """Note that nodes are solved."""
        for node in ids:
            row = self._rows[node]
            self._rows[node] = row._replace(flags=row.flags | Flag.SOLVED)
            self._solved.append(node)

    def rows(self) -> Rows:
        """Return the whole tree, parents first."""
        return np.array(list(self._rows.values()), ROW)

    def log_lengths(self) -> tuple[int, int]:
        """Return how many nodes have changed since the beginning, and how many were solved."""
        return len(self._changed), len(self._solved)

    def since(self, rows_seen: int, solved_seen: int) -> tuple[Rows, list[int]]:
        """Return the nodes that have changed after so many, as they are now, and those that were solved."""
        rows = [self._rows[node] for node in self._changed[rows_seen:]]
        return np.array(rows, ROW), self._solved[solved_seen:]

    def path(self, node: int) -> tuple[int, ...]:
        """Return the actions that lead from the root to a node; InputError if there is no such node."""
        if node not in self._rows:
            raise InputError(f"node {node} is not in the tree of decision {self.decision}")
        actions = []
        row = self._rows[node]
        while row.parent != NO_PARENT_ROW:
            actions.append(row.action)
            row = self._rows[row.parent]
        return tuple(reversed(actions))

    def born(self, node: int) -> int:
        """Return the decision in which a node was simulated."""
        return self._born[node]

    def visits(self) -> Visits:
        """Return this decision's visits so far in order, the root first."""
        return np.concatenate(self._visits)
