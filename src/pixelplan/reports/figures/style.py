"""The style of all figures: colours, markers and text.

Sizes are in millimetres on a page 180 mm wide; text has 7 points there.
"""

from __future__ import annotations

from typing import Any

from pixelplan.reports.typography import format_short

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""The colours of Okabe and Ito without yellow, which is faint on white."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p")
"""Their number has no factor in common with that of the colours, so that 56 columns differ."""
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


def colour_of(place: int) -> str:
    """Return the colour of the column at a place."""
    return COLOURS[place % len(COLOURS)]


def marker_of(place: int) -> str:
    """Return the marker of the column at a place."""
    return MARKERS[place % len(MARKERS)]


def tick(value: float, _: object) -> str:
    """Return the label of a tick, for matplotlib's FuncFormatter."""
    return format_short(value)


def shorten(label: str, length: int) -> str:
    """Cut a label that is too long for its place."""
    return label if len(label) <= length else f"{label[: length - 1]}…"
