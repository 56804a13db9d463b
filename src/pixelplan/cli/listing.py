"""Lists of names, each with a description in one line."""

from __future__ import annotations

import sys


def print_listing(abouts: dict[str, str]) -> int:
    """Print each name and its description."""
    width = max(map(len, abouts)) + 2
    for name, about in abouts.items():
        sys.stdout.write(f"{name:<{width}}{about}\n")
    return 0
