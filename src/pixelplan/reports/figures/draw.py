"""Figures as files, all of a report or one. Equal data give equal files."""

from __future__ import annotations

import io
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import matplotlib

from pixelplan.reports.figures.aggregates import draw_aggregates
from pixelplan.reports.figures.calls import draw_calls
from pixelplan.reports.figures.points import against_human
from pixelplan.reports.figures.profiles import draw_profiles
from pixelplan.reports.figures.relative import draw_relative, share_out
from pixelplan.reports.figures.scatter import draw_scatter
from pixelplan.reports.figures.style import STYLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from matplotlib.figure import Figure

    from pixelplan.reports.report import Report


DOTS_PER_INCH = 200


@dataclass(frozen=True, kw_only=True)
class FigureFile:
    """A figure in both its forms."""

    name: str
    svg: bytes
    png: bytes


def draw_figures(report: Report) -> list[FigureFile]:
    """Draw every figure of a report for which there are data."""
    with _style():
        return [_save(name, figure) for name, figure in _draw(report)]


def draw_figure(name: str, draw: Callable[[], Figure]) -> FigureFile:
    """Draw one figure."""
    with _style():
        return _save(name, draw())


@contextmanager
def _style() -> Iterator[None]:
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        # A label in a script that the font does not have is no reason to write no report.
        warnings.filterwarnings("ignore", message="Glyph")
        yield


def _draw(report: Report) -> Iterator[tuple[str, Figure]]:
    played = [(place, column) for place, column in enumerate(report.columns) if column.rows]
    if compared := [(place, column) for place, column in played if against_human(column.means)]:
        yield "scatter", draw_scatter(compared)
    for number, bars in enumerate(share_out(report.relative), start=1):
        yield f"relative-{number}", draw_relative(bars)
    if played:
        yield "calls", draw_calls(played)
    if report.aggregates:
        places = {column.name: place for place, column in enumerate(report.columns)}
        yield "aggregates", draw_aggregates(report.aggregates[0].aggregates, places)
    if report.profiles:
        yield "profiles", draw_profiles(report.profiles)


def _save(name: str, figure: Figure) -> FigureFile:
    svg, png = io.BytesIO(), io.BytesIO()
    figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    figure.savefig(png, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
    return FigureFile(name=name, svg=svg.getvalue(), png=png.getvalue())
