"""Playing a game that does not wait. No test waits either: the clocks stand still until they are moved."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from pixelplan.features.observation import NO_OBSERVATION
from pixelplan.planning.budget import Ending
from pixelplan.planning.paper_settings import Caching
from pixelplan.planning.simulator import Action, Transition
from pixelplan.play.episode import EpisodeResult, PlayedDecision, PlayedEpisode
from pixelplan.play.realtime import play_running_game
from pixelplan.play.recorded_run import read_run
from pixelplan.play.replay import replay_episode
from pixelplan.play.run_folder import RunFolderWriter
from pixelplan.play.running_game import Order, PeriodReport, RunningGame
from pixelplan.play.settings import CHOOSING_SECONDS, EpisodeSettings
from pixelplan.play.summary import summarise
from pixelplan.simulators import atari
from pixelplan.simulators.ale import AtariGame
from pixelplan.simulators.atari import NOOP, AtariSimulator, AtariState
from pixelplan.simulators.sighting import Sighting
from worlds import Clock

Lie = Callable[[PeriodReport], PeriodReport]
When = tuple[int, int]
"""A simulator call: the number of its decision, and its own number in that, both from 0."""

DOOMED = {"game": "assault", "noops": 42, "seed": 25}
"""This game begins 42 frames before it is over, whatever is done."""


def settings(**changes: object) -> EpisodeSettings:
    defaults = {"game": "breakout", "realtime": True, "noops": 0, "max_frames": 150}
    return EpisodeSettings(**defaults | changes)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def small_background(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learn little of the background, which takes most of the time here and changes nothing."""
    monkeypatch.setattr(atari, "BACKGROUND_ACTIONS", 1)


class LocalGame:
    """A running game with a clock of its own. It runs when it is looked at, and sees what was put in time."""

    def __init__(self, settings: EpisodeSettings, players_clock: Clock, lies: Mapping[int, Lie]) -> None:
        self.puts: list[tuple[float, Order]] = []
        self.reports: list[PeriodReport] = []
        self._clock = Clock()
        self._players_clock = players_clock
        self._lies = lies
        self._game = RunningGame(settings, self._clock, self._clock.advance)
        self._run: Iterator[PeriodReport] = iter(())

    def put(self, order: Order) -> None:
        if not self.puts:
            self._clock.now = self._players_clock.now
            self._run = self._game.run(self._newest_order)
        self.puts.append((self._players_clock.now, order))

    def _newest_order(self) -> Order:
        return [order for seconds, order in self.puts if seconds <= self._clock.now][-1]

    def next_report(self) -> PeriodReport:
        """The player waits for the tick if it is ahead of the game, and finds the report if it is behind."""
        report = next(self._run)
        self._players_clock.now = max(self._players_clock.now, self._clock.now)
        if report.period in self._lies:
            report = self._lies[report.period](report)
        self.reports.append(report)
        return report

    def order(self, period: int) -> Order:
        """Return the order that was put for a period."""
        (order,) = [order for _, order in self.puts if order.period == period]
        return order

    def late_periods(self) -> list[int]:
        """Return for which periods no order was put in time, but for the last ones, which were not played."""
        began, _ = self.puts[0]
        length = self.reports[0].next_tick - began
        in_time = {order.period for seconds, order in self.puts if seconds <= began + order.period * length}
        return [report.period for report in self.reports[:-1] if report.period not in in_time]


class PacedSimulator(AtariSimulator):
    """A simulator each of whose calls takes time, by the player's clock, and some of them more."""

    def __init__(
        self,
        settings: EpisodeSettings,
        game: AtariGame,
        clock: Clock,
        seconds_per_call: float,
        on_call: Callable[[When], None],
    ) -> None:
        super().__init__(game, frameskip=settings.frameskip, actions=settings.actions, seed=settings.seed)
        self.calls: dict[When, AtariState] = {}
        """The states in which the calls were made."""
        self.backgrounds: list[list[list[int]]] = []
        """Those by which the decisions were made."""
        self._clock = clock
        self._seconds_per_call = seconds_per_call
        self._on_call = on_call
        self._next_call = (-1, 0)

    def start_decision(self) -> None:
        super().start_decision()
        self.backgrounds.append(self._background.colours.tolist())
        self._next_call = (self._next_call[0] + 1, 0)

    def transition(self, state: AtariState, action: Action) -> Transition:
        decision, call = self._next_call
        self.calls[self._next_call] = state
        self._next_call = (decision, call + 1)
        self._clock.advance(self._seconds_per_call)
        self._on_call((decision, call))
        return super().transition(state, action)


class Session(NamedTuple):
    """What is left of an episode."""

    result: EpisodeResult
    game: LocalGame
    simulator: PacedSimulator
    shown: list[PlayedDecision]


def play(
    settings: EpisodeSettings,
    *,
    seconds_per_call: float = 0.01,
    stalls: Mapping[When, float] | None = None,
    interrupted_at: When | None = None,
    lies: Mapping[int, Lie] | None = None,
    traces_nodes: bool = False,
) -> Session:
    """Play an episode in which some calls stall, one is interrupted, or some reports are not true."""
    clock = Clock()
    simulators: list[PacedSimulator] = []
    shown: list[PlayedDecision] = []

    def on_call(when: When) -> None:
        clock.advance((stalls or {}).get(when, 0.0))
        if when == interrupted_at:
            raise KeyboardInterrupt

    def make_simulator(settings: EpisodeSettings, game: AtariGame) -> AtariSimulator:
        simulators.append(PacedSimulator(settings, game, clock, seconds_per_call, on_call))
        return simulators[0]

    game = LocalGame(settings, clock, lies or {})
    result = play_running_game(
        settings,
        game,
        on_decision=shown.append,
        traces_nodes=traces_nodes,
        make_simulator=make_simulator,
        clock=clock,
    )
    return Session(result, game, simulators[0], shown)


def late(result: EpisodeResult) -> list[int]:
    """Return which actions were late."""
    return [number for number, played in enumerate(result.played) if played.is_late]


def mispredicted(result: EpisodeResult) -> list[int]:
    """Return which actions were decided for another state."""
    return [number for number, played in enumerate(result.played) if played.is_mispredicted]


def assert_played_in_real_time(result: EpisodeResult) -> None:
    """Every frame at its tick, and what is told of the actions is what comes of them."""
    assert result.frame_seconds == pytest.approx([frame / 60 for frame in range(result.frames)], abs=1e-9)
    episode = PlayedEpisode(result.settings)
    for played in result.played:
        reward = episode.play(played.action)
        assert (played.reward, played.score) == (reward, episode.score)
        assert (played.frames, played.lives) == (episode.frames, episode.game.lives())
    assert (result.score, result.frames) == (episode.score, episode.frames)


@pytest.mark.parametrize(("frameskip", "noops"), [(15, 0), (6, 3)])
def test_nothing_stalls(frameskip: int, noops: int) -> None:
    """Each decision ends just before its tick, and what is decided is played."""
    seconds_per_call = 0.002
    session = play(
        settings(frameskip=frameskip, noops=noops, max_frames=5 * frameskip, seed=1),
        seconds_per_call=seconds_per_call,
    )
    result, game = session.result, session.game
    assert_played_in_real_time(result)
    assert (result.frames, len(result.played), result.is_interrupted) == (5 * frameskip, 5, False)
    assert late(result) == mispredicted(result) == []
    decided = [played.decision.action for played in result.played]
    assert decided == [played.action for played in result.played]
    assert decided == [game.order(period).actions[0] for period in range(5)]
    assert {played.decision.trace.ending for played in result.played} == {Ending.SECONDS}
    began = game.puts[0][0]
    assert [order.period for _, order in game.puts] == list(range(6)), "the last one has no time to be played"
    for seconds, order in game.puts:
        seconds_left = began + order.period * frameskip / 60 - seconds
        if order.period > 0:
            assert CHOOSING_SECONDS <= seconds_left < CHOOSING_SECONDS + seconds_per_call
    first = result.played[0].decision.trace
    budget = frameskip / 60 - CHOOSING_SECONDS
    assert budget - seconds_per_call < first.seconds <= budget, "also before the game runs"


def test_rewards_are_counted_where_they_fall() -> None:
    session = play(settings(game="asterix", max_frames=300), stalls={(5, 15): 0.2})
    assert_played_in_real_time(session.result)
    assert session.result.score == sum(played.reward for played in session.result.played) > 0


def test_each_decision_is_shown_once() -> None:
    session = play(settings(calls=3, max_frames=50))
    assert session.shown == list(session.result.played)
    assert len(session.shown) == 4


def test_each_decision_has_its_background() -> None:
    result, _, simulator, _ = play(settings(), stalls={(3, 2): 0.6})
    assert len(result.played) < len(simulator.backgrounds)
    for decision, colours in enumerate(simulator.backgrounds):
        noted = result.backgrounds.at(decision)
        assert noted is not None
        assert noted.tolist() == colours
    assert simulator.backgrounds[0] != simulator.backgrounds[-1]


def test_a_stalled_decision_is_late_and_the_next_is_not(tmp_path: Path) -> None:
    """The game goes on with what was to follow. All of it is counted."""
    session = play(settings(max_frames=180), stalls={(3, 15): 0.2, (7, 20): 0.2})
    result, game = session.result, session.game
    assert late(result) == game.late_periods() == [3, 7]
    assert mispredicted(result) == [], "the game has said what it played"
    assert_played_in_real_time(result)
    for period, played in enumerate(result.played):
        order = game.order(period - 1 if period in (3, 7) else period)
        assert played.action == order.actions[period - order.period]
    assert result.played[3].decision.trace.seconds == pytest.approx(0.16 + 0.2)
    assert 0 < result.played[4].decision.trace.seconds < 0.25 - 0.11, "no more than was left"
    assert summarise(result)["late"] == 2
    with RunFolderWriter(tmp_path / "run") as folder:
        folder.write(result)
    run = read_run(tmp_path / "run")
    assert [record.late for record in run.decisions] == [period in (3, 7) for period in range(12)]
    assert [record.action for record in run.decisions] == [played.action for played in result.played]
    assert replay_episode(run).frames == 180


def test_a_fallback_is_not_what_was_decided() -> None:
    """Or else the other tests could not tell them apart."""
    session = play(settings(max_frames=300), stalls={(number, 20): 0.2 for number in range(1, 20, 3)})
    different = [
        number
        for number, played in enumerate(session.result.played)
        if played.action != played.decision.action
    ]
    assert len(different) > 2
    assert set(different) <= set(late(session.result)) == set(range(1, 20, 3))


@pytest.mark.parametrize("max_depth", [2, 1_500])
def test_a_long_stall_plays_the_branch_to_its_end(max_depth: int) -> None:
    """And then nothing."""
    session = play(settings(max_frames=180, max_depth=max_depth), stalls={(3, 15): 0.75})
    result, game = session.result, session.game
    # It is over 0.91 s after the tick of period 2, and that of period 6 comes 1 s after it.
    assert late(result) == game.late_periods() == [3, 4, 5]
    assert mispredicted(result) == []
    assert_played_in_real_time(result)
    branch = game.order(2).actions
    assert len(branch) == 2 if max_depth == 2 else len(branch) > 2
    assert [played.action for played in result.played[2:6]] == [*branch, NOOP, NOOP, NOOP][:4]
    assert [order.period for _, order in game.puts] == list(range(13)), "one for each period, late or not"


@pytest.mark.parametrize(
    ("seed", "caching"), [(0, "full"), (1, "full"), (2, "partial"), (3, "partial"), (4, "none"), (5, "none")]
)
def test_whatever_stalls_the_game_goes_on(seed: int, caching: Caching) -> None:
    """An action is late if its order is, and nothing else goes wrong."""
    rng = Random(seed)
    stalls = {(rng.randrange(10), rng.randrange(8)): rng.choice([0.05, 0.1, 0.3, 0.6]) for _ in range(5)}
    session = play(
        settings(max_frames=12 * 5, frameskip=5, seed=seed, caching=caching, game="seaquest"), stalls=stalls
    )
    assert late(session.result) == session.game.late_periods() != []
    assert mispredicted(session.result) == []
    assert_played_in_real_time(session.result)


def predictions(session: Session) -> list[bytes]:
    """Return the states in which the periods end if nothing is left to chance, found out afresh."""
    simulator = AtariSimulator(session.result.settings.game)
    states = [
        simulator.transition(simulator.arrive(report.sighting, NO_OBSERVATION), report.taken.action).state
        for report in session.game.reports[:-1]
    ]
    return [state.emulator for state in states]


def test_sticky_actions_are_mispredicted_and_counted() -> None:
    """The next lookahead starts from the truth."""
    session = play(settings(game="asterix", sticky=0.25, max_frames=240))
    result, reports, predicted = session.result, session.game.reports, predictions(session)
    expected = [period for period in range(1, 16) if reports[period].sighting.state != predicted[period - 1]]
    assert 2 < len(expected) < 12
    assert mispredicted(result) == expected
    assert summarise(result)["mispredicted"] == len(expected)
    assert late(result) == []
    dropped = [
        number for number, played in enumerate(result.played) if played.decision.trace.has_dropped_tree
    ]
    assert dropped == [period + 1 for period in expected if period < 15]
    for period in expected:
        # No tree is left, so that the first call of the next decision is made in its root.
        assert session.simulator.calls[period + 1, 0].emulator == predicted[period]
    assert_played_in_real_time(result)


def test_a_report_of_another_state_is_believed() -> None:
    """The next report is then not what was predicted either."""
    elsewhere = AtariGame("breakout")
    for _ in range(40):
        elsewhere.act(1)

    def lie(report: PeriodReport) -> PeriodReport:
        return replace(report, sighting=Sighting.of(elsewhere))

    session = play(settings(max_frames=150), lies={4: lie})
    assert mispredicted(session.result) == [4, 5]
    assert late(session.result) == []
    predicted = predictions(session)
    for period in (4, 5):
        assert session.simulator.calls[period + 1, 0].emulator == predicted[period]
    assert_played_in_real_time(session.result)


def test_a_game_that_goes_on_though_its_end_was_predicted(tmp_path: Path) -> None:
    """There is nothing to decide in a state where it is over, and the game does without."""
    doomed = PlayedEpisode(settings(**DOOMED))
    doomed.play(NOOP)
    doomed.play(NOOP)

    def lie(report: PeriodReport) -> PeriodReport:
        seen = Sighting.of(doomed.game)
        return replace(report, sighting=replace(seen, lives=report.sighting.lives))

    session = play(settings(game="assault", max_frames=120), lies={3: lie}, traces_nodes=True)
    result, game = session.result, session.game
    assert mispredicted(result) == [3, 4]
    assert late(result) == game.late_periods() == [4]
    assert result.played[4].decision.trace.simulator_calls == 0
    assert result.played[4].action == take_next(game.order(3))
    assert (result.frames, len(result.played)) == (120, 8)
    assert_played_in_real_time(result)
    assert all(played.decision.trace.simulator_calls > 10 for played in result.played[5:])
    with RunFolderWriter(tmp_path / "run") as folder:
        folder.write(result)
    assert replay_episode(read_run(tmp_path / "run")).frames == 120


def take_next(order: Order) -> Action:
    """Return the action after the first one."""
    return (*order.actions, NOOP)[1]


def test_a_game_that_ends_in_the_middle_of_a_period() -> None:
    """Nothing is decided about what comes after it."""
    session = play(settings(**DOOMED))
    assert [played.frames for played in session.result.played] == [15, 30, 42]
    assert [report.is_final for report in session.game.reports] == [False, False, False, True]
    assert [order.period for _, order in session.game.puts] == [0, 1, 2]
    assert late(session.result) == mispredicted(session.result) == []
    assert session.result.played[-1].lives == 0
    assert_played_in_real_time(session.result)


@pytest.mark.parametrize(
    ("changes", "frames"),
    [
        ({"max_frames": 40}, [15, 30, 40]),
        ({"max_frames": 45}, [15, 30, 45]),
        ({"max_frames": 7}, [7]),
        ({"decisions": 2}, [15, 30]),
        ({"decisions": 3, "max_frames": 20}, [15, 20]),
    ],
)
def test_an_episode_has_limits(changes: dict[str, object], frames: list[int]) -> None:
    session = play(settings(calls=5, **changes))
    assert [played.frames for played in session.result.played] == frames
    assert session.result.frames == frames[-1]
    assert session.shown == list(session.result.played)
    assert_played_in_real_time(session.result)


def test_a_game_that_is_over_before_it_begins() -> None:
    """No-op actions alone can lose it. Then nothing is decided and nothing is played."""
    session = play(settings(game="assault", noops=400, seed=1))
    assert session.game.puts == []
    assert session.game.reports == []
    assert session.shown == []
    assert session.result.played == ()
    assert session.result.frame_seconds == ()
    assert (session.result.frames, session.result.is_interrupted) == (0, False)
    assert summarise(session.result)["decisions"] == 0


@pytest.mark.parametrize(
    ("changes", "ending"),
    [({"max_depth": 1, "actions": "minimal"}, Ending.SOLVED), ({"calls": 4}, Ending.CALLS)],
)
def test_a_decision_that_ends_early_waits_for_its_tick(changes: dict[str, object], ending: Ending) -> None:
    session = play(settings(**changes))
    traces = [played.decision.trace for played in session.result.played]
    assert {trace.ending for trace in traces} == {ending}
    assert {trace.simulator_calls for trace in traces} == {4}, "which is the number of actions in this game"
    began = session.game.puts[0][0]
    for seconds, order in session.game.puts[1:]:
        # The lookahead began at the last tick, and not when the one before it had ended. A fifth call
        # tells where an action leads that was chosen but not simulated.
        assert 0.039 < seconds - (began + (order.period - 1) * 0.25) < 0.051
    assert late(session.result) == mispredicted(session.result) == []
    assert_played_in_real_time(session.result)


def test_an_interrupted_episode_is_what_was_played_until_then(tmp_path: Path) -> None:
    """While the fifth action is decided, the fourth one is being played: it is not over yet."""
    session = play(settings(), interrupted_at=(4, 3), stalls={(2, 20): 0.2})
    result = session.result
    assert result.is_interrupted
    assert (result.frames, len(result.played)) == (45, 3)
    assert late(result) == [2]
    assert_played_in_real_time(result)
    with RunFolderWriter(tmp_path / "run") as folder:
        folder.write(result)
    assert replay_episode(read_run(tmp_path / "run")).frames == 45


@pytest.mark.parametrize("interrupted_at", [(0, 5), (1, 0)])
def test_an_interruption_before_anything_was_played_is_passed_on(interrupted_at: When) -> None:
    with pytest.raises(KeyboardInterrupt):
        play(settings(), interrupted_at=interrupted_at)
