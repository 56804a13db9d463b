"""The best branch is followed before it is believed; where all is lost, a way out is looked for."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from searching import PLAIN, Log, assured, node_at, plant, roll, run, search_of

from pixelplan.planning.best import is_verified
from pixelplan.planning.best.assurance import ENDLESS
from pixelplan.planning.best.selection import selection
from pixelplan.planning.best.valuation import surest_child, worth
from pixelplan.planning.best.verification import lost_branch, most_promising_child, unverified_branch, verify
from pixelplan.planning.budget import Ending
from pixelplan.planning.case import Case
from pixelplan.planning.lookahead import Lookahead
from pixelplan.planning.planners import find_planner
from pixelplan.planning.rollout_iw import uniform
from pixelplan.planning.settings import SearchSettings
from worlds import World, make_world

VERIFIED = replace(PLAIN, risk_averse=True, cautious=True, lost_life_ends=True, verifications=1, max_depth=4)

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
    settings = lookahead.settings
    assert isinstance(settings, SearchSettings)
    branch = unverified_branch(lookahead)
    run(iter([verify(lookahead, branch, uniform, settings.verifications)]), lookahead, world)


@pytest.mark.parametrize("verifications", [0, 1])
def test_a_reward_with_a_lost_life_behind_it_is_not_believed(verifications: int) -> None:
    """It is, if nobody looks behind it: the branch ends at the reward, because that shows nothing new."""
    for seed in range(10):
        settings = replace(VERIFIED, verifications=verifications)
        lookahead = plant(TRAP, settings, rng=Random(seed))
        run(search_of(lookahead), lookahead, TRAP)
        assert (node_at(lookahead, 0).value < 0) == (verifications > 0)


def test_the_branch_is_followed_to_the_greatest_depth_novel_or_not() -> None:
    """Then it is believed."""
    world = make_world({"s": ("p", "aa"), "a": ("p", "aa")}, rewards={("s", 0): 5.0, ("s", 1): 5.0})
    log = Log()
    lookahead = plant(world, VERIFIED, observer=log.note)
    roll(lookahead, world, 0)
    verify_once(lookahead, world)
    assert log.cases() == [Case.NOT_NOVEL, *[Case.FOLLOWED] * 3, Case.TOO_DEEP]
    assert node_at(lookahead, 0).height == 4
    assert unverified_branch(lookahead) == []
    assert log.arrivals[-1][0].is_solved


@pytest.mark.parametrize(("verifications", "survivors"), [(1, range(1, 20)), (2, [20])])
@pytest.mark.parametrize("loss", ["a life", "a life, and it goes on", "a point"])
def test_it_is_followed_in_several_ways_unless_one_ends_well(
    loss: str, verifications: int, survivors: range
) -> None:
    """Something is lost by one of two actions behind the reward."""
    world = make_world(
        {"s": ("p", "a"), "a": ("p", "bc"), "b": ("q", "bb"), "c": ("r", "cc")},
        rewards={("s", 0): 5.0, ("a", 1): -1.0 if loss == "a point" else 0.0},
        lives={"s": 3, "a": 3, "b": 3, "c": 3 if loss == "a point" else 2},
    )
    settings = replace(VERIFIED, verifications=verifications, lost_life_ends=loss == "a life")
    believed = 0
    for seed in range(20):
        lookahead = plant(world, settings)
        roll(lookahead, world, 0)
        verify_once(lookahead, world, seed)
        believed += lookahead.root.value > 0
    assert believed in survivors


def test_a_twin_of_what_has_failed_is_no_way_of_its_own() -> None:
    """Of four actions behind the reward three lose a life in the same way."""
    world = make_world(
        {"s": ("p", "a"), "a": ("p", "bbbc"), "b": ("q", "bbbb"), "c": ("r", "cccc")},
        rewards={("s", 0): 5.0},
        lives={"s": 3, "a": 3, "b": 2, "c": 3},
    )
    for seed in range(20):
        lookahead = plant(world, replace(VERIFIED, verifications=2))
        roll(lookahead, world, 0)
        verify_once(lookahead, world, seed)
        assert lookahead.root.value > 0


def test_a_twin_foreseen_is_followed_last() -> None:
    """Behind the reward, as in the root, two of three actions do the same."""
    world = make_world({"s": ("p", "aab"), "a": ("q", "aab"), "b": ("p", "aab")}, rewards={("s", 2): 5.0})
    select = selection(0.0, has_foresight=True)
    for seed in range(20):
        lookahead = plant(world, replace(VERIFIED, foresight=True))
        for action in range(3):
            lookahead.fill_node(lookahead.root, action, world.transition("s", action))
        believed = node_at(lookahead, 2)
        lookahead.fill_node(believed, 0, world.transition("b", 0))
        lookahead.rng = Random(seed)
        run(iter([verify(lookahead, [lookahead.root, believed], select)]), lookahead, world)
        assert set(believed.children) == {0, 2}


def test_nothing_is_followed_where_no_reward_is_promised() -> None:
    """There the highest subtree decides, which has been seen."""
    world = make_world({"s": ("p", "a"), "a": ("p", "a")})
    lookahead = plant(world, VERIFIED)
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
    """Until then the best one is not the surest."""
    lookahead = plant(FORK, VERIFIED)
    for actions in [(0,), (1, 0, 0, 0)]:
        roll(lookahead, FORK, *actions)
    best, surest = most_promising_child(lookahead.root), surest_child(lookahead.root)
    assert best is node_at(lookahead, 0)
    assert surest is node_at(lookahead, 1)
    assert (worth(best), worth(surest)) == ((1.0, 5.0), (ENDLESS, 3.0))
    verify_once(lookahead, FORK)
    assert surest_child(lookahead.root) is best
    assert worth(best) == (ENDLESS, 5.0)


def test_of_what_is_sure_the_most_promising_is_taken() -> None:
    """Whether the promise is sure or not: if it turns out to be none, the sure branch is still there."""
    world = make_world(
        {
            "s": ("p", "ab"),
            "a": ("q", "cd"),
            "b": ("r", "ee"),
            "c": ("q", "cc"),
            "d": ("t", ""),
            "e": ("u", ""),
        },
        rewards={("a", 0): 9.0, ("a", 1): 1.0, ("b", 0): 5.0},
        terminals="de",
    )
    lookahead = plant(world, VERIFIED)
    for actions in [(0, 0), (0, 1), (1, 0)]:
        roll(lookahead, world, *actions)
    lengths_and_values = [worth(node_at(lookahead, *path)) for path in [(0, 0), (0, 1), (0,), (1,)]]
    assert lengths_and_values == [(1.0, 9.0), (ENDLESS, 1.0), (ENDLESS, 9.0), (ENDLESS, 5.0)]
    assert surest_child(lookahead.root) is node_at(lookahead, 0)
    assert lookahead.valuation.choose(lookahead.root, Random(0)).branch == (0, 1)


def test_what_is_unknown_is_surer_than_a_loss_that_comes_as_soon() -> None:
    """And what goes well for longer is surer than either, even if the loss at its end is known."""
    world = make_world(
        {
            "s": ("p", "abc"),
            "a": ("p", "aaa"),
            "b": ("q", "x"),
            "c": ("r", "d"),
            "d": ("t", "x"),
            "x": ("p", "x"),
        },
        lives={"s": 3, "a": 3, "b": 3, "c": 3, "d": 3, "x": 2},
    )
    lookahead = plant(world, VERIFIED)
    for actions in [(0,), (1, 0), (2, 0, 0)]:
        roll(lookahead, world, *actions)
    unknown, lost, longer = (worth(node_at(lookahead, action)) for action in range(3))
    assert lost == (1.0, -500_000.0) < unknown == (1.0, 0.0) < longer == (2.0, -500_000.0)


def test_the_end_of_the_game_is_no_good_unless_it_is_rewarded() -> None:
    """It may cost no life, and may still be the worst that can happen."""
    world = make_world(
        {"s": ("p", "xg"), "x": ("q", ""), "g": ("r", "")}, rewards={("s", 1): 1.0}, terminals="xg"
    )
    lookahead = plant(world, VERIFIED)
    roll(lookahead, world, 0)
    roll(lookahead, world, 1)
    assert [assured(node_at(lookahead, action)) for action in (0, 1)] == [0.0, ENDLESS]


@pytest.mark.parametrize(
    "change", [{"verifications": 0}, {"cautious": False}, {"risk_averse": False}, {"planner": "iw"}]
)
def test_only_what_can_be_found_out_is_asked_for(change: dict[str, Any]) -> None:
    """Others would rely on nothing, for they reach little."""
    assert is_verified(VERIFIED, find_planner(VERIFIED.planner))
    settings = replace(VERIFIED, **change)
    assert not is_verified(settings, find_planner(settings.planner))
    lookahead = plant(FORK, settings)
    roll(lookahead, FORK, 0)
    assert assured(node_at(lookahead, 0)) == ENDLESS
    lookahead.rng = Random(0)
    run(search_of(lookahead), lookahead, FORK)
    assert lookahead.cases[Case.FOLLOWED] == 0


def test_what_was_sure_is_not_when_the_horizon_has_moved_on() -> None:
    """The end of a kept branch is not as deep as it was."""
    lookahead = plant(FORK, VERIFIED)
    roll(lookahead, FORK, 1, 0, 0, 0)
    assert assured(node_at(lookahead, 1)) == ENDLESS
    lookahead.advance(1)
    lookahead.start()
    assert worth(node_at(lookahead, 0)) == (3.0, 3.0)


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


def test_a_way_out_is_looked_for_along_the_branch_that_goes_well_for_longest() -> None:
    """From any of its nodes where something is untried, and only while nothing ends well for sure."""
    lookahead = plant(ESCAPE, VERIFIED)
    assert lost_branch(lookahead) == []
    roll(lookahead, ESCAPE, 1)
    roll(lookahead, ESCAPE, 0, 0, 0)
    assert surest_child(lookahead.root) is node_at(lookahead, 0)
    root, turn, end = lookahead.root, node_at(lookahead, 0), node_at(lookahead, 0, 0)
    lookahead.rng = Random(0)
    branches = [lost_branch(lookahead) for _ in range(50)]
    assert {branch[-1] for branch in branches} == {turn, end}
    run(iter([verify(lookahead, [root, turn], uniform)]), lookahead, ESCAPE)
    assert assured(turn) == ENDLESS
    assert node_at(lookahead, 0, 1).height == 3
    assert lost_branch(lookahead) == []


def test_a_search_that_has_seen_all_that_is_new_goes_on_until_it_is_sure() -> None:
    """The way out shows nothing new; it is found by the calls that novelty leaves over."""
    for seed in range(20):
        lookahead = plant(ESCAPE, VERIFIED, rng=Random(seed))
        assert run(search_of(lookahead), lookahead, ESCAPE) is Ending.SOLVED
        assert assured(node_at(lookahead, 0)) == ENDLESS
        careless = plant(ESCAPE, replace(VERIFIED, verifications=0), rng=Random(seed))
        run(search_of(careless), careless, ESCAPE)
        assert careless.simulated < lookahead.simulated


def test_a_search_ends_where_nothing_is_sure_and_nothing_untried() -> None:
    """However many calls are left."""
    world = make_world({"s": ("p", "ax"), "a": ("q", "xx"), "x": ("p", "xx")}, lives={"s": 3, "a": 3, "x": 2})
    lookahead = plant(world, VERIFIED)
    assert run(search_of(lookahead), lookahead, world) is Ending.SOLVED
    assert assured(node_at(lookahead, 0)) == 1.0
    assert lookahead.simulated == 4
