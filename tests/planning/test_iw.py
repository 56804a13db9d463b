"""IW(1): what it does beside the theorems: order, kept trees, repeated actions, several tables."""

from dataclasses import replace
from itertools import pairwise, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from searching import PLAIN, Kept, Log, begin, node_at, plant, run

from pixelplan.planning.budget import Ending
from pixelplan.planning.case import Case
from pixelplan.planning.iw import iw
from pixelplan.planning.node import walk
from worlds import UnfoldedWorld, World, binary_tree, corridor, make_world, seeds, uniform_worlds


@given(world=uniform_worlds, seed=seeds, calls=st.integers(3, 25), more_calls=st.integers(1, 40))
def test_a_kept_tree_is_gone_on_from_in_order_of_depth(
    world: World, seed: int, calls: int, more_calls: int
) -> None:
    """From all its unfinished nodes, those pruned by the last decision included: they are cached now."""
    kept = Kept(world, "full", "iw", seed, calls)
    unfinished = [
        node for node in walk(kept.lookahead.root) if not node.is_terminal and node.has_untried_action()
    ]
    kept.search(more_calls)
    new = [node for node, _ in kept.log.arrivals if not node.is_known]
    assert not {id(node) for node in new} & {id(node) for node in kept.paths.values()}
    assert all(before.depth <= after.depth for before, after in pairwise(new))
    deepest_parent = new[-1].depth - 1 if new else 0
    assert not any(node.has_untried_action() for node in unfinished if node.depth < deepest_parent)


def test_children_are_generated_in_random_order_and_expanded_in_that_order() -> None:
    """First come, first served, also when the next decision goes on with them."""
    orders = set()
    for seed in range(60):
        world = make_world({"s": ("s", "a"), "a": ("a", "bcd"), **dict.fromkeys("bcd", ("b", "s"))})
        lookahead = plant(world, rng=Random(seed))
        run(iw(lookahead), lookahead, world, calls=4)
        order = [world.successors[state][action] for state, action in world.calls[1:]]
        lookahead.advance(0)
        begin(lookahead)
        run(iw(lookahead), lookahead, world, calls=3)
        assert [state for state, _ in world.calls[4:]] == order
        orders.add(tuple(order))
    assert orders == set(permutations("bcd"))


def test_states_dropped_by_partial_caching_are_restored_on_the_way_to_an_unfinished_node() -> None:
    """From the root downwards, one call each, before the node's own children are simulated."""
    world = UnfoldedWorld(make_world({"s": ("s", "a"), "a": ("a", "b"), "b": ("b", "c"), "c": ("c", "s")}))
    lookahead = plant(world, replace(PLAIN, caching="partial"))
    run(iw(lookahead), lookahead, world, calls=3)
    lookahead.advance(0)
    begin(lookahead)
    world.calls.clear()
    run(iw(lookahead), lookahead, world, calls=4)
    assert world.calls == [(0, 0), (0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0, 0)]


def test_a_node_without_effect_gets_one_child_in_its_turn() -> None:
    """It is passed, and its child is judged, after what is less deep."""
    world = make_world({"s": ("p", "ab"), "a": ("p", "cc"), "b": ("q", "ss"), "c": ("r", "ss")})
    log = Log()
    lookahead = plant(world, replace(PLAIN, no_effect_repeats=1), observer=log.note)
    assert run(iw(lookahead), lookahead, world) is Ending.SOLVED
    assert list(node_at(lookahead, 0).children) == [0]
    cases = {tuple(sorted(node.features)): case for node, case in log.arrivals if node.depth <= 2}
    assert cases == {("p",): Case.NOT_NOVEL, ("q",): Case.NOVEL, ("r",): Case.NOVEL}
    assert next(case for node, case in log.arrivals if node is node_at(lookahead, 0)) is Case.UNTESTED
    assert lookahead.root.is_solved


@pytest.mark.parametrize("subscoring", [False, True])
def test_subscoring(subscoring: bool) -> None:
    """The same features with a reward are novel among nodes with that reward."""
    world = make_world({"s": ("p", "ab"), "a": ("q", "s"), "b": ("q", "s")}, rewards={("s", 1): 1.0})
    log = Log()
    lookahead = plant(world, replace(PLAIN, subscoring=subscoring), observer=log.note)
    run(iw(lookahead), lookahead, world, calls=2)
    assert sorted(log.cases()) == ([Case.NOVEL, Case.NOVEL] if subscoring else [Case.NOVEL, Case.NOT_NOVEL])


def test_dead_ends_are_not_expanded() -> None:
    """Neither game over nor the greatest depth."""
    world = make_world({"s": ("p", "ta"), "a": ("q", "b"), "b": ("r", "s"), "t": ("z", "t")}, terminals="t")
    lookahead = plant(world, replace(PLAIN, max_depth=2))
    assert run(iw(lookahead), lookahead, world) is Ending.SOLVED
    assert not node_at(lookahead, 0).children
    assert not node_at(lookahead, 1, 0).children
    assert len(world.calls) == 3
    assert lookahead.root.is_solved


def test_what_was_seen_before_the_cut_is_backed_up() -> None:
    """The corridor's reward is behind one call in its first place and two in each of the others."""
    world = corridor(3, reward=5.0)
    lookahead = plant(world)
    assert run(iw(lookahead), lookahead, world, calls=6) is Ending.CALLS
    assert lookahead.root.children[1].value == 5.0
    assert lookahead.root.children[1].height == 3


def test_a_kept_tree_without_anything_left_is_solved_at_once() -> None:
    """Its dead ends are labelled again, and the labels propagate to the root."""
    world = binary_tree(3)
    lookahead = plant(world, PLAIN)
    run(iw(lookahead), lookahead, world)
    lookahead.advance(0)
    begin(lookahead)
    assert run(iw(lookahead), lookahead, world) is Ending.SOLVED
    assert lookahead.root.is_solved
    assert all(node.is_solved for node in walk(lookahead.root))
