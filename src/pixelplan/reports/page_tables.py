"""The tables and the numbers that a page can ask for.

`scores COLUMN ... [games=COLUMN]`: the score of each run, game by game, beside the human's.
`means COLUMN ... [games=COLUMN]`: the same with the mean of a column's runs.
`statistics COLUMN ... [against=COLUMN]`: human-normalised statistics, a row for each column, ours or the
paper's. With `against`, each row has the probability that a run of that column has a higher score.
`number STATISTIC COLUMN`, or `number improvement FIRST SECOND`: one number within a sentence.

`games` names the column whose games have rows; unless it is given, the first column is that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from statistics import fmean
from typing import TYPE_CHECKING

from pixelplan.errors import InputError, suggest
from pixelplan.experiments.ledger import read_settings
from pixelplan.reference.scores import paper_table2
from pixelplan.reports.aggregates import (
    NORMALISED_PAPER_COLUMNS,
    aggregate_ours,
    aggregate_paper,
    compare_two,
    normalise,
    paper_label,
)
from pixelplan.reports.columns import PlayedColumn, game_label, in_paper_order
from pixelplan.reports.document import MISSING_CELL, Cell, Head, Table
from pixelplan.reports.markdown import render_table
from pixelplan.reports.overall import estimate_cells
from pixelplan.reports.typography import format_number

if TYPE_CHECKING:
    from pixelplan.reports.aggregates import Estimate

Columns = Mapping[str, PlayedColumn]

IMPROVEMENT = "improvement"
SHOWN = ("human_level", "median", "iqm")
DECIMALS = {"human_level": 0, "median": 2, "iqm": 2, IMPROVEMENT: 2}


@dataclass(frozen=True, kw_only=True)
class Request:
    """The words of a marker, and the columns that it may name."""

    columns: Columns
    """Columns of the experiment, by name."""
    names: tuple[str, ...]
    options: Mapping[str, str]

    def played(self, name: str) -> PlayedColumn:
        """Return a column of which something has been played."""
        if name not in self.columns:
            raise InputError(f"unknown column {name!r}: {suggest(name, self.columns)}")
        if not self.columns[name].rows:
            raise InputError(f"nothing of {name} has been played")
        return self.columns[name]


def write_kind(kind: str, words: list[str], columns: Columns) -> str:
    """Return a table, or a number, as Markdown."""
    names = tuple(word for word in words if "=" not in word)
    options = dict(word.split("=", 1) for word in words if "=" in word)
    write, known = KINDS[kind]
    for option in options:
        if option not in known:
            raise InputError(f"unknown option {option!r}: {suggest(option, known or ['none'])}")
    if not names:
        raise InputError("no column is named")
    return write(Request(columns=columns, names=names, options=options))


def _write_scores(request: Request) -> str:
    return _write_games(request, lambda scores: ", ".join(format_number(score, 0) for score in scores))


def _write_means(request: Request) -> str:
    return _write_games(request, lambda scores: format_number(fmean(scores), 0))


def _write_games(request: Request, write: Callable[[list[float]], str]) -> str:
    columns = [request.played(name) for name in request.names]
    games = request.played(request.options.get("games", request.names[0])).means
    human = paper_table2().columns["human"]
    heads = [Head(text="game", is_text=True), Head(text="human")]
    heads += [Head(text=f"{one.label}{' (calls a decision)' * _is_realtime(one)}") for one in columns]
    rows = []
    for game in in_paper_order(set(games)):
        reference = Cell(text=format_number(human[game], 0)) if game in human else MISSING_CELL
        cells = [_score_cell(one, game, human.get(game, inf), write) for one in columns]
        rows.append((Cell(text=game_label(game)), reference, *cells))
    return _as_block(Table(heads=tuple(heads), rows=tuple(rows)))


def _score_cell(column: PlayedColumn, game: str, human: float, write: Callable[[list[float]], str]) -> Cell:
    if game not in column.scores:
        return MISSING_CELL
    text = write(column.scores[game])
    if _is_realtime(column):
        rows = [row for row in column.rows if row.game == game]
        calls = sum(row.simulator_calls for row in rows) / sum(row.decisions for row in rows)
        text += f" ({format_number(calls, 0)})"
    return Cell(text=text, is_human_level=column.means[game] >= human)


def _is_realtime(column: PlayedColumn) -> bool:
    return read_settings(column.rows[0]).realtime


def _write_statistics(request: Request) -> str:
    ours = [request.played(name) for name in request.names if name not in NORMALISED_PAPER_COLUMNS]
    if not ours:
        raise InputError("no column of the experiment is named")
    games = in_paper_order(set.intersection(*(set(normalise(column.scores)) for column in ours)))
    if not games:
        raise InputError("these columns share no game with a human score")
    against = request.played(request.options["against"]) if "against" in request.options else None
    heads = [
        Head(text="column", is_text=True),
        *([] if against is None else [Head(text=f"{against.label}, is better with probability")]),
        Head(text=f"games ≥ human, of {len(games)}"),
        Head(text="median human-normalised score"),
        Head(text="interquartile mean"),
    ]
    rows = []
    for name in request.names:
        if name in NORMALISED_PAPER_COLUMNS:
            label, one = f"{paper_label(name)}, paper", aggregate_paper(name, games)
        else:
            label, one = request.played(name).label, aggregate_ours(request.played(name), games)
        rows.append(
            (
                Cell(text=label),
                *([] if against is None else [_improvement_cell(against, request.columns.get(name))]),
                *(Cell(text=_write_estimate(one.statistics[key], DECIMALS[key])) for key in SHOWN),
            )
        )
    return _as_block(Table(heads=tuple(heads), rows=tuple(rows)))


def _improvement_cell(first: PlayedColumn, second: PlayedColumn | None) -> Cell:
    if second is None or second is first:
        return MISSING_CELL
    if (probability := compare_two(first, second).probability) is None:
        return MISSING_CELL
    return Cell(text=_write_estimate(probability, DECIMALS[IMPROVEMENT]))


def _write_number(request: Request) -> str:
    statistic, *names = request.names
    columns = [request.played(name) for name in names]
    if statistic == IMPROVEMENT and len(columns) == 2:
        probability = compare_two(*columns).probability
        if probability is not None:
            return _write_estimate(probability, DECIMALS[IMPROVEMENT])
    elif statistic in SHOWN and len(columns) == 1 and (games := normalise(columns[0].scores)):
        one = aggregate_ours(columns[0], in_paper_order(set(games)))
        return _write_estimate(one.statistics[statistic], DECIMALS[statistic])
    raise InputError(f"expected {' or '.join(SHOWN)} and a column, or {IMPROVEMENT} and two columns")


def _write_estimate(estimate: Estimate, decimals: int) -> str:
    value, interval = estimate_cells(estimate, decimals)
    return value.text if interval.is_missing else f"{value.text} {interval.text}"


def _as_block(table: Table) -> str:
    return f"\n{render_table(table)}\n"


KINDS: dict[str, tuple[Callable[[Request], str], tuple[str, ...]]] = {
    "scores": (_write_scores, ("games",)),
    "means": (_write_means, ("games",)),
    "statistics": (_write_statistics, ("against",)),
    "number": (_write_number, ()),
}
"""Kind -> what writes it, and its options."""
