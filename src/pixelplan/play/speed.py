"""The planner's speed beside the bare emulator's, and with workers beside itself without any."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar, TypeVarTuple

from pixelplan.errors import InputError
from pixelplan.features.feature_sets import find_feature_set
from pixelplan.play.episode import make_simulator, play_episode
from pixelplan.simulators.ale import BareEmulator

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.features.feature_set import FeatureSet
    from pixelplan.planning.novelty import Features, Novelty, NoveltyTable
    from pixelplan.play.settings import EpisodeSettings
    from pixelplan.simulators.ale import AtariGame
    from pixelplan.simulators.atari import AtariSimulator
    from pixelplan.simulators.emulator import Work

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

BARE_CALLS = 500
"""After each decision: on a machine that is shared, both speeds drift by a tenth within seconds."""


@dataclass(frozen=True, kw_only=True)
class GameSpeed:
    """Simulator calls per second in one game, and where the time goes."""

    game: str
    raw_calls_per_second: float
    planner_calls_per_second: float
    ratio: float
    kernel_us_per_node: float
    emulator_share: float
    """Share of the planner's time in which the emulators act: their states may be dearer than random ones."""


@dataclass(frozen=True, kw_only=True)
class PoolSpeed(GameSpeed):
    """The same of a planner with workers, beside the planner without."""

    in_process_calls_per_second: float
    speedup: float
    main_us_per_node: float
    """CPU time of the process that has the tree, for each simulator call."""
    novelty_us_per_node: float
    """The part of that time that the kernel takes to judge novelty."""


@dataclass(frozen=True, kw_only=True)
class PlannerRun:
    """Work of a planner in an episode, and its cost."""

    calls: int
    seconds: float
    main_seconds: float
    act_seconds: float
    observe_seconds: float
    novelty_seconds: float
    bare_seconds: float
    """Seconds that the bare emulator took for a call, between the decisions."""

    def per_call_us(self, seconds: float) -> float:
        """Return microseconds per simulator call."""
        return 1e6 * seconds / self.calls


def measure_speed(settings: EpisodeSettings) -> GameSpeed:
    """Time an episode's decisions, and the bare emulator between them."""
    alone = None if settings.workers == 0 else run_planner(replace(settings, workers=0))
    run = run_planner(settings)
    raw = 1 / run.bare_seconds
    planner = run.calls / run.seconds
    speed = GameSpeed(
        game=settings.game,
        raw_calls_per_second=raw,
        planner_calls_per_second=planner,
        ratio=planner / raw,
        kernel_us_per_node=run.per_call_us(run.observe_seconds + run.novelty_seconds),
        emulator_share=run.act_seconds / (run.seconds * max(settings.workers, 1)),
    )
    if alone is None:
        return speed
    in_process = alone.calls / alone.seconds
    return PoolSpeed(
        **vars(speed),
        in_process_calls_per_second=in_process,
        speedup=planner / in_process,
        main_us_per_node=run.per_call_us(run.main_seconds),
        novelty_us_per_node=run.per_call_us(run.novelty_seconds),
    )


def run_planner(settings: EpisodeSettings) -> PlannerRun:
    """Play an episode and time its parts."""
    novelty, bare = Timer(), Timer()
    emulator = BareEmulator(settings.game, frameskip=settings.frameskip, seed=settings.seed)
    timed: list[tuple[AtariSimulator, Work]] = []

    def make_timed_simulator(settings: EpisodeSettings, game: AtariGame) -> AtariSimulator:
        simulator = make_simulator(settings, game, time_tables(find_feature_set(settings.features), novelty))
        timed.append((simulator, simulator.work()))
        return simulator

    result = play_episode(
        settings,
        on_decision=lambda _: bare.time(emulator.run, BARE_CALLS),
        make_simulator=make_timed_simulator,
    )
    traces = [played.decision.trace for played in result.played]
    calls = sum(trace.simulator_calls for trace in traces)
    if calls == 0:
        raise InputError(f"no simulator call fits into a decision of {settings.seconds} s")
    ((simulator, before),) = timed
    after = simulator.work()
    return PlannerRun(
        calls=calls,
        seconds=sum(trace.seconds for trace in traces),
        main_seconds=sum(trace.cpu_seconds for trace in traces),
        act_seconds=after.act_seconds - before.act_seconds,
        observe_seconds=after.kernel_seconds - before.kernel_seconds,
        novelty_seconds=novelty.seconds,
        bare_seconds=bare.seconds / (BARE_CALLS * len(traces)),
    )


class Timer:
    """Adds up the time that calls take."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def time(self, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """Call a function."""
        started = time.perf_counter()
        result = function(*arguments)
        self.seconds += time.perf_counter() - started
        return result


def time_tables(features: FeatureSet, timer: Timer) -> FeatureSet:
    """Return a feature set that is the same, but for tables that time their judgements."""
    return replace(features, make_table=partial(make_timed_table, features.make_table, timer))


def make_timed_table(make_table: Callable[[int], NoveltyTable], timer: Timer, width: int) -> TimedTable:
    """Make a table that times its judgements."""
    return TimedTable(make_table(width), timer)


class TimedTable:
    """A novelty table that times its judgements."""

    def __init__(self, table: NoveltyTable, timer: Timer) -> None:
        self._table = table
        self._timer = timer

    def compare(self, features: Features, depth: int) -> Novelty:
        """Compare, timed."""
        return self._timer.time(self._table.compare, features, depth)

    def update(self, features: Features, depth: int) -> Novelty:
        """Update, timed."""
        return self._timer.time(self._table.update, features, depth)

    def clear(self) -> None:
        """Forget all depths."""
        self._table.clear()
