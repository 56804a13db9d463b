"""The planner's speed beside the bare emulator's, in one process."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar, TypeVarTuple

from pixelplan.errors import InputError
from pixelplan.features.b_prost import BProstTable, ScreenFeatures
from pixelplan.play.episode import EpisodeSettings, play_episode
from pixelplan.simulators.atari import AtariSimulator, BareEmulator

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.planning.novelty import Novelty, NoveltyTable
    from pixelplan.planning.simulator import Action

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

BARE_RUNS = 4
"""Runs of a thousand calls before the planner's run, and again after it."""


@dataclass(frozen=True, kw_only=True)
class GameSpeed:
    """Simulator calls per second in one game, and what the kernel costs."""

    game: str
    raw_calls_per_second: float
    planner_calls_per_second: float
    ratio: float
    kernel_us_per_node: float
    emulator_share: float
    """Share of the planner's time in which the emulator acts: its states may be dearer than random ones."""


def measure_speed(settings: EpisodeSettings) -> GameSpeed:
    """Time an episode's decisions, with the bare emulator before and after."""
    kernel, emulator = Stopwatch(), Stopwatch()

    class TimedSimulator(AtariSimulator):
        """Times what the emulator and the kernel do."""

        def _act(self, action: Action) -> int:
            return emulator.time(super()._act, action)

        def _extract_tiles(self) -> bytes:
            return kernel.time(super()._extract_tiles)

        def novelty_table(self) -> NoveltyTable:
            return TimedTable(kernel)

    before = _bare_calls_per_second(settings)
    result = play_episode(settings, make_simulator=TimedSimulator)
    after = _bare_calls_per_second(settings)
    traces = [played.decision.trace for played in result.played]
    calls = sum(trace.simulator_calls for trace in traces)
    if calls == 0:
        raise InputError(f"no simulator call fits into a decision of {settings.seconds} s")
    raw = statistics.mean((before, after))
    seconds = sum(trace.seconds for trace in traces)
    planner = calls / seconds
    return GameSpeed(
        game=settings.game,
        raw_calls_per_second=raw,
        planner_calls_per_second=planner,
        ratio=planner / raw,
        kernel_us_per_node=1e6 * kernel.seconds / calls,
        emulator_share=emulator.seconds / seconds,
    )


class Stopwatch:
    """Adds up the time that calls take."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def time(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """Call a function."""
        started = time.perf_counter()
        result = function(*arguments)
        self.seconds += time.perf_counter() - started
        return result


class TimedTable(BProstTable):
    """A novelty table that times its judgements."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        super().__init__()
        self._stopwatch = stopwatch

    def compare(self, features: ScreenFeatures, depth: int) -> Novelty:
        """Compare, timed."""
        return self._stopwatch.time(super().compare, features, depth)

    def update(self, features: ScreenFeatures, depth: int) -> Novelty:
        """Update, timed."""
        return self._stopwatch.time(super().update, features, depth)


def _bare_calls_per_second(settings: EpisodeSettings) -> float:
    emulator = BareEmulator(settings.game, frameskip=settings.frameskip, seed=settings.seed)
    started = time.perf_counter()
    calls = sum(emulator.run() for _ in range(BARE_RUNS))
    return calls / (time.perf_counter() - started)
