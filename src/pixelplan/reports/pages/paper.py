"""A column of ours beside published scores: game by game, summed up, and as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.errors import InputError, suggest
from pixelplan.reference.scores import HUMAN, RANDOM, paper_table2, reference_scores
from pixelplan.reports.aggregates import (
    NORMALISED_PAPER_COLUMNS,
    aggregate_ours,
    aggregate_paper,
    compare_with_paper,
    paper_label,
)
from pixelplan.reports.columns import game_label
from pixelplan.reports.document import MISSING_CELL, Cell, Head, Table
from pixelplan.reports.pages.request import as_block, games_of
from pixelplan.reports.pages.scores import write_estimate
from pixelplan.reports.statistics import count_reaching
from pixelplan.reports.tables import THREE_QUARTERS
from pixelplan.reports.typography import format_number
from pixelplan.simulators.games import OTHER_DUMPS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pixelplan.reports.aggregates import Aggregate
    from pixelplan.reports.columns import PlayedColumn
    from pixelplan.reports.pages.request import Request

OTHER_DUMP = "†"
"""Marks games whose ROM in ale-py is another dump than the paper's."""
DQN = "dqn_mnih2015"


def write_beside(request: Request) -> str:
    """Write the scores of random play, human, DQN and the paper's columns, then ours: mean and runs."""
    column, keys = _split(request)
    games = [game for game in games_of(_option(request, "over")) if game in column.scores]
    references = reference_scores().columns
    published: dict[str, Mapping[str, float]] = {
        "random": references[RANDOM],
        "human": references[HUMAN],
        "DQN": references[DQN],
        **{f"{paper_label(key)}, paper": paper_table2().columns[key] for key in keys},
    }
    heads = [Head(text="game", is_text=True), *(Head(text=label) for label in published)]
    heads += [Head(text=column.label), Head(text="its runs")]
    rows = []
    for game in games:
        human = references[HUMAN].get(game)
        means = [*(scores.get(game) for scores in published.values()), column.means[game]]
        cells = [_cell(mean, human if place > 1 else None) for place, mean in enumerate(means)]
        runs = ", ".join(format_number(score, 0) for score in column.scores[game])
        name = Cell(text=game_label(game), mark=OTHER_DUMP if game in OTHER_DUMPS else "")
        rows.append((name, *cells, Cell(text=runs)))
    return as_block(Table(heads=tuple(heads), rows=tuple(rows)))


def _cell(score: float | None, human: float | None) -> Cell:
    if score is None:
        return MISSING_CELL
    decimals = 0 if abs(score) >= 100 else 1
    return Cell(text=format_number(score, decimals), is_human_level=human is not None and score >= human)


def write_summary(request: Request) -> str:
    """Write human-normalised statistics, a row for each group of games and column."""
    column, keys = _split(request)
    heads = (
        *(Head(text="games", is_text=True), Head(text="column", is_text=True)),
        *(Head(text="≥ human"), Head(text="≥ 75 % of human")),
        *(Head(text="median"), Head(text="interquartile mean")),
        Head(text=f"{column.label}, has a higher score with probability"),
    )
    rows = []
    for group in _option(request, "over").split(","):
        games = [game for game in games_of(group) if game in column.scores]
        if not games:
            raise InputError(f"no {group} game has been played")
        rows.append(_summary_row(group, games, column.means, aggregate_ours(column, games), MISSING_CELL))
        for key in keys:
            cell = Cell(text=write_estimate(compare_with_paper(column, key, games), 2))
            scores = paper_table2().columns[key]
            rows.append(_summary_row(group, games, scores, aggregate_paper(key, games), cell))
    return as_block(Table(heads=heads, rows=tuple(rows)))


def _summary_row(
    group: str, games: list[str], scores: Mapping[str, float], one: Aggregate, improvement: Cell
) -> tuple[Cell, ...]:
    human = paper_table2().columns["human"]
    played = {game: scores[game] for game in games}
    nearly = count_reaching(played, human, THREE_QUARTERS)
    return (
        Cell(text=f"{len(games)} {group}" if group != "all" else f"all {len(games)}"),
        Cell(text=one.label if one.is_ours else f"{one.label}, paper"),
        Cell(text=write_estimate(one.statistics["human_level"], 0)),
        Cell(text=f"{nearly}"),
        Cell(text=write_estimate(one.statistics["median"], 2)),
        Cell(text=write_estimate(one.statistics["iqm"], 2)),
        improvement,
    )


def write_figure(request: Request) -> str:
    """Draw our scores against a column of the paper, and show the picture."""
    # Not before it is needed: to import matplotlib takes half a second.
    from pixelplan.reports.figures.beside_paper import draw_beside_paper
    from pixelplan.reports.figures.draw import draw_figure

    column, keys = _split(request)
    file = _option(request, "file")
    request.figures.append(draw_figure(file, lambda: draw_beside_paper(column, keys[0])))
    return f"\n![{column.label}, against {paper_label(keys[0])} of the paper, game by game]({file}.png)\n"


def _split(request: Request) -> tuple[PlayedColumn, list[str]]:
    """Return the column of ours that is named first, and the columns of the paper that follow."""
    first, *keys = request.names
    if not keys:
        raise InputError("no column of the paper is named")
    for key in keys:
        if key not in NORMALISED_PAPER_COLUMNS:
            raise InputError(f"unknown column {key!r} of the paper: {suggest(key, NORMALISED_PAPER_COLUMNS)}")
    return request.played(first), keys


def _option(request: Request, name: str) -> str:
    if name not in request.options:
        raise InputError(f"the option {name}= is missing")
    return request.options[name]
