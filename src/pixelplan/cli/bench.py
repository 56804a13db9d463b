"""`pixelplan bench`: compare the planner's speed with the bare emulator's."""

from __future__ import annotations

import json
import statistics
import sys
from dataclasses import asdict, dataclass
from typing import Any

from pixelplan.cli.arguments import read_arguments

GAMES = (
    *("breakout", "ms_pacman", "alien", "qbert", "space_invaders", "montezuma_revenge"),
    *("pong", "private_eye", "battle_zone", "atlantis", "krull", "solaris"),
)

COLUMNS = {
    "raw_calls_per_second": ("emulator/s", ".0f"),
    "planner_calls_per_second": ("planner/s", ".0f"),
    "ratio": ("ratio", ".3f"),
    "kernel_us_per_node": ("kernel us/node", ".1f"),
    "emulator_share": ("emulator share", ".3f"),
}
"""What is shown of each game: title and format."""
POOL_COLUMNS = {
    "in_process_calls_per_second": ("in process/s", ".0f"),
    "speedup": ("speedup", ".3f"),
    "main_us_per_node": ("main us/node", ".1f"),
    "novelty_us_per_node": ("novelty us/node", ".1f"),
}


@dataclass(frozen=True, kw_only=True)
class Bench:
    """Measure simulator calls per second of the planner (preset ras), beside the bare emulator.

    Both play the same game with the same frame skip; the bare emulator acts at random, in one process,
    after each decision of the planner. With workers, the planner without any runs too, for comparison.
    Use an idle machine.
    """

    games: tuple[str, ...] = GAMES
    """Games to measure."""
    features: str = "b-prost"
    """Features whose novelty counts: see `pixelplan features`."""
    seconds: float = 0.5
    """Wall-clock budget of a decision."""
    decisions: int = 20
    """Decisions per game."""
    seed: int = 0
    """Of every random draw."""
    workers: int = 0
    """Emulator processes; 0 = search in this process."""
    json: bool = False
    """Print one JSON object."""


def run(arguments: list[str]) -> int:
    """Measure each game, then the geometric means."""
    bench = read_arguments("bench", Bench(), arguments)

    from pixelplan.play.episode import EpisodeSettings
    from pixelplan.play.speed import measure_speed
    from pixelplan.simulators.ale import rom_names
    from pixelplan.simulators.games import find_game

    settings = [
        EpisodeSettings(
            game=find_game(game, rom_names()),
            features=bench.features,
            seconds=bench.seconds,
            decisions=bench.decisions,
            seed=bench.seed,
            workers=bench.workers,
        )
        for game in bench.games
    ]
    columns = COLUMNS | (POOL_COLUMNS if bench.workers > 0 else {})
    if not bench.json:
        sys.stdout.write(_line("game", [title for title, _ in columns.values()]))
    speeds: list[dict[str, Any]] = []
    for game in settings:
        speeds.append(asdict(measure_speed(game)))
        if not bench.json:
            cells = [f"{speeds[-1][name]:{form}}" for name, (_, form) in columns.items()]
            sys.stdout.write(_line(game.game, cells))
            sys.stdout.flush()
    means = {name: statistics.geometric_mean([speed[name] for speed in speeds]) for name in columns}
    if bench.json:
        report = {"games": speeds, "geometric_mean": means["ratio"], "geometric_means": means}
        sys.stdout.write(f"{json.dumps(report)}\n")
    else:
        cells = [f"{means[name]:{form}}" for name, (_, form) in columns.items()]
        sys.stdout.write(_line("geometric mean", cells))
    return 0


def _line(game: str, cells: list[str]) -> str:
    return f"{game:<20}{''.join(f'{cell:>16}' for cell in cells)}\n"
