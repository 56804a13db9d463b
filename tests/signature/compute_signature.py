"""The signature of the searches: one number that changes when anything they do changes.

It is the number of arrivals at nodes, tested or not, in a few fixed episodes with budgets of calls.
A commit message ends with `Signature: N` if the number is another one, else with `No functional change`.
"""

from __future__ import annotations

import sys
from itertools import product

from pixelplan.planning.settings import PRESETS
from pixelplan.play.episode import play_episode
from pixelplan.play.settings import EpisodeSettings

GAMES = ("breakout", "ms_pacman", "private_eye")


def signature() -> int:
    """Play the fixed episodes and count the arrivals."""
    arrivals = 0
    for game, preset in product(GAMES, PRESETS.values()):
        settings = EpisodeSettings(game=game, calls=60, decisions=10, seed=1, **vars(preset))
        result = play_episode(settings)
        arrivals += sum(sum(played.decision.trace.cases) for played in result.played)
    return arrivals


if __name__ == "__main__":
    sys.stdout.write(f"Signature: {signature()}\n")
