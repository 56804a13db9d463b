"""The record of one lookahead."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pixelplan.planning.budget import Ending
from pixelplan.planning.case import Case

if TYPE_CHECKING:
    from pixelplan.planning.lookahead import Lookahead
    from pixelplan.planning.node import Node

NO_PARENT = -1
UNKNOWN_LIVES = -1
"""Traces of earlier versions do not say how many lives are left."""

VISIT = np.dtype(
    [
        ("id", np.int64),
        ("parent", np.int64),
        ("action", np.int32),
        ("reward", np.float64),
        ("depth", np.int32),
        ("case", np.int8),
        ("solved", np.bool_),
        ("lives", np.int32),
    ]
)
"""The first visit of a node in a decision. The root's parent is NO_PARENT."""

Visits = npt.NDArray[Any]
"""An array of VISIT."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trace:
    """Counts and times of one lookahead, and the reason why it ended."""

    seconds: float
    cpu_seconds: float
    """Time that this process had of a CPU, worker processes not included."""
    simulator_seconds: float
    """Seconds that the simulator worked, in all processes together."""
    simulator_calls: int
    nodes: int
    """Simulated nodes in the tree, those kept from earlier decisions included."""
    new_nodes: int
    rollouts: int
    cases: tuple[int, ...]
    """Occurrences of each case, by its number."""
    depth: int
    """Depth of the deepest node simulated in this decision."""
    ending: Ending
    has_dropped_tree: bool
    """Whether the kept tree was dropped, because the game was not in the state it predicted."""
    risks_life: bool = False
    """Whether a lost life cost nothing, because patience had run out."""
    replaced_workers: int = 0
    """Number of worker processes that died or hung, and were replaced."""
    visits: Visits | None = None
    """The nodes in the order of their first visit, if asked for."""

    @classmethod
    def empty(cls) -> Trace:
        """Return the trace of a lookahead that was not needed."""
        return cls(
            seconds=0.0,
            cpu_seconds=0.0,
            simulator_seconds=0.0,
            simulator_calls=0,
            nodes=0,
            new_nodes=0,
            rollouts=0,
            cases=(0,) * len(Case),
            depth=0,
            ending=Ending.SOLVED,
            has_dropped_tree=False,
        )


class VisitLog:
    """Collects the first visit of each node, in order."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[Node, int, int]] = {}

    def start(self, lookahead: Lookahead) -> None:
        """Begin a decision with the visit of its root."""
        root = lookahead.root
        self._seen = {root.number: (root, NO_PARENT, 0)}

    def note(self, parent: Node, node: Node, case: Case) -> None:
        """Note an arrival at a node."""
        self._seen.setdefault(node.number, (node, parent.number, int(case)))

    def visits(self) -> Visits | None:
        """Return what was visited since the start; `solved` is as it is now."""
        return self.rows()

    def rows(self, first: int = 0) -> Visits:
        """Return the visits from one of them on, counted from 0."""
        rows = [
            (node.number, parent, node.action, node.reward, node.depth, case, node.is_solved, node.lives)
            for node, parent, case in islice(self._seen.values(), first, None)
        ]
        return np.array(rows, VISIT)

    def parent(self, node: Node) -> Node | None:
        """Return the parent of a visited node; None for the root's."""
        _, parent, _ = self._seen[node.number]
        return None if parent == NO_PARENT else self._seen[parent][0]
