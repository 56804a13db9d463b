"""Plans for worlds with goals: each is replayed, and none costs more than it may."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from pixelplan.errors import InputError
from pixelplan.planning.planners import PLANNERS, SERIALIZED_IW
from pixelplan.planning.settings import SearchSettings
from pixelplan.planning.simulator import Action
from pixelplan.play.solve import SIW, Plan, solve
from worlds import Name, World, corridor, make_world, random_world, seeds, worlds

SEARCHES = [name for name in PLANNERS if name != "random"]
all_planners = pytest.mark.parametrize("planner", [*PLANNERS, SERIALIZED_IW])

CORRIDOR = replace(corridor(4), goal_atoms=(4,))
# c has two atoms that were reached before, but never both in one state.
WIDTH_2 = make_world(
    {"s": ("p", "ab"), "a": ("q", "c"), "b": ("r", "b"), "c": ("qr", "g"), "g": ("g", "g")}, goals="g"
)
# Goal x is at hand, but u, where it does not hold, is on the way to both goals.
UNDOING = make_world({"s": ("s", "x"), "x": ("x", "u"), "u": ("u", "z"), "z": ("xy", "z")}, goals="xy")
# Nothing follows t, where one of the goals holds.
TRAP = make_world(
    {"s": ("s", "ta"), "t": ("x", "t"), "a": ("a", "b"), "b": ("xy", "b")}, terminals="t", goals="xy"
)
# One goal after another, the second one of width 2.
TWO_STEPS = make_world(
    {
        "s": ("s", "x"),
        "x": ("xp", "ab"),
        "a": ("xq", "c"),
        "b": ("xr", "b"),
        "c": ("xqr", "g"),
        "g": ("xg", "g"),
    },
    goals="xg",
)
UNSOLVABLE = make_world({"s": ("s", "ab"), "a": ("a", "sb"), "b": ("bx", "as")}, goals="xz")


def with_goals(world: World, count: int) -> World:
    """Return a world with fewer goals. Two are true in one state of few worlds only."""
    return replace(world, goal_atoms=world.goal_atoms[:count], calls=[])


goal_worlds = st.builds(with_goals, world=worlds, count=st.integers(1, 2))


def plain(planner: str, width: int = 1) -> SearchSettings:
    """Return the settings of a search that looks at nothing but novelty."""
    return replace(SIW, planner=planner, width=width)


def end(world: World, actions: Sequence[Action]) -> Name:
    """Return the state in which actions end."""
    state = world.root()
    for action in actions:
        state = world.transition(state, action).state
    return state


def replayed(world: World, search: SearchSettings, calls: int, seed: int = 0) -> Plan:
    """Solve a world, and replay the plan in it."""
    world.calls.clear()
    plan = solve(world, search, calls=calls, seed=seed)
    assert plan.calls == len(world.calls) <= calls
    assert plan.is_solved == all(world.goals(end(world, plan.actions)))
    return plan


@pytest.mark.parametrize("planner", [*SEARCHES, SERIALIZED_IW])
@pytest.mark.parametrize("seed", range(5))
def test_every_search_finds_the_end_of_a_corridor(planner: str, seed: int) -> None:
    """All four actions of the way, with or without others."""
    plan = replayed(CORRIDOR, plain(planner), calls=2_000, seed=seed)
    assert plan.is_solved
    assert plan.widths == (1,)
    if planner not in ("uct", "prioritized-iw", "2bfs"):
        assert plan.actions == (1, 1, 1, 1)


@all_planners
@settings(max_examples=40)
@given(
    world=goal_worlds, seed=seeds, calls=st.integers(1, 60), width=st.integers(1, 2), subgoaling=st.booleans()
)
def test_plans_in_random_worlds_are_what_they_say(
    planner: str, world: World, seed: int, calls: int, width: int, subgoaling: bool
) -> None:
    """Only serialised IW has a plan that is not solved, and then it leads to more goals than before."""
    search = replace(plain(planner, width), subgoaling=subgoaling)
    plan = replayed(world, search, calls, seed)
    event(f"solved: {plan.is_solved}")
    before, after = (sum(world.goals(end(world, actions))) for actions in ((), plan.actions))
    if planner == SERIALIZED_IW:
        assert before + len(plan.widths) <= after
        assert bool(plan.actions) == (after > before)
        assert all(1 <= found <= width for found in plan.widths)
    else:
        assert plan.is_solved or not plan.actions
        assert plan.widths == ((width,) if plan.actions else ())
    assert solve(world, search, calls=calls, seed=seed) == plan


def distance(world: World) -> int | None:
    """Return the least number of actions after which all goals hold, if there is one."""
    reached, depth = {world.root()}, 0
    frontier = reached
    while frontier:
        if any(all(world.goals(state)) for state in frontier):
            return depth
        alive = frontier - world.terminals
        frontier = {successor for state in alive for successor in world.successors[state]} - reached
        reached |= frontier
        depth += 1
    return None


@given(world=goal_worlds, seed=seeds)
def test_breadth_first_search_finds_a_shortest_plan(world: World, seed: int) -> None:
    """If there is one within its calls, and none otherwise."""
    least = distance(world)
    plan = replayed(world, plain("breadth-first"), calls=100, seed=seed)
    if plan.is_solved:
        assert len(plan.actions) == least
    else:
        assert least is None or least > 3


def test_the_random_worlds_can_and_cannot_be_solved() -> None:
    """From some distance too."""
    drawn = [random_world(Random(seed), 8) for seed in range(200)]
    distances = [distance(with_goals(world, count)) for world in drawn for count in (1, 2)]
    assert distances.count(None) >= 20
    assert sum(least is not None and least >= 2 for least in distances) >= 20


@pytest.mark.parametrize("planner", ["iw", SERIALIZED_IW])
@pytest.mark.parametrize(("width", "is_solved"), [(1, False), (2, True), (3, True)])
@pytest.mark.parametrize("seed", range(5))
def test_a_goal_of_width_2_needs_width_2(planner: str, width: int, is_solved: bool, seed: int) -> None:
    """Serialised IW says that it was enough, though it might have tried more."""
    plan = replayed(WIDTH_2, plain(planner, width), calls=500, seed=seed)
    assert plan.is_solved == is_solved
    if is_solved:
        assert plan.actions == (0, 0, 0)
        assert plan.widths == ((2,) if planner == SERIALIZED_IW else (width,))


def test_rollouts_may_find_a_goal_of_width_2_by_luck() -> None:
    """If they are at c before b. With width 2 they need none."""
    for width, solved in ((1, {False, True}), (2, {True})):
        plans = [replayed(WIDTH_2, plain("rollout-iw", width), calls=500, seed=seed) for seed in range(20)]
        assert {plan.is_solved for plan in plans} == solved


def test_serialised_iw_takes_each_goal_with_the_least_width() -> None:
    """And starts each search where the last one has ended."""
    plan = replayed(TWO_STEPS, SIW, calls=500)
    assert plan.is_solved
    assert plan.actions == (0, 0, 0, 0)
    assert plan.widths == (1, 2)
    plan = replayed(TWO_STEPS, replace(SIW, width=1), calls=500)
    assert not plan.is_solved
    assert (plan.actions, plan.widths) == ((0,), (1,))


def test_a_goal_can_be_undone_on_the_way_to_more() -> None:
    """What counts is how many goals hold in the end."""
    plan = replayed(UNDOING, SIW, calls=500)
    assert plan.is_solved
    assert plan.actions == (0, 0, 0)
    assert plan.widths == (1, 1)


def test_serialised_iw_never_goes_back() -> None:
    """It is greedy: where one goal leads into a trap, only one search for both avoids it."""
    plan = replayed(TRAP, SIW, calls=500)
    assert not plan.is_solved
    assert plan.actions == (0,)
    for planner in SEARCHES:
        plan = replayed(TRAP, plain(planner), calls=500)
        assert plan.is_solved
        assert plan.actions[:2] == (1, 0)


@all_planners
def test_what_cannot_be_solved(planner: str) -> None:
    """Searches that prune nothing spend all their calls, and the others give up."""
    plan = replayed(UNSOLVABLE, plain(planner, width=2), calls=100)
    assert not plan.is_solved
    assert plan.widths == ((1,) if planner == SERIALIZED_IW else ())
    spends_all = {"breadth-first", "2bfs", "uct"}
    assert (plan.calls == 100) == (planner in spends_all)


@all_planners
def test_goals_that_hold_already_cost_nothing(planner: str) -> None:
    """Whoever would look for them."""
    world = make_world({"s": ("xy", "s")}, goals="yx")
    assert replayed(world, plain(planner), calls=1) == Plan(actions=(), is_solved=True, calls=0, widths=())


@all_planners
@pytest.mark.parametrize(
    "world",
    [make_world({"s": ("s", "")}, goals="x"), make_world({"s": ("s", "s")}, terminals="s", goals="x")],
    ids=["no action", "game over"],
)
def test_there_is_no_plan_where_nothing_can_follow(planner: str, world: World) -> None:
    """And no call is made to find that out."""
    assert replayed(world, plain(planner), calls=9) == Plan(actions=(), is_solved=False, calls=0, widths=())


@all_planners
def test_a_single_call(planner: str) -> None:
    """It solves what is one action away, if it is the right one."""
    world = replace(corridor(1), goal_atoms=(1,))
    plans = [replayed(world, plain(planner), calls=1, seed=seed) for seed in range(20)]
    assert {plan.calls for plan in plans} == {0 if planner == "random" else 1}
    assert {plan.actions for plan in plans} == ({()} if planner == "random" else {(), (1,)})


def test_what_cannot_be_asked() -> None:
    """With one line each."""
    with pytest.raises(InputError, match=r"^there is nothing to solve: the world has no goals$"):
        solve(corridor(2), calls=10)
    with pytest.raises(InputError, match=r"^unknown planner 'serialised-iw': did you mean serialized-iw\?$"):
        solve(CORRIDOR, plain("serialised-iw"), calls=10)
    with pytest.raises(InputError, match=r"^calls must be at least 1, not 0$"):
        solve(CORRIDOR, calls=0)


def test_terminal_states_can_be_goals() -> None:
    """The game may be over when all is done."""
    world = make_world({"s": ("s", "a"), "a": ("a", "g"), "g": ("g", "g")}, terminals="g", goals="g")
    for planner in (*SEARCHES, SERIALIZED_IW):
        assert replayed(world, plain(planner), calls=20).actions == (0, 0)
