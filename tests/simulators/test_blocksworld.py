"""Blocksworld: what each operator needs and does, goals and rewards, and what wrong input is told."""

import math
import pickle
from collections.abc import Sequence

import pytest

from pixelplan import Blocksworld
from pixelplan.errors import InputError
from pixelplan.planning.simulator import Transition


def numbers(world: Blocksworld, state: frozenset[str]) -> dict[str, int]:
    """Return the actions of a state by their names."""
    return {world.action_name(action): action for action in world.actions(state)}


def do(world: Blocksworld, *names: str) -> Transition:
    """Do some actions one after another."""
    after = world.look(world.root())
    for name in names:
        after = world.transition(after.state, numbers(world, after.state)[name])
    return after


def test_towers_are_described_by_their_atoms() -> None:
    world = Blocksworld(["abc", "d"])
    assert world.look(world.root()) == Transition(
        state=world.root(),
        features={"ontable(a)", "on(b, a)", "on(c, b)", "clear(c)", "ontable(d)", "clear(d)", "handempty"},
        reward=0.0,
        is_terminal=False,
        lives=0,
    )


@pytest.mark.parametrize(
    ("names", "atoms", "next_names"),
    [
        (
            [],
            {"ontable(a)", "on(b, a)", "clear(b)", "ontable(c)", "clear(c)", "handempty"},
            {"unstack(b, a)", "pick-up(c)"},
        ),
        (
            ["pick-up(c)"],
            {"ontable(a)", "on(b, a)", "clear(b)", "holding(c)"},
            {"put-down(c)", "stack(c, b)"},
        ),
        (
            ["pick-up(c)", "put-down(c)"],
            {"ontable(a)", "on(b, a)", "clear(b)", "ontable(c)", "clear(c)", "handempty"},
            {"unstack(b, a)", "pick-up(c)"},
        ),
        (
            ["pick-up(c)", "stack(c, b)"],
            {"ontable(a)", "on(b, a)", "on(c, b)", "clear(c)", "handempty"},
            {"unstack(c, b)"},
        ),
        (
            ["unstack(b, a)"],
            {"ontable(a)", "clear(a)", "holding(b)", "ontable(c)", "clear(c)"},
            {"put-down(b)", "stack(b, a)", "stack(b, c)"},
        ),
    ],
)
def test_each_operator_does_what_it_should(
    names: Sequence[str], atoms: set[str], next_names: set[str]
) -> None:
    world = Blocksworld(["ab", "c"])
    after = do(world, *names)
    assert after.state == after.features == atoms
    assert set(numbers(world, after.state)) == next_names


@pytest.mark.parametrize(("blocks", "states"), [("a", 2), ("ab", 5), ("abc", 22), ("abcd", 125)])
def test_all_arrangements_can_be_reached(blocks: str, states: int) -> None:
    """From any towers, all sets of towers: Lah numbers; with each block in the hand, all of the others'."""

    def arrangements(count: int) -> int:
        return (
            sum(
                math.comb(count - 1, towers - 1) * math.factorial(count) // math.factorial(towers)
                for towers in range(1, count + 1)
            )
            if count
            else 1
        )

    world = Blocksworld([blocks])
    found = [world.root()]
    for state in found:
        found += {world.transition(state, action).state for action in world.actions(state)}.difference(found)
    assert len(found) == states == arrangements(len(blocks)) + len(blocks) * arrangements(len(blocks) - 1)


def test_an_action_that_cannot_be_done_is_refused() -> None:
    world = Blocksworld(["ab"])
    pick_up = numbers(Blocksworld(["a", "b"]), Blocksworld(["a", "b"]).root())["pick-up(a)"]
    with pytest.raises(InputError, match=r"^pick-up\(a\) cannot be done in this state$"):
        world.transition(world.root(), pick_up)


def test_rewards_are_goals_won_and_lost() -> None:
    world = Blocksworld(["ab", "c"], goals=[("on", "b", "c"), ("clear", "b"), ("handempty",)])
    assert world.goals(world.root()) == [False, True, True]
    lifted = do(world, "unstack(b, a)")
    assert (world.goals(lifted.state), lifted.reward, lifted.is_terminal) == (
        [False, False, False],
        -2,
        False,
    )
    placed = do(world, "unstack(b, a)", "stack(b, c)")
    assert (world.goals(placed.state), placed.reward, placed.is_terminal) == ([True, True, True], 3, True)


def test_states_round_trip() -> None:
    world = Blocksworld(["abc"])
    state = do(world, "unstack(c, b)").state
    copy = pickle.loads(pickle.dumps(state))
    assert copy == state
    assert hash(copy) == hash(state)
    assert world.actions(copy) == world.actions(state)


def test_blocks_may_have_long_names_and_their_order_does_not_matter() -> None:
    world, same = Blocksworld([["red", "green"], ["blue"]]), Blocksworld([(), ("blue",), ("red", "green")])
    assert world.root() == same.root()
    assert numbers(world, world.root()) == numbers(same, same.root())
    assert set(numbers(world, world.root())) == {"unstack(green, red)", "pick-up(blue)"}


@pytest.mark.parametrize(
    ("towers", "goals", "complaint"),
    [
        ([], [], "a Blocksworld needs a block"),
        ([""], [], "a Blocksworld needs a block"),
        (["ab", "ca"], [], "block a is in two places"),
        (["ab"], [("on", "a")], "('on', 'a') is no goal: ('on', 'a', 'b') is one"),
        (["ab"], [("under", "a", "b")], "('under', 'a', 'b') is no goal: ('on', 'a', 'b') is one"),
        (["ab"], [()], "() is no goal: ('on', 'a', 'b') is one"),
        (["ab"], ["on(a, b)"], "'on(a, b)' is no goal: ('on', 'a', 'b') is one"),
        (["ab"], [("on", "a", "z")], "('on', 'a', 'z') is no goal: there is no block z"),
    ],
)
def test_wrong_input_is_refused_in_a_line(
    towers: Sequence[str], goals: Sequence[Sequence[str]], complaint: str
) -> None:
    with pytest.raises(InputError) as error:
        Blocksworld(towers, goals)
    assert str(error.value) == complaint
