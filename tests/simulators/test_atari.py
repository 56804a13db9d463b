from __future__ import annotations

import pickle
from random import Random

import ale_py
import numpy as np
import pytest

from pixelplan.errors import InputError
from pixelplan.features.observation import NO_OBSERVATION
from pixelplan.simulators.ale import AleEmulator, AtariGame, BareEmulator, load_rom
from pixelplan.simulators.atari import NOOP, AtariSimulator, AtariState
from pixelplan.simulators.games import PAPER_GAMES
from pixelplan.simulators.saved_state import without_generator


@pytest.fixture(scope="module")
def simulator() -> AtariSimulator:
    return AtariSimulator("breakout", seed=1)


class CountingEmulator(AleEmulator):
    """Counts its restores."""

    def __init__(self, game: str, *, frameskip: int, seed: int) -> None:
        super().__init__(game, frameskip=frameskip, seed=seed)
        self.restores = 0

    def restore(self, state: bytes) -> None:
        self.restores += 1
        super().restore(state)


def test_the_emulator_is_restored_only_when_it_stands_elsewhere() -> None:
    made: list[CountingEmulator] = []

    def make(game: str, *, frameskip: int, seed: int) -> CountingEmulator:
        made.append(CountingEmulator(game, frameskip=frameskip, seed=seed))
        return made[-1]

    simulator = AtariSimulator("breakout", make_emulator=make, seed=1)
    (emulator,) = made
    before = emulator.restores
    first = simulator.transition(simulator.root(), 1)
    second = simulator.transition(first.state, 3)
    simulator.transition(second.state, 3)
    assert emulator.restores == before + 1
    simulator.transition(first.state, 4)
    assert emulator.restores == before + 2


def test_a_transition_is_a_function_of_state_and_action(simulator: AtariSimulator) -> None:
    root = simulator.root()
    first = simulator.transition(root, 1)
    elsewhere = simulator.transition(root, 4)
    again = simulator.transition(root, 1)
    assert again.state == first.state
    assert again.state != elsewhere.state
    assert again[1:] == first[1:]


def test_a_pickled_state_goes_on_in_another_simulator(simulator: AtariSimulator) -> None:
    state = simulator.transition(simulator.root(), 1).state
    copy = pickle.loads(pickle.dumps(state))
    assert copy == state
    other = AtariSimulator("breakout", seed=1)
    here, there = simulator.transition(state, 3), other.transition(copy, 3)
    assert there.state == here.state
    assert there[1:] == here[1:]


def test_previous_tiles_are_those_of_the_parent(simulator: AtariSimulator) -> None:
    root = simulator.root()
    assert simulator.look(root).features.previous == NO_OBSERVATION
    child = simulator.transition(root, 1)
    assert child.features == (child.state.observation, root.observation)


def test_the_simulator_predicts_the_played_game_frame_by_frame() -> None:
    played = AtariGame("seaquest", seed=3)
    simulator = AtariSimulator(played)
    state = simulator.root()
    for action in (1, 3, 12, 5, 17, 10, 0, 9):
        rewards = [played.act(action) for _ in range(15)]
        predicted = simulator.transition(state, action)
        arrived = simulator.arrive(played, state.observation)
        assert predicted.state == arrived
        assert predicted.features == simulator.look(arrived).features
        assert predicted.reward == sum(rewards)
        assert predicted.lives == played.lives()
        state = predicted.state


def test_states_differ_when_the_emulators_differ(simulator: AtariSimulator) -> None:
    root = simulator.root()
    assert root == AtariState(root.emulator, is_terminal=False, lives=0, observation=b"", previous=b"")
    assert root != simulator.transition(root, NOOP).state
    assert root != "a state"


def test_action_sets() -> None:
    game = AtariGame("pong")
    assert game.action_set("full") == tuple(range(18))
    assert game.action_set("minimal") == (0, 1, 3, 4, 11, 12)
    simulator = AtariSimulator(game, actions="minimal")
    assert simulator.actions(simulator.root()) == (0, 1, 3, 4, 11, 12)


def test_what_moves_is_not_background(simulator: AtariSimulator) -> None:
    colours = simulator._background.colours
    wall, paddle_line = colours[20], colours[190, 20:140]
    assert np.all(wall == wall[80])
    assert np.all(wall != 255)
    assert np.any(paddle_line == 255)


def test_the_background_is_fixed_during_a_decision() -> None:
    simulator = AtariSimulator("space_invaders", seed=2)
    before = simulator._background.colours.copy()
    state = simulator.root()
    for _ in range(60):
        state = simulator.transition(state, 12).state
    assert np.array_equal(simulator._background.colours, before)
    simulator.start_decision()
    changed = simulator._background.colours != before
    assert np.any(changed)
    assert np.all(simulator._background.colours[changed] == 255)


def test_where_the_game_arrives_is_seen_with_the_next_decisions_background() -> None:
    played = AtariGame("space_invaders", seed=2)
    simulator = AtariSimulator(played)
    state = simulator.root()
    for _ in range(60):
        state = simulator.transition(state, 12).state
    arrived = simulator.arrive(played, NO_OBSERVATION)
    simulator.start_decision()
    again = simulator.arrive(played, NO_OBSERVATION)
    assert again.observation == arrived.observation != simulator.root().observation


@pytest.mark.parametrize("game", ["carnival", "pooyan", "journey_escape"])
def test_tall_screens_are_refused(game: str) -> None:
    with pytest.raises(InputError, match=r"screen of 2\d\d lines"):
        AtariGame(game)


def test_sticky_actions_stay_in_the_played_game() -> None:
    played = AtariGame("breakout", sticky=0.25, seed=5)
    first, second = AtariSimulator(played), AtariSimulator(played)
    state, same = first.root(), second.root()
    for action in (1, 3, 4, 3, 4):
        state, same = first.transition(state, action).state, second.transition(same, action).state
    assert state == same


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.slow] * (game != "qbert")) for game in PAPER_GAMES]
)
def test_no_game_draws_from_the_generator_while_it_runs(game: str) -> None:
    emulators = [load_rom(game, frameskip=15, sticky=0.0, seed=seed) for seed in (0, 1)]
    emulators[0].reset_game()
    emulators[1].reset_game()
    whole = emulators[0].cloneState().serialize()
    emulators[1].restoreState(ale_py.ALEState(without_generator(whole)))
    for action in Random(game).choices(range(18), k=60):
        assert emulators[0].act(action) == emulators[1].act(action)
    whole, short = (emulator.cloneState().serialize() for emulator in emulators)
    assert without_generator(whole) == short
    assert len(short) < len(whole) - 5_000


def test_a_state_of_another_form_is_left_as_it_is() -> None:
    state = AtariGame("pong").clone()
    assert without_generator(state + b"more") == state + b"more"
    assert without_generator(b"") == b""


def test_the_bare_emulator_acts_as_often_as_it_is_told() -> None:
    emulator = BareEmulator("pong", frameskip=2)
    before = emulator._emulator.getFrameNumber()
    emulator.run(10)
    assert emulator._emulator.getFrameNumber() == before + 20
