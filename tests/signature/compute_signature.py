"""The signatures of the searches: numbers that change when anything they do changes.

That of the presets is the number of arrivals at nodes, tested or not, in a few fixed episodes with budgets of
calls. A commit message ends with `Signature: N` if it is another one, else with `No functional change`.
That of the planners that no preset uses is a checksum: to some of them arrivals mean little.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING
from zlib import crc32

from pixelplan.planning.planners import PLANNERS
from pixelplan.planning.settings import PRESETS
from pixelplan.play.episode import play_episode
from pixelplan.play.settings import EpisodeSettings

if TYPE_CHECKING:
    from pixelplan.play.trace import Trace

GAMES = ("breakout", "ms_pacman", "private_eye")
OTHER_PLANNERS = sorted(PLANNERS.keys() - {preset.planner for preset in PRESETS.values()})


def arrivals(game: str) -> int:
    """Play an episode with each preset and count the arrivals."""
    found = 0
    for preset in PRESETS.values():
        settings = EpisodeSettings(game=game, calls=60, decisions=10, seed=1, **vars(preset))
        result = play_episode(settings)
        found += sum(sum(played.decision.trace.cases) for played in result.played)
    return found


def signature_of_other_planners() -> int:
    """Play an episode with each other planner, and one of width 2, and sum up what was decided and why."""
    settings = EpisodeSettings(game="ms_pacman", calls=60, decisions=6, seed=1)
    others = [replace(settings, planner=planner) for planner in OTHER_PLANNERS]
    wide = replace(settings, width=2, features="ram-bytes")
    decided = [
        (played.action, played.decision.branch, *shape(played.decision.trace))
        for episode in (*others, wide)
        for played in play_episode(episode).played
    ]
    return crc32(repr(decided).encode())


def shape(trace: Trace) -> tuple[object, ...]:
    """Return what a search has made."""
    return (trace.nodes, trace.new_nodes, trace.rollouts, trace.depth, trace.cases)


if __name__ == "__main__":
    by_game = {game: arrivals(game) for game in GAMES}
    sys.stdout.write(f"Signature: {sum(by_game.values())}\nof which: {by_game}\n")
    sys.stdout.write(f"Other planners: {signature_of_other_planners()}\n")
