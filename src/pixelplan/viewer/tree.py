"""The tree of one decision as the viewer knows it, made of the visits that are told or were recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pixelplan.errors import InputError
from pixelplan.planning.case import Case
from pixelplan.play.trace import NO_PARENT, NOT_VISITED, Visit
from pixelplan.viewer.encoding import NO_PARENT_ROW, NOT_VISITED_ROW, ROW, Flag

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pixelplan.planning.simulator import Action
    from pixelplan.planning.valuation import Worth
    from pixelplan.play.trace import Visits
    from pixelplan.viewer.encoding import Rows


LASTING = Flag.LIFE_LOST | Flag.REPEAT | Flag.TWIN | Flag.END
"""What stays true of a node in later decisions."""


class Row(NamedTuple):
    """The fields of ROW."""

    id: int
    parent: int
    reward: float
    assured: float
    value: float
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
        self.branch: tuple[Action, ...] = ()
        """The best one."""
        self._rows: dict[int, Row] = {}
        """By id, parents first."""
        self._lives: dict[int, int] = {}
        self._born: dict[int, int] = {}
        self._root = NO_PARENT
        self._is_bold = False
        self.born_before = -1
        """The decision in which the root of the decision before was simulated."""
        self._visits: dict[int, Visit] = {}
        self._changed: list[int] = []

    def begin(self, decision: int, root_row: Visits, *, is_bold: bool = False) -> None:
        """Begin a decision: of what is known, keep what the lookahead has kept below the new root."""
        self.decision, self.branch = decision, ()
        self.born_before = self._born.get(self._root, decision)
        self._root = int(root_row["id"][0])
        self._keep_below(self._root, keeps_children=is_bold == self._is_bold)
        self._is_bold = is_bold
        self._visits, self._changed = {}, []
        self.add(root_row)

    def _keep_below(self, root: int, *, keeps_children: bool) -> None:
        kept: dict[int, Row] = {}
        for node, row in self._rows.items():
            if node == root or (keeps_children and row.parent in kept):
                kept[node] = row._replace(case=NOT_VISITED_ROW, flags=row.flags & LASTING | Flag.KEPT)
        self._rows = kept
        self._lives = {node: self._lives[node] for node in kept}
        self._born = {node: self._born[node] for node in kept}

    def add(self, visits: Visits) -> None:
        """Add nodes of this decision, or say anew what is known of them."""
        for visit in map(Visit._make, visits.tolist()):
            node = visit.node
            known = self._rows.get(node)
            flags = 0 if known is None else known.flags
            if visit.is_solved:
                flags |= Flag.SOLVED
            if visit.repeats >= 0:
                flags = flags | Flag.REPEAT if visit.repeats > 0 else flags & ~Flag.REPEAT
            elif known is None and visit.parent != NO_PARENT and visit.case == Case.UNTESTED:
                # Earlier versions do not tell, but such a node was passed when it was new.
                flags |= Flag.REPEAT
            if visit.lives < self._lives.get(visit.parent, visit.lives):
                flags |= Flag.LIFE_LOST
            if visit.case == Case.TWIN:
                flags |= Flag.TWIN
            case = NOT_VISITED_ROW
            if visit.case != NOT_VISITED:
                case = visit.case
                # A lost life that ended a branch does not once its node has become the root.
                flags = flags | Flag.END if case == Case.DEAD_END else flags & ~Flag.END
                self._visits.setdefault(node, visit)
            # A root has -1 for its parent, and perhaps for its action.
            self._rows[node] = Row(
                id=node,
                parent=visit.parent & NO_PARENT_ROW,
                reward=visit.reward,
                assured=visit.assured,
                value=visit.value,
                action=visit.action & 0xFF,
                case=case,
                flags=flags,
            )
            self._lives[node] = visit.lives
            self._born.setdefault(node, self.decision)
            self._changed.append(node)

    def nodes(self) -> Iterator[tuple[Row, int]]:
        """Yield what is known of each node, and its lives; parents first."""
        return ((row, self._lives[node]) for node, row in self._rows.items())

    def value(self, worths: Mapping[int, Worth]) -> None:
        """Say what nodes are worth."""
        for node, (assured, value) in worths.items():
            self._rows[node] = self._rows[node]._replace(assured=assured, value=value)

    def rows(self) -> Rows:
        """Return the whole tree, parents first."""
        return np.array(list(self._rows.values()), ROW)

    def log_length(self) -> int:
        """Return how many nodes were told of since the beginning."""
        return len(self._changed)

    def since(self, seen: int) -> Rows:
        """Return the nodes that were told of after so many, as they are now."""
        return np.array([self._rows[node] for node in dict.fromkeys(self._changed[seen:])], ROW)

    def path(self, node: int) -> tuple[Action, ...]:
        """Return the actions that lead from the root to a node; InputError if there is no such node."""
        if node not in self._rows:
            raise InputError(f"node {node} is not in the tree of decision {self.decision}")
        actions: list[Action] = []
        row = self._rows[node]
        while row.parent != NO_PARENT_ROW:
            assert len(actions) < len(self._rows), "nodes are a tree"
            actions.append(row.action)
            row = self._rows[row.parent]
        return tuple(reversed(actions))

    def born(self, node: int) -> int:
        """Return the decision in which a node was simulated."""
        return self._born[node]

    def visits_until(self, node: int) -> list[Visit]:
        """Return this decision's visits, the root's first, up to that of a node; none if there is none."""
        if node not in self._visits:
            return []
        visits = list(self._visits.values())
        return visits[: 1 + [visit.node for visit in visits].index(node)]
