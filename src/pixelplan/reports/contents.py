"""The contents of a report, in words, tables and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.reports.aggregates import paper_label
from pixelplan.reports.columns import game_label
from pixelplan.reports.document import (
    MISSING_CELL,
    Block,
    Cell,
    Document,
    Head,
    Heading,
    Items,
    Paragraph,
    Section,
    Table,
    show_picture,
)
from pixelplan.reports.overall import say_aggregates, say_improvements
from pixelplan.reports.relative import REFERENCES
from pixelplan.reports.typography import MINUS, MISSING, format_number
from pixelplan.simulators.games import OTHER_DUMPS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from pixelplan.reports.report import Report
    from pixelplan.reports.tables import ComparisonTable, Count, TableCell, TableColumn

OTHER_DUMP_MARK = "†"
LISTED = 50
"""Longer lists are cut."""
LISTED_PER_COLUMN = 20


def make_document(report: Report, figures: Collection[str]) -> Document:
    """Write the report; `figures` are those that could be drawn."""
    sections = [
        ("summary", "Summary", _summary(report)),
        ("table-1", "Table 1: humans and learners", _comparison(report.table1)),
        ("table-2", "Table 2: planners", _comparison(report.table2)),
        ("scatter", "Against the human, game by game", _scatter(figures)),
        ("relative", "Relative scores", _relative(report, figures)),
        ("calls", "Score against calls per decision", _calls(figures)),
        ("aggregates", "Human-normalised scores over all games", say_aggregates(report, figures)),
        ("improvement", "Probability of a higher score", say_improvements(report)),
        ("cost", "Cost", _cost(report)),
        ("care", "Flagged, left out and missing episodes", _care(report)),
    ]
    return Document(
        title=report.title,
        sections=tuple(
            Section(key=key, title=title, blocks=tuple(blocks)) for key, title, blocks in sections
        ),
    )


def _summary(report: Report) -> Iterator[Block]:
    finished = f"{len(report.rows):,} of {_plural(report.planned, 'planned episode')} finished"
    care = f"{len(report.flags):,} flagged; {_plural(len(report.problems), 'run folder')} left out"
    versions = ", ".join(sorted({row.version for row in report.rows}))
    yield Paragraph(text=f"{finished}; {care}.{f' Played with pixelplan {versions}.' if versions else ''}")
    yield Paragraph(
        text="The paper is “Planning with Pixels in (Almost) Real Time”. Its scores are those of its tables, "
        "means of five runs. The numbers of all tables and figures are also in CSV files beside this one."
    )
    yield from _other_rules(report)
    heads = (
        Head(text="Column", is_text=True),
        Head(text="Name in files", is_text=True),
        Head(text="Beside", is_text=True),
        Head(text="Finished"),
        Head(text="Flagged"),
        Head(text="Settings other than the defaults", is_text=True),
    )
    rows = [
        (
            Cell(text=column.label),
            Cell(text=column.name),
            Cell(text=paper_label(column.paper)) if column.paper else MISSING_CELL,
            Cell(text=f"{len(column.rows):,} / {column.episodes_planned:,}"),
            Cell(text=f"{sum(row.name in report.flags for row in column.rows):,}"),
            Cell(text=column.settings or "none"),
        )
        for column in report.columns
    ]
    yield Table(heads=heads, rows=tuple(rows))


def _other_rules(report: Report) -> Iterator[Block]:
    for column in report.columns:
        if column.other_rules:
            yield Paragraph(
                text=f"{column.label} was not played by the paper's rules ({column.other_rules}): its scores "
                "cannot be compared with those of the paper, of humans and of learners."
            )


def _comparison(table: ComparisonTable) -> Iterator[Block]:
    if table.name == "table1" and not any(column.is_ours for column in table.columns):
        yield Paragraph(text="No column reproduces this table's planner, RAS Rollout IW(1) with 0.5 s.")
    heads = [Head(text="Game", is_text=True)]
    heads += [Head(text=one.label, group=one.group, is_ours=one.is_ours) for one in table.columns]
    rows = [
        (
            Cell(text=game_label(row.game), mark=OTHER_DUMP_MARK if row.game in OTHER_DUMPS else ""),
            *map(_score, row.cells, table.columns),
        )
        for row in table.rows
    ]
    foot = [(Cell(text=row.label), *map(_count, row.counts)) for row in table.counts]
    yield Table(
        heads=tuple(heads),
        rows=tuple(rows),
        foot=tuple(foot),
        notes=tuple(_table_notes(table)),
        has_marks=True,
    )


def _table_notes(table: ComparisonTable) -> Iterator[str]:
    yield "Scores are means over runs. In cells with n/a the paper has none."
    cells = [
        (cell, column) for row in table.rows for cell, column in zip(row.cells, table.columns, strict=True)
    ]
    if any(cell.value is None and column.is_ours for cell, column in cells):
        yield f"In cells with {MISSING} we have none: no run has been played."
    if any(cell.runs is not None for cell, _ in cells):
        yield "A small raised number is the number of runs, where fewer have been played than planned."
    yield (
        f"Games with {OTHER_DUMP_MARK} have another ROM dump here than in the paper: "
        "the scores may not be comparable."
    )
    yield (
        "Counts are over the games for which the column has a score: 25 / 49 means 25 of 49. "
        "Several columns can be best in a game. As in the paper, IW(1) RAM is not compared with the human."
    )


def _score(cell: TableCell, column: TableColumn) -> Cell:
    if cell.value is None:
        return MISSING_CELL if column.is_ours else Cell(text="n/a", is_missing=True)
    return Cell(
        text=format_number(cell.value),
        mark="" if cell.runs is None else str(cell.runs),
        is_best=cell.is_best,
        is_human_level=cell.is_human_level,
    )


def _count(count: Count | None) -> Cell:
    return Cell(text="n/a", is_missing=True) if count is None else Cell(text=f"{count.number} / {count.of}")


def _scatter(figures: Collection[str]) -> Iterator[Block]:
    yield show_picture(
        figures,
        "scatter",
        "Mean score of each game against the human's, a panel for each column. On or above the diagonal a "
        "column is at least as good as the human. Both axes are logarithmic, but linear between "
        f"{MINUS}10 and 10.",
    )


def _relative(report: Report, figures: Collection[str]) -> Iterator[Block]:
    names = sorted(name for name in figures if name.startswith("relative-"))
    caption = (
        "Mean scores r relative to h, the human's or DQN's. A bar to the right has the length "
        f"(r {MINUS} h) / |h|, one to the left (h {MINUS} r) / |r|. The axis is linear between {MINUS}1 and "
        "1, and logarithmic beyond."
    )
    for name in names or ["relative-1"]:
        yield show_picture(figures, name, caption)
    infinite = tuple(
        f"{one.label} against {REFERENCES[one.reference]}: {', '.join(map(game_label, games))}"
        for one in report.relative
        if (games := one.infinite())
    )
    if infinite:
        yield Paragraph(
            text="Bars of infinite length (one of the two scores is 0) are left out, and marked ∞:"
        )
        yield Items(items=infinite)


def _calls(figures: Collection[str]) -> Iterator[Block]:
    yield show_picture(
        figures,
        "calls",
        "Score against simulator calls per decision, a panel for each game. Small points are episodes, "
        "large ones their means. A line joins the means of columns that differ only in their budget.",
    )


def _cost(report: Report) -> Iterator[Block]:
    if not report.costs:
        yield Paragraph(text="No episode has finished yet.")
        return
    decision = "Seconds per decision"
    heads = (
        Head(text="Column", is_text=True),
        Head(text="Episodes"),
        Head(text="Decisions"),
        *(Head(text=text, group=decision) for text in ("mean", "p50", "p99", "max")),
        *(Head(text=text, group="Per decision") for text in ("calls", "depth")),
        Head(text="Simulator share"),
        Head(text="Overruns"),
        Head(text="Hours"),
    )
    rows = [
        (
            Cell(text=one.label),
            Cell(text=f"{one.episodes:,}"),
            Cell(text=f"{one.decisions:,}"),
            *(
                Cell(text=f"{seconds:.3f}")
                for seconds in (one.seconds_mean, one.seconds_p50, one.seconds_p99, one.seconds_max)
            ),
            Cell(text=format_number(one.calls)),
            Cell(text=format_number(one.depth)),
            Cell(text=f"{one.simulator_share:.1%}".replace("%", " %")),
            Cell(text=f"{one.overruns:,}"),
            Cell(text=format_number(one.hours, 2)),
        )
        for one in report.costs
    ]
    notes = (
        "Mean and max are over all decisions; p50 and p99 are those of the median episode.",
        "Simulator share: the part of the decisions' time that was spent in the emulator. Overruns: "
        "decisions more than 5 ms over their budget. Hours: wall-clock time of all episodes together.",
    )
    yield Table(heads=heads, rows=tuple(rows), notes=notes)


def _care(report: Report) -> Iterator[Block]:
    yield from _other_rules(report)
    yield Heading(text=f"Flagged episodes: {len(report.flags):,}")
    if report.flags:
        rows = [
            (Cell(text=name), Cell(text="; ".join(flags)))
            for name, flags in list(report.flags.items())[:LISTED]
        ]
        yield Table(
            heads=(Head(text="Episode", is_text=True), Head(text="Why", is_text=True)), rows=tuple(rows)
        )
        if len(report.flags) > LISTED:
            yield Paragraph(text=f"And {len(report.flags) - LISTED:,} more, in flags.csv.")
    yield Heading(text=f"Run folders left out: {len(report.problems):,}")
    if report.problems:
        yield _cut_list(report.problems, LISTED)
    yield Heading(text=f"Missing episodes: {len(report.missing):,}")
    missing: dict[str, list[str]] = {}
    for name in report.missing:
        column, _, episode = name.partition("/")
        missing.setdefault(column, []).append(episode)
    items = [
        f"{column.label}: {len(names):,} of {column.episodes_planned:,} ({_cut_words(names)})"
        for column in report.columns
        if (names := missing.get(column.name))
    ]
    if items:
        yield Items(items=tuple(items))
    if report.failures:
        yield Paragraph(text="Of these some were tried and failed:")
        yield _cut_list(tuple(f"{name}: {error}" for name, error in report.failures.items()), LISTED)


def _cut_list(items: tuple[str, ...], limit: int) -> Items:
    more = (f"and {len(items) - limit:,} more",) if len(items) > limit else ()
    return Items(items=(*items[:limit], *more))


def _cut_words(words: list[str]) -> str:
    more = f", and {len(words) - LISTED_PER_COLUMN:,} more" if len(words) > LISTED_PER_COLUMN else ""
    return ", ".join(words[:LISTED_PER_COLUMN]) + more


def _plural(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
