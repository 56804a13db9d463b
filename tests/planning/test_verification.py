"""The best branch is followed beyond its end before it is believed."""

from dataclasses import replace
from random import Random

import pytest
from searching import PLAIN, Log, node_at, plant, roll, run

from pixelplan.planning.lookahead import Case, Lookahead
from pixelplan.planning.rollout_iw import rollout_iw
from pixelplan.planning.verification import unverified_branch, verify
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
    run(iter([verify(lookahead, unverified_branch(lookahead))]), lookahead, world)


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


def test_nothing_is_followed_where_no_reward_is_promised() -> None:
    """There the highest subtree decides, which has been seen."""
    world = make_world({"s": ("p", "a"), "a": ("p", "a")})
    lookahead = plant(world, WARY)
    assert unverified_branch(lookahead) == []
    roll(lookahead, world, 0)
    assert unverified_branch(lookahead) == []
