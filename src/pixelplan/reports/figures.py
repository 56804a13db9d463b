"""The figures of a report. The only importer of matplotlib.

Sizes are in millimetres on a page 180 mm wide; text has 7 points there. Columns keep their colour and their
marker through all figures. Equal data give equal files.
"""

from __future__ import annotations

import io
import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from pixelplan.reports.aggregates import THRESHOLDS
from pixelplan.reports.columns import game_label, in_paper_order
from pixelplan.reports.points import (
    against_human,
    calls_and_scores,
    even_ticks,
    families,
    log_ticks,
    mean_point,
    paper_against_human,
    signed_limits,
    signed_ticks,
)
from pixelplan.reports.relative import REFERENCES
from pixelplan.reports.typography import format_short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

    from pixelplan.reports.aggregates import Aggregate, Estimate, Profile
    from pixelplan.reports.columns import PlayedColumn
    from pixelplan.reports.points import PlacedColumn, Point
    from pixelplan.reports.relative import RelativeScores
    from pixelplan.reports.report import Report

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's, without yellow, which is faint on white."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p")
"""As many as share no factor with the number of colours, so that 56 columns can be told apart."""
REFERENCE_COLOURS = {"human": COLOURS[0], "dqn": COLOURS[1]}
GREY, PALE = "#666666", "#9A9A9A"

STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 7,
    "axes.titlesize": 7.5,
    "axes.labelsize": 7,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "axes.linewidth": 0.5,
    "axes.edgecolor": GREY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.titlepad": 3,
    "axes.labelpad": 2,
    "grid.color": "#E6E6E6",
    "grid.linewidth": 0.4,
    "xtick.major.size": 2,
    "ytick.major.size": 2,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "xtick.major.pad": 2,
    "ytick.major.pad": 2,
    "lines.linewidth": 1.2,
    "svg.hashsalt": "pixelplan",
    # Labels are plain text, also those with dollars in them.
    "text.parse_math": False,
}

PAGE = 180.0
LEGEND_LINE = 3.8
COLUMNS_PER_BAR_CHART = 3
MOST_WITH_PAPER = 4
"""Beside more profiles than these, the paper's would make a thicket."""
DOTS_PER_INCH = 200
MILLIMETRES_PER_INCH = 25.4


@dataclass(frozen=True, kw_only=True)
class FigureFile:
    """A figure in both its forms."""

    name: str
    svg: bytes
    png: bytes


def draw_figures(report: Report) -> list[FigureFile]:
    """Draw every figure for which there are data."""
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        # A label in a script that the font does not have is no reason to write no report.
        warnings.filterwarnings("ignore", message="Glyph")
        return [_save(name, figure) for name, figure in _draw(report)]


def _draw(report: Report) -> Iterator[tuple[str, Figure]]:
    played = [(place, column) for place, column in enumerate(report.columns) if column.rows]
    if compared := [(place, column) for place, column in played if against_human(column.means)]:
        yield "scatter", _draw_scatter(compared)
    for number, bars in enumerate(_share_out(report.relative), start=1):
        yield f"relative-{number}", _draw_relative(bars)
    if played:
        yield "calls", _draw_calls(played)
    if report.aggregates:
        places = {column.name: place for place, column in enumerate(report.columns)}
        yield "aggregates", _draw_aggregates(report.aggregates[0].aggregates, places)
    if report.profiles:
        yield "profiles", _draw_profiles(report.profiles)


def _share_out(relative: Sequence[RelativeScores]) -> list[list[RelativeScores]]:
    """Share the columns that have bars out among charts, as evenly as can be."""
    bars = [one for one in relative if one.bars]
    columns = list(dict.fromkeys(one.column for one in bars))
    charts = math.ceil(len(columns) / COLUMNS_PER_BAR_CHART)
    size = math.ceil(len(columns) / max(charts, 1))
    shares = [columns[chart * size : (chart + 1) * size] for chart in range(charts)]
    return [[one for one in bars if one.column in share] for share in shares]


def _save(name: str, figure: Figure) -> FigureFile:
    svg, png = io.BytesIO(), io.BytesIO()
    figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    figure.savefig(png, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
    return FigureFile(name=name, svg=svg.getvalue(), png=png.getvalue())


def _draw_scatter(columns: list[PlacedColumn]) -> Figure:
    """Draw scores against the human's, a panel for each column."""
    across = min(3, len(columns))
    width = {1: 100.0, 2: 150.0}.get(across, PAGE)
    handles: list[Artist] = [_dot(GREY, "o", "ours")]
    if any(column.paper for _, column in columns):
        handles.append(_dot(PALE, "o", "the paper's column", is_open=True))
    handles.append(Patch(color="#E3ECF2", label="at least as good as human"))
    cell = width / across, width / across - 1
    top = _legend_height(handles, width) - 1
    figure, panels = _make_panels(len(columns), across, cell, (13, 2, 5, 9), top=top, width=width)
    points = [point for _, column in columns for point in against_human(column.means)]
    points += [point for _, column in columns for point in paper_against_human(column)]
    limits = signed_limits(points)
    for panel, column in zip(panels, columns, strict=True):
        _frame_scatter(panel, limits)
        _fill_scatter(panel, *column)
    _add_legend(figure, handles)
    return figure


def _frame_scatter(panel: Axes, limits: tuple[float, float]) -> None:
    for scale in (panel.set_xscale, panel.set_yscale):
        scale("symlog", linthresh=10, linscale=0.6)
    panel.set(xlim=limits, ylim=limits, xlabel="human", ylabel="score")
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_ticks(even_ticks(*limits), minor=False)
        axis.set_ticks([], minor=True)
        axis.set_major_formatter(FuncFormatter(_tick))
    panel.fill_between(limits, limits, limits[1], color="#F2F6F9", linewidth=0, zorder=0)
    panel.plot(limits, limits, color=GREY, linewidth=0.6, zorder=1)


def _fill_scatter(panel: Axes, place: int, column: PlayedColumn) -> None:
    style: dict[str, Any] = {"linestyle": "none"}
    if paper := paper_against_human(column):
        style |= {"markersize": 3.0, "markeredgewidth": 0.5, "markerfacecolor": "none"}
        panel.plot(*zip(*paper, strict=True), marker="o", color=PALE, **style)
    points = against_human(column.means)
    style = {"linestyle": "none", "markersize": 3.3, "markeredgewidth": 0.0, "alpha": 0.85}
    panel.plot(*zip(*points, strict=True), marker=_marker(place), color=_colour(place), **style)
    panel.set_title(_shorten(column.label, 38), loc="left")
    reached = sum(score >= human for human, score in points)
    words = f"{reached} of {len(points)}\nat least human"
    panel.text(0.04, 0.96, words, color=GREY, transform=panel.transAxes, va="top")


def _draw_relative(bars: Sequence[RelativeScores]) -> Figure:
    """Draw bars against human and DQN: a panel for each column, a line for each game."""
    columns = dict.fromkeys(one.column for one in bars)
    games = in_paper_order({game for one in bars for game in one.bars})
    names, line = 31.0, 3.6
    cell = (PAGE - names) / len(columns), len(games) * line + 18
    figure, panels = _make_panels(len(columns), len(columns), cell, (2.5, 2.5, 6, 12), top=4, left=names)
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
    _add_legend(figure, [Patch(color=colour, label=f"against {REFERENCES[key]}") for key, colour in colours])
    return figure


def _frame_relative(panel: Axes, lines: int, limit: float) -> None:
    panel.set_xscale("symlog", linthresh=1, linscale=0.8)
    panel.set(xlim=(-limit, limit), ylim=(lines - 0.4, -0.6))
    panel.set_xticks(signed_ticks(limit), minor=False)
    panel.set_xticks([], minor=True)
    panel.xaxis.set_major_formatter(FuncFormatter(_tick))
    panel.grid(axis="x")
    _leave_out_left_side(panel, lines)
    panel.axvline(0, color=GREY, linewidth=0.6)
    stripes = range(0, lines, 2)
    panel.barh(stripes, 2 * limit, left=-limit, height=1, color="#F6F6F6", linewidth=0, zorder=0)
    panel.set_xlabel("worse  ←  relative score  →  better")


def _fill_relative(panel: Axes, relative: RelativeScores, lines: dict[str, float], limit: float) -> None:
    panel.set_title(_shorten(relative.label, 38), loc="left")
    colour = REFERENCE_COLOURS[relative.reference]
    shown = {game: length for game, length in relative.bars.items() if math.isfinite(length)}
    places = [lines[game] for game in shown]
    panel.barh(places, list(shown.values()), height=0.38, color=colour, linewidth=0)
    for game in relative.infinite():
        side = math.copysign(limit, relative.bars[game])
        text = panel.text(side, lines[game], "∞", color=colour, va="center", fontsize=8)
        text.set_horizontalalignment("right" if side > 0 else "left")


def _leave_out_left_side(panel: Axes, lines: int) -> None:
    panel.spines["left"].set_visible(False)
    panel.tick_params(left=False)
    panel.set_yticks(range(lines), [])


def _draw_calls(columns: list[PlacedColumn]) -> Figure:
    """Draw scores against simulator calls per decision, a panel for each game."""
    games = in_paper_order({game for _, column in columns for game in column.scores})
    across = 6 if len(games) > 12 else min(4, len(games))
    width = PAGE if across >= 3 else 65.0 * across
    cell = width / across, 0.5 * width / across + 9.5
    handles: list[Artist] = [_dot(_colour(place), _marker(place), column.label) for place, column in columns]
    top = _legend_height(handles, width) - 1
    padding = left, right, _, _ = 9, 1.5, 4.5, 5.5
    figure, panels = _make_panels(len(games), across, cell, padding, top=top, bottom=4, width=width)
    points = {(place, game): calls_and_scores(column, game) for place, column in columns for game in games}
    calls = [x for pairs in points.values() for x, _ in pairs] or [1.0]
    limits = min(calls) / 1.4, max(calls) * 1.4
    for panel, game in zip(panels, games, strict=True):
        _frame_calls(panel, limits)
        # Near the left end of the cell: the longest names are broader than a panel.
        panel.set_title(game_label(game), loc="left", fontsize=7, x=(2 - left) / (cell[0] - left - right))
        for family in families(columns):
            means = sorted(mean_point(points[place, game]) for place in family if points[place, game])
            if len(means) > 1:
                panel.plot(*zip(*means, strict=True), color="#A0A0A0", linewidth=0.8, zorder=1)
        for place, _ in columns:
            _plot_points(panel, points[place, game], place)
    figure.supxlabel("simulator calls per decision", fontsize=7, y=0, va="bottom")
    _add_legend(figure, handles)
    return figure


def _frame_calls(panel: Axes, limits: tuple[float, float]) -> None:
    panel.set_xscale("log")
    panel.set(xlim=limits)
    panel.set_xticks(log_ticks(*limits), minor=False)
    panel.set_xticks([], minor=True)
    panel.xaxis.set_major_formatter(FuncFormatter(_tick))
    panel.yaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
    panel.yaxis.set_major_formatter(FuncFormatter(_tick))
    panel.margins(y=0.12)
    panel.grid(axis="y")


def _plot_points(panel: Axes, points: list[Point], place: int) -> None:
    """Plot episodes, and their mean where there are several."""
    style: dict[str, Any] = {"linestyle": "none", "marker": _marker(place), "markeredgewidth": 0.0}
    if not points:
        return
    is_alone = len(points) == 1
    alpha, size = (1.0, 3.2) if is_alone else (0.45, 2.4)
    panel.plot(*zip(*points, strict=True), color=_colour(place), alpha=alpha, markersize=size, **style)
    if not is_alone:
        x, y = mean_point(points)
        panel.plot([x], [y], color=_colour(place), markersize=3.8, zorder=3, **style)


def _draw_aggregates(aggregates: Sequence[Aggregate], places: dict[str, int]) -> Figure:
    """Draw the statistics of all columns with their intervals, a panel for each statistic."""
    names, line = 46.0, 4.4
    titles = {"iqm": "interquartile mean", "median": "median", "mean": "mean"}
    cell = (PAGE - names) / len(titles), len(aggregates) * line + 17
    figure, panels = _make_panels(len(titles), len(titles), cell, (3, 3, 6, 11), left=names)
    for panel, name in zip(panels, titles, strict=True):
        _leave_out_left_side(panel, len(aggregates))
        panel.set_title(titles[name], loc="left")
        panel.grid(axis="both")
        panel.axvline(1, color=GREY, linewidth=0.7, linestyle=(0, (1, 2)))
        panel.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
        panel.xaxis.set_major_formatter(FuncFormatter(_tick))
        for number, one in enumerate(aggregates):
            _plot_estimate(panel, one.statistics[name], number, places[one.key] if one.is_ours else None)
        panel.update_datalim([(0, 0)])
        panel.autoscale_view()
        panel.set(ylim=(len(aggregates) - 0.5, -0.5), xlabel="human-normalised score")
    labels = [one.label if one.is_ours else f"{one.label}, paper" for one in aggregates]
    panels[0].set_yticks(range(len(aggregates)), [_shorten(label, 32) for label in labels])
    return figure


def _plot_estimate(panel: Axes, estimate: Estimate, line: int, place: int | None) -> None:
    """Plot a statistic and its interval; the paper's columns have no place among ours."""
    colour = GREY if place is None else _colour(place)
    if estimate.interval is not None:
        ends = [estimate.interval.low, estimate.interval.high]
        panel.plot(ends, [line, line], color=colour, linewidth=1.4, solid_capstyle="butt")
    style: dict[str, Any] = {"marker": "o", "markerfacecolor": "white", "markersize": 3.5}
    if place is not None:
        style = {"marker": _marker(place), "markersize": 4.5}
    panel.plot([estimate.value], [line], color=colour, linestyle="none", markeredgewidth=0.8, **style)


def _draw_profiles(profiles: Sequence[Profile]) -> Figure:
    """Draw the share of runs above a human-normalised score, for every such score."""
    ours = [one for one in profiles if one.is_ours]
    if len(ours) > MOST_WITH_PAPER:
        profiles = ours
    styles: list[Any] = [
        {
            "color": _colour(one.place),
            "marker": _marker(one.place) if one.is_ours else "",
            "markersize": 3.5,
            "linestyle": "-" if one.is_ours else (0, (4, 2)),
            "linewidth": 1.2 if one.is_ours else 0.9,
            "label": one.label,
        }
        for one in profiles
    ]
    handles = [Line2D([], [], **style) for style in styles]
    legend = _legend_height(handles, PAGE)
    figure, (panel,) = _make_panels(1, 1, (PAGE, 90), (14, 4, 3, 10), top=legend - 2)
    for number, (one, style) in enumerate(zip(profiles, styles, strict=True)):
        panel.plot(THRESHOLDS, one.shares, markevery=(number * 5 % 20, 20), **style)
        if one.bounds is not None:
            panel.fill_between(THRESHOLDS, *one.bounds, color=_colour(one.place), alpha=0.15, linewidth=0)
    panel.axvline(1, color=GREY, linewidth=0.7, linestyle=(0, (1, 2)))
    panel.text(1.05, 1.0, "human", color=GREY, va="top")
    panel.set_xscale("log")
    panel.set(xlim=(THRESHOLDS[0], THRESHOLDS[-1]), ylim=(0, 1.02))
    panel.set(xlabel="human-normalised score τ", ylabel="share of runs with a score above τ")
    panel.set_xticks([0.01, 0.1, 1, 10, 100], minor=False)
    panel.set_xticks([], minor=True)
    panel.xaxis.set_major_formatter(FuncFormatter(_tick))
    panel.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:.0f} %"))
    panel.grid(axis="both")
    _add_legend(figure, handles)
    return figure


def _make_panels(
    count: int,
    across: int,
    cell: tuple[float, float],
    padding: tuple[float, float, float, float],
    *,
    top: float = 0,
    bottom: float = 0,
    left: float = 0,
    width: float = PAGE,
) -> tuple[Figure, list[Axes]]:
    """Return a figure with panels in a grid of cells; padding is left, right, top, bottom within a cell."""
    cell_width, cell_height = cell
    pad_left, pad_right, pad_top, pad_bottom = padding
    height = top + bottom + math.ceil(count / across) * cell_height
    figure = Figure(figsize=(width / MILLIMETRES_PER_INCH, height / MILLIMETRES_PER_INCH))
    panels = []
    for number in range(count):
        row, column = divmod(number, across)
        x = left + column * cell_width + pad_left
        y = height - top - (row + 1) * cell_height + pad_bottom
        size = (cell_width - pad_left - pad_right) / width, (cell_height - pad_top - pad_bottom) / height
        panels.append(figure.add_axes((x / width, y / height, *size)))
    return figure, panels


def _legend_columns(handles: Sequence[Artist], width: float) -> int:
    longest = max(len(_shorten(str(handle.get_label()), 60)) for handle in handles)
    return max(1, min(len(handles), int(width / (9 + 1.35 * longest))))


def _legend_height(handles: Sequence[Artist], width: float) -> float:
    return math.ceil(len(handles) / _legend_columns(handles, width)) * LEGEND_LINE + 2


def _add_legend(figure: Figure, handles: Sequence[Artist]) -> None:
    width, height = (size * MILLIMETRES_PER_INCH for size in figure.get_size_inches())
    for handle in handles:
        handle.set_label(_shorten(str(handle.get_label()), 60))
    figure.legend(
        handles=list(handles),
        loc="upper left",
        bbox_to_anchor=(1.5 / width, 1 - 1 / height),
        ncols=_legend_columns(handles, width),
        frameon=False,
        borderpad=0,
        borderaxespad=0,
        handlelength=1.6,
        columnspacing=1.6,
    )


def _dot(colour: str, marker: str, label: str, *, is_open: bool = False) -> Line2D:
    return Line2D(
        [],
        [],
        color=colour,
        marker=marker,
        markersize=3.5,
        markerfacecolor="none" if is_open else colour,
        markeredgewidth=0.6 if is_open else 0,
        linestyle="none",
        label=label,
    )


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def _marker(place: int) -> str:
    return MARKERS[place % len(MARKERS)]


def _tick(value: float, _: object) -> str:
    return format_short(value)


def _shorten(label: str, length: int) -> str:
    return label if len(label) <= length else f"{label[: length - 1]}…"
