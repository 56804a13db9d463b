"""`pixelplan bench`: compare the planner's speed with the bare emulator's."""

from __future__ import annotations

import json
import statistics
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from pixelplan.cli.arguments import read_arguments
from pixelplan.errors import InputError

if TYPE_CHECKING:
    from pixelplan.play.speed import GameSpeed

GAMES = (
    *("breakout", "ms_pacman", "alien", "qbert", "space_invaders", "montezuma_revenge"),
    *("pong", "private_eye", "battle_zone", "atlantis", "krull", "solaris"),
)


@dataclass(frozen=True, kw_only=True)
class Bench:
    """Measure simulator calls per second of the planner (preset ras), beside the bare emulator.

    Both run in one process, on the same game with the same frame skip; the bare emulator acts at
    random, before and after each planner run. Use an idle machine.
    """

    games: tuple[str, ...] = GAMES
    """Games to measure."""
    seconds: float = 0.5
    """Wall-clock budget of a decision."""
    decisions: int = 20
    """Decisions per game."""
    seed: int = 0
    """Of every random draw."""
    workers: int = 0
    """Emulator processes; 0 = search in this process, the only value so far."""
    json: bool = False
    """Print one JSON object."""


def run(arguments: list[str]) -> int:
    """Measure each game, then the geometric mean of the ratios."""
    bench = read_arguments("bench", Bench(), arguments)
    if bench.workers != 0:
        raise InputError("workers must be 0: the search runs in this process")

    from pixelplan.play.episode import EpisodeSettings
    from pixelplan.play.speed import measure_speed
    from pixelplan.simulators.atari import rom_names
    from pixelplan.simulators.games import find_game

    games = [find_game(game, rom_names()) for game in bench.games]
    settings = [
        EpisodeSettings(game=game, seconds=bench.seconds, decisions=bench.decisions, seed=bench.seed)
        for game in games
    ]
    speeds: list[GameSpeed] = []
    if not bench.json:
        sys.stdout.write(
            f"{'game':<20}{'emulator/s':>12}{'planner/s':>12}{'ratio':>8}"
            f"{'kernel us/node':>16}{'emulator share':>16}\n"
        )
    for game in settings:
        speeds.append(measure_speed(game))
        if not bench.json:
            sys.stdout.write(_row(speeds[-1]))
            sys.stdout.flush()
    geometric_mean = statistics.geometric_mean(speed.ratio for speed in speeds)
    report = {"games": [asdict(speed) for speed in speeds], "geometric_mean": geometric_mean}
    sys.stdout.write(
        f"{json.dumps(report)}\n" if bench.json else f"{'geometric mean':<44}{geometric_mean:>8.3f}\n"
    )
    return 0


def _row(speed: GameSpeed) -> str:
    return (
        f"{speed.game:<20}{speed.raw_calls_per_second:>12.0f}{speed.planner_calls_per_second:>12.0f}"
        f"{speed.ratio:>8.3f}{speed.kernel_us_per_node:>16.1f}{speed.emulator_share:>16.3f}\n"
    )
