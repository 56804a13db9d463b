"""`pixelplan planners`: list the planners."""

from __future__ import annotations

from dataclasses import dataclass

from pixelplan.cli.arguments import read_arguments
from pixelplan.cli.listing import print_listing
from pixelplan.planning.planners import ABOUT, FORM, PLANNERS


@dataclass(frozen=True, kw_only=True)
class Planners:
    """List the planners, for `pixelplan play --planner`."""


def run(arguments: list[str]) -> int:
    """List the planners."""
    read_arguments("planners", Planners(), arguments)
    return print_listing({name: planner.about for name, planner in PLANNERS.items()} | {FORM: ABOUT})
