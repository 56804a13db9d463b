"""Games seen through a function of the user's own, with workers and without."""

import pickle
import sys
from pathlib import Path

import pytest

from pixelplan.errors import InputError
from pixelplan.features.atoms import atom_set
from pixelplan.features.feature_sets import check_name, find_feature_set
from pixelplan.features.observation import View
from pixelplan.planning.budget import Budget, Ending
from pixelplan.planning.settings import PRESETS
from pixelplan.play.agent import Agent
from pixelplan.play.episode import play_episode
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.summary import outcome
from pixelplan.simulators.atari import AtariSimulator
from pixelplan.simulators.pool import AtariPool

MODULE = '''
def places(view):
    """Where the paddle and the ball are, and how much is red."""
    ram = view.ram()
    yield "paddle", int(ram[72])
    yield "ball", int(ram[99]), int(ram[101])
    yield "red", int((view.screen() == 66).sum())
'''


@pytest.fixture
def name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a function in a module of the current folder."""
    (tmp_path / "own_atoms.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.delitem(sys.modules, "own_atoms", raising=False)
    return "atoms:own_atoms:places"


def test_features_are_what_the_function_returns() -> None:
    seen: list[list[int]] = []

    def paddle(view: View) -> list[int]:
        seen.append([int(view.ram()[72]), view.screen().size])
        return seen[-1]

    simulator = AtariSimulator("breakout", features=atom_set(paddle))
    assert simulator.look(simulator.root()).features == {*seen[-1]}
    transition = simulator.transition(simulator.root(), 3)
    assert transition.features == {*seen[-1]} != {*seen[0]}
    assert 210 * 160 in transition.features


def test_equal_sets_are_equal_features() -> None:
    """Also if their pickles differ by the order of the atoms."""
    known = atom_set(lambda _: [])
    first, second = (pickle.dumps(frozenset(order)) for order in ([0, 8], [8, 0]))
    assert first != second
    assert known.describe(first, b"") == known.describe(second, first)


def test_a_search_goes_by_the_atoms() -> None:
    """Where nothing ever changes, each of the 18 actions is repeated once, and that is all."""
    agent = Agent(AtariSimulator("breakout", features=atom_set(lambda _: ["always"])), PRESETS["rollout"])
    trace = agent.decide(Budget(calls=1_000)).trace
    assert trace.ending is Ending.SOLVED
    assert trace.new_nodes == 2 * 18


def test_a_function_of_the_current_folder_is_found_by_name(name: str) -> None:
    simulator = AtariSimulator("breakout", features=name)
    features = simulator.look(simulator.root()).features
    assert {atom[0] for atom in features} == {"paddle", "ball", "red"}


def test_workers_have_the_function_too(name: str) -> None:
    """One worker plays the episode that no worker plays, of which a set of other atoms is another."""
    alone, one = (
        play_episode(EpisodeSettings(game="breakout", features=name, calls=30, decisions=3, workers=workers))
        for workers in (0, 1)
    )
    assert outcome(alone) == outcome(one)
    assert len(one.played) == 3


def test_workers_are_handed_a_set_that_they_can_import(name: str) -> None:
    known = find_feature_set(name)
    with AtariPool("breakout", workers=1, features=known) as pool:
        assert Agent(pool, PRESETS["rollout"]).decide(Budget(calls=20)).trace.new_nodes > 0


def test_workers_are_not_handed_what_they_cannot_import(monkeypatch: pytest.MonkeyPatch) -> None:
    """A function inside another, and one of the script that is run."""

    def of_a_script(view: View) -> list[int]:
        return list(view.ram())

    for module, place in ((__name__, "test.<locals>.of_a_script"), ("__main__", "of_a_script")):
        monkeypatch.setattr(of_a_script, "__module__", module)
        monkeypatch.setattr(of_a_script, "__qualname__", place)
        monkeypatch.setattr(sys.modules["__main__"], "of_a_script", of_a_script, raising=False)
        with pytest.raises(InputError, match=r"^workers must import the features"):
            AtariPool("breakout", workers=1, features=atom_set(of_a_script))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("atoms:no_such_module:f", "No module named 'no_such_module'"),
        ("atoms:math:pi", "atoms:math:pi: pi is no function"),
        ("atoms:math:no_such_function", "has no attribute 'no_such_function'"),
    ],
)
def test_functions_that_are_not_there_are_refused(name: str, message: str) -> None:
    """When they are used: settings of an episode that was played elsewhere can be read without them."""
    check_name(name)
    with pytest.raises(InputError) as refusal:
        AtariSimulator("breakout", features=name)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    "name", ["atoms", "atoms:", "atoms:module", "atoms:module:", "atoms::f", "atoms:a:b:c"]
)
def test_names_of_another_form_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="atoms:MODULE:FUNCTION"):
        EpisodeSettings(game="breakout", features=name, calls=1)


BROKEN = """
calls = 0

def late(view):
    global calls
    calls += 1
    if calls > 5:
        raise RuntimeError("the sixth")
    return view.ram().tolist()

def huge(view):
    return range(40_000)

def nothing(view):
    return None
"""


@pytest.mark.parametrize(
    ("function", "workers", "message"),
    [
        ("late", 0, "^atoms by late: RuntimeError: the sixth$"),
        ("late", 1, "^atoms by late: RuntimeError: the sixth$"),
        ("huge", 1, r"^the features need [\d,]+ bytes for a state; workers have room for 65,536"),
        ("nothing", 0, "^atoms by nothing: TypeError: "),
        pytest.param("nothing", 2, "^atoms by nothing: TypeError: ", marks=pytest.mark.slow),
    ],
)
def test_what_goes_wrong_in_the_function_is_told(
    name: str, tmp_path: Path, function: str, workers: int, message: str
) -> None:
    """Also by another process, in which it may go wrong later than here."""
    (tmp_path / "own_atoms.py").write_text(BROKEN)
    settings = EpisodeSettings(
        game="breakout", features=name.replace("places", function), calls=30, decisions=2, workers=workers
    )
    with pytest.raises(InputError, match=message):
        play_episode(settings)


def test_a_call_that_fails_leaves_a_simulator_that_is_right() -> None:
    """The emulator has gone on, and must be restored before the next call."""
    fails = False

    def memory(view: View) -> list[int]:
        if fails:
            raise RuntimeError
        return list(view.ram().tolist())

    simulator = AtariSimulator("breakout", features=atom_set(memory))
    start = simulator.transition(simulator.root(), 1).state
    expected = simulator.transition(start, 3).state
    standing = simulator.transition(simulator.root(), 1).state
    fails = True
    with pytest.raises(InputError):
        simulator.transition(standing, 3)
    fails = False
    assert simulator.transition(standing, 3).state == expected
