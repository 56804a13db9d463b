"""Every search in the registry, in several worlds: what it says it found is there when it is replayed,
and the trees that it leaves are consistent.
"""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import Player, check_tree, searches
from searching import PLAIN, WIDTH_PLANNERS, node_at, plant, run, search_of

from pixelplan.planning.budget import Budget, Ending
from pixelplan.planning.node import Node
from pixelplan.planning.planners import PLANNERS, find_planner
from pixelplan.planning.settings import SearchSettings
from pixelplan.planning.simulator import Action
from worlds import World, binary_tree, corridor, make_world, seeds, uniform_worlds, winding_worlds

WORLDS = {
    "corridor": corridor(6, reward=3.0),
    "empty corridor": corridor(4),
    "tree": binary_tree(3, {"0": 1.0, "00": -4.0, "01": 0.5, "011": 2.0, "1": -1.0, "11": 4.0, "111": 0.25}),
    "only losses": binary_tree(2, {"0": -1.0, "1": -1.0, "00": -1.0, "01": -2.0, "10": -2.0, "11": -4.0}),
    "deaths": make_world(
        {"s": ("s", "ab"), "a": ("a", "cc"), "b": ("b", "cd"), "c": ("c", "ss"), "d": ("d", "ss")},
        rewards={("s", 0): 9.0, ("s", 1): 1.0, ("b", 0): 8.0, ("b", 1): 0.5},
        lives={"a": 2, "c": 2},
    ),
    "standing still": make_world(
        {"s": ("p", "ab"), "a": ("p", "cs"), "b": ("q", "bb"), "c": ("r", "cc")}, rewards={("a", 0): 2.0}
    ),
}

EVERY = (*PLANNERS, "own_planner:straight_on", "own_planner:STRAIGHT_ON")
"""The searches of the registry, and one from outside, by its function and by its record."""

PLAIN_DISCOUNTED = replace(PLAIN, discount=0.5)
RISK_AVERSE = SearchSettings()


def best_branch(root: Node, action: Action) -> list[Action]:
    """Return the actions from which the value of an action of the root comes."""
    branch = []
    node: Node | None = root.children.get(action)
    while node is not None:
        branch.append(node.action)
        best = max(node.children.values(), key=lambda child: child.value, default=None)
        has_untried = len(node.children) < len(node.actions)
        node = None if best is None or (best.value < 0 and has_untried) else best
    return branch


def replay(world: World, branch: list[Action], settings: SearchSettings) -> float:
    """Play a branch in the world itself, and add up what the search should have seen of its rewards."""
    before, total = world.look(world.root()), 0.0
    for step, action in enumerate(branch):
        after = world.transition(before.state, action)
        reward = after.reward
        if settings.risk_averse:
            if after.lives < before.lives:
                reward = -500_000.0
            elif reward < 0:
                reward *= 50_000.0
        total += settings.discount**step * reward
        before = after
    return total


def check_replay(planner: str, world: World, settings: SearchSettings, calls: int, seed: int) -> None:
    """Decide once, and replay what the value was promised for. The rewards are such that sums are exact."""
    rng = Random(seed)
    lookahead = plant(world, settings, rng=rng)
    run(search_of(lookahead, planner), lookahead, world, calls)
    choice = lookahead.valuation.choose(lookahead.root, rng)
    branch = best_branch(lookahead.root, choice.action)
    assert choice.action in world.actions(world.root())
    assert branch[:1] == ([choice.action] if choice.action in lookahead.root.children else [])
    nodes = [node_at(lookahead, *branch[:length]) for length in range(1, len(branch) + 1)]
    found = sum(settings.discount**step * node.reward for step, node in enumerate(nodes))
    assert replay(world, branch, settings) == found
    assert choice.value == found or find_planner(planner).has_mean_values


@pytest.mark.parametrize("planner", EVERY)
@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("settings", [PLAIN, PLAIN_DISCOUNTED, RISK_AVERSE], ids=["plain", "discount", "ras"])
@pytest.mark.parametrize("calls", [1, 2, 5, 1_000])
def test_the_best_branch_is_worth_its_value(
    planner: str, name: str, settings: SearchSettings, calls: int
) -> None:
    """In hand-made worlds, with a little time and with a lot."""
    check_replay(planner, WORLDS[name], settings, calls, seed=calls)


@pytest.mark.parametrize("planner", EVERY)
@given(
    world=uniform_worlds,
    settings=st.sampled_from([PLAIN, PLAIN_DISCOUNTED, RISK_AVERSE]),
    calls=st.integers(1, 60),
    seed=seeds,
)
def test_the_best_branch_is_worth_its_value_in_random_worlds(
    planner: str, world: World, settings: SearchSettings, calls: int, seed: int
) -> None:
    """Whatever the world."""
    check_replay(planner, world, settings, calls, seed)


@pytest.mark.parametrize("planner", [name for name in PLANNERS if name not in ("random", "uct")])
@pytest.mark.parametrize(
    ("name", "action", "value"), [("corridor", 1, 3.0), ("tree", 0, 3.5), ("only losses", 0, -2.0)]
)
def test_what_there_is_to_find_is_found(planner: str, name: str, action: Action, value: float) -> None:
    """The corridor's only reward, and the best leaf of the tree of which each state has its own atom."""
    world = WORLDS[name]
    lookahead = plant(world)
    run(search_of(lookahead, planner), lookahead, world, calls=500)
    choice = lookahead.valuation.choose(lookahead.root, Random(0))
    assert choice.action == action
    # In the corridor one can step back and have the reward once more, if nothing is pruned.
    assert choice.value == value or (name == "corridor" and planner not in WIDTH_PLANNERS)
    assert choice.value % value == 0


@pytest.mark.parametrize("capacity", [1, 2, 4])
@pytest.mark.parametrize("planner", EVERY)
@settings(max_examples=60)
@given(world=uniform_worlds | winding_worlds, seed=seeds, calls=st.integers(1, 40), search=searches)
def test_every_cut_of_every_search_leaves_a_consistent_tree(
    planner: str, capacity: int, world: World, seed: int, calls: int, search: SearchSettings
) -> None:
    """Over several decisions, whatever is kept between them.

    What was in flight when the calls were used up has been awaited.
    """
    player = Player(world, planner, seed, search)
    dispatcher = player.scattered(capacity)
    for ending in player.decisions(dispatcher, Budget(calls=calls)):
        check_tree(player)
        assert player.meter.calls <= calls
        assert ending is Ending.SOLVED or player.meter.calls == calls
        assert not dispatcher.under_way
        assert not dispatcher.abandons
