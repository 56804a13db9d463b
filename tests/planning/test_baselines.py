"""The searches that prune nothing: 2BFS, breadth-first search, UCT; and the one that does nothing."""

from collections import Counter
from dataclasses import replace
from itertools import groupby, islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import Player
from searching import PLAIN, Log, plant, run, search_of

from pixelplan.planning.budget import Budget, Ending
from pixelplan.planning.case import Case
from pixelplan.planning.node import Node, walk
from worlds import (
    Name,
    World,
    binary_tree,
    corridor,
    crowded_worlds,
    make_world,
    seeds,
    winding_worlds,
    worlds,
)

in_flight = pytest.mark.parametrize("capacity", [1, 2, 4])


@in_flight
@pytest.mark.parametrize("planner", ["breadth-first", "2bfs", "uct"])
@settings(max_examples=30)
@given(world=worlds | winding_worlds, seed=seeds, depth=st.integers(1, 3))
def test_all_within_a_depth_is_seen_if_nothing_is_pruned(
    planner: str, capacity: int, world: World, seed: int, depth: int
) -> None:
    """Each path that is possible is a node, and each was simulated once."""
    player = Player(world, planner, seed, replace(PLAIN, max_depth=depth))
    assert player.decide(player.scattered(capacity)) is Ending.SOLVED
    paths = [player.world.root()]
    for path in paths:
        end = player.world.end(path)
        if len(path) < depth and end not in world.terminals:
            paths += [(*path, action) for action in world.actions(end)]
    assert sorted(player.world.calls) == sorted(paths[1:])
    assert {node.state for node in walk(player.lookahead.root)} == set(paths)
    assert player.lookahead.root.is_solved


@given(world=worlds | winding_worlds, seed=seeds, calls=st.integers(1, 80))
def test_breadth_first_search_is_first_come_first_served(world: World, seed: int, calls: int) -> None:
    """In order of depth, and without a look at features: only what is over is not expanded."""
    log = Log()
    lookahead = plant(world, rng=Random(seed), observer=log.note)
    run(search_of(lookahead, "breadth-first"), lookahead, world, calls)
    queue = [lookahead.root]
    for node, case in log.arrivals:
        assert case is (Case.DEAD_END if node.is_terminal else Case.UNTESTED)
        if not node.is_terminal:
            queue.append(node)
    generated = [child for node in queue for child in node.children.values()]
    assert generated == [node for node, _ in log.arrivals]


def expansions(planner: str, world: World, calls: int, seed: int) -> list[Name]:
    """Return the states of the nodes that a search has expanded, in order."""
    world.calls.clear()
    lookahead = plant(world, rng=Random(seed))
    run(search_of(lookahead, planner), lookahead, world, calls)
    return [state for state, _ in groupby(state for state, _ in world.calls)]


def test_2bfs_takes_nodes_by_novelty_and_by_reward_in_turn() -> None:
    """By hand. a and e are novel, b and d are rewarding."""
    world = make_world(
        {
            "s": ("p", "ab"),  # by novelty; nothing else is there
            "b": ("p", "d"),  # by reward, 5
            "a": ("a", "e"),  # by novelty
            "d": ("p", "f"),  # by reward, 6
            "e": ("e", "g"),  # by novelty
            "f": ("p", "f"),  # by reward, 4, and again as long as there are calls
            "g": ("p", "g"),
        },
        rewards={("s", 1): 5.0, ("b", 0): 1.0, ("d", 0): -2.0},
    )
    for seed in range(10):
        assert expansions("2bfs", world, 6, seed) == ["s", "b", "a", "d", "e"]
        assert expansions("2bfs", world, 7, seed) == ["s", "b", "a", "d", "e", "f"]


def test_2bfs_breaks_ties_of_the_one_by_the_other() -> None:
    """Of the novel nodes b has the greater reward; of those with reward 3 d is novel."""
    world = make_world(
        {
            "s": ("p", "abcd"),
            "a": ("a", "t"),
            "b": ("b", "t"),
            "c": ("p", "t"),
            "d": ("d", "t"),
            "t": ("p", "t"),
        },
        terminals="t",
        rewards={("s", 1): 2.0, ("s", 2): 3.0, ("s", 3): 3.0},
    )
    for seed in range(10):
        # By reward d, which is novel, and not c; by novelty b; by reward c; by novelty a.
        assert expansions("2bfs", world, 99, seed) == ["s", "d", "b", "c", "a"]


def replay_2bfs(player: Player) -> list[Node]:
    """Return the nodes in the order in which the definition expands them, from the cases alone."""
    cases = dict(player.log.arrivals)
    root = player.lookahead.root
    queue = [root]
    order: list[Node] = []

    def by_novelty(node: Node) -> tuple[float, ...]:
        return (cases.get(node) is Case.NOT_NOVEL, -node.path_reward, node.number)

    def by_reward(node: Node) -> tuple[float, ...]:
        return (-node.path_reward, cases.get(node) is Case.NOT_NOVEL, node.number)

    while queue:
        node = min(queue, key=by_reward if len(order) % 2 else by_novelty)
        queue.remove(node)
        order.append(node)
        queue += [child for child in node.children.values() if not child.is_terminal]
    return order


@settings(max_examples=100)
@given(world=worlds | crowded_worlds | winding_worlds, seed=seeds, calls=st.integers(1, 80))
def test_2bfs_in_random_worlds(world: World, seed: int, calls: int) -> None:
    """A node is novel if it has an atom that no node had before, at whatever depth."""
    player = Player(world, "2bfs", seed)
    player.decide(player.scattered(1), Budget(calls=calls))
    seen = set(player.lookahead.root.features)
    arrivals = iter(player.log.arrivals)
    for parent in replay_2bfs(player):
        for node, case in islice(arrivals, len(parent.children)):
            assert parent.children[node.action] is node
            if node.is_terminal:
                assert case is Case.DEAD_END
            else:
                assert case is (Case.NOT_NOVEL if node.features <= seen else Case.NOVEL)
                seen |= node.features
    assert next(arrivals, None) is None


def test_random_makes_no_calls_and_takes_any_action() -> None:
    """Each about as often as the others, whatever there would be to find."""
    world = replace(corridor(1, reward=5.0), successors={0: (0, 1, 0, 1), 1: (0, 1, 0, 1)})
    actions: Counter[int] = Counter()
    for seed in range(2_000):
        rng = Random(seed)
        lookahead = plant(world, rng=rng)
        assert run(search_of(lookahead, "random"), lookahead, world) is Ending.SOLVED
        actions[lookahead.valuation.choose(lookahead.root, rng).action] += 1
    assert not world.calls
    assert set(actions) == {0, 1, 2, 3}
    assert all(430 < count < 570 for count in actions.values())


@pytest.mark.parametrize("planner", ["breadth-first", "2bfs", "prioritized-iw"])
def test_a_kept_tree_without_anything_left_is_solved_at_once(planner: str) -> None:
    """Its dead ends are labelled again, and no call is made."""
    world = binary_tree(4, {"01": 1.0, "0111": -1.0})
    lookahead = plant(world)
    assert run(search_of(lookahead, planner), lookahead, world) is Ending.SOLVED
    lookahead.advance(0)
    lookahead.start()
    world.calls.clear()
    assert run(search_of(lookahead, planner), lookahead, world) is Ending.SOLVED
    assert all(node.is_solved for node in walk(lookahead.root))
    assert not world.calls


def test_2bfs_prefers_what_is_new_to_what_was_kept() -> None:
    """What was novel in the last decision has waited longer, but is passed over."""
    world = binary_tree(6)
    lookahead = plant(world)
    run(search_of(lookahead, "2bfs"), lookahead, world, calls=14)
    assert lookahead.advance(0)
    lookahead.start()
    kept = {node.number for node in walk(lookahead.root)}
    run(search_of(lookahead, "2bfs"), lookahead, world, calls=8)
    parents = [
        node
        for node in walk(lookahead.root)
        if any(child.number not in kept for child in node.children.values())
    ]
    assert any(node.number not in kept for node in parents)
