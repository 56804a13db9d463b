"""Prioritized IW: rewards as levels, what is kept, and in which order it is expanded."""

import math
from collections.abc import Hashable
from itertools import islice, pairwise

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st
from playing import Player

from pixelplan.planning.budget import Budget, Ending
from pixelplan.planning.case import Case
from pixelplan.planning.node import Node
from pixelplan.planning.paper_settings import DEEPEST
from pixelplan.planning.prioritized_iw import ZERO_LEVEL, reward_level
from pixelplan.planning.simulator import InProcess
from worlds import World, make_world, seeds, winding_worlds, worlds

rewards = st.floats(allow_nan=False) | st.integers(-2_000, 2_000).map(float) | st.floats(-2, 2)


@given(less=rewards, more=rewards)
@example(less=-0.1, more=0.0)
@example(less=-0.0, more=0.0)
@example(less=0.0, more=2.0**-7)
@example(less=-math.inf, more=math.inf)
def test_more_reward_is_never_a_greater_level(less: float, more: float) -> None:
    """And all levels are depths that a novelty table can keep."""
    less, more = sorted((less, more))
    assert 0 <= reward_level(more) <= reward_level(less) <= DEEPEST


@given(reward=rewards)
def test_losses_have_levels_as_far_from_zero_as_gains(reward: float) -> None:
    """On the other side."""
    assert reward_level(reward) + reward_level(-reward) == 2 * ZERO_LEVEL


def test_whole_numbers_are_told_apart() -> None:
    """All of them up to 1,024, from zero too."""
    levels = [reward_level(float(number)) for number in range(-1_024, 1_025)]
    assert all(before > after for before, after in pairwise(levels))


@given(reward=st.floats(2.0**-7, 2.0**24))
def test_rewards_are_told_apart_if_they_differ_by_more_than_1_in_512(reward: float) -> None:
    """Beyond small ones, which count as zero, and great ones, which are all the same."""
    assert reward_level(reward * (1 + 1 / 511)) < reward_level(reward)


@pytest.mark.parametrize(
    ("reward", "level"),
    [
        (0.0, ZERO_LEVEL),
        (-0.0, ZERO_LEVEL),
        (2.0**-8, ZERO_LEVEL),
        (-(2.0**-8), ZERO_LEVEL),
        (2.0**-7, ZERO_LEVEL - 1),
        (2.0**26, 0),
        (math.inf, 0),
        (-math.inf, DEEPEST),
    ],
)
def test_levels_at_the_limits(reward: float, level: int) -> None:
    """Nothing is lost in the middle nor at the ends."""
    assert reward_level(reward) == level


def order(node: Node) -> tuple[float, int, int]:
    """Say when a node is expanded: reward, then depth, then first come, first served."""
    return (-node.path_reward, node.depth, node.number)


@settings(max_examples=150)
@given(world=worlds | winding_worlds, seed=seeds, calls=st.integers(1, 80))
def test_it_keeps_exactly_the_nodes_with_an_atom_never_reached_with_as_much_reward(
    world: World, seed: int, calls: int
) -> None:
    """The definition, in the order in which nodes were generated: children of the best node so far."""
    player = Player(world, "prioritized-iw", seed)
    ending = player.decide(InProcess(player.world, player.clock), Budget(calls=calls))
    root = player.lookahead.root
    most: dict[Hashable, float] = dict.fromkeys(root.features, 0.0)
    arrivals = iter(player.log.arrivals)
    queue = [root]
    while queue:
        parent = min(queue, key=order)
        queue.remove(parent)
        assert ending is Ending.CALLS or not parent.has_untried_action()
        for node, case in islice(arrivals, len(parent.children)):
            assert parent.children[node.action] is node
            if node.is_terminal:
                assert case is Case.DEAD_END
            elif any(node.path_reward > most.get(atom, -math.inf) for atom in node.features):
                assert case is Case.NOVEL
                queue.append(node)
                for atom in node.features:
                    most[atom] = max(node.path_reward, most.get(atom, -math.inf))
            else:
                assert case is Case.NOT_NOVEL
                assert not node.children
    assert next(arrivals, None) is None
    event(f"ending: {ending.value}")


def test_a_way_with_more_reward_is_gone_though_it_is_longer() -> None:
    """The atom q is novel a second time, and IW(1) would have pruned that."""
    world = make_world(
        {"s": ("p", "ab"), "a": ("q", "s"), "b": ("r", "c"), "c": ("q", "d"), "d": ("z", "s")},
        rewards={("b", 0): 2.0},
    )
    cases = {}
    for planner in ("iw", "prioritized-iw"):
        player = Player(world, planner, seed=0)
        player.decide(InProcess(player.world, player.clock), Budget(calls=20))
        cases[planner] = {node.state: case for node, case in player.log.arrivals}
    assert cases["iw"][1, 0] is Case.NOT_NOVEL
    assert cases["prioritized-iw"][1, 0] is Case.NOVEL
    assert cases["prioritized-iw"][1, 0, 0] is Case.NOVEL
    # Without more reward nothing is novel twice.
    assert cases["prioritized-iw"][0, 0] is Case.NOT_NOVEL


def test_of_equal_rewards_the_shallowest_is_expanded_first() -> None:
    """d is there before e, by way of a reward that was lost again, but deeper."""
    world = make_world(
        {
            "s": ("s", "ab"),
            "a": ("a", "c"),
            "b": ("b", "e"),
            "c": ("c", "d"),
            "d": ("d", "s"),
            "e": ("e", "s"),
        },
        rewards={("s", 0): 4.0, ("c", 0): -4.0},
    )
    for seed in range(5):
        player = Player(world, "prioritized-iw", seed)
        player.decide(InProcess(player.world, player.clock), Budget(calls=7))
        expanded = [path[:-1] for path in player.world.calls]
        assert expanded == [(), (), (0,), (0, 0), (1,), (1, 0), (0, 0, 0)]
