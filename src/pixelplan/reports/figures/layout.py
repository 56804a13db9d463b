"""The layout of a figure: panels in a grid, below a legend."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from pixelplan.reports.figures.style import PAGE, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


LEGEND_LINE = 3.8
MILLIMETRES_PER_INCH = 25.4


def make_panels(
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
    longest = max(len(shorten(str(handle.get_label()), 60)) for handle in handles)
    return max(1, min(len(handles), int(width / (9 + 1.35 * longest))))


def legend_height(handles: Sequence[Artist], width: float) -> float:
    """Return the room that a legend takes."""
    return math.ceil(len(handles) / _legend_columns(handles, width)) * LEGEND_LINE + 2


def add_legend(figure: Figure, handles: Sequence[Artist]) -> None:
    """Put a legend at the top."""
    width, height = (size * MILLIMETRES_PER_INCH for size in figure.get_size_inches())
    for handle in handles:
        handle.set_label(shorten(str(handle.get_label()), 60))
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


def dot(colour: str, marker: str, label: str, *, is_open: bool = False) -> Line2D:
    """Return a point of a legend."""
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


def leave_out_left_side(panel: Axes, lines: int) -> None:
    """Let grid lines stand for the left axis."""
    panel.spines["left"].set_visible(False)
    panel.tick_params(left=False)
    panel.set_yticks(range(lines), [])
