"""Relative scores as bars: a panel for each column, a line for each game."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from pixelplan.reports.columns import game_label, in_paper_order
from pixelplan.reports.figures.layout import add_legend, leave_out_left_side, make_panels
from pixelplan.reports.figures.points import signed_ticks
from pixelplan.reports.figures.style import COLOURS, GREY, PAGE, shorten, tick
from pixelplan.reports.relative import REFERENCES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pixelplan.reports.relative import RelativeScores


REFERENCE_COLOURS = {"human": COLOURS[0], "dqn": COLOURS[1]}
COLUMNS_PER_CHART = 3


def share_out(relative: Sequence[RelativeScores]) -> list[list[RelativeScores]]:
    """Share the columns that have bars out among charts, as evenly as can be."""
    bars = [one for one in relative if one.bars]
    columns = list(dict.fromkeys(one.column for one in bars))
    charts = math.ceil(len(columns) / COLUMNS_PER_CHART)
    size = math.ceil(len(columns) / max(charts, 1))
    shares = [columns[chart * size : (chart + 1) * size] for chart in range(charts)]
    return [[one for one in bars if one.column in share] for share in shares]


def draw_relative(bars: Sequence[RelativeScores]) -> Figure:
    """Draw bars against human and DQN: a panel for each column, a line for each game."""
    columns = dict.fromkeys(one.column for one in bars)
    games = in_paper_order({game for one in bars for game in one.bars})
    names, line = 31.0, 3.6
    cell = (PAGE - names) / len(columns), len(games) * line + 18
    figure, panels = make_panels(len(columns), len(columns), cell, (2.5, 2.5, 6, 12), top=4, left=names)
    lengths = [abs(length) for one in bars for length in one.bars.values() if math.isfinite(length)]
    limit = max([1.0, *lengths]) * 1.3
    for panel, name in zip(panels, columns, strict=True):
        _frame_relative(panel, len(games), limit)
        for offset, one in zip((-0.2, 0.2), (one for one in bars if one.column == name), strict=True):
            _fill_relative(panel, one, {game: number + offset for number, game in enumerate(games)}, limit)
        played = {game for one in bars if one.column == name for game in one.bars}
        for number, game in enumerate(games):
            if game not in played:
                panel.text(0, number, " not played", color="#8A8A8A", va="center")
    panels[0].set_yticks(range(len(games)), [game_label(game) for game in games])
    colours = REFERENCE_COLOURS.items()
    add_legend(figure, [Patch(color=colour, label=f"against {REFERENCES[key]}") for key, colour in colours])
    return figure


def _frame_relative(panel: Axes, lines: int, limit: float) -> None:
    panel.set_xscale("symlog", linthresh=1, linscale=0.8)
    panel.set(xlim=(-limit, limit), ylim=(lines - 0.4, -0.6))
    panel.set_xticks(signed_ticks(limit), minor=False)
    panel.set_xticks([], minor=True)
    panel.xaxis.set_major_formatter(FuncFormatter(tick))
    panel.grid(axis="x")
    leave_out_left_side(panel, lines)
    panel.axvline(0, color=GREY, linewidth=0.6)
    stripes = range(0, lines, 2)
    panel.barh(stripes, 2 * limit, left=-limit, height=1, color="#F6F6F6", linewidth=0, zorder=0)
    panel.set_xlabel("worse  ←  relative score  →  better")


def _fill_relative(panel: Axes, relative: RelativeScores, lines: dict[str, float], limit: float) -> None:
    panel.set_title(shorten(relative.label, 38), loc="left")
    colour = REFERENCE_COLOURS[relative.reference]
    shown = {game: length for game, length in relative.bars.items() if math.isfinite(length)}
    places = [lines[game] for game in shown]
    panel.barh(places, list(shown.values()), height=0.38, color=colour, linewidth=0)
    for game in relative.infinite():
        side = math.copysign(limit, relative.bars[game])
        text = panel.text(side, lines[game], "∞", color=colour, va="center", fontsize=8)
        text.set_horizontalalignment("right" if side > 0 else "left")
