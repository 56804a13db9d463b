"""Numbers and signs as they are set in print."""

from __future__ import annotations

import re

MINUS = "\N{MINUS SIGN}"
EN_DASH = "\N{EN DASH}"
MISSING = EN_DASH
"""In place of a missing number."""
_UNITS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def format_number(value: float, decimals: int = 1) -> str:
    """Return a number with thousands separators and a true minus, but none before a zero."""
    text = f"{value:z,.{decimals}f}"
    return text.replace("-", MINUS)


def format_short(value: float) -> str:
    """Return a number for a place with little room: 250, 1.5k, 20M."""
    for size, unit in _UNITS:
        if abs(value) >= size:
            return f"{value / size:.4g}{unit}".replace("-", MINUS)
    return f"{value:.4g}".replace("-", MINUS)


def format_range(low: int, high: int) -> str:
    """Return a range of whole numbers, or the number if there is only one."""
    return str(low) if low == high else f"{low}{EN_DASH}{high}"


def bind_units(text: str) -> str:
    """Keep numbers and their units on one line."""
    return re.sub(r"(?<=\d) (?=(?:s|ms|%)(?:\W|$))", "\N{NO-BREAK SPACE}", text)
