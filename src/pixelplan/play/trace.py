"""The record of one lookahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pixelplan.planning.budget import Ending
from pixelplan.planning.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pixelplan.planning.lookahead import Lookahead
    from pixelplan.planning.node import Node
    from pixelplan.planning.valuation import Worth

NO_PARENT = -1
NOT_VISITED = -1
"""In place of a case: no rollout has visited the node in this decision."""


class Visit(NamedTuple):
    """A node as a decision leaves it, with the case of its first visit in the decision."""

    node: int
    parent: int
    """The root's is NO_PARENT."""
    action: int
    reward: float
    """Of the action, as the search sees it."""
    depth: int
    case: int
    is_solved: bool
    lives: int
    value: float
    assured: float
    """For how many actions nothing is lost for sure; endless where no search verifies anything."""
    repeats: int
    """Number of times in a row that the action has changed no feature."""


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
        ("value", np.float64),
        ("assured", np.float64),
        ("repeats", np.int32),
    ]
)
"""The columns of nodes.parquet: a `Visit` each."""

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
    """Collects the nodes that a decision visits, in order, and those to which it gives another worth."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[Node, int, int]] = {}
        """The visited nodes by number, with their parent's number and their case."""
        self._worths: dict[int, Worth] = {}
        """Of each node of the tree, as it was told last."""

    def start(self, lookahead: Lookahead) -> None:
        """Begin a decision with the visit of its root."""
        self._root, self._valuation = lookahead.root, lookahead.valuation
        self._seen = {self._root.number: (self._root, NO_PARENT, 0)}

    def note(self, parent: Node, node: Node, case: Case) -> None:
        """Note an arrival at a node."""
        self._seen.setdefault(node.number, (node, parent.number, int(case)))

    def visits(self) -> Visits | None:
        """Return what was visited since the start, then the kept nodes that are worth something else now."""
        visited = [self.row(*seen) for seen in self._seen.values()]
        return np.array([*visited, *self.revalued()], VISIT)

    def row(self, node: Node, parent: int, case: int) -> Visit:
        """Return what there is to tell of a node now."""
        assured, value = self._worths[node.number] = self._valuation.worth(node)
        return Visit(
            node.number,
            parent,
            node.action,
            node.reward,
            node.depth,
            case,
            node.is_solved,
            node.lives,
            value,
            assured,
            node.repeats,
        )

    def revalued(self) -> list[Visit]:
        """Return the nodes that were not visited, and are worth something else than was told; parents first.

        Whatever is not in the tree any more is forgotten.
        """
        rows, before, self._worths = [], self._worths, {}
        for node, parent in self._walk():
            worth = self._worths[node.number] = self._valuation.worth(node)
            if node.number not in self._seen and worth != before.get(node.number):
                rows.append(self.row(node, parent, NOT_VISITED))
        return rows

    def _walk(self) -> Iterator[tuple[Node, int]]:
        stack = [(self._root, NO_PARENT)]
        while stack:
            node, parent = stack.pop()
            yield node, parent
            stack += [(child, node.number) for child in node.children.values()]

    def parent(self, node: Node) -> Node | None:
        """Return the parent of a visited node; None for the root's."""
        _, parent, _ = self._seen[node.number]
        return None if parent == NO_PARENT else self._seen[parent][0]
