"""The best branch is followed before it is believed; where all is lost, a way out is looked for."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from searching import PLAIN, Log, node_at, plant, roll, run

from pixelplan.planning.lookahead import Case, Lookahead
from pixelplan.planning.rollout_iw import rollout_iw
from pixelplan.planning.verification import lost_branch, unverified_branch, verify
from worlds import World, make_world

WARY = replace(PLAIN, risk_averse=True, cautious=True, lost_life_ends=True, verifications=1, max_depth=4)

TRAP = make_world(
    {
        "s": ("p", "ab"),
        "a": ("p", "cc"),  # shows nothing new
        "b": ("q", "bb"),
        "c": ("p", "dd"),
        "d": ("p", "dd"),
    },
    rewards={("s", 0): 5.0},
    lives={"s": 3, "a": 3, "b": 3, "c": 3, "d": 2},
)
"""A reward, and two actions later a lost life, whatever is done."""


def verify_once(lookahead: Lookahead, world: World, seed: int = 0) -> None:
    """Follow the best branch."""
    lookahead.rng = Random(seed)
    branch, ways = unverified_branch(lookahead), lookahead.settings.verifications
    run(iter([verify(lookahead, branch, ways)]), lookahead, world)


@pytest.mark.parametrize("verifications", [0, 1])
def test_a_reward_with_a_lost_life_behind_it_is_not_believed(verifications: int) -> None:
    """It is, if nobody looks behind it: the branch ends at the reward, because that shows nothing new."""
    for seed in range(10):
        settings = replace(WARY, verifications=verifications)
        lookahead = plant(TRAP, settings, rng=Random(seed))
        run(rollout_iw(lookahead), lookahead, TRAP)
        assert (node_at(lookahead, 0).value < 0) == (verifications > 0)


def test_the_branch_is_followed_to_the_greatest_depth_novel_or_not() -> None:
    """Then it is believed."""
    world = make_world({"s": ("p", "aa"), "a": ("p", "aa")}, rewards={("s", 0): 5.0, ("s", 1): 5.0})
    log = Log()
    lookahead = plant(world, WARY, observer=log.note)
    roll(lookahead, world, 0)
    verify_once(lookahead, world)
    assert log.cases() == [Case.NOT_NOVEL, *[Case.FOLLOWED] * 3, Case.TOO_DEEP]
    assert node_at(lookahead, 0).height == 4
    assert unverified_branch(lookahead) == []
    assert log.arrivals[-1][0].is_solved


@pytest.mark.parametrize(("verifications", "survivors"), [(1, range(1, 20)), (2, [20])])
def test_it_is_followed_in_several_ways_unless_one_ends_well(verifications: int, survivors: range) -> None:
    """One of two actions behind the reward loses a life."""
    world = make_world(
        {"s": ("p", "a"), "a": ("p", "bc"), "b": ("q", "bb"), "c": ("r", "cc")},
        rewards={("s", 0): 5.0},
        lives={"s": 3, "a": 3, "b": 3, "c": 2},
    )
    believed = 0
    for seed in range(20):
        lookahead = plant(world, replace(WARY, verifications=verifications))
        roll(lookahead, world, 0)
        verify_once(lookahead, world, seed)
        believed += lookahead.root.value > 0
    assert believed in survivors


def test_a_twin_of_what_has_failed_is_not_the_end() -> None:
    """Of four actions behind the reward three lose a life in the same way."""
    world = make_world(
        {"s": ("p", "a"), "a": ("p", "bbbc"), "b": ("q", "bbbb"), "c": ("r", "cccc")},
        rewards={("s", 0): 5.0},
        lives={"s": 3, "a": 3, "b": 2, "c": 3},
    )
    for seed in range(20):
        lookahead = plant(world, replace(WARY, verifications=4))
        roll(lookahead, world, 0)
        verify_once(lookahead, world, seed)
        assert lookahead.root.value > 0


def test_nothing_is_followed_where_no_reward_is_promised() -> None:
    """There the highest subtree decides, which has been seen."""
    world = make_world({"s": ("p", "a"), "a": ("p", "a")})
    lookahead = plant(world, WARY)
    assert unverified_branch(lookahead) == []
    roll(lookahead, world, 0)
    assert unverified_branch(lookahead) == []


FORK = make_world(
    {
        "s": ("p", "ab"),
        "a": ("p", "aa"),
        "b": ("q", "cc"),
        "c": ("r", "dd"),
        "d": ("t", "ee"),
        "e": ("u", "ee"),
    },
    rewards={("s", 0): 5.0, ("b", 0): 1.0, ("c", 0): 1.0, ("d", 0): 1.0},
)
"""To the left a reward behind which nothing is new, to the right small ones that go on."""


def test_nothing_is_sure_before_it_was_followed_to_the_greatest_depth() -> None:
    """What lies behind the end of any other branch counts as a lost life, so the surest is not the best."""
    lookahead = plant(FORK, WARY)
    for actions in [(0,), (1, 0, 0, 0)]:
        roll(lookahead, FORK, *actions)
    best, surest = lookahead.root.best_child(), lookahead.root.surest_child()
    assert best is node_at(lookahead, 0)
    assert surest is node_at(lookahead, 1)
    assert best.assured == best.value - WARY.alpha * WARY.death_penalty == 5.0 - 500_000
    assert surest.assured == surest.value == 3.0
    verify_once(lookahead, FORK)
    assert lookahead.root.surest_child() is best
    assert best.assured == best.value == 5.0


def test_the_end_of_the_game_is_no_good_unless_it_is_rewarded() -> None:
    """It may cost no life, and may still be the worst that can happen."""
    world = make_world(
        {"s": ("p", "xg"), "x": ("q", ""), "g": ("r", "")}, rewards={("s", 1): 1.0}, terminals="xg"
    )
    lookahead = plant(world, WARY)
    roll(lookahead, world, 0)
    roll(lookahead, world, 1)
    assert [node_at(lookahead, action).assured for action in (0, 1)] == [-500_000, 1.0]


@pytest.mark.parametrize(
    "change", [{"verifications": 0}, {"cautious": False}, {"risk_averse": False}, {"planner": "iw"}]
)
def test_the_worst_is_assumed_only_by_those_who_can_find_out_and_care(change: dict[str, Any]) -> None:
    """Others would be afraid of all that they do not reach."""
    assert WARY.unseen == -500_000
    settings = replace(WARY, **change)
    assert settings.unseen == 0
    lookahead = plant(FORK, settings)
    roll(lookahead, FORK, 0)
    assert node_at(lookahead, 0).assured == 5.0


def test_what_was_sure_is_not_when_the_horizon_has_moved_on() -> None:
    """The end of a kept branch is not as deep as it was."""
    lookahead = plant(FORK, WARY)
    roll(lookahead, FORK, 1, 0, 0, 0)
    assert node_at(lookahead, 1).assured == 3.0
    lookahead.advance(1)
    lookahead.start()
    assert node_at(lookahead, 0).value == 3.0
    assert node_at(lookahead, 0).assured == 3.0 - 500_000


ESCAPE = make_world(
    {
        "s": ("p", "ax"),
        "a": ("q", "bw"),
        "b": ("r", "xx"),
        "w": ("p", "ww"),  # shows nothing new, and all is well
        "x": ("p", "xx"),
    },
    lives={"s": 3, "a": 3, "b": 3, "w": 3, "x": 2},
)
"""Lives are lost, but for one turn on the way."""


@pytest.mark.parametrize("verifications", [0, 1])
def test_a_way_out_is_looked_for_along_the_branch_that_goes_well_for_longest(verifications: int) -> None:
    """From any of its nodes where something is untried, and only while nothing ends well for sure."""
    settings = replace(WARY, verifications=verifications)
    lookahead = plant(ESCAPE, settings)
    assert lost_branch(lookahead) == []
    roll(lookahead, ESCAPE, 1)
    roll(lookahead, ESCAPE, 0, 0, 0)
    assert lookahead.root.surest_child() is node_at(lookahead, 0)
    root, turn, end = lookahead.root, node_at(lookahead, 0), node_at(lookahead, 0, 0)
    lookahead.rng = Random(0)
    branches = [lost_branch(lookahead) for _ in range(50)]
    if verifications == 0:
        assert branches == [[]] * 50
        return
    assert {branch[-1] for branch in branches} == {turn, end}
    run(iter([verify(lookahead, [root, turn])]), lookahead, ESCAPE)
    assert turn.assured == 0
    assert node_at(lookahead, 0, 1).height == 3
    assert lost_branch(lookahead) == []
