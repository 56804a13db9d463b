"""The report's numbers as CSV files."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from pixelplan.reports.aggregates import STATISTICS, THRESHOLDS
from pixelplan.reports.cost import Cost

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pixelplan.reports.aggregates import Estimate
    from pixelplan.reports.report import Report
    from pixelplan.reports.tables import ComparisonTable


def make_csv_files(report: Report) -> dict[str, str]:
    """Return the name and the text of each file. A score that is missing is an empty cell."""
    return {
        "table1.csv": _scores(report.table1),
        "table2.csv": _scores(report.table2),
        "counts.csv": _write(("table", "count", "column", "number", "of"), _counts(report)),
        "relative.csv": _write(("column", "reference", "game", "relative_score"), _relative(report)),
        "aggregates.csv": _write(
            (
                *("over", "column", "source", "games", "fewest_runs", "most_runs"),
                *(f"{name}{end}" for name in STATISTICS for end in ("", "_low", "_high")),
            ),
            _aggregates(report),
        ),
        "profiles.csv": _write(("column", "source", "threshold", "share", "low", "high"), _profiles(report)),
        "improvement.csv": _write(
            ("first", "second", "games", "probability", "low", "high"), _improvements(report)
        ),
        "cost.csv": _write(
            [field.name for field in fields(Cost)], [list(asdict(cost).values()) for cost in report.costs]
        ),
        "flags.csv": _write(
            ("episode", "flag"), [(name, flag) for name, flags in report.flags.items() for flag in flags]
        ),
    }


def _scores(table: ComparisonTable) -> str:
    head = ("game", *(column.key for column in table.columns))
    return _write(head, [(row.game, *(cell.value for cell in row.cells)) for row in table.rows])


def _counts(report: Report) -> Iterator[Sequence[Any]]:
    for table in (report.table1, report.table2):
        for row in table.counts:
            for column, count in zip(table.columns, row.counts, strict=True):
                if count is not None:
                    yield table.name, row.key, column.key, count.number, count.of


def _relative(report: Report) -> Iterator[Sequence[Any]]:
    for relative in report.relative:
        for game, length in relative.bars.items():
            yield relative.column, relative.reference, game, length


def _aggregates(report: Report) -> Iterator[Sequence[Any]]:
    for group in report.aggregates:
        for one in group.aggregates:
            numbers = [number for name in STATISTICS for number in _estimate(one.statistics[name])]
            runs = one.runs or (None, None)
            yield group.over.value, one.key, _source(one.is_ours), one.games, *runs, *numbers


def _profiles(report: Report) -> Iterator[Sequence[Any]]:
    for one in report.profiles:
        for place, threshold in enumerate(THRESHOLDS):
            bounds = [None, None] if one.bounds is None else [bound[place] for bound in one.bounds]
            yield one.key, _source(one.is_ours), threshold, one.shares[place], *bounds


def _improvements(report: Report) -> Iterator[Sequence[Any]]:
    for one in report.improvements:
        numbers = [None] * 3 if one.probability is None else _estimate(one.probability)
        yield one.first.name, one.second.name, one.games, *numbers


def _estimate(estimate: Estimate) -> list[float | None]:
    interval = estimate.interval
    return [estimate.value, *((None, None) if interval is None else (interval.low, interval.high))]


def _source(is_ours: bool) -> str:
    return "ours" if is_ours else "paper"


def _write(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_format(value) for value in row] for row in rows)
    return text.getvalue()


def _format(value: Any) -> Any:  # noqa: ANN401
    return f"{value:.10g}" if isinstance(value, float) else value
