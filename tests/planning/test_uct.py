"""UCT: which action a rollout takes, what the means are, and where it ends."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from playing import Player, check_tree, searches
from searching import PLAIN, Script, is_twin, node_at, plant, run

from pixelplan.planning.budget import Budget, Ending
from pixelplan.planning.lookahead import Lookahead
from pixelplan.planning.node import Node, walk
from pixelplan.planning.settings import SearchSettings
from pixelplan.planning.simulator import Action, InProcess
from pixelplan.planning.uct import ReturnRange, range_of, select, uct
from worlds import (
    UnfoldedWorld,
    World,
    binary_tree,
    corridor,
    make_world,
    seeds,
    uniform_worlds,
    winding_worlds,
    worlds,
)

in_flight = pytest.mark.parametrize("capacity", [1, 2, 4])


def test_twins_are_not_in_the_means() -> None:
    """A rollout that ends at one has not seen what follows."""
    world = make_world(
        {"s": ("p", "ab"), "a": ("q", "cc"), "b": ("q", "cc"), "c": ("r", "cc")},
        terminals="c",
        rewards={("a", 0): 1.0, ("a", 1): 1.0, ("b", 0): 1.0, ("b", 1): 1.0},
    )
    lookahead = plant(world, replace(PLAIN, cautious=True))
    assert run(uct(lookahead), lookahead, world) is Ending.SOLVED
    assert [node.value for node in walk(lookahead.root) if not is_twin(node) and node.depth < 2] == [1.0, 1.0]


def chosen(lookahead: Lookahead, returns: ReturnRange) -> set[Action]:
    """Return every action of the root that some seed selects."""
    root = lookahead.root
    actions = set()
    for seed in range(60):
        lookahead.rng = Random(seed)
        actions.add(select(lookahead, root, root.candidates(), returns))
    return actions


def sampled(visits_and_values: list[tuple[int, float]], constant: float) -> Lookahead:
    """Return a tree whose root has a child for each number of visits and mean."""
    width = len(visits_and_values)
    world = World(
        atoms={state: frozenset({state}) for state in range(width + 1)},
        successors={state: range(1, width + 1) for state in range(width + 1)},
    )
    lookahead = plant(world, replace(PLAIN, uct_constant=constant, max_depth=1))
    run(uct(lookahead), lookahead, world)
    lookahead.start()
    lookahead.root.visits = sum(visits for visits, _ in visits_and_values)
    for action, (visits, value) in enumerate(visits_and_values):
        child = lookahead.root.children[action]
        child.visits, child.value = visits, value
    return lookahead


@pytest.mark.parametrize(
    ("visits_and_values", "constant", "actions"),
    [
        # 10 visits: 1 + 0.1 sqrt(ln 10 / 9) = 1.05 against 0 + 0.1 sqrt(ln 10) = 0.15
        ([(9, 10.0), (1, 0.0)], 0.1, {0}),
        # 1 + 2 * 0.506 = 2.01 against 2 * 1.517 = 3.03
        ([(9, 10.0), (1, 0.0)], 2.0, {1}),
        # Without exploration the greatest mean, and any of the greatest.
        ([(9, 4.0), (1, 10.0), (5, 10.0)], 0.0, {1, 2}),
        # Equal means: what was visited least.
        ([(3, 5.0), (2, 5.0), (3, 5.0)], 0.1, {1}),
        # 12 visits: exploring the second counts sqrt(ln 12 / 4) - sqrt(ln 12 / 6) = 0.1446 more.
        ([(6, 8.0), (4, 6.545), (2, 0.0)], 1.0, {0}),
        ([(6, 8.0), (4, 6.56), (2, 0.0)], 1.0, {1}),
    ],
)
def test_the_greatest_upper_confidence_bound(
    visits_and_values: list[tuple[int, float]], constant: float, actions: set[Action]
) -> None:
    """By hand. Returns have been between 0 and 10."""
    returns = ReturnRange()
    for value in (0.0, 10.0, 3.0):
        returns.note(value)
    assert chosen(sampled(visits_and_values, constant), returns) == actions


def test_an_untried_action_comes_first() -> None:
    """However good the others are; and a solved one is none."""
    lookahead = sampled([(1, 9.0), (1, 0.0), (1, 0.0)], 0.1)
    returns = ReturnRange()
    returns.note(0.0)
    returns.note(9.0)
    del lookahead.root.children[1], lookahead.root.children[2]
    assert chosen(lookahead, returns) == {1, 2}
    lookahead.root.unsolved.remove(1)
    assert chosen(lookahead, returns) == {2}


def test_returns_as_shares_of_their_range() -> None:
    """Nothing is worth anything as long as all returns are the same."""
    returns = ReturnRange()
    assert returns.normalise(7.0) == 0.0
    returns.note(-2.0)
    assert returns.normalise(-2.0) == 0.0
    returns.note(6.0)
    assert [returns.normalise(value) for value in (-2.0, 0.0, 6.0)] == [0.0, 0.25, 1.0]


def rollouts(player: Player) -> list[list[Node]]:
    """Return the paths of the rollouts, one after another, that have seen something new."""
    paths: list[list[Node]] = []
    for node, _ in player.log.arrivals:
        if node.depth == 1:
            paths.append([player.lookahead.root])
        paths[-1].append(node)
    seen: set[Node] = set()
    with_news = []
    for path in paths:
        if not seen.issuperset(path):
            with_news.append(path)
        seen.update(path)
    return with_news


@settings(max_examples=150)
@given(
    world=worlds | winding_worlds,
    seed=seeds,
    calls=st.integers(1, 80),
    horizon=st.integers(1, 6),
    discount=st.sampled_from([1.0, 0.5]),
)
def test_values_are_the_means_of_the_returns(
    world: World, seed: int, calls: int, horizon: int, discount: float
) -> None:
    """Computed anew from the arrivals. A rollout that the budget has cut counts with what it has seen."""
    player = Player(world, "uct", seed, replace(PLAIN, discount=discount, uct_horizon=horizon))
    ending = player.decide(InProcess(player.world, player.clock), Budget(calls=calls))
    returns: dict[Node, list[float]] = {}
    for path in rollouts(player):
        for start, node in enumerate(path):
            rewards = [after.reward for after in path[start:]]
            value = sum(discount**step * reward for step, reward in enumerate(rewards))
            returns.setdefault(node, []).append(value)
    assert set(returns) == set(walk(player.lookahead.root))
    for node, values in returns.items():
        assert node.visits == len(values)
        assert node.value == pytest.approx(sum(values) / len(values))
        heights = [1 + child.height for child in node.children.values()]
        assert node.height == max(heights, default=1)
    assert max(node.depth for node in returns) <= horizon
    event(f"ending: {ending.value}")
    assert player.lookahead.root.is_solved == (ending is Ending.SOLVED)


@in_flight
@settings(max_examples=60)
@given(world=uniform_worlds | winding_worlds, seed=seeds, calls=st.integers(1, 60), search=searches)
def test_every_cut_leaves_consistent_means(
    capacity: int, world: World, seed: int, calls: int, search: SearchSettings
) -> None:
    """With any number of rollouts in flight, also below a kept root.

    The returns of a node are its reward, as often as it was visited, and the returns of its children.
    """
    player = Player(world, "uct", seed, search)
    for _ in player.decisions(player.scattered(capacity), Budget(calls=calls)):
        check_tree(player)
        for node in walk(player.lookahead.root):
            children = node.children.values()
            assert all(child.visits >= 1 or is_twin(child) for child in children)
            assert sum(child.visits for child in children) <= node.visits
            below = sum(child.visits * child.value for child in children)
            total = node.visits * node.reward + search.discount * below
            assert node.visits * node.value == pytest.approx(total, abs=1e-6)


@in_flight
@settings(max_examples=40)
@given(world=worlds | winding_worlds, seed=seeds, horizon=st.integers(1, 3))
def test_a_finished_search_has_followed_every_rollout_to_its_tip(
    capacity: int, world: World, seed: int, horizon: int
) -> None:
    """So each visit of a node is one of some child of it."""
    player = Player(world, "uct", seed, replace(PLAIN, uct_horizon=horizon))
    assert player.decide(player.scattered(capacity)) is Ending.SOLVED
    assert player.lookahead.root.visits == player.lookahead.rollouts
    for node in walk(player.lookahead.root):
        is_tip = node.is_terminal or node.depth == horizon
        assert node.visits == (1 if is_tip else sum(child.visits for child in node.children.values()))


def test_a_rollout_that_is_cut_before_it_sees_anything_new_does_not_count() -> None:
    """The third one goes by way of a, and no call is left: that way is not worth less for it."""
    world = make_world(
        {"s": ("s", "ab"), "a": ("a", "cc"), "b": ("b", "cc"), "c": ("c", "cc")},
        rewards={("a", 0): 10.0, ("b", 0): 9.0},
    )
    choices = Script((0, 0, 1, 0, 0, 1))
    lookahead = plant(world, replace(PLAIN, uct_horizon=2), rng=choices)
    assert run(uct(lookahead), lookahead, world, calls=4) is Ending.CALLS
    assert not choices.left
    assert [node_at(lookahead, *path).visits for path in ((), (0,), (1,), (0, 0))] == [2, 1, 1, 1]
    assert [node_at(lookahead, action).value for action in (0, 1)] == [10.0, 9.0]
    assert lookahead.root.value == 9.5


def test_a_rollout_that_is_cut_counts_with_what_it_has_seen() -> None:
    """Also if it is the first one, as with few calls it always is."""
    world = corridor(3, reward=4.0)
    lookahead = plant(world, rng=Script((1, 1, 1, 0)))
    assert run(uct(lookahead), lookahead, world, calls=3) is Ending.CALLS
    assert [node.value for node in walk(lookahead.root)] == [4.0] * 4
    assert lookahead.root.children[1].height == 3


def test_the_reward_that_led_to_a_kept_root_does_not_matter() -> None:
    """It is in no return with which others are compared."""
    calls = set()
    for reward in (0.0, 1_000.0, -500_000.0):
        tree = binary_tree(7, {"0": reward, "00": 1.0, "010": 0.5, "001": 0.5})
        lookahead = plant(tree, rng=Script((0, 0)))
        run(uct(lookahead), lookahead, tree, calls=1)
        lookahead.advance(0)
        lookahead.start()
        lookahead.rng = Random(0)
        run(uct(lookahead), lookahead, tree, calls=60)
        calls.add(tuple(tree.calls))
    assert len(calls) == 1


def test_all_within_the_horizon_is_seen_and_no_more() -> None:
    """Each node once, however the rollouts have gone. From a kept root the horizon is further on."""
    world = UnfoldedWorld(corridor(9))
    lookahead = plant(world, replace(PLAIN, uct_horizon=4))
    assert run(uct(lookahead), lookahead, world) is Ending.SOLVED
    assert len(set(world.calls)) == len(world.calls) == 2 + 4 + 8 + 16
    lookahead.advance(1)
    lookahead.start()
    assert run(uct(lookahead), lookahead, world) is Ending.SOLVED
    assert len(world.calls) == 30 + 16
    assert max(node.depth for node in walk(lookahead.root)) == 4


def test_what_was_kept_is_visited_again() -> None:
    """A rollout through kept nodes to their end counts, though it has simulated nothing."""
    world = binary_tree(3, {"000": 8.0})
    lookahead = plant(world)
    run(uct(lookahead), lookahead, world)
    lookahead.advance(0)
    lookahead.start()
    world.calls.clear()
    assert run(uct(lookahead), lookahead, world) is Ending.SOLVED
    assert not world.calls
    assert [node_at(lookahead, *path).visits for path in ((), (0,), (1,), (0, 0))] == [8, 4, 4, 2]
    assert node_at(lookahead, 0).value == 4.0


def test_the_range_is_that_of_a_kept_tree_too() -> None:
    """Otherwise its values would be far outside, and outweigh all exploration."""
    world = binary_tree(4, {"00": 8.0, "01": -4.0, "010": 2.0})
    lookahead = plant(world, rng=Random(0))
    run(uct(lookahead), lookahead, world)
    assert lookahead.advance(0)
    lookahead.start()
    returns = range_of(lookahead)
    values = [node.value for node in walk(lookahead.root) if node.depth > 0]
    assert (returns.normalise(min(values)), returns.normalise(max(values))) == (0.0, 1.0)
    assert (min(values), max(values)) == (-3.0, 8.0)
