"""PDDL: the same world as our own Blocksworld, numbers and types, and what wrong files are told."""

import pickle
import sys
from pathlib import Path

import pytest

from pddl_files import FOLDER, blocksworld_problem
from pixelplan import Blocksworld, PddlSimulator
from pixelplan.errors import InputError
from pixelplan.planning.simulator import State

GOALS = [("on", "a", "b"), ("ontable", "c"), ("handempty",)]


def ferry() -> PddlSimulator:
    return PddlSimulator(FOLDER / "ferry.pddl", FOLDER / "ferry-2.pddl")


def numbers(world: PddlSimulator | Blocksworld, state: State) -> dict[str, int]:
    """Return the actions of a state by their names."""
    return {world.action_name(action): action for action in world.actions(state)}


@pytest.mark.parametrize("towers", [["abc"], ["ab", "c"], ["a", "b", "c", "d"]])
def test_blocksworld_in_pddl_is_our_blocksworld(towers: list[str], tmp_path: Path) -> None:
    """Both are walked side by side, through every transition."""
    ours = Blocksworld(towers, GOALS)
    theirs = PddlSimulator(FOLDER / "blocksworld.pddl", blocksworld_problem(tmp_path, towers, GOALS))
    assert theirs.root() == ours.root()
    found = [ours.root()]
    for state in found:
        assert theirs.look(state) == ours.look(state)
        assert list(theirs.goals(state)) == list(ours.goals(state))
        our_actions, their_actions = numbers(ours, state), numbers(theirs, state)
        assert their_actions.keys() == our_actions.keys()
        for name, action in our_actions.items():
            after = ours.transition(state, action)
            assert theirs.transition(state, their_actions[name]) == after
            if after.state not in found:
                found.append(after.state)
    assert len(found) == {3: 22, 4: 125}[len("".join(towers))]


def test_numbers_are_atoms_with_a_value_and_what_never_changes_is_none() -> None:
    world = ferry()
    root = world.root()
    assert (
        root
        == world.look(root).features
        == {"at-ferry(north)", "at(red, south)", "at(blue, south)", ("fuel", 3)}
    )
    assert set(numbers(world, root)) == {"sail(north, south)"}
    assert world.goals(root) == (False, False, True), "one for each conjunct"


def test_a_plan_is_carried_out_to_its_goal() -> None:
    """Two crossings are enough; a third one would use up the fuel, after which no ship sails."""
    world = ferry()
    state, rewards = world.root(), []
    plan = ["sail(north, south)", "board(red, south)", "board(blue, south)", "sail(south, north)"]
    for name in [*plan, "leave(red, north)", "leave(blue, north)"]:
        after = world.transition(state, numbers(world, state)[name])
        rewards.append(after.reward)
        state = after.state
    assert state == {"at-ferry(north)", "at(red, north)", "at(blue, north)", ("fuel", 1)}
    assert rewards == [0, -1, 0, 0, 2, 1]
    assert after.is_terminal
    sailed = world.transition(state, numbers(world, state)["sail(north, south)"])
    assert sailed.state == {"at-ferry(south)", "at(red, north)", "at(blue, north)", ("fuel", 0), "rusty"}
    assert set(numbers(world, sailed.state)) == set()


def test_quantifiers_and_constants_are_understood_and_costs_left_aside() -> None:
    world = PddlSimulator(FOLDER / "lamps.pddl", FOLDER / "lamps-2.pddl")
    state, seen = world.root(), []
    for name in ("light(hall)", "light(kitchen)", "blow", "light(kitchen)"):
        seen.append((set(state), set(numbers(world, state)), world.goals(state)))
        state = world.transition(state, numbers(world, state)[name]).state
    assert seen == [
        (set(), {"light(hall)", "light(kitchen)"}, (False, False)),
        ({"lit(hall)"}, {"light(kitchen)"}, (False, True)),
        ({"lit(hall)", "lit(kitchen)"}, {"blow"}, (False, True)),
        ({"blown"}, {"light(hall)", "light(kitchen)"}, (True, False)),
    ]
    assert world.look(state).is_terminal


def test_states_and_action_numbers_hold_in_another_simulator_of_the_same_files() -> None:
    """Also for numbers that the other one has not met."""
    world, other = ferry(), ferry()
    state = world.transition(world.root(), numbers(world, world.root())["sail(north, south)"]).state
    copy = pickle.loads(pickle.dumps(state))
    assert copy == state
    assert hash(copy) == hash(state)
    assert numbers(other, copy) == numbers(world, state)
    action = numbers(world, state)["board(blue, south)"]
    assert other.transition(copy, action) == world.transition(state, action)


def test_an_action_that_cannot_be_done_is_refused() -> None:
    world = ferry()
    state = world.transition(world.root(), numbers(world, world.root())["sail(north, south)"]).state
    with pytest.raises(InputError, match=r"^sail\(north, south\) cannot be done in this state$"):
        world.transition(state, numbers(world, world.root())["sail(north, south)"])


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    world = ferry()
    world.transition(world.root(), world.actions(world.root())[0])
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("domain", "complaint"),
    [
        ("(define (domain", "cannot be read as PDDL"),
        ("(define (domain d) (:predicates (p ?x - house)))", "cannot be read as PDDL: .*house"),
        ("(define (domain ferry) (:predicates (p)) (:functions (fuel)))", "has UNDEFINED_INITIAL_NUMERIC$"),
        (
            """(define (domain ferry) (:requirements :durative-actions) (:predicates (p))
            (:durative-action wait :parameters () :duration (= ?duration 2)
            :condition (at start (p)) :effect (at end (not (p)))))""",
            "cannot be simulated: it has .*TIME",
        ),
    ],
)
def test_wrong_files_are_refused_in_a_line(domain: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(domain)
    (tmp_path / "problem.pddl").write_text(
        "(define (problem q) (:domain ferry) (:init (p)) (:goal (not (p))))"
    )
    with pytest.raises(InputError, match=complaint) as error:
        PddlSimulator(tmp_path / "domain.pddl", tmp_path / "problem.pddl")
    assert "\n" not in str(error.value)
    assert "problem.pddl" in str(error.value)


def test_a_missing_file_is_refused_in_a_line() -> None:
    with pytest.raises(InputError, match=r"^.*No such file or directory: 'nowhere.pddl'$"):
        PddlSimulator(FOLDER / "blocksworld.pddl", "nowhere.pddl")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "unified_planning.engines", None)
    with pytest.raises(InputError, match=r'^PDDL is an extra: pip install "pixelplan\[pddl\]"$'):
        ferry()
