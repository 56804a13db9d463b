"""`pixelplan games`: list the games."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from pixelplan.cli.arguments import read_arguments
from pixelplan.simulators.games import OTHER_DUMPS, PAPER_GAMES, gymnasium_name


@dataclass(frozen=True, kw_only=True)
class Games:
    """List the paper's 58 games, by ROM name and by Gymnasium's name.

    A star marks games whose ROM in ale-py is another dump than the paper's.
    """


def run(arguments: list[str]) -> int:
    """List the games."""
    read_arguments("games", Games(), arguments)
    for game in PAPER_GAMES:
        sys.stdout.write(f"{game:<20}{gymnasium_name(game)}{'  *' if game in OTHER_DUMPS else ''}\n")
    return 0
