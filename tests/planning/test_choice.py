"""Which action is played."""

from collections.abc import Sequence
from random import Random

import pytest

from pixelplan.planning.choice import choose_action
from pixelplan.planning.node import NO_ACTION, Node
from pixelplan.planning.settings import NothingFound
from pixelplan.planning.simulator import Action, Transition

Child = tuple[float, int] | None
"""Value and height; None if the action is untried."""


def make_node(number: int, action: Action, reward: float = 0.0) -> Node:
    """Make a node of nothing but a reward."""
    return Node(number, action, Transition(None, frozenset(), reward, False, 0), reward)


def make_root(children: Sequence[Child]) -> Node:
    """Make a root whose actions are 10, 11, ..., so that none can be taken for an index."""
    root = make_node(0, NO_ACTION)
    root.actions = range(10, 10 + len(children))
    for action, child in zip(root.actions, children, strict=True):
        if child is not None:
            node = root.children[action] = make_node(action, action)
            node.value, node.height = child
    return root


def chosen(children: Sequence[Child], nothing_found: NothingFound) -> tuple[set[Action], float]:
    """Return every action that some seed chooses, and the value."""
    choices = [choose_action(make_root(children), nothing_found, Random(seed)) for seed in range(200)]
    assert len({choice.value for choice in choices}) == 1
    return {choice.action for choice in choices}, choices[0].value


BOTH: tuple[NothingFound, ...] = ("longest", "random")


@pytest.mark.parametrize("nothing_found", BOTH)
@pytest.mark.parametrize(
    ("children", "actions", "value"),
    [
        ([(1.0, 1), (3.0, 1), (2.0, 9)], {11}, 3.0),
        ([(3.0, 1), (1.0, 5), (3.0, 9)], {10, 12}, 3.0),
        ([(0.25, 1), None, (0.0, 9)], {10}, 0.25),
        ([(-3.0, 9), (-1.0, 1)], {11}, -1.0),
        ([(-1.0, 9), (-3.0, 9), (-1.0, 1)], {10, 12}, -1.0),
        ([(-1.0, 9), None], {11}, 0.0),
    ],
)
def test_a_best_value_is_chosen_uniformly(
    children: list[Child], actions: set[Action], value: float, nothing_found: NothingFound
) -> None:
    """Whatever the heights, if it is not 0."""
    assert chosen(children, nothing_found) == (actions, value)


@pytest.mark.parametrize(
    ("children", "longest", "random"),
    [
        ([(0.0, 2), (0.0, 5), (0.0, 5), (-1.0, 9)], {11, 12}, {10, 11, 12}),
        ([(0.0, 1), None], {10}, {10, 11}),
        ([None, (-1.0, 9), None], {10, 12}, {10, 12}),
        ([None, None], {10, 11}, {10, 11}),
    ],
)
def test_nothing_found(children: list[Child], longest: set[Action], random: set[Action]) -> None:
    """Among actions of value 0: the highest subtree, where an untried one has height 0; or any."""
    assert chosen(children, "longest") == (longest, 0.0)
    assert chosen(children, "random") == (random, 0.0)


def test_ties_are_broken_evenly() -> None:
    """Each of four about as often as the others."""
    rng = Random(0)
    root = make_root([(2.0, 1), (2.0, 3), (1.0, 1), (2.0, 1), (2.0, 1)])
    actions = [choose_action(root, "longest", rng).action for _ in range(4_000)]
    assert all(900 < actions.count(action) < 1_100 for action in (10, 11, 13, 14))
