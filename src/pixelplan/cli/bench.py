"""`pixelplan bench`: compare the planner's speed with the bare emulator's."""

from __future__ import annotations

import json
import statistics
import sys
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any

import tyro

from pixelplan.cli.arguments import read_arguments
from pixelplan.cli.play import EpisodeFlags, preset_defaults
from pixelplan.planning.settings import PLANNER_PRESET

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
"""Columns of the table: title and format."""
POOL_COLUMNS = {
    "in_process_calls_per_second": ("in process/s", ".0f"),
    "speedup": ("speedup", ".3f"),
    "main_us_per_node": ("main us/node", ".1f"),
    "novelty_us_per_node": ("novelty us/node", ".1f"),
}


@dataclass(frozen=True, kw_only=True)
class Bench(EpisodeFlags):
    """Measure simulator calls per second of the planner, beside the bare emulator.

    Both play the same game with the same frame skip; the bare emulator acts at random, in one process,
    after each decision of the planner. With workers, the planner without any runs too, for comparison.
    Use an idle machine. Flags are those of `pixelplan play`.
    """

    game: Annotated[str, tyro.conf.Suppress] = ""
    games: tuple[str, ...] = GAMES
    """Games to measure."""
    json: bool = False
    """Print one JSON object."""


def run(arguments: list[str]) -> int:
    """Measure each game, then the geometric means."""
    seconds = None if "--realtime" in arguments else 0.5
    defaults = preset_defaults(arguments, PLANNER_PRESET) | {
        "seconds": seconds,
        "decisions": 20,
        "workers": 0,
    }
    bench = read_arguments("bench", Bench(**defaults), arguments)

    from pixelplan.play.speed import measure_speed

    settings = [replace(bench, game=game).episode_settings() for game in bench.games]
    columns = COLUMNS | (POOL_COLUMNS if settings[0].workers > 0 else {})
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
