"""The numbers of a figure before it is drawn: points, limits and ticks."""

from __future__ import annotations

import math
from statistics import fmean
from typing import TYPE_CHECKING

from pixelplan.reference.scores import paper_table2

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pixelplan.reports.columns import PlayedColumn

Point = tuple[float, float]
PlacedColumn = tuple[int, "PlayedColumn"]
"""A column and its place among all columns, which gives it its colour and its marker."""

_EVEN_POWERS = [-1_000_000, -10_000, -100, 0, 100, 10_000, 1_000_000, 100_000_000]


def calls_and_scores(column: PlayedColumn, game: str) -> list[Point]:
    """Return simulator calls per decision and score of each run."""
    rows = [row for row in column.rows if row.game == game and row.simulator_calls * row.decisions > 0]
    return [(row.simulator_calls / row.decisions, row.score) for row in rows]


def mean_point(points: list[Point]) -> Point:
    """Return the centre of points."""
    return fmean(x for x, _ in points), fmean(y for _, y in points)


def against_human(scores: dict[str, float]) -> list[Point]:
    """Return the human's score and a column's in each game that has both."""
    human = paper_table2().columns["human"]
    return [(human[game], score) for game, score in scores.items() if game in human]


def paper_against_human(column: PlayedColumn) -> list[Point]:
    """Return both scores for the paper's column that a column reproduces."""
    return against_human(dict(paper_table2().columns[column.paper])) if column.paper else []


def families(columns: list[PlacedColumn]) -> Iterable[list[PlacedColumn]]:
    """Return the columns of each planner: those that differ only in their budget."""
    found: dict[frozenset[str], list[PlacedColumn]] = {}
    for place, column in columns:
        found.setdefault(column.family, []).append((place, column))
    return found.values()


def shared_label(labels: list[str]) -> str:
    """Return the words with which all labels begin; the first label if there are none."""
    first, *others = (label.split() for label in labels)
    length = 0
    while all(words[: length + 1] == first[: length + 1] for words in others) and length < len(first):
        length += 1
    return " ".join(first[:length]).rstrip(",:;") or labels[0]


def signed_limits(points: list[Point]) -> tuple[float, float]:
    """Return limits for both axes, with room at the ends."""
    scores = [score for point in points for score in point]
    return min(min(scores) * 1.8, -20.0), max(max(scores) * 1.8, 100.0)


def even_ticks(low: float, high: float) -> list[int]:
    """Return 0 and every second power of ten to both sides."""
    return [tick for tick in _EVEN_POWERS if low <= tick <= high]


def signed_ticks(limit: float) -> list[float]:
    """Return 0 and powers of ten to both sides, few enough to be read."""
    step = 1 + math.floor(math.log10(limit)) // 3
    powers = [10.0**power for power in range(0, 12, step) if 10.0**power <= limit]
    return [*(-power for power in reversed(powers)), 0.0, *powers]


def log_ticks(low: float, high: float) -> list[float]:
    """Return two or three powers of ten, or finer steps if there are none between the limits."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1,), (1, 3), (1, 2, 5), range(1, 10)):
        ticks = [step * 10.0**power for power in powers for step in steps]
        ticks = [tick for tick in ticks if low <= tick <= high]
        if len(ticks) >= 2:
            return ticks[:: math.ceil(len(ticks) / 3)]
    return []
