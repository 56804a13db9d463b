"""Games seen through their RAM: what is observed, and searches with it, with workers and without."""

import pickle
from dataclasses import replace
from random import Random

import ale_py
import pytest
from ale_py import roms

from pixelplan.features.feature_sets import FEATURE_SETS
from pixelplan.features.observation import NO_OBSERVATION
from pixelplan.planning.budget import Budget
from pixelplan.planning.node import walk
from pixelplan.planning.novelty import AtomTable, Novelty
from pixelplan.planning.paper_settings import Caching
from pixelplan.planning.settings import PRESETS
from pixelplan.play.agent import Agent
from pixelplan.play.episode import EpisodeResult, play_episode
from pixelplan.play.settings import EpisodeSettings
from pixelplan.play.summary import outcome
from pixelplan.simulators.ale import AtariGame
from pixelplan.simulators.atari import AtariSimulator
from pixelplan.simulators.games import PAPER_GAMES
from pixelplan.simulators.pool import AtariPool
from pixelplan.simulators.sighting import Sighting

RAM = "ram-bytes"
FAST_GAMES = ("breakout", "seaquest", "ms_pacman")


def separate_emulator(game: str, *, frameskip: int) -> ale_py.ALEInterface:
    """Start a game in an emulator that pixelplan does not know."""
    emulator = ale_py.ALEInterface()
    emulator.setInt("random_seed", 1)
    emulator.setFloat("repeat_action_probability", 0.0)
    emulator.setInt("frame_skip", frameskip)
    emulator.loadROM(str(roms.get_rom_path(game)))
    emulator.reset_game()
    return emulator


@pytest.mark.parametrize("game", FAST_GAMES)
def test_the_features_are_the_emulators_ram(game: str) -> None:
    emulator, simulator = separate_emulator(game, frameskip=15), AtariSimulator(game, features=RAM)
    state = simulator.root()
    assert simulator.look(state).features == emulator.getRAM().tobytes()
    rng = Random(1)
    for _ in range(20):
        action = rng.randrange(18)
        emulator.act(action)
        transition = simulator.transition(state, action)
        assert transition.features == transition.state.observation == emulator.getRAM().tobytes()
        assert transition.state.previous == state.observation
        state = transition.state


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=[pytest.mark.slow] * (game not in FAST_GAMES)) for game in PAPER_GAMES],
)
def test_the_ram_of_the_played_game_is_seen_wherever_it_is_played(game: str) -> None:
    """In this process or in another one, which sends it."""
    played, emulator = AtariGame(game), separate_emulator(game, frameskip=1)
    simulator = AtariSimulator(played, features=RAM)
    rng = Random(2)
    for _ in range(10):
        for _ in range(15):
            action = rng.randrange(18)
            played.act(action)
            emulator.act(action)
        for seen in (played, pickle.loads(pickle.dumps(Sighting.of(played)))):
            assert simulator.arrive(seen, NO_OBSERVATION).observation == emulator.getRAM().tobytes()


def test_the_simulator_goes_on_from_where_it_is_asked_to_after_an_arrival() -> None:
    """The played game has gone elsewhere meanwhile."""
    played = AtariGame("breakout")
    simulator, other = AtariSimulator(played, features=RAM), AtariSimulator(played, features=RAM)
    first = simulator.transition(simulator.root(), 1)
    expected = other.transition(other.transition(other.root(), 1).state, 3)
    for _ in range(100):
        played.act(4)
    simulator.arrive(played, NO_OBSERVATION)
    going_on = simulator.transition(first.state, 3)
    assert going_on.state == expected.state
    assert going_on.features == expected.features


def test_bits_are_those_of_the_emulators_ram() -> None:
    """Bit b of byte i is variable 8 i + b."""
    emulator, simulator = (
        separate_emulator("breakout", frameskip=15),
        AtariSimulator("breakout", features="ram-bits"),
    )
    state = simulator.root()
    for action in (1, 3, 4, 1, 0):
        emulator.act(action)
        transition = simulator.transition(state, action)
        ram = emulator.getRAM().tolist()
        assert list(transition.features) == [byte >> bit & 1 for byte in ram for bit in range(8)]
        assert transition.state.observation == bytes(ram)
        state = transition.state


def test_no_background_is_learned() -> None:
    assert AtariSimulator("breakout", features=RAM).work().act_seconds == 0
    assert AtariSimulator("breakout", seed=977).work().act_seconds > 0, "no other test knows this one's"


# Searches


class SlowTable:
    """Judges a memory by its atoms, one by one."""

    def __init__(self) -> None:
        self._table = AtomTable()

    def compare(self, features: bytes, depth: int) -> Novelty:
        return self._table.compare(list(enumerate(features)), depth)

    def update(self, features: bytes, depth: int) -> Novelty:
        return self._table.update(list(enumerate(features)), depth)

    def clear(self) -> None:
        self._table.clear()


def make_slow_simulator(settings: EpisodeSettings, game: AtariGame) -> AtariSimulator:
    slow = replace(FEATURE_SETS[settings.features], make_table=lambda _: SlowTable())
    return AtariSimulator(game, features=slow, seed=settings.seed)


def episode_settings(preset: str, *, caching: Caching = "full", workers: int = 0) -> EpisodeSettings:
    search = vars(PRESETS[preset]) | {"caching": caching}
    return EpisodeSettings(
        game="breakout", features=RAM, calls=50, decisions=4, seed=1, workers=workers, **search
    )


def course(result: EpisodeResult) -> list[tuple[object, ...]]:
    """Return what was decided in an episode, what was seen for it, and what came of it."""
    return [
        (
            played.decision.action,
            played.decision.value,
            played.decision.trace.cases,
            played.decision.trace.has_dropped_tree,
            None if played.decision.trace.visits is None else played.decision.trace.visits.tobytes(),
            played.score,
        )
        for played in result.played
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_search_by_bytes_is_a_search_by_atoms(preset: str) -> None:
    """Node for node; with another feature set it is another search."""
    settings = episode_settings(preset)
    by_bytes = play_episode(settings, traces_nodes=True)
    by_atoms = play_episode(settings, traces_nodes=True, make_simulator=make_slow_simulator)
    assert course(by_bytes) == course(by_atoms)
    by_screen = play_episode(replace(settings, features="b-prost"), traces_nodes=True)
    assert course(by_bytes) != course(by_screen)


@pytest.mark.parametrize(
    ("preset", "caching"),
    [
        ("rollout", "full"),
        pytest.param("iw", "full", marks=pytest.mark.slow),
        pytest.param("ras", "partial", marks=pytest.mark.slow),
        pytest.param("iw", "partial", marks=pytest.mark.slow),
        pytest.param("iw", "none", marks=pytest.mark.slow),
        pytest.param("ras", "none", marks=pytest.mark.slow),
        pytest.param("ras", "full", marks=pytest.mark.slow),
    ],
)
def test_one_worker_plays_the_same_episode(preset: str, caching: Caching) -> None:
    alone, one = (
        play_episode(episode_settings(preset, caching=caching, workers=workers), traces_nodes=True)
        for workers in (0, 1)
    )
    assert outcome(one) == outcome(alone)
    assert course(one) == course(alone)
    assert len(alone.played) == 4


def test_two_workers_see_what_no_worker_sees() -> None:
    """Each transition of a tree that two workers have made."""
    alone = AtariSimulator("ms_pacman", features=RAM)
    with AtariPool("ms_pacman", workers=2, is_deterministic=True, features=RAM) as pool:
        agent = Agent(pool, PRESETS["rollout"])
        assert agent.decide(Budget(calls=60)).trace.new_nodes == 60
        edges = [
            (parent, child) for parent in walk(agent._lookahead.root) for child in parent.children.values()
        ]
    assert len(edges) == 60
    for parent, child in edges:
        assert parent.state is not None
        state, features, *rest = alone.transition(parent.state, child.action)
        assert child.state == state
        assert child.features == features
        assert [child.reward, child.is_terminal, child.lives] == rest


def test_the_played_game_stays_on_the_predicted_path() -> None:
    """So that the tree is kept; the root's features are those of the node that it was."""
    played = AtariGame("seaquest")
    simulator = AtariSimulator(played, features=RAM)
    agent = Agent(simulator, PRESETS["iw"])
    for _ in range(4):
        decision = agent.decide(Budget(calls=30))
        assert not decision.trace.has_dropped_tree
        for _ in range(15):
            played.act(decision.action)
        arrived = simulator.arrive(played, agent.state.observation)
        agent.observe(decision.action, arrived)
        assert agent._lookahead.root.features == simulator.look(arrived).features
