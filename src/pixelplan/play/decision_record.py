"""What is recorded of a decision: a row of decisions.parquet, and what the viewer's page is told.

Whoever needs another fact of each decision adds a field here. The columns of the file, the page's
message and its TypeScript type follow from the fields.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from pixelplan.planning.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pixelplan.play.episode import PlayedDecision
    from pixelplan.play.parquet import Columns

CASE_FIELDS = {
    Case.UNTESTED: "untested",
    Case.NOVEL: "case_1",
    Case.NOT_NOVEL: "case_2",
    Case.NO_LONGER_NOVEL: "case_3",
    Case.STILL_NOVEL: "case_4",
    Case.DEAD_END: "dead_ends",
    Case.TOO_DEEP: "too_deep",
    Case.TWIN: "twins",
    Case.FOLLOWED: "followed",
}
"""The fields that count the arrivals of each case."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DecisionRecord:
    """A decision, its cost, and its result. Fields with a default are missing in older files."""

    decision: int
    """Number of the decision in its episode, from 0 on."""
    action: int
    """The action that was played."""
    value: float
    """The value that was found for the action that was decided."""
    branch: tuple[int, ...] = ()
    """The action that was decided, and those to follow it as far as the lookahead has seen."""
    reward: int
    score: int
    frames: int
    """Frames played since the no-op actions, those of this action included."""
    lives: int
    seconds: float
    cpu_seconds: float = 0.0
    simulator_seconds: float
    simulator_calls: int
    nodes: int
    """Simulated nodes in the tree, those kept from earlier decisions included."""
    new_nodes: int
    rollouts: int
    untested: int
    case_1: int
    case_2: int
    case_3: int
    case_4: int
    dead_ends: int
    too_deep: int = 0
    twins: int = 0
    followed: int = 0
    depth: int
    """Depth of the deepest node simulated in this decision."""
    ending: str
    """Why the lookahead ended."""
    dropped_tree: bool
    """Whether the kept tree was dropped, because the game was not in the state it predicted."""
    bold: bool = False
    """Whether a lost life cost nothing, because patience had run out."""
    late: bool = False
    """Whether the game did not wait for the decision."""
    mispredicted: bool = False
    """Whether the decision was made for another state than the one it was played in."""
    replaced_workers: int = 0
    """Number of worker processes that died or hung, and were replaced."""

    @classmethod
    def of(cls, number: int, played: PlayedDecision) -> DecisionRecord:
        """Return the record of a decision that was played."""
        decision, trace = played.decision, played.decision.trace
        return cls(
            decision=number,
            action=played.action,
            value=decision.value,
            branch=tuple(decision.branch),
            reward=played.reward,
            score=played.score,
            frames=played.frames,
            lives=played.lives,
            seconds=trace.seconds,
            cpu_seconds=trace.cpu_seconds,
            simulator_seconds=trace.simulator_seconds,
            simulator_calls=trace.simulator_calls,
            nodes=trace.nodes,
            new_nodes=trace.new_nodes,
            rollouts=trace.rollouts,
            depth=trace.depth,
            ending=trace.ending.value,
            dropped_tree=trace.has_dropped_tree,
            bold=trace.risks_life,
            late=played.is_late,
            mispredicted=played.is_mispredicted,
            replaced_workers=trace.replaced_workers,
            **{name: trace.cases[case] for case, name in CASE_FIELDS.items()},
        )

    @property
    def chosen(self) -> int:
        """The action that was decided."""
        return self.branch[0] if self.branch else self.action


_KINDS = {"int": int, "float": float, "bool": bool}
_DTYPES = {int: np.int64, float: np.float64, bool: np.bool_, str: object}


def kinds_of_columns() -> dict[str, type]:
    """Return the type of each column's values. A branch is a text of actions, apart by spaces."""
    return {field.name: _KINDS.get(str(field.type), str) for field in fields(DecisionRecord)}


def to_columns(records: Sequence[DecisionRecord]) -> Columns:
    """Return the columns of decisions.parquet."""
    columns: Columns = {}
    for name, kind in kinds_of_columns().items():
        values = [getattr(record, name) for record in records]
        if name == "branch":
            values = [" ".join(map(str, branch)) for branch in values]
        columns[name] = np.array(values, _DTYPES[kind])
    return columns


def from_columns(columns: Mapping[str, Iterable[Any]]) -> tuple[DecisionRecord, ...]:
    """Return the records of a file; ValueError names the first row that is none, and its field."""
    names = [field.name for field in fields(DecisionRecord) if field.name in columns]
    values = zip(*(columns[name] for name in names), strict=True)
    rows = [dict(zip(names, row, strict=True)) for row in values]
    for number, row in enumerate(rows):
        try:
            row["branch"] = [int(action) for action in row.get("branch", "").split()]
        except ValueError:
            raise ValueError(f"Expected actions - at `$[{number}].branch`") from None
    return msgspec.convert(rows, tuple[DecisionRecord, ...])
