"""Lists of names, each with a line that says what it is."""

from __future__ import annotations

import sys


def print_listing(abouts: dict[str, str]) -> int:
    """Print each name and what it is."""
    width = max(map(len, abouts)) + 2
    for name, about in abouts.items():
        sys.stdout.write(f"{name:<{width}}{about}\n")
    return 0
