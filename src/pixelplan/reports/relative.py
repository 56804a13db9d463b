"""Relative scores, as in the paper's last figure: the distance from a reference over the lesser score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pixelplan.reference.scores import paper_table1

if TYPE_CHECKING:
    from pixelplan.reports.columns import PlayedColumn

REFERENCES = {"human": "human", "dqn": "DQN"}
"""Columns of the paper's Table 1."""


@dataclass(frozen=True, kw_only=True)
class RelativeScores:
    """The bars of a column, against one reference."""

    column: str
    label: str
    reference: str
    bars: dict[str, float]
    """Game -> length of the bar; infinite ones too."""

    def infinite(self) -> list[str]:
        """Return the games whose bars cannot be drawn."""
        return [game for game, length in self.bars.items() if math.isinf(length)]


def relative_score(ours: float, reference: float) -> float:
    """Return the length of a bar: positive if ours is better.

    Paper: (r - h) / h if r > h, and (h - r) / r downwards if r < h. Differs: the divisor's absolute value,
    since with a negative score the bar would point to the wrong side.
    """
    if ours == reference:
        return 0.0
    divisor = abs(min(ours, reference))
    return math.copysign(abs(ours - reference) / divisor if divisor else math.inf, ours - reference)


def gather_relative(columns: tuple[PlayedColumn, ...]) -> tuple[RelativeScores, ...]:
    """Compare every column with every reference, over the games that both have."""
    references = paper_table1().columns
    return tuple(
        RelativeScores(
            column=column.name,
            label=column.label,
            reference=reference,
            bars={
                game: relative_score(column.means[game], score)
                for game, score in references[reference].items()
                if game in column.means
            },
        )
        for column in columns
        for reference in REFERENCES
    )
