"""Lists of names, each with the first line of its module's documentation."""

from __future__ import annotations

import sys


def print_listing(modules: dict[str, str]) -> int:
    """Print each name and what its module says it is."""
    width = max(map(len, modules)) + 2
    for name, module in modules.items():
        about = (sys.modules[module].__doc__ or "").splitlines()[0]
        sys.stdout.write(f"{name:<{width}}{about}\n")
    return 0
