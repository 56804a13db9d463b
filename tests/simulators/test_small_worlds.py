"""The corridor and the grid: every rule, and what a wrong drawing is told."""

import pickle

import pytest

from pixelplan import PRESETS, Agent, Budget, Corridor, Grid
from pixelplan.errors import InputError
from pixelplan.planning.simulator import Simulator, State, Transition

UP, DOWN, LEFT, RIGHT = range(4)
BACK, FORWARD = range(2)


def walk(world: Simulator, *actions: int) -> list[Transition]:
    """Return what each of some actions leads to, one after another."""
    transitions = [world.look(world.root())]
    for action in actions:
        assert action in world.actions(transitions[-1].state)
        transitions.append(world.transition(transitions[-1].state, action))
    return transitions


def end(world: Simulator, *actions: int) -> State:
    """Return the state in which some actions end."""
    return walk(world, *actions)[-1].state


def test_a_corridor_goes_from_its_start_to_the_reward() -> None:
    steps = walk(Corridor(2, reward=5.0), BACK, FORWARD, BACK, FORWARD, FORWARD)
    assert [step.features for step in steps] == [{f"at({place})"} for place in (0, 0, 1, 0, 1, 2)]
    assert [step.reward for step in steps] == [0, 0, 0, 0, 0, 5]
    assert [step.is_terminal for step in steps] == [False] * 5 + [True]
    assert [Corridor(2).goals(place) for place in (0, 1, 2)] == [(False,), (False,), (True,)]
    assert [Corridor(2).action_name(action) for action in (BACK, FORWARD)] == ["back", "forward"]


def test_an_agent_finds_the_end_of_a_corridor() -> None:
    """One call for each place, and one more for each step back, which finds nothing new."""
    decision = Agent(Corridor(20), PRESETS["iw"]).decide(Budget(calls=1_000))
    assert (decision.action, decision.value) == (FORWARD, 1.0)
    assert decision.trace.depth == 20


def test_a_corridor_has_a_length() -> None:
    with pytest.raises(InputError, match="length of at least 1, not 0"):
        Corridor(0)


def test_walls_and_the_edge_of_the_drawing_stop_one() -> None:
    world = Grid("@.\n#.")
    assert world.look(world.root()).features == {"at(0, 0)"}
    for action in (UP, DOWN, LEFT):
        assert end(world, action) == world.root()
    steps = walk(world, RIGHT, DOWN, LEFT, UP)
    assert [step.features for step in steps[1:]] == [{"at(1, 0)"}, {"at(1, 1)"}, {"at(1, 1)"}, {"at(1, 0)"}]
    assert [world.action_name(action) for action in range(4)] == ["up", "down", "left", "right"]


def test_blanks_are_walls_so_a_drawing_may_be_indented() -> None:
    indented, plain = Grid("\n    @.\n    .\n"), Grid("@.\n.")
    assert len({end(indented, action) for action in range(4)}) == 3
    assert [end(indented, action) for action in range(4)] == [end(plain, action) for action in range(4)]


def test_a_door_opens_to_its_own_key_alone_and_stays_open() -> None:
    world = Grid("ab@A.\n...B.")
    shut = {"lies(a)", "lies(b)", "locked(A)", "locked(B)"}
    assert end(world, RIGHT) == world.root(), "no key"
    steps = walk(world, LEFT, RIGHT, RIGHT)
    assert steps[0].features == {"at(2, 0)"} | shut
    assert steps[1].features == {"at(1, 0)", "held(b)"} | shut - {"lies(b)"}
    assert steps[3].state == steps[2].state, "the other door's key"
    steps = walk(world, LEFT, LEFT, RIGHT, RIGHT, RIGHT, RIGHT, DOWN)
    assert steps[5].features == {"at(3, 0)", "held(a)", "held(b)", "open(A)", "locked(B)"}
    assert steps[6].features == {"at(4, 0)", "held(a)", "held(b)", "open(A)", "locked(B)"}
    assert not any(step.is_terminal or step.reward for step in steps), "nothing to reach here"
    assert world.goals(world.root()) == []


def test_goals_are_the_treasures_and_the_exit() -> None:
    world = Grid("*@>\n..*")
    steps = walk(world, RIGHT, LEFT, LEFT, DOWN, RIGHT, RIGHT, UP)
    assert [list(world.goals(step.state)) for step in steps] == [
        [False, False, False],
        [False, False, True],
        [False, False, False],
        [True, False, False],
        [True, False, False],
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert [step.reward for step in steps] == [0, 1, -1, 1, 0, 0, 1, 1]
    assert [step.is_terminal for step in steps] == [False] * 7 + [True]
    assert steps[0].features == {"at(1, 0)", "treasure(0, 0)", "treasure(2, 1)"}
    assert steps[6].features == {"at(2, 1)", "taken(0, 0)", "taken(2, 1)"}


def test_every_state_of_a_grid_has_as_many_atoms() -> None:
    world = Grid("a.@A*\nb..B*\n.....")
    states = [world.root()]
    for state in states:
        for action in world.actions(state):
            after = world.transition(state, action)
            assert len(after.features) == 1 + 6
            assert world.look(after.state) == after._replace(reward=0.0)
            if after.state not in states:
                states.append(after.state)
    assert len({world.look(state).features for state in states}) == len(states), (
        "an atom for all that matters"
    )


def test_states_can_be_kept_and_looked_at_by_another_grid() -> None:
    drawing = "a@A*"
    state = end(Grid(drawing), LEFT, RIGHT, RIGHT)
    copy = pickle.loads(pickle.dumps(state))
    assert copy == state
    assert hash(copy) == hash(state)
    assert Grid(drawing).look(copy).features == {"at(2, 0)", "held(a)", "open(A)", "treasure(3, 0)"}


@pytest.mark.parametrize(
    ("drawing", "complaint"),
    [
        ("", "a grid needs a start, @"),
        ("#.#", "a grid needs a start, @"),
        ("@.\n.@", "a grid can have one @, not 2"),
        ("@aa", "a grid can have one a, not 2"),
        ("@aAA", "a grid can have one A, not 2"),
        ("@>>", "a grid can have one >, not 2"),
        ("@.B", "the door B has no key b"),
        ("@..\n..?", "line 2, column 3 of the grid: '?' means nothing"),
    ],
)
def test_a_wrong_drawing_is_refused_in_a_line(drawing: str, complaint: str) -> None:
    with pytest.raises(InputError) as error:
        Grid(drawing)
    assert str(error.value) == complaint
