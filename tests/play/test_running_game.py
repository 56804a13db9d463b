"""The game that waits for nobody, alone with a clock that is moved by hand."""

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from pixelplan.play.episode import PlayedEpisode
from pixelplan.play.running_game import Order, PeriodReport, RunningGame, Taken, take
from pixelplan.play.settings import EpisodeSettings
from pixelplan.simulators.atari import NOOP
from worlds import Clock

FIRE, RIGHT, LEFT = 1, 3, 4


def settings(**changes: object) -> EpisodeSettings:
    defaults = {"game": "breakout", "realtime": True, "noops": 0, "max_frames": 60}
    return EpisodeSettings(**defaults | changes)  # type: ignore[arg-type]


def run(
    settings: EpisodeSettings, newest_order: Callable[[], Order], stalls: Mapping[int, float] | None = None
) -> list[PeriodReport]:
    """Run a game to its end. Waiting for some of its ticks takes longer than it should."""
    clock, waits = Clock(), 0

    def sleep(seconds: float) -> None:
        nonlocal waits
        waits += 1
        clock.advance(seconds + (stalls or {}).get(waits, 0.0))

    return list(RunningGame(settings, clock, sleep).run(newest_order))


def always(*actions: int) -> Callable[[], Order]:
    """Return a player who puts an order for the start and then sleeps."""
    return lambda: Order(0, actions)


@pytest.mark.parametrize(
    ("order", "period", "action", "is_late"),
    [
        (Order(0, (FIRE,)), 0, FIRE, False),
        (Order(5, (FIRE, LEFT)), 5, FIRE, False),
        (Order(5, (FIRE, LEFT)), 6, LEFT, True),
        (Order(5, (FIRE, LEFT)), 7, NOOP, True),
        (Order(5, (FIRE,)), 6, NOOP, True),
        (Order(5, (FIRE, LEFT, RIGHT)), 7, RIGHT, True),
        (Order(5, (FIRE, LEFT, RIGHT)), 5_000, NOOP, True),
        (Order(0, ()), 0, NOOP, False),
    ],
)
def test_what_an_order_has_for_a_period(order: Order, period: int, action: int, is_late: bool) -> None:
    """What follows in an old order, as far as it goes; then nothing is done."""
    assert take(order, period) == Taken(action, is_late)


def test_the_reports_of_an_episode() -> None:
    """One at the beginning of each period, one at the end, each with how the game stands then."""
    orders = [Order(period, (action,)) for period, action in enumerate((FIRE, RIGHT, LEFT, RIGHT))]
    reports = run(settings(max_frames=50), iter(orders).__next__)
    episode = PlayedEpisode(settings(max_frames=50))
    assert len(reports) == 5
    for period, report in enumerate(reports):
        assert report.period == period
        assert report.next_tick == pytest.approx(Clock().now + (period + 1) / 4)
        assert (report.score, report.frames) == (episode.score, episode.frames)
        assert report.is_final == (period == 4)
        assert report.sighting.state == episode.game.clone()
        assert np.array_equal(report.sighting.screen(), episode.game.screen())
        assert report.sighting.lives == episode.game.lives() > 0
        first = max(period - 1, 0) * 15
        assert report.frame_seconds == pytest.approx([frame / 60 for frame in range(first, episode.frames)])
        if not report.is_final:
            assert report.taken == Taken(orders[period].actions[0], is_late=False)
            episode.play(report.taken.action)
    assert episode.frames == 50


def test_rewards_and_lives_are_those_of_the_game() -> None:
    """Long enough for both to change."""
    reports = run(settings(game="ms_pacman", max_frames=900, frameskip=100), always(LEFT))
    episode = PlayedEpisode(settings(game="ms_pacman", max_frames=900, frameskip=100))
    for report in reports[1:]:
        episode.play(reports[report.period - 1].taken.action)
        assert (report.score, report.sighting.lives) == (episode.score, episode.game.lives())
    assert reports[-1].score > 0
    assert reports[-1].sighting.lives < reports[0].sighting.lives


def test_a_player_who_says_nothing_more_does_not_stop_the_game() -> None:
    reports = run(settings(), always(FIRE, LEFT))
    taken = [(FIRE, False), (LEFT, True), (NOOP, True), (NOOP, True)]
    assert [report.taken for report in reports[:-1]] == taken
    assert reports[-1].frames == 60


@pytest.mark.parametrize("frameskip", [1, 4, 15])
def test_the_inbox_is_looked_at_once_a_period(frameskip: int) -> None:
    """At its first tick, whatever the player has put there since the last one."""
    looks = 0

    def newest_order() -> Order:
        nonlocal looks
        looks += 1
        return Order(looks - 1, (FIRE,))

    reports = run(settings(frameskip=frameskip, max_frames=30), newest_order)
    assert looks == len(reports) - 1 == -(-30 // frameskip)
    assert not any(report.taken.is_late for report in reports)


def test_a_tick_that_comes_late_does_not_delay_those_after_it() -> None:
    """Frames are played at once until the clock is caught up with, and then at their ticks again."""
    # Waiting for the tick of frame 20 takes 6.5 ticks longer.
    reports = run(settings(), always(FIRE), stalls={20: 6.5 / 60})
    seconds = [second for report in reports for second in report.frame_seconds]
    ticks = [*range(20), *[26.5] * 7, *range(27, 60)]
    assert seconds == pytest.approx([tick / 60 for tick in ticks])
    assert [report.next_tick for report in reports] == pytest.approx(
        [Clock().now + (period + 1) / 4 for period in range(5)]
    )


def test_a_stall_longer_than_a_period() -> None:
    """The periods that are over already are still played, one after another."""
    reports = run(settings(), always(FIRE), stalls={10: 0.6})
    seconds = [second for report in reports for second in report.frame_seconds]
    assert seconds == pytest.approx(
        [*(k / 60 for k in range(10)), *[46 / 60] * 37, *(k / 60 for k in range(47, 60))]
    )
    assert [report.frames for report in reports] == [0, 15, 30, 45, 60]


def test_a_game_that_is_over_in_the_middle_of_a_period() -> None:
    """This one is 42 frames after it began, whatever is done."""
    reports = run(settings(game="assault", noops=42, seed=25), always())
    assert [report.frames for report in reports] == [0, 15, 30, 42]
    assert [report.is_final for report in reports] == [False, False, False, True]
    assert reports[-1].taken == Taken(NOOP, is_late=False), "nothing is late any more"
    assert len(reports[-1].frame_seconds) == 12


def test_time_begins_after_the_no_op_actions() -> None:
    """They are played at once, before there is a player."""
    clock = Clock()
    game = RunningGame(settings(noops=9, seed=1, max_frames=15), clock, clock.advance)
    assert clock.now == Clock().now
    clock.advance(5.0)
    reports = list(game.run(always(FIRE)))
    assert [report.frames for report in reports] == [0, 15]
    assert reports[0].frame_seconds == ()
    assert reports[1].frame_seconds == pytest.approx([frame / 60 for frame in range(15)])
    assert reports[0].next_tick == pytest.approx(Clock().now + 5.0 + 0.25)


def test_an_order_that_comes_too_late_is_not_followed() -> None:
    """Its further actions were meant to follow one that was not played."""
    first, too_late = Order(0, (FIRE, RIGHT, LEFT)), Order(1, (LEFT, FIRE, FIRE))
    orders = iter([first, first, too_late, too_late])
    reports = run(settings(), lambda: next(orders))
    assert [report.taken for report in reports[:-1]] == [
        Taken(FIRE, False),
        Taken(RIGHT, True),
        Taken(LEFT, True),
        Taken(NOOP, True),
    ]
