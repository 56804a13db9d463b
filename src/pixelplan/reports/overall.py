"""Statements of a report on columns over all games: statistics, intervals and comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.reference.scores import HUMAN, reference_scores
from pixelplan.reports.aggregates import STATISTICS, Over, normalise
from pixelplan.reports.document import (
    MISSING_CELL,
    Block,
    Cell,
    Head,
    Heading,
    Paragraph,
    Table,
    show_picture,
)
from pixelplan.reports.typography import MISSING, format_number, format_range

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from pixelplan.reports.aggregates import Aggregate, Estimate
    from pixelplan.reports.report import Report

ENOUGH_RUNS = 5
_STATISTIC_LABELS = {"iqm": "IQM", "median": "Median", "mean": "Mean", "human_level": "Games ≥ human"}
_STATISTIC_DECIMALS = {"iqm": 2, "median": 2, "mean": 2, "human_level": 0}


def say_aggregates(report: Report, figures: Collection[str]) -> Iterator[Block]:
    """Put human-normalised statistics of the columns side by side."""
    total = len(reference_scores().columns[HUMAN])
    yield Paragraph(
        text="0 is random play and 1 the human, both of Mnih et al. 2015, who give them for "
        f"{total} games. IQM is the mean without the lowest and the highest quarter of the runs. Intervals "
        "are 95 % intervals of a bootstrap that draws runs anew within each game."
    )
    if not report.aggregates:
        yield Paragraph(text=f"None of the {total} games has been played yet.")
        return
    left_out = [column for column in report.columns if not normalise(column.scores)]
    if left_out:
        labels = "; ".join(column.label for column in left_out)
        yield Paragraph(text=f"Without any of these games so far: {labels}.")
    for group in report.aggregates:
        yield Heading(text=_say_over(group.over, group.aggregates[0].games, total))
        if group.over is Over.BROAD:
            compared = {one.key for one in group.aggregates}
            few = [one.label for one in report.columns if one.name not in compared and one not in left_out]
            yield Paragraph(
                text=f"Left out here, with fewer than half of the games that were played: {'; '.join(few)}."
            )
        yield _aggregate_table(group.aggregates)
    yield from _aggregate_notes([one for group in report.aggregates for one in group.aggregates])
    is_own = report.aggregates[0].over is Over.OWN
    yield show_picture(
        figures,
        "aggregates",
        "The first of these tables as a figure" + (": each column over its own games." if is_own else "."),
    )
    yield show_picture(
        figures,
        "profiles",
        "Performance profiles: the share of runs, all games together, with a human-normalised score above τ, "
        "each column over its own games. Dashed: the paper's column over the same games, of means instead of "
        "runs. Beside more than four columns it is in profiles.csv only.",
    )


def _say_over(over: Over, games: int, total: int) -> str:
    if over is Over.OWN:
        return f"Each column over those of the {total} games that it has"
    if games == total:
        return f"Over all {total} games"
    columns = "our columns with many games" if over is Over.BROAD else "all our columns"
    return f"Over the {games} of {total} games that {columns} have"


def _aggregate_table(aggregates: tuple[Aggregate, ...]) -> Table:
    heads = [Head(text="Column", is_text=True), Head(text="Games"), Head(text="Runs per game")]
    for name in STATISTICS:
        heads += [
            Head(text="value", group=_STATISTIC_LABELS[name]),
            Head(text="95 %", group=_STATISTIC_LABELS[name]),
        ]
    rows = []
    for one in aggregates:
        cells = [
            Cell(text=one.label if one.is_ours else f"{one.label}, paper"),
            Cell(text=f"{one.games}"),
            Cell(text="means" if one.runs is None else format_range(*one.runs)),
        ]
        for name, decimals in _STATISTIC_DECIMALS.items():
            cells += estimate_cells(one.statistics[name], decimals)
        rows.append(tuple(cells))
    return Table(heads=tuple(heads), rows=tuple(rows))


def _aggregate_notes(aggregates: list[Aggregate]) -> Iterator[Block]:
    if any(one.is_ours and one.statistics["iqm"].interval is None for one in aggregates):
        yield Paragraph(
            text=f"{MISSING} instead of an interval: with one run per game every resample has the same runs."
        )
    if any(one.runs is not None and one.runs[0] == 1 < one.runs[1] for one in aggregates):
        yield Paragraph(
            text="Games with one run add nothing to the width of an interval. Where there are such games "
            "beside others, it is too narrow."
        )
    if any(one.runs is not None and 1 < one.runs[1] < ENOUGH_RUNS for one in aggregates):
        yield Paragraph(
            text=f"With fewer than {ENOUGH_RUNS} runs per game intervals are too narrow: a bootstrap can "
            "only draw again what was seen."
        )
    yield Paragraph(
        text="The paper gives only the means of its runs: its columns have no interval, and their IQM is "
        "that of the games' means."
    )


def say_improvements(report: Report) -> Iterator[Block]:
    """Say of each two columns how likely one is better."""
    if not report.improvements:
        yield Paragraph(text="There is only one column.")
        return
    yield Paragraph(
        text="The probability that a run of the first column has a higher score than a run of the second in "
        "the same game. A tie counts half. It is the mean over the games that both have."
    )
    heads = (
        Head(text="First", is_text=True),
        Head(text="Second", is_text=True),
        Head(text="Games"),
        Head(text="Probability"),
        Head(text="95 %"),
    )
    rows = [
        (
            Cell(text=one.first.label),
            Cell(text=one.second.label),
            Cell(text=f"{one.games}"),
            *(
                (MISSING_CELL, MISSING_CELL)
                if one.probability is None
                else estimate_cells(one.probability, 2)
            ),
        )
        for one in report.improvements
    ]
    notes = []
    if any(one.probability is None for one in report.improvements):
        notes.append(f"{MISSING} instead of a probability: no game has been played by both.")
    if any(one.probability is not None and one.probability.interval is None for one in report.improvements):
        notes.append(f"{MISSING} instead of an interval: no game has more than one run.")
    yield Table(heads=heads, rows=tuple(rows), notes=tuple(notes))


def estimate_cells(estimate: Estimate, decimals: int) -> tuple[Cell, Cell]:
    """Return a value and its interval."""
    value = Cell(text=format_number(estimate.value, decimals))
    if estimate.interval is None:
        return value, MISSING_CELL
    low, high = (format_number(end, decimals) for end in (estimate.interval.low, estimate.interval.high))
    return value, Cell(text=f"[{low}, {high}]")
