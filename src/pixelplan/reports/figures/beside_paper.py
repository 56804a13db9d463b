"""A column of ours against one of the paper: the ratio of both scores, a bar for each game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from pixelplan.reference.scores import HUMAN, RANDOM, paper_table2, reference_scores
from pixelplan.reports.aggregates import paper_label
from pixelplan.reports.columns import game_label
from pixelplan.reports.figures.layout import add_legend, leave_out_left_side, make_panels
from pixelplan.reports.figures.style import COLOURS, GREY, PAGE, tick
from pixelplan.simulators.games import DEVELOPMENT_GAMES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pixelplan.reports.columns import PlayedColumn

TEST, DEVELOPMENT = COLOURS[0], "#B9CBD6"
LIMIT = 10.0
"""Bars of games in which one of the two is hardly better than random play end here."""


def ratios(column: PlayedColumn, key: str) -> dict[str, float]:
    """Return our score over the paper's, both above random play, from the highest to the lowest.

    Where only one of them is better than random play, the ratio is LIMIT or its inverse.
    """
    references, paper = reference_scores().columns, paper_table2().columns[key]
    found = {}
    for game, mean in column.means.items():
        if game not in references[HUMAN] or game not in paper:
            continue
        ours, theirs = mean - references[RANDOM][game], paper[game] - references[RANDOM][game]
        if max(ours, theirs) <= 0:
            ratio = 1.0
        else:
            ratio = ours / theirs if min(ours, theirs) > 0 else (LIMIT if ours > theirs else 1 / LIMIT)
        found[game] = min(max(ratio, 1 / LIMIT), LIMIT)
    return dict(sorted(found.items(), key=lambda item: item[1], reverse=True))


def draw_beside_paper(column: PlayedColumn, key: str) -> Figure:
    """Draw the ratios, game by game, with test games in a colour of their own."""
    bars = ratios(column, key)
    names, line = 31.0, 3.6
    cell = PAGE - names, len(bars) * line + 16
    figure, (panel,) = make_panels(1, 1, cell, (2.5, 2.5, 2, 12), top=5, left=names)
    _frame(panel, len(bars))
    for number, (game, ratio) in enumerate(bars.items()):
        colour = DEVELOPMENT if game in DEVELOPMENT_GAMES else TEST
        left, right = min(1.0, ratio), max(1.0, ratio)
        panel.barh(number, right - left, left=left, height=0.72, color=colour, linewidth=0)
    panel.set_yticks(range(len(bars)), [game_label(game) for game in bars])
    better = sum(ratio > 1 for ratio in bars.values())
    panel.set_xlabel(
        f"{column.label}, over {paper_label(key)} of the paper, both above random play: "
        f"better in {better} of {len(bars)} games"
    )
    handles = ((TEST, "test games"), (DEVELOPMENT, "development games"))
    add_legend(figure, [Patch(color=colour, label=label) for colour, label in handles])
    return figure


def _frame(panel: Axes, lines: int) -> None:
    panel.set_xscale("log")
    panel.set(xlim=(1 / LIMIT / 1.05, LIMIT * 1.05), ylim=(lines - 0.4, -0.6))
    panel.set_xticks([0.1, 0.2, 0.5, 1, 2, 5, 10], minor=False)
    panel.set_xticks([], minor=True)
    panel.xaxis.set_major_formatter(FuncFormatter(tick))
    panel.grid(axis="x")
    leave_out_left_side(panel, lines)
    panel.axvline(1, color=GREY, linewidth=0.6)
