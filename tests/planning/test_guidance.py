"""Which of the unsolved actions a rollout takes."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from searching import PLAIN, Log, begin, plant, roll, run

from pixelplan.planning.guidance import next_action
from pixelplan.planning.lookahead import Case
from pixelplan.planning.rollout_iw import rollout
from worlds import corridor, make_world

FORK = make_world({"s": ("p", "aab"), "a": ("q", "aab"), "b": ("r", "s")})


@pytest.mark.parametrize("persistence", [0.25, 0.5, 1.0])
def test_the_last_action_is_repeated_as_often_as_the_setting_says(persistence: float) -> None:
    """Beyond that it has the same chance as the others."""
    lookahead = plant(FORK, replace(PLAIN, persistence=persistence), rng=Random(1))
    node = lookahead.fill_node(lookahead.root, 1, FORK.transition("s", 1))
    draws = 3_000
    taken = Counter(next_action(lookahead, node, [0, 1, 2]) for _ in range(draws))
    assert taken[1] / draws == pytest.approx(persistence + (1 - persistence) / 3, abs=0.03)
    assert taken[0] / draws == pytest.approx((1 - persistence) / 3, abs=0.03)


def test_what_is_solved_is_not_repeated() -> None:
    """Any other action is taken instead."""
    lookahead = plant(FORK, replace(PLAIN, persistence=1.0), rng=Random(1))
    node = lookahead.fill_node(lookahead.root, 1, FORK.transition("s", 1))
    assert {next_action(lookahead, node, [0, 2]) for _ in range(50)} == {0, 2}


def test_without_persistence_nothing_else_is_drawn() -> None:
    """The paper's searches stay as they are, draw by draw."""
    lookahead = plant(FORK, rng=Random(1))
    rng = Random(1)
    drawn = [next_action(lookahead, lookahead.root, [0, 1, 2]) for _ in range(20)]
    assert drawn == [rng.choice([0, 1, 2]) for _ in range(20)]


def test_a_persistent_rollout_travels() -> None:
    """It goes along a corridor to its end, where a uniform one turns back at once or soon."""
    world = corridor(30)
    lookahead = plant(world, replace(PLAIN, persistence=1.0))
    lookahead.root.action = 1  # what was played last
    run(iter([rollout(lookahead)]), lookahead, world)
    assert lookahead.deepest == 31  # at the end of the corridor, the last action changes nothing


def test_beyond_a_lost_life_nothing_is_looked_for() -> None:
    """Until the life is lost indeed: then the branch begins there."""
    world = make_world(
        {"s": ("p", "ab"), "a": ("q", "c"), "b": ("r", "c"), "c": ("z", "s")}, lives={"a": 2, "c": 2}
    )
    log = Log()
    lookahead = plant(world, replace(PLAIN, lost_life_ends=True), observer=log.note)
    roll(lookahead, world, 0)
    roll(lookahead, world, 1, 0)
    assert log.cases() == [Case.DEAD_END, Case.NOVEL, Case.DEAD_END]
    assert lookahead.root.is_solved
    assert lookahead.advance(0)
    begin(lookahead)
    roll(lookahead, world, 0, 0, 0)
    assert log.cases()[3:] == [Case.NOVEL, Case.NOVEL, Case.NOT_NOVEL]


def test_a_lost_life_is_gone_beyond_unless_it_is_said_to_end_the_branch() -> None:
    """As in the paper, where it costs points and nothing else."""
    world = make_world({"s": ("p", "a"), "a": ("q", "b"), "b": ("r", "b")}, lives={"a": 2, "b": 2})
    log = Log()
    lookahead = plant(world, observer=log.note)
    roll(lookahead, world, 0, 0, 0)
    assert log.cases() == [Case.NOVEL, Case.NOVEL, Case.NOT_NOVEL]
