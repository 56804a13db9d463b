"""A planner that decides what it is told to, and a time that passes when it is let."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import numpy as np
from visits import HELLO, visit

from pixelplan.planning.budget import Ending
from pixelplan.planning.case import Case
from pixelplan.play.agent import Decision
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.trace import NO_PARENT, Trace
from pixelplan.viewer.live import LiveShow
from pixelplan.viewer.stage import Stage
from pixelplan.viewer.thinker import Began, Decided, Errand, Event, Grew, Thinker
from worlds import Clock

GENEROUS_SECONDS = 60.0
FIRE, RIGHT = 1, 3


def settings(**changes: Any) -> EpisodeSettings:  # noqa: ANN401
    """Return the settings of a game of Breakout."""
    defaults: dict[str, Any] = {"game": "breakout", "calls": 5, "noops": 0}
    return EpisodeSettings(**defaults | changes)


class StandIn(Thinker):
    """Decides at once, or when it is told to, always the same."""

    def __init__(self, *, is_prompt: bool = True) -> None:
        self.is_prompt = is_prompt
        self.errands: list[Errand] = []
        self.taken = 0
        """Events that were taken and passed on."""
        self.told = 0
        self.is_alive = True
        self.is_bold = False
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()

    def send(self, errand: Errand) -> None:
        self.errands.append(errand)
        if self.is_prompt:
            self.decide()

    def decide(self) -> None:
        """Decide what it was asked last: its tree has a root and one node."""
        root = 2 * len(self.errands)
        state = b"" if self.errands[-1].sighting is None else self.errands[-1].sighting.state
        visits = np.concatenate(
            [
                visit(root, NO_PARENT, -1, case=0, value=1.0),
                visit(root + 1, root, FIRE, reward=1.0, is_solved=True, value=1.0),
            ]
        )
        self.tell(Began(root=visits[:1], state=state, background=None, is_bold=self.is_bold))
        self.tell(Grew(visits=visits[1:], branch=(FIRE,)))
        self.tell(Decided(decision=Decision(action=FIRE, value=1.0, branch=(FIRE,), trace=TRACE)))

    def tell(self, event: Event | None) -> None:
        """Tell of an event; None is the end."""
        self.told += 1
        self._events.put(event)

    def next_event(self) -> Event:
        self.taken = self.told - self._events.qsize()
        event = self._events.get()
        if event is None:
            raise EOFError
        return event

    def kill(self) -> None:
        self.is_alive = False
        self.tell(None)


TRACE = Trace(
    seconds=0.1,
    cpu_seconds=0.1,
    simulator_seconds=0.1,
    simulator_calls=5,
    nodes=2,
    new_nodes=1,
    rollouts=1,
    cases=(0, 1, *[0] * (len(Case) - 2)),
    depth=1,
    ending=Ending.CALLS,
    has_dropped_tree=False,
)


class Ticker:
    """A clock for what is shown: it goes on as soon as somebody sleeps, or tick by tick."""

    def __init__(self, *, is_free: bool = True) -> None:
        self.clock = Clock()
        self.ticks = 0
        self._is_free = is_free
        self._may_tick = asyncio.Semaphore(0)

    async def sleep(self, seconds: float) -> None:
        """Let time pass."""
        if self._is_free:
            await asyncio.sleep(0)
        else:
            await self._may_tick.acquire()
        self.clock.advance(seconds)
        self.ticks += 1

    async def tick(self, times: int = 1) -> None:
        """Let frames be shown, one by one."""
        for _ in range(times):
            self._may_tick.release()
            await settle()

    async def pass_by(self, ticks: int) -> None:
        """Wait while a free clock ticks."""
        before = self.ticks
        await until(lambda: self.ticks >= before + ticks)


async def settle() -> None:
    """Let everybody do what can be done at once."""
    for _ in range(50):
        await asyncio.sleep(0)


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(GENEROUS_SECONDS):
        while not is_so():
            await asyncio.sleep(0.001)


@dataclass(frozen=True, kw_only=True)
class Rehearsal:
    """A show that is being given, and who takes part in it."""

    show: LiveShow
    stage: Stage
    thinker: StandIn
    ticker: Ticker
    running: asyncio.Task[None]


def perform(
    script: Callable[[Rehearsal], Coroutine[Any, Any, None]],
    thinker: StandIn,
    *,
    is_free: bool = True,
    **changes: Any,  # noqa: ANN401
) -> Stage:
    """Give a show and play a script beside it; return its stage, or raise what ended it."""
    stage = Stage(HELLO)

    async def play() -> None:
        show = LiveShow(stage, settings(**changes), lambda _: thinker)
        ticker = Ticker(is_free=is_free)
        running = asyncio.create_task(show.run())
        pacing = asyncio.create_task(show.pace(ticker.clock, ticker.sleep))
        try:
            await script(Rehearsal(show=show, stage=stage, thinker=thinker, ticker=ticker, running=running))
        finally:
            running.cancel()
            pacing.cancel()
            outcomes = await asyncio.gather(running, pacing, return_exceptions=True)
            show.end()
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome

    asyncio.run(play())
    return stage
