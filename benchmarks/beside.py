"""CPU seconds of the same episodes in this checkout and in another one, in alternation.

A change that must cost nothing is measured as a ratio: a machine that slows down slows both.
"""

from __future__ import annotations

import random
import statistics
import subprocess
from pathlib import Path
from typing import NamedTuple

GAMES = ("breakout", "ms_pacman", "alien", "qbert")
PRESETS = ("ras", "best")
PAIRS = 10
"""For each game and preset."""

HERE = Path(__file__).parent.parent
EPISODE = """
import sys, time
from pixelplan import EpisodeSettings, play_episode
from pixelplan.planning.settings import PRESETS

game, preset = sys.argv[1:]
settings = EpisodeSettings(game=game, calls=89, decisions=25, noops=0, **vars(PRESETS[preset]))
started = time.process_time()
result = play_episode(settings)
print(time.process_time() - started, sum(sum(played.decision.trace.cases) for played in result.played))
"""


class Ratio(NamedTuple):
    """A median of pairs, this checkout over the other one, and its 95 % interval."""

    median: float
    low: float
    high: float
    is_same: bool
    """Whether the searches arrived at as many nodes in both."""


class Played(NamedTuple):
    """An episode that was played."""

    cpu_seconds: float
    arrivals: int


def cpu_ratios(other: Path) -> dict[str, Ratio]:
    """Compare the checkouts, preset by preset. Each must have been installed by `make install`."""
    return {
        preset: _ratio([pair for game in GAMES for pair in _pairs(other, game, preset)]) for preset in PRESETS
    }


def _pairs(other: Path, game: str, preset: str) -> list[tuple[Played, Played]]:
    """Play the episode in both checkouts; each of them begins every other time."""
    pairs = []
    for index in range(PAIRS):
        checkouts = (HERE, other) if index % 2 == 0 else (other, HERE)
        played = {checkout: _play(checkout, game, preset) for checkout in checkouts}
        pairs.append((played[HERE], played[other]))
    return pairs


def _play(checkout: Path, game: str, preset: str) -> Played:
    python = checkout / ".venv" / "bin" / "python"
    if not python.exists():
        raise SystemExit(
            f"{checkout} has no .venv: run `make install` there, and name it by OTHER={checkout}"
        )
    # -P: nothing is imported from the folder in which this was started.
    command: list[str | Path] = [python, "-P", "-c", EPISODE, game, preset]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    seconds, arrivals = output.split()
    return Played(float(seconds), int(arrivals))


def _ratio(pairs: list[tuple[Played, Played]]) -> Ratio:
    ratios = [own.cpu_seconds / others.cpu_seconds for own, others in pairs]
    rng = random.Random(0)
    medians = sorted(statistics.median(rng.choices(ratios, k=len(ratios))) for _ in range(4_000))
    return Ratio(
        median=statistics.median(ratios),
        low=medians[100],
        high=medians[-101],
        is_same=all(own.arrivals == others.arrivals for own, others in pairs),
    )
