"""Which of the unsolved actions a rollout takes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from searching import PLAIN, plant, run

from pixelplan.planning.guidance import next_action
from pixelplan.planning.lookahead import Lookahead
from pixelplan.planning.node import Node
from pixelplan.planning.rollout_iw import rollout
from pixelplan.planning.simulator import Action
from worlds import corridor, make_world

FORK = make_world({"s": ("p", "aab"), "a": ("q", "aab"), "b": ("r", "s")})


@pytest.mark.parametrize("persistence", [0.25, 0.5, 1.0])
def test_the_last_action_is_repeated_as_often_as_the_setting_says(persistence: float) -> None:
    """Beyond that it has the same chance as the others."""
    lookahead = plant(FORK, replace(PLAIN, persistence=persistence), rng=Random(1))
    node = lookahead.fill_node(lookahead.root, 1, FORK.transition("s", 1))
    draws = 3_000
    taken = Counter(next_action(lookahead, [lookahead.root, node], [0, 1, 2]) for _ in range(draws))
    assert taken[1] / draws == pytest.approx(persistence + (1 - persistence) / 3, abs=0.03)
    assert taken[0] / draws == pytest.approx((1 - persistence) / 3, abs=0.03)


def test_what_is_solved_is_not_repeated() -> None:
    """Any other action is taken instead."""
    lookahead = plant(FORK, replace(PLAIN, persistence=1.0), rng=Random(1))
    node = lookahead.fill_node(lookahead.root, 1, FORK.transition("s", 1))
    assert {next_action(lookahead, [lookahead.root, node], [0, 2]) for _ in range(50)} == {0, 2}


def test_without_persistence_nothing_else_is_drawn() -> None:
    """The paper's searches stay as they are, draw by draw."""
    lookahead = plant(FORK, rng=Random(1))
    rng = Random(1)
    drawn = [next_action(lookahead, [lookahead.root], [0, 1, 2]) for _ in range(20)]
    assert drawn == [rng.choice([0, 1, 2]) for _ in range(20)]


def test_a_persistent_rollout_travels() -> None:
    """It goes along a corridor to its end, where a uniform one turns back at once or soon."""
    world = corridor(30)
    lookahead = plant(world, replace(PLAIN, persistence=1.0))
    lookahead.root.action = 1  # what was played last
    run(iter([rollout(lookahead)]), lookahead, world)
    assert lookahead.deepest == 31  # at the end of the corridor, the last action changes nothing


TWINS = make_world({"s": ("p", "aab"), "a": ("q", "aab"), "b": ("r", "acb"), "c": ("t", "aab")})
"""Of three actions two do the same, but for one place."""
FORESIGHT = replace(PLAIN, cautious=True, foresight=True)


def draws(lookahead: Lookahead, *actions: Action) -> set[Action]:
    """Return what a rollout may take in the node that some actions lead to."""
    path = [lookahead.root]
    for action in actions:
        path.append(path[-1].children[action])
    return {next_action(lookahead, path, path[-1].candidates()) for _ in range(50)}


def try_all(lookahead: Lookahead, node: Node, *actions: Action) -> Node:
    """Simulate some actions in a node, and return where the last one leads."""
    for action in actions:
        assert node.state is not None
        last = lookahead.fill_node(node, action, TWINS.transition(node.state, action))
    return last


@pytest.mark.parametrize(("foresight", "expected"), [(True, {0, 2}), (False, {0, 1, 2})])
def test_what_was_a_twin_above_is_not_tried(foresight: bool, expected: set[Action]) -> None:
    """As long as there is something else to do, new or known."""
    lookahead = plant(TWINS, replace(FORESIGHT, foresight=foresight))
    child = try_all(lookahead, lookahead.root, 0, 1, 2)
    assert draws(lookahead, 2) == {0, 1, 2}  # the first of each kind, whichever it is
    try_all(lookahead, child, 0)
    assert draws(lookahead, 2) == expected


def test_a_twin_that_is_all_there_is_left_is_tried() -> None:
    """In the end the tree is the same."""
    lookahead = plant(TWINS, FORESIGHT)
    child = try_all(lookahead, lookahead.root, 0, 1, 2)
    try_all(lookahead, child, 0, 2)
    child.unsolved = [1]
    assert draws(lookahead, 2) == {1}


@pytest.mark.parametrize(("tried", "expected"), [((0, 2), {0, 2}), ((0, 1, 2), {0, 1, 2})])
def test_the_nearest_node_in_which_it_was_tried_tells(tried: Sequence[Action], expected: set[Action]) -> None:
    """Further up it was otherwise."""
    lookahead = plant(TWINS, FORESIGHT)
    child = try_all(lookahead, lookahead.root, 0, 1, 2)
    grandchild = try_all(lookahead, child, *tried)
    try_all(lookahead, grandchild, 0)
    assert draws(lookahead, 2, 2) == expected


def test_what_is_in_flight_is_as_good_as_tried() -> None:
    """Or rollouts beside each other would look at twins."""
    lookahead = plant(TWINS, FORESIGHT)
    child = try_all(lookahead, lookahead.root, 0, 1, 2)
    child.in_flight = frozenset({0})
    assert draws(lookahead, 2) == {2}
