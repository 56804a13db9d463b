"""Scores against the human's, a panel for each column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from pixelplan.reports.figures.layout import add_legend, dot, legend_height, make_panels
from pixelplan.reports.figures.points import against_human, even_ticks, paper_against_human, signed_limits
from pixelplan.reports.figures.style import GREY, PAGE, PALE, colour_of, marker_of, shorten, tick

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pixelplan.reports.columns import PlayedColumn
    from pixelplan.reports.figures.points import PlacedColumn


def draw_scatter(columns: list[PlacedColumn]) -> Figure:
    """Draw scores against the human's, a panel for each column."""
    across = min(3, len(columns))
    width = {1: 100.0, 2: 150.0}.get(across, PAGE)
    handles: list[Artist] = [dot(GREY, "o", "ours")]
    if any(column.paper for _, column in columns):
        handles.append(dot(PALE, "o", "the paper's column", is_open=True))
    handles.append(Patch(color="#E3ECF2", label="at least as good as human"))
    cell = width / across, width / across - 1
    top = legend_height(handles, width) - 1
    figure, panels = make_panels(len(columns), across, cell, (13, 2, 5, 9), top=top, width=width)
    points = [point for _, column in columns for point in against_human(column.means)]
    points += [point for _, column in columns for point in paper_against_human(column)]
    limits = signed_limits(points)
    for panel, column in zip(panels, columns, strict=True):
        _frame_scatter(panel, limits)
        _fill_scatter(panel, *column)
    add_legend(figure, handles)
    return figure


def _frame_scatter(panel: Axes, limits: tuple[float, float]) -> None:
    for scale in (panel.set_xscale, panel.set_yscale):
        scale("symlog", linthresh=10, linscale=0.6)
    panel.set(xlim=limits, ylim=limits, xlabel="human", ylabel="score")
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_ticks(even_ticks(*limits), minor=False)
        axis.set_ticks([], minor=True)
        axis.set_major_formatter(FuncFormatter(tick))
    panel.fill_between(limits, limits, limits[1], color="#F2F6F9", linewidth=0, zorder=0)
    panel.plot(limits, limits, color=GREY, linewidth=0.6, zorder=1)


def _fill_scatter(panel: Axes, place: int, column: PlayedColumn) -> None:
    style: dict[str, Any] = {"linestyle": "none"}
    if paper := paper_against_human(column):
        style |= {"markersize": 3.0, "markeredgewidth": 0.5, "markerfacecolor": "none"}
        panel.plot(*zip(*paper, strict=True), marker="o", color=PALE, **style)
    points = against_human(column.means)
    style = {"linestyle": "none", "markersize": 3.3, "markeredgewidth": 0.0, "alpha": 0.85}
    panel.plot(*zip(*points, strict=True), marker=marker_of(place), color=colour_of(place), **style)
    panel.set_title(shorten(column.label, 38), loc="left")
    reached = sum(score >= human for human, score in points)
    words = f"{reached} of {len(points)}\nat least human"
    panel.text(0.04, 0.96, words, color=GREY, transform=panel.transAxes, va="top")
