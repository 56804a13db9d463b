"""Budgets: calls as time, a clock that is moved by hand, and why a lookahead ends."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from searching import ENOUGH, PLAIN, WIDTH_PLANNERS, begin, plant, roll, run, search_of

from pixelplan.planning.budget import Budget, Ending, Meter
from pixelplan.planning.driver import drive
from pixelplan.planning.node import walk
from pixelplan.planning.rollout_iw import rollout_iw
from worlds import Clock, World, corridor, make_world, seeds, worlds

planners = pytest.mark.parametrize("planner", WIDTH_PLANNERS)


@pytest.mark.parametrize(
    ("seconds", "calls", "message"),
    [
        (None, None, "a budget needs seconds, calls or both"),
        (0.0, None, "seconds must be a positive number, not 0.0"),
        (-1.0, 5, "seconds must be a positive number, not -1.0"),
        (float("nan"), None, "seconds must be a positive number, not nan"),
        (float("inf"), 5, "seconds must be a positive number, not inf"),
        (None, 0, "calls must be at least 1, not 0"),
        (0.5, -1, "calls must be at least 1, not -1"),
    ],
)
def test_budgets_that_mean_nothing_are_refused(
    seconds: float | None, calls: int | None, message: str
) -> None:
    """With one clear line."""
    with pytest.raises(ValueError, match=message):
        Budget(seconds=seconds, calls=calls)


@planners
@given(world=worlds, seed=seeds, calls=st.integers(1, 30))
def test_calls_are_counted_exactly(planner: str, world: World, seed: int, calls: int) -> None:
    """The simulator is called as often as allowed, or less often if the search has ended."""
    clock = Clock()
    meter = Meter(Budget(calls=calls), clock)
    lookahead = plant(world, rng=Random(seed))
    ending = drive(search_of(lookahead, planner), lookahead, world.dispatcher(clock), meter)
    made = len(world.calls)
    assert meter.calls == made == lookahead.simulated
    lookahead = plant(world, rng=Random(seed))
    assert run(search_of(lookahead, planner), lookahead, world) is Ending.SOLVED
    needed = len(world.calls) - made
    assert made == min(calls, needed)
    assert ending is (Ending.SOLVED if needed <= calls else Ending.CALLS)


def slow_corridor(clock: Clock, durations: Sequence[float]) -> World:
    """A corridor whose calls take their time."""
    left = iter(durations)
    return replace(corridor(len(durations)), on_call=lambda: clock.advance(next(left)))


def test_the_deadline_is_looked_at_inside_a_rollout() -> None:
    """A call that would probably end after the deadline is not started."""
    clock = Clock()
    world = slow_corridor(clock, [0.3] * 50)
    lookahead = plant(world, replace(PLAIN, root_in_table=False))
    meter = Meter(Budget(seconds=1.0), clock)
    lookahead.rng = Forward()
    dispatcher = world.dispatcher(clock)
    assert drive(rollout_iw(lookahead), lookahead, dispatcher, meter) is Ending.SECONDS
    assert lookahead.rollouts == 1
    assert meter.calls == len(world.calls) == 3
    assert meter.seconds() == pytest.approx(0.9)
    assert dispatcher.simulator_seconds == pytest.approx(0.9)


class Forward(Random):
    """Always takes the last of several things."""

    def _randbelow(self, n: int) -> int:
        return n - 1


@given(
    durations=st.lists(st.floats(0.001, 0.5), min_size=40, max_size=40),
    thinking=st.floats(0, 0.1),
    seconds=st.floats(0.01, 3),
)
def test_no_call_is_started_that_would_end_too_late_if_it_took_the_mean(
    durations: list[float], thinking: float, seconds: float
) -> None:
    """And each one that would not is started; time between calls counts too, but is not in the mean."""
    clock = Clock()
    meter = Meter(Budget(seconds=seconds, calls=40), clock)
    ends = list(accumulate(durations, lambda end, duration: end + thinking + duration, initial=0.0))
    for index, duration in enumerate(durations):
        clock.now = 100.0 + ends[index]
        mean = sum(durations[:index]) / index if index else 0.0
        slack = seconds - ends[index] - mean
        ending = meter.start_call()
        if abs(slack) > 1e-9:
            assert ending is (Ending.SECONDS if slack <= 0 else None)
        if ending is not None:
            assert meter.calls == index
            break
        clock.advance(duration)
        meter.end_call(meter.calls)
    else:
        assert meter.start_call() is Ending.CALLS


def test_time_already_spent_leaves_no_call() -> None:
    """The deadline is that of the whole decision, from the moment the meter is made."""
    clock = Clock()
    meter = Meter(Budget(seconds=1.0), clock)
    clock.advance(1.0)
    assert meter.start_call() is Ending.SECONDS
    assert meter.calls == 0


def test_whichever_limit_is_reached_first_ends_the_lookahead() -> None:
    """Calls or seconds."""
    for seconds, calls, ending in ((1.0, 2, Ending.CALLS), (1.0, 9, Ending.SECONDS)):
        clock = Clock()
        world = slow_corridor(clock, [0.2] * 50)
        lookahead = plant(world)
        meter = Meter(Budget(seconds=seconds, calls=calls), clock)
        assert drive(rollout_iw(lookahead), lookahead, world.dispatcher(clock), meter) is ending
        assert meter.calls == (2 if ending is Ending.CALLS else 4)


def test_what_a_cut_rollout_has_seen_is_backed_up() -> None:
    """The reward is at the third step, where the calls end."""
    world = corridor(3, reward=5.0)
    lookahead = plant(world, rng=Forward())
    assert run(rollout_iw(lookahead), lookahead, world, calls=3) is Ending.CALLS
    assert lookahead.rollouts == 1
    assert lookahead.root.children[1].value == 5.0
    assert lookahead.root.children[1].height == 3
    assert lookahead.valuation.choose(lookahead.root, Random(0)) == (1, 5.0, (1, 1, 1))
    assert not any(node.is_solved for node in walk(lookahead.root))


@planners
@pytest.mark.parametrize("max_nodes", [1, 2, 5])
def test_a_tree_of_too_many_nodes_ends_the_lookahead(planner: str, max_nodes: int) -> None:
    """The trace will say why, also in the decision after it."""
    world = corridor(20)
    lookahead = plant(world, replace(PLAIN, max_nodes=max_nodes))
    assert run(search_of(lookahead, planner), lookahead, world, calls=ENOUGH) is Ending.NODES
    assert len(list(walk(lookahead.root))) == lookahead.node_count == max_nodes


def test_a_kept_tree_counts_towards_the_limit() -> None:
    """And what was cut off does not."""
    world = make_world({"s": ("s", "ab"), "a": ("a", "c"), "b": ("b", "s"), "c": ("c", "s")})
    lookahead = plant(world, replace(PLAIN, max_nodes=6))
    roll(lookahead, world, 0, 0, 0)
    roll(lookahead, world, 1, 0)
    assert lookahead.node_count == 6
    lookahead.advance(0)
    begin(lookahead)
    assert lookahead.node_count == 3
    lookahead.rng = Random(0)
    assert run(rollout_iw(lookahead), lookahead, world) is Ending.NODES
    assert lookahead.node_count == 6
    assert lookahead.simulated == 3


def test_a_failing_simulator_does_not_look_like_a_solved_root() -> None:
    """Its StopIteration is not the search's."""

    def fail() -> None:
        raise StopIteration

    world = replace(corridor(3), on_call=fail)
    lookahead = plant(world, PLAIN)
    with pytest.raises(StopIteration):
        run(rollout_iw(lookahead), lookahead, world)
