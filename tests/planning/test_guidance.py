"""Which of the unsolved actions a rollout takes."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from searching import PLAIN, plant, run

from pixelplan.planning.guidance import next_action
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
