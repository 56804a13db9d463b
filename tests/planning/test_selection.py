"""Which of the unsolved actions a rollout takes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from searching import PLAIN, node_at, plant, run

from pixelplan.planning.best.selection import selection
from pixelplan.planning.lookahead import Lookahead
from pixelplan.planning.node import Node
from pixelplan.planning.rollout_iw import rollout
from pixelplan.planning.settings import SearchSettings
from pixelplan.planning.simulator import Action
from worlds import corridor, make_world


def next_action(lookahead: Lookahead, path: Sequence[Node], candidates: Sequence[Action]) -> Action:
    """Select as the lookahead's settings ask for."""
    settings = lookahead.settings
    assert isinstance(settings, SearchSettings)
    return selection(settings.persistence, has_foresight=settings.foresight)(lookahead, path, candidates)


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
    run(iter([rollout(lookahead, selection(1.0, has_foresight=False))]), lookahead, world)
    assert lookahead.deepest == 31  # at the end of the corridor, the last action changes nothing


TWINS = make_world({"s": ("p", "aab"), "a": ("q", "aab"), "b": ("r", "acb"), "c": ("t", "aab")})
"""Of three actions two do the same, but for one place."""
FORESIGHT = replace(PLAIN, cautious=True, foresight=True)


def plant_twins(settings: SearchSettings = FORESIGHT) -> Lookahead:
    """Begin in a root where all actions have been tried."""
    lookahead = plant(TWINS, settings)
    try_actions(lookahead, lookahead.root, 0, 1, 2)
    return lookahead


def try_actions(lookahead: Lookahead, node: Node, *actions: Action) -> None:
    """Simulate some actions in a node, one after the other."""
    for action in actions:
        lookahead.fill_node(node, action, TWINS.transition(node.state, action))


def choices(lookahead: Lookahead, *actions: Action) -> set[Action]:
    """Return what a rollout may take in the node that some actions lead to."""
    path = [node_at(lookahead, *actions[:length]) for length in range(len(actions) + 1)]
    return {next_action(lookahead, path, path[-1].candidates()) for _ in range(50)}


@pytest.mark.parametrize(
    ("foresight", "tried", "expected"),
    [(True, 0, {0, 2}), (True, 1, {1, 2}), (True, 2, {0, 1, 2}), (False, 0, {0, 1, 2})],
)
def test_what_was_a_twin_above_is_not_tried(foresight: bool, tried: Action, expected: set[Action]) -> None:
    """As long as there is something else to do, new or known; whichever of the two was first above."""
    lookahead = plant_twins(replace(FORESIGHT, foresight=foresight))
    assert choices(lookahead, 2) == {0, 1, 2}
    try_actions(lookahead, node_at(lookahead, 2), tried)
    assert choices(lookahead, 2) == expected


def test_a_twin_that_is_all_there_is_left_is_tried() -> None:
    """It is not left out for good."""
    lookahead = plant_twins()
    child = node_at(lookahead, 2)
    try_actions(lookahead, child, 0, 2)
    child.unsolved = [1]
    assert choices(lookahead, 2) == {1}


@pytest.mark.parametrize(
    ("tried", "expected"), [((2,), {0, 2}), ((0, 2), {0, 2}), ((1, 2), {0, 2}), ((0, 1, 2), {0, 1, 2})]
)
def test_the_nearest_node_in_which_both_were_tried_tells(
    tried: Sequence[Action], expected: set[Action]
) -> None:
    """There the two differ, in the root they do not."""
    lookahead = plant_twins()
    try_actions(lookahead, node_at(lookahead, 2), *tried)
    try_actions(lookahead, node_at(lookahead, 2, 2), 0)
    assert choices(lookahead, 2, 2) == expected


def test_what_is_in_flight_is_as_good_as_tried() -> None:
    """Or rollouts beside each other would look at twins."""
    lookahead = plant_twins()
    node_at(lookahead, 2).in_flight = frozenset({0})
    assert choices(lookahead, 2) == {2}


@pytest.mark.parametrize("tried", [(1,), (1, 0)])
def test_an_action_that_was_left_out_is_repeated_by_its_twin(tried: Sequence[Action]) -> None:
    """The one that was tried first, whether the other was tried since or not."""
    lookahead = plant_twins(replace(FORESIGHT, persistence=1.0))
    child = node_at(lookahead, 0)
    assert choices(lookahead, 0) == {0}
    try_actions(lookahead, child, *tried)
    child.unsolved = [action for action in child.actions if action not in tried[1:]]
    assert choices(lookahead, 0) == {1}
