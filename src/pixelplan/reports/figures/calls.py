"""Scores against simulator calls per decision: a panel for each game, a colour for each planner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.ticker import FuncFormatter, MaxNLocator

from pixelplan.reports.columns import game_label, in_paper_order
from pixelplan.reports.figures.layout import add_legend, dot, legend_height, make_panels
from pixelplan.reports.figures.points import calls_and_scores, families, log_ticks, mean_point, shared_label
from pixelplan.reports.figures.style import PAGE, colour_of, marker_of, tick

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pixelplan.reports.figures.points import PlacedColumn, Point


def draw_calls(columns: list[PlacedColumn]) -> Figure:
    """Draw scores against simulator calls per decision, a panel for each game."""
    games = in_paper_order({game for _, column in columns for game in column.scores})
    across = 6 if len(games) > 12 else min(4, len(games))
    width = PAGE if across >= 3 else 65.0 * across
    cell = width / across, 0.5 * width / across + 9.5
    planners = list(families(columns))
    handles: list[Artist] = [
        dot(colour_of(look), marker_of(look), shared_label([column.label for _, column in planner]))
        for look, planner in enumerate(planners)
    ]
    top = legend_height(handles, width) - 1
    padding = left, right, _, _ = 9, 1.5, 4.5, 5.5
    figure, panels = make_panels(len(games), across, cell, padding, top=top, bottom=4, width=width)
    points = {(place, game): calls_and_scores(column, game) for place, column in columns for game in games}
    calls = [x for pairs in points.values() for x, _ in pairs] or [1.0]
    limits = min(calls) / 1.4, max(calls) * 1.4
    for panel, game in zip(panels, games, strict=True):
        _frame_calls(panel, limits)
        # Near the left end of the cell: the longest names are broader than a panel.
        panel.set_title(game_label(game), loc="left", fontsize=7, x=(2 - left) / (cell[0] - left - right))
        for look, planner in enumerate(planners):
            budgets = [budget for place, _ in planner if (budget := points[place, game])]
            means = sorted(map(mean_point, budgets))
            if len(means) > 1:
                panel.plot(*zip(*means, strict=True), color=colour_of(look), linewidth=0.8, zorder=1)
            for budget in budgets:
                _plot_points(panel, budget, look)
    figure.supxlabel("simulator calls per decision", fontsize=7, y=0, va="bottom")
    add_legend(figure, handles)
    return figure


def _frame_calls(panel: Axes, limits: tuple[float, float]) -> None:
    panel.set_xscale("log")
    panel.set(xlim=limits)
    panel.set_xticks(log_ticks(*limits), minor=False)
    panel.set_xticks([], minor=True)
    panel.xaxis.set_major_formatter(FuncFormatter(tick))
    panel.yaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
    panel.yaxis.set_major_formatter(FuncFormatter(tick))
    panel.margins(y=0.12)
    panel.grid(axis="y")


def _plot_points(panel: Axes, points: list[Point], look: int) -> None:
    """Plot episodes, and their mean where there are several."""
    style: dict[str, Any] = {"linestyle": "none", "marker": marker_of(look), "markeredgewidth": 0.0}
    is_alone = len(points) == 1
    alpha, size = (1.0, 3.2) if is_alone else (0.45, 2.4)
    panel.plot(*zip(*points, strict=True), color=colour_of(look), alpha=alpha, markersize=size, **style)
    if not is_alone:
        x, y = mean_point(points)
        panel.plot([x], [y], color=colour_of(look), markersize=3.8, zorder=3, **style)
