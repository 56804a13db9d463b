"""Human-normalised statistics of all columns with their intervals, a panel for each statistic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.ticker import FuncFormatter, MaxNLocator

from pixelplan.reports.figures.layout import leave_out_left_side, make_panels
from pixelplan.reports.figures.style import GREY, PAGE, colour_of, marker_of, shorten, tick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pixelplan.reports.aggregates import Aggregate, Estimate


def draw_aggregates(aggregates: Sequence[Aggregate], places: dict[str, int]) -> Figure:
    """Draw the statistics of all columns with their intervals, a panel for each statistic."""
    names, line = 46.0, 4.4
    titles = {"iqm": "interquartile mean", "median": "median", "mean": "mean"}
    cell = (PAGE - names) / len(titles), len(aggregates) * line + 17
    figure, panels = make_panels(len(titles), len(titles), cell, (3, 3, 6, 11), left=names)
    for panel, name in zip(panels, titles, strict=True):
        leave_out_left_side(panel, len(aggregates))
        panel.set_title(titles[name], loc="left")
        panel.grid(axis="both")
        panel.axvline(1, color=GREY, linewidth=0.7, linestyle=(0, (1, 2)))
        panel.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
        panel.xaxis.set_major_formatter(FuncFormatter(tick))
        for number, one in enumerate(aggregates):
            _plot_estimate(panel, one.statistics[name], number, places[one.key] if one.is_ours else None)
        panel.update_datalim([(0, 0)])
        panel.autoscale_view()
        panel.set(ylim=(len(aggregates) - 0.5, -0.5), xlabel="human-normalised score")
    labels = [one.label if one.is_ours else f"{one.label}, paper" for one in aggregates]
    panels[0].set_yticks(range(len(aggregates)), [shorten(label, 32) for label in labels])
    return figure


def _plot_estimate(panel: Axes, estimate: Estimate, line: int, place: int | None) -> None:
    """Plot a statistic and its interval; the paper's columns have no place among ours."""
    colour = GREY if place is None else colour_of(place)
    if estimate.interval is not None:
        ends = [estimate.interval.low, estimate.interval.high]
        panel.plot(ends, [line, line], color=colour, linewidth=1.4, solid_capstyle="butt")
    style: dict[str, Any] = {"marker": "o", "markerfacecolor": "white", "markersize": 3.5}
    if place is not None:
        style = {"marker": marker_of(place), "markersize": 4.5}
    panel.plot([estimate.value], [line], color=colour, linestyle="none", markeredgewidth=0.8, **style)
