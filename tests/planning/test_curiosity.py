"""What the played game has seldom shown is worth a little, where rewards are equal."""

from dataclasses import replace
from random import Random

import pytest
from searching import PLAIN, begin, node_at, plant, run, search_of

from pixelplan.planning.familiarity import AtomFamiliarity
from pixelplan.planning.lookahead import Lookahead
from pixelplan.planning.node import walk
from worlds import World, make_world

CURIOUS = replace(PLAIN, curiosity=1e-6, discount=0.5)

HALL = make_world({"s": ("p", "ab"), "a": ("q", "ss"), "b": ("r", "ss")})
"""Two rooms, and a way back from each."""


def decide(lookahead: Lookahead, world: World, planner: str = "rollout-iw") -> int:
    """Look ahead as far as there is anything to see, and play what was chosen."""
    run(search_of(lookahead, planner), lookahead, world, calls=50)
    action = lookahead.valuation.choose(lookahead.root, Random(0)).action
    lookahead.advance(action)
    begin(lookahead)
    return action


def test_rarity_counts_the_states_that_were_played() -> None:
    familiarity = AtomFamiliarity()
    assert familiarity.rarity("pq") == 2
    familiarity.note("p")
    familiarity.note("p")
    familiarity.note("q")
    assert familiarity.rarity("p") == pytest.approx(1 / 3)
    assert familiarity.rarity("pqr") == pytest.approx(1 / 3 + 1 / 2 + 1)
    assert familiarity.rarity("") == 0


@pytest.mark.parametrize("planner", ["rollout-iw", "iw", "breadth-first"])
def test_where_nothing_is_to_be_had_it_goes_where_it_has_not_been(planner: str) -> None:
    """Into one room and back, then into the other."""
    lookahead = plant(HALL, replace(CURIOUS, max_depth=3))
    rooms = []
    for _ in range(4):
        rooms.append(decide(lookahead, HALL, planner))
        decide(lookahead, HALL, planner)
    assert rooms in ([0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 1, 0], [1, 0, 0, 1])


def test_the_least_reward_is_worth_more() -> None:
    """Even where all else is new, for as long as it can be."""
    new = [chr(number) for number in range(1_000, 2_100)]
    states = {
        state: ("".join(new[100 * index : 100 * (index + 1)]), successor)
        for index, (state, successor) in enumerate(zip("bcdefghijkl", "cdefghijkll", strict=True))
    }
    world = make_world({"s": ("p", "ab"), "a": ("p", "a")} | states, rewards={("s", 0): 1.0})
    choices = []
    for curiosity in (1e-6, 1e-3):
        lookahead = plant(world, replace(CURIOUS, curiosity=curiosity, discount=1.0))
        choices.append(decide(lookahead, world))
    # A thousand times as much is too much, for 1,100 new atoms on the way.
    assert choices == [0, 1]


def test_a_loss_is_not_worth_seeing() -> None:
    world = make_world(
        {"s": ("p", "ab"), "a": ("qrst", "a"), "b": ("p", "b")}, lives={"s": 3, "a": 2, "b": 3}
    )
    choices = []
    for risk_averse in (True, False):
        lookahead = plant(world, replace(CURIOUS, risk_averse=risk_averse))
        choices.append(decide(lookahead, world))
    assert choices == [1, 0]


def test_what_is_played_becomes_familiar_in_the_kept_tree_too() -> None:
    """Its values are those that its nodes would have if they were simulated now."""
    lookahead = plant(HALL, replace(CURIOUS, max_depth=4))
    run(search_of(lookahead, "breadth-first"), lookahead, HALL)
    before = {node.state: node.extra.bonus for node in walk(lookahead.root)}
    lookahead.advance(0)
    begin(lookahead)
    bonus = {node.state: node.extra.bonus for node in walk(lookahead.root)}
    assert bonus == {"a": pytest.approx(0.5e-6), "s": pytest.approx(0.5e-6), "b": pytest.approx(1e-6)}
    assert bonus["a"] < before["a"]
    for node in walk(lookahead.root):
        beyond = max((child.value for child in node.children.values()), default=0.0)
        assert node.value == pytest.approx(node.reward + node.extra.bonus + 0.5 * beyond)


def test_means_are_of_rewards_alone() -> None:
    """UCT's values, in the kept tree too."""
    lookahead = plant(HALL, replace(CURIOUS, planner="uct"))
    run(search_of(lookahead, "uct"), lookahead, HALL, calls=30)
    lookahead.advance(0)
    begin(lookahead)
    assert {node.value for node in walk(lookahead.root)} == {0.0}


def test_without_curiosity_nothing_is_counted() -> None:
    lookahead = plant(HALL)
    decide(lookahead, HALL)
    assert {node.extra for node in walk(lookahead.root)} == {None}
    assert node_at(lookahead).value == 0
