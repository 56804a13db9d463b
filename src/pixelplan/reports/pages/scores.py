"""The scores of an experiment's columns: run by run, as means, as statistics, or as one number."""

from __future__ import annotations

from math import inf
from statistics import fmean
from typing import TYPE_CHECKING

from pixelplan.errors import InputError
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
from pixelplan.reports.overall import estimate_cells
from pixelplan.reports.pages.request import Request, as_block, games_of
from pixelplan.reports.typography import format_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.reports.aggregates import Estimate

EPISODES = "episodes"
IMPROVEMENT = "improvement"
SHOWN = ("human_level", "median", "iqm")
DECIMALS = {"human_level": 0, "median": 2, "iqm": 2, IMPROVEMENT: 2}


def write_scores(request: Request) -> str:
    """Write the score of each run, game by game."""
    return _write_games(request, lambda scores: ", ".join(format_number(score, 0) for score in scores))


def write_means(request: Request) -> str:
    """Write the mean score of each game."""
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
    return as_block(Table(heads=tuple(heads), rows=tuple(rows)))


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


def write_statistics(request: Request) -> str:
    """Write human-normalised statistics, a row for each column."""
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
                *(Cell(text=write_estimate(one.statistics[key], DECIMALS[key])) for key in SHOWN),
            )
        )
    return as_block(Table(heads=tuple(heads), rows=tuple(rows)))


def _improvement_cell(first: PlayedColumn, second: PlayedColumn | None) -> Cell:
    if second is None or second is first:
        return MISSING_CELL
    if (probability := compare_two(first, second).probability) is None:
        return MISSING_CELL
    return Cell(text=write_estimate(probability, DECIMALS[IMPROVEMENT]))


def write_number(request: Request) -> str:
    """Write one number and its interval."""
    statistic, *names = request.names
    columns = [request.played(name) for name in names]
    if statistic == EPISODES and len(columns) == 1:
        return f"{len(columns[0].rows)} of {columns[0].episodes_planned}"
    if statistic == IMPROVEMENT and len(columns) == 2:
        probability = compare_two(*columns).probability
        if probability is not None:
            return write_estimate(probability, DECIMALS[IMPROVEMENT])
    if statistic in SHOWN and len(columns) == 1 and (games := normalise(columns[0].scores)):
        over = games_of(request.options["over"]) if "over" in request.options else in_paper_order(set(games))
        one = aggregate_ours(columns[0], [game for game in over if game in games])
        return write_estimate(one.statistics[statistic], DECIMALS[statistic])
    single = " or ".join((*SHOWN, EPISODES))
    raise InputError(f"expected {single} and a column, or {IMPROVEMENT} and two columns")


def write_estimate(estimate: Estimate, decimals: int) -> str:
    """Write a value and its interval, if there is one."""
    value, interval = estimate_cells(estimate, decimals)
    return value.text if interval.is_missing else f"{value.text} {interval.text}"
