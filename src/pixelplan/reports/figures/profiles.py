"""Performance profiles: the share of runs above a human-normalised score, for every such score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from pixelplan.reports.aggregates import THRESHOLDS
from pixelplan.reports.figures.layout import add_legend, legend_height, make_panels
from pixelplan.reports.figures.style import GREY, PAGE, colour_of, marker_of, tick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from pixelplan.reports.aggregates import Profile


MOST_WITH_PAPER = 4
"""Greatest number of our profiles beside which the paper's are drawn."""


def draw_profiles(profiles: Sequence[Profile]) -> Figure:
    """Draw the share of runs above a human-normalised score, for every such score."""
    ours = [one for one in profiles if one.is_ours]
    if len(ours) > MOST_WITH_PAPER:
        profiles = ours
    styles: list[Any] = [
        {
            "color": colour_of(one.place),
            "marker": marker_of(one.place) if one.is_ours else "",
            "markersize": 3.5,
            "linestyle": "-" if one.is_ours else (0, (4, 2)),
            "linewidth": 1.2 if one.is_ours else 0.9,
            "label": one.label,
        }
        for one in profiles
    ]
    handles = [Line2D([], [], **style) for style in styles]
    legend = legend_height(handles, PAGE)
    figure, (panel,) = make_panels(1, 1, (PAGE, 90), (14, 4, 3, 10), top=legend - 2)
    for number, (one, style) in enumerate(zip(profiles, styles, strict=True)):
        panel.plot(THRESHOLDS, one.shares, markevery=(number * 5 % 20, 20), **style)
        if one.bounds is not None:
            panel.fill_between(THRESHOLDS, *one.bounds, color=colour_of(one.place), alpha=0.15, linewidth=0)
    panel.axvline(1, color=GREY, linewidth=0.7, linestyle=(0, (1, 2)))
    panel.text(1.05, 1.0, "human", color=GREY, va="top")
    panel.set_xscale("log")
    panel.set(xlim=(THRESHOLDS[0], THRESHOLDS[-1]), ylim=(0, 1.02))
    panel.set(xlabel="human-normalised score τ", ylabel="share of runs with a score above τ")
    panel.set_xticks([0.01, 0.1, 1, 10, 100], minor=False)
    panel.set_xticks([], minor=True)
    panel.xaxis.set_major_formatter(FuncFormatter(tick))
    panel.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.0f} %"))
    panel.grid(axis="both")
    add_legend(figure, handles)
    return figure
