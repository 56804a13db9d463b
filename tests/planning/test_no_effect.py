"""Actions without effect: repeated before their node is judged.

Paper: section "Experimental Results". A node with its parent's features gets exactly one child, by
the same action; every edge is one call.
"""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from searching import PLAIN, WIDTH_PLANNERS, Log, begin, node_at, plant, roll, run, search_of

from pixelplan.planning.budget import Ending
from pixelplan.planning.case import Case
from pixelplan.planning.node import walk
from worlds import World, make_world, seeds, uniform_worlds

# Action 0 changes nothing at first: s, a and b look the same, c does not.
STILL = make_world({"s": ("p", "ad"), "a": ("p", "bd"), "b": ("p", "cd"), "c": ("q", "ss"), "d": ("p", "dd")})


@pytest.mark.parametrize(
    ("repeats", "cases"),
    [
        (0, [Case.NOT_NOVEL]),
        (1, [Case.UNTESTED, Case.NOT_NOVEL]),
        (2, [Case.UNTESTED, Case.UNTESTED, Case.NOVEL, Case.NOT_NOVEL]),
    ],
)
def test_an_action_without_effect_is_repeated(repeats: int, cases: list[Case]) -> None:
    """As often as it is set, one depth and one call each; then the node is judged as usual."""
    world = replace(STILL, calls=[])
    log = Log()
    lookahead = plant(world, replace(PLAIN, no_effect_repeats=repeats), observer=log.note)
    roll(lookahead, world, *[0] * len(cases))
    assert log.cases() == cases
    assert world.calls == [("s", 0), ("a", 0), ("b", 0), ("c", 0)][: len(cases)]
    for depth, (node, case) in enumerate(log.arrivals, start=1):
        assert node.depth == depth
        assert tuple(node.actions) == ((0,) if case is Case.UNTESTED else (0, 1))


def test_the_one_child_solves_a_node_without_effect() -> None:
    """It has no other action that could be tried."""
    world = replace(STILL, calls=[])
    lookahead = plant(world, replace(PLAIN, no_effect_repeats=1))
    roll(lookahead, world, 0, 0)
    assert node_at(lookahead, 0).is_solved
    assert list(node_at(lookahead, 0).children) == [0]
    roll(lookahead, world, 1, 1)
    assert lookahead.root.is_solved


def test_a_repeated_action_with_effect_ends_the_chain() -> None:
    """Though it could have been repeated once more; and another chain may begin below it."""
    world = make_world({"s": ("p", "a"), "a": ("p", "b"), "b": ("q", "cs"), "c": ("q", "c")})
    log = Log()
    lookahead = plant(world, replace(PLAIN, no_effect_repeats=2), observer=log.note)
    roll(lookahead, world, 0, 0, 0, 0, 0)
    assert log.cases() == [Case.UNTESTED, Case.NOVEL, Case.UNTESTED, Case.UNTESTED, Case.NOT_NOVEL]
    assert tuple(node_at(lookahead, 0, 0).actions) == (0, 1)


def test_game_over_without_effect_is_a_dead_end() -> None:
    """Nothing is repeated when the game is over."""
    world = make_world({"s": ("p", "t"), "t": ("p", "t")}, terminals="t")
    log = Log()
    lookahead = plant(world, replace(PLAIN, no_effect_repeats=1), observer=log.note)
    roll(lookahead, world, 0)
    assert log.cases() == [Case.DEAD_END]
    assert lookahead.root.is_solved


def test_a_node_without_effect_that_becomes_root_gets_its_missing_actions() -> None:
    """What it has stays; what it lacks is untried."""
    world = replace(STILL, calls=[])
    lookahead = plant(world, replace(PLAIN, no_effect_repeats=1))
    roll(lookahead, world, 0, 0)
    child = node_at(lookahead, 0, 0)
    assert lookahead.advance(0)
    begin(lookahead)
    assert list(lookahead.root.actions) == lookahead.root.unsolved == [0, 1]
    assert lookahead.root.children == {0: child}
    assert lookahead.root.has_untried_action()
    # As root it is like any other: an action without effect has a chain of its own.
    roll(lookahead, world, 1, 1)
    assert node_at(lookahead, 1).actions == (1,)


@pytest.mark.parametrize("planner", WIDTH_PLANNERS)
@given(world=uniform_worlds, seed=seeds, repeats=st.integers(0, 3), decisions=st.integers(1, 3))
def test_chains_in_random_worlds(planner: str, world: World, seed: int, repeats: int, decisions: int) -> None:
    """Only a node with its parent's features has a single action, and only so many in a row."""
    lookahead = plant(world, replace(PLAIN, no_effect_repeats=repeats), rng=Random(seed))
    ending = run(search_of(lookahead, planner), lookahead, world)
    for _ in range(decisions - 1):
        if not lookahead.root.children or lookahead.root.children[0].is_terminal:
            break
        lookahead.advance(0)
        begin(lookahead)
        ending = run(search_of(lookahead, planner), lookahead, world)
    assert ending is Ending.SOLVED
    for parent in walk(lookahead.root):
        for action, node in parent.children.items():
            is_repeated = node.repeats > 0
            assert tuple(node.actions) == ((action,) if is_repeated else tuple(world.actions(node.state)))
            if is_repeated:
                assert node.features == parent.features
                assert node.repeats <= repeats
                assert node.is_terminal or list(node.children) == [action]
            elif node.features == parent.features and repeats > 0:
                # The end of a chain that has gone on for long enough.
                assert parent.repeats == repeats or parent is lookahead.root


def test_an_action_that_is_gone_is_not_repeated() -> None:
    """Where it led, other actions apply: the node is judged as usual."""
    world = make_world({"s": ("p", "sa"), "a": ("p", "s")})
    lookahead = plant(world, replace(PLAIN, no_effect_repeats=1))
    roll(lookahead, world, 1)
    child = node_at(lookahead, 1)
    assert child.repeats == 0
    assert list(child.actions) == [0]
    assert child.is_solved
