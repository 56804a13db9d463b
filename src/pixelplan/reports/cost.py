"""Cost of the columns: time, simulator calls and depth of their decisions."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.experiments.ledger import Row
    from pixelplan.reports.columns import PlayedColumn


@dataclass(frozen=True, kw_only=True)
class Cost:
    """The cost of a column, over all its decisions."""

    column: str
    label: str
    episodes: int
    decisions: int
    seconds_mean: float
    """Seconds per decision, as in the next three."""
    seconds_p50: float
    """That of the median episode: rows do not keep single decisions."""
    seconds_p99: float
    """That of the median episode."""
    seconds_max: float
    calls: float
    """Per decision."""
    simulator_share: float
    depth: float
    overruns: int
    hours: float
    """Hours of wall-clock time, all episodes together."""


def gather_costs(columns: tuple[PlayedColumn, ...]) -> tuple[Cost, ...]:
    """Return the cost of every column that has been played."""
    return tuple(_gather(column) for column in columns if column.rows)


def _gather(column: PlayedColumn) -> Cost:
    rows = column.rows
    decisions = sum(row.decisions for row in rows)
    return Cost(
        column=column.name,
        label=column.label,
        episodes=len(rows),
        decisions=decisions,
        seconds_mean=_per(rows, lambda row: row.seconds_mean, lambda row: row.decisions),
        seconds_p50=median(row.seconds_p50 for row in rows),
        seconds_p99=median(row.seconds_p99 for row in rows),
        seconds_max=max(row.seconds_max for row in rows),
        calls=sum(row.simulator_calls for row in rows) / max(decisions, 1),
        simulator_share=_per(
            rows, lambda row: row.simulator_share, lambda row: row.seconds_mean * row.decisions
        ),
        depth=_per(rows, lambda row: row.depth_mean, lambda row: row.decisions),
        overruns=sum(row.overruns for row in rows),
        hours=sum(row.wall_seconds for row in rows) / 3600,
    )


def _per(rows: tuple[Row, ...], value: Callable[[Row], float], weight: Callable[[Row], float]) -> float:
    """Return the weighted mean of a value."""
    total = sum(weight(row) for row in rows)
    return sum(value(row) * weight(row) for row in rows) / total if total else 0.0
