"""Playing in real time: the game does not wait while the planner thinks.

While an action is being played, the planner looks ahead from the state in which it will end, to
decide the next one. It knows that state if the game is deterministic. If the game turns out to be
elsewhere, the action is played all the same, and the next lookahead starts from the true state.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, Protocol

from pixelplan.planning.budget import Budget
from pixelplan.play.agent import Agent, Decision, no_garbage_collection
from pixelplan.play.backgrounds import Backgrounds
from pixelplan.play.episode import (
    PlayedDecision,
    PlayedEpisode,
    make_result,
    make_simulator,
    play_to_the_end,
    settings_of,
)
from pixelplan.play.game_process import GameProcess
from pixelplan.play.running_game import Order, PeriodReport
from pixelplan.play.settings import CHOOSING_SECONDS
from pixelplan.play.stopwatch import Stopwatch
from pixelplan.play.trace import Trace
from pixelplan.simulators.atari import NOOP
from pixelplan.system import interrupts

if TYPE_CHECKING:
    from collections.abc import Callable

    from pixelplan.planning.choice import Choice
    from pixelplan.play.episode import EpisodeResult, SimulatorMaker
    from pixelplan.play.settings import EpisodeSettings
    from pixelplan.play.trace import VisitLog
    from pixelplan.simulators.atari import AtariSimulator

NOTHING_TO_DECIDE = Decision(action=NOOP, value=0.0, branch=(NOOP,), trace=Trace.empty())
LEAST_SECONDS = 1e-4
"""A decision whose time is up chooses by what was found before."""


class Game(Protocol):
    """A game that runs by itself."""

    def put(self, order: Order) -> None:
        """Give an order. The first one starts the game."""
        ...

    def next_report(self) -> PeriodReport:
        """Wait for the beginning of the next period."""
        ...


def play_in_real_time(
    game: EpisodeSettings | str,
    *,
    on_decision: Callable[[PlayedDecision], None] | None = None,
    traces_nodes: bool = False,
    **changes: Any,  # noqa: ANN401
) -> EpisodeResult:
    """Play an episode in real time: that of some settings, or of a game, as `play_episode` takes them.

    Ctrl-C ends it early: the result is what was played until then.
    """
    # A budget of calls for several workers implies `deterministic`, but not in real time.
    settings = settings_of(game, {"deterministic": False} | changes | {"realtime": True})
    with GameProcess(settings) as running:
        return play_running_game(settings, running, on_decision=on_decision, traces_nodes=traces_nodes)


def play_running_game(
    settings: EpisodeSettings,
    game: Game,
    *,
    on_decision: Callable[[PlayedDecision], None] | None = None,
    traces_nodes: bool = False,
    visits: VisitLog | None = None,
    make_simulator: SimulatorMaker = make_simulator,
    clock: Callable[[], float] = time.monotonic,
) -> EpisodeResult:
    """Play a game that runs elsewhere."""
    stopwatch = Stopwatch()
    # The same game as the running one until that begins to run, and then the start of the lookahead.
    start = PlayedEpisode(settings)
    with make_simulator(settings, start.game) as simulator, no_garbage_collection():
        agent = Agent(
            simulator, settings, seed=settings.seed, traces_nodes=traces_nodes, visits=visits, clock=clock
        )
        player = Player(settings, game, agent, simulator, clock, on_decision)
        early_end = None if start.is_over() else play_to_the_end(player.play)
    return make_result(
        settings,
        start,
        player.played,
        stopwatch,
        early_end=early_end,
        backgrounds=player.backgrounds,
        frame_seconds=player.frame_seconds,
    )


class Player:
    """Decides while the game runs."""

    def __init__(
        self,
        settings: EpisodeSettings,
        game: Game,
        agent: Agent,
        simulator: AtariSimulator,
        clock: Callable[[], float],
        on_decision: Callable[[PlayedDecision], None] | None,
    ) -> None:
        self.played: list[PlayedDecision] = []
        self.frame_seconds: list[float] = []
        self.backgrounds = Backgrounds()
        self._budget = settings.budget()
        self._max_decisions = math.inf if settings.decisions is None else settings.decisions
        self._game = game
        self._agent = agent
        self._simulator = simulator
        self._clock = clock
        self._on_decision = on_decision

    def play(self) -> None:
        """Play to the end of the episode. The first decision is made before the game begins to run."""
        decision = self._decide(0, self._budget)
        report = self._game.next_report()
        score = report.score
        while not report.is_final and len(self.played) < self._max_decisions:
            state = self._simulator.arrive(report.sighting, self._agent.state.previous)
            is_mispredicted = self._agent.correct(state, report.score - score)
            score = report.score
            # How it is rewarded is known when it has been played.
            self._agent.observe(report.taken.action, reward=0.0)
            interrupts.check()
            following = self._decide(report.period + 1, self._budget_until(report.next_tick))
            self._show()
            after = self._game.next_report()
            self._note(decision, report, after, is_mispredicted=is_mispredicted)
            decision, report = following, after
        self._show()

    def _decide(self, period: int, budget: Budget) -> Decision:
        """Decide what is played in a period, and tell the game at once."""
        if self._agent.state.is_terminal:
            # The game will be over by then, if it goes as predicted.
            return NOTHING_TO_DECIDE

        def put(choice: Choice) -> None:
            self._game.put(Order(period, choice.branch))

        decision = self._agent.decide(budget, on_choice=put)
        self.backgrounds.note(period, self._simulator.background())
        return decision

    def _budget_until(self, tick: float) -> Budget:
        seconds = tick - CHOOSING_SECONDS - self._clock()
        return Budget(seconds=max(seconds, LEAST_SECONDS), calls=self._budget.calls)

    def _note(
        self, decision: Decision, report: PeriodReport, after: PeriodReport, *, is_mispredicted: bool
    ) -> None:
        """Note what was played in a period, which the report after it tells."""
        self.frame_seconds += after.frame_seconds
        self.played.append(
            PlayedDecision(
                decision=decision,
                action=report.taken.action,
                reward=after.score - report.score,
                score=after.score,
                frames=after.frames,
                lives=after.sighting.lives,
                is_late=report.taken.is_late,
                is_mispredicted=is_mispredicted,
            )
        )

    def _show(self) -> None:
        """Tell of what was played last. It is done when the next action is on its way."""
        if self._on_decision is not None and self.played:
            self._on_decision(self.played[-1])
