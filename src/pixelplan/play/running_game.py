"""A game that runs in real time, in a process of its own, and waits for nobody.

There is a tick every 1/60 s, and one frame is played at each. At every `frameskip`-th tick an action
is taken from the newest order. If none has come for this time, the player is late. Then the game goes on
with the action that the last order foresaw. Video games are like that.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from pixelplan.play.episode import PlayedEpisode
from pixelplan.simulators.atari import NOOP
from pixelplan.simulators.games import FRAMES_PER_SECOND
from pixelplan.simulators.sighting import Sighting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pixelplan.planning.simulator import Action
    from pixelplan.play.settings import EpisodeSettings


class Order(NamedTuple):
    """An order of a player: an action for one period, and those to follow if it is late later."""

    period: int
    actions: tuple[Action, ...]


class Taken(NamedTuple):
    """The action of a period, and whether it is a fallback because there was no order for it."""

    action: Action
    is_late: bool


def take(order: Order, period: int) -> Taken:
    """Return the action that an order has for a period: what follows in it, if it is an old one."""
    age = period - order.period
    return Taken(order.actions[age] if age < len(order.actions) else NOOP, is_late=age > 0)


@dataclass(frozen=True, kw_only=True)
class PeriodReport:
    """State of the game at the beginning of a period, and the action played in it."""

    sighting: Sighting
    period: int
    taken: Taken
    next_tick: float
    """When the next period begins, by the clock of the machine."""
    score: int
    frames: int
    is_final: bool
    """Whether the episode has ended, so that nothing is played any more."""
    frame_seconds: tuple[float, ...]
    """When the frames of the last period were played, since the game began to run."""


class RunningGame:
    """The game at its ticks."""

    def __init__(
        self,
        settings: EpisodeSettings,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._started: float | None = None
        self._ticks = 0
        self._frame_seconds: list[float] = []
        self._period_seconds = settings.frameskip / FRAMES_PER_SECOND
        self._episode = PlayedEpisode(settings, on_frame=self._wait_for_tick)

    def run(self, newest_order: Callable[[], Order]) -> Iterator[PeriodReport]:
        """Play to the end; report at the beginning of each period, and at the end."""
        self._started = self._clock()
        order = Order(0, ())
        for period in count():
            if self._episode.is_over():
                yield self._report(period, Taken(NOOP, is_late=False))
                return
            newest = newest_order()
            if newest.period == period:
                order = newest
            # An order that has come too late is none: its actions would follow one that was not played.
            taken = take(order, period)
            yield self._report(period, taken)
            self._episode.play(taken.action)

    def _wait_for_tick(self, _: PlayedEpisode) -> None:
        if self._started is None:
            return
        self._frame_seconds.append(self._clock() - self._started)
        self._ticks += 1
        # By the clock of the first tick: a tick that came late does not delay those after it.
        seconds_left = self._started + self._ticks / FRAMES_PER_SECOND - self._clock()
        if seconds_left > 0:
            self._sleep(seconds_left)

    def _report(self, period: int, taken: Taken) -> PeriodReport:
        assert self._started is not None
        episode, frame_seconds = self._episode, tuple(self._frame_seconds)
        self._frame_seconds.clear()
        return PeriodReport(
            sighting=Sighting.of(episode.game),
            period=period,
            taken=taken,
            next_tick=self._started + (period + 1) * self._period_seconds,
            score=episode.score,
            frames=episode.frames,
            is_final=episode.is_over(),
            frame_seconds=frame_seconds,
        )
