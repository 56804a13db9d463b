"""Atari 2600 games, on the emulator of ale-py.

There are two emulators. The *played* one is reset, acted and cloned, never restored, one frame at
a time. The *simulator's* jumps `frameskip` frames per call and is restored to whatever state the
search asks for. The lookahead starts from a clone of the played state. Differs: the published
program replayed the actions in a second emulator, which was not in the same state in some games.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from random import Random
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, Self

import ale_py
import numpy as np
from ale_py import roms

from pixelplan.errors import InputError
from pixelplan.features.background import SCREEN_SHAPE, Background
from pixelplan.features.feature_sets import FeatureSet, find_feature_set
from pixelplan.features.observation import NO_OBSERVATION
from pixelplan.features.variables import RAM_BYTES
from pixelplan.planning.novelty import check_width
from pixelplan.planning.simulator import Simulator, Transition
from pixelplan.simulators.games import find_game
from pixelplan.simulators.saved_state import without_generator

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    import numpy.typing as npt

    from pixelplan.features.observation import View
    from pixelplan.planning.familiarity import Familiarity
    from pixelplan.planning.novelty import Features, NoveltyTable
    from pixelplan.planning.simulator import Action

    Observe = Callable[[View], bytes]
    Describe = Callable[[bytes, bytes], Features]

ActionSet = Literal["full", "minimal"]

FRAMES_PER_SECOND = 60
NOOP: Action = 0
ACTION_NAMES = tuple(ale_py.Action(number).name for number in range(18))
BACKGROUND_ACTIONS = 100
"""Paper: random actions that find a first background."""

ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)


def rom_names() -> list[str]:
    """Return the ROM names of all games that ale-py has."""
    return sorted(roms.get_all_rom_ids())


def _load(game: str, *, frameskip: int, sticky: float, seed: int) -> ale_py.ALEInterface:
    emulator = ale_py.ALEInterface()
    # ALE takes its seed from the clock if it is 0.
    emulator.setInt("random_seed", 1 + seed % (2**31 - 1))
    emulator.setFloat("repeat_action_probability", sticky)
    emulator.setInt("frame_skip", frameskip)
    rom = roms.get_rom_path(game)
    assert rom is not None, "find_game has found it"
    emulator.loadROM(rom)
    return emulator


class AtariGame:
    """A game as it is played: forwards only, one frame at a time."""

    def __init__(self, game: str, *, sticky: float = 0.0, seed: int = 0) -> None:
        self.name = find_game(game, rom_names())
        self.seed = seed
        self._emulator = _load(self.name, frameskip=1, sticky=sticky, seed=seed)
        height, width = self._emulator.getScreenDims()
        if (height, width) != SCREEN_SHAPE:
            raise InputError(f"{self.name} has a screen of {height} lines; the screen features need 210")
        self._emulator.reset_game()

    def act(self, action: Action) -> int:
        """Play one frame and return its reward."""
        return self._emulator.act(action)

    def is_over(self) -> bool:
        """Say whether the game has ended."""
        return self._emulator.game_over()

    def lives(self) -> int:
        """Return the number of lives left; always 0 in games without lives."""
        return self._emulator.lives()

    def clone(self) -> bytes:
        """Return the emulator's state, serialised, without its random generators."""
        return without_generator(self._emulator.cloneState().serialize())

    def screen(self) -> npt.NDArray[np.uint8]:
        """Return the screen as palette indices."""
        return self._emulator.getScreen()

    def rgb(self) -> npt.NDArray[np.uint8]:
        """Return the screen in colour, (210, 160, 3)."""
        return self._emulator.getScreenRGB()

    def grayscale(self) -> npt.NDArray[np.uint8]:
        """Return the screen in shades of grey, (210, 160)."""
        return self._emulator.getScreenGrayscale()

    def ram(self) -> npt.NDArray[np.uint8]:
        """Return the 128 bytes of the console's memory."""
        return self._emulator.getRAM()

    def action_set(self, kind: ActionSet) -> tuple[Action, ...]:
        """Return all 18 actions, or those that this game uses."""
        legal = self._emulator.getLegalActionSet()
        minimal = self._emulator.getMinimalActionSet()
        return tuple(action.value for action in (legal if kind == "full" else minimal))


class Sight(Protocol):
    """What can be seen of a game that is played, here or elsewhere."""

    def is_over(self) -> bool:
        """Say whether the game has ended."""
        ...

    def lives(self) -> int:
        """Return the number of lives left."""
        ...

    def clone(self) -> bytes:
        """Return the emulator's state."""
        ...

    def screen(self) -> npt.NDArray[np.uint8]:
        """Return the screen as palette indices."""
        ...


@dataclass(frozen=True, kw_only=True)
class Sighting:
    """What is seen of a game at one moment, to be told elsewhere."""

    emulator: bytes
    pixels: bytes
    lives_left: int
    has_ended: bool = False

    @classmethod
    def of(cls, game: AtariGame) -> Sighting:
        """Look at a game."""
        return cls(
            emulator=game.clone(),
            pixels=game.screen().tobytes(),
            lives_left=game.lives(),
            has_ended=game.is_over(),
        )

    def is_over(self) -> bool:
        """Say whether the game had ended."""
        return self.has_ended

    def lives(self) -> int:
        """Return the number of lives left."""
        return self.lives_left

    def clone(self) -> bytes:
        """Return the emulator's state."""
        return self.emulator

    def screen(self) -> npt.NDArray[np.uint8]:
        """Return the screen as palette indices."""
        return np.frombuffer(self.pixels, np.uint8).reshape(SCREEN_SHAPE)


class BareEmulator:
    """An emulator that acts at random and does nothing else: the speed that no planner can exceed."""

    def __init__(self, game: str, *, frameskip: int, seed: int = 0) -> None:
        self._emulator = _load(game, frameskip=frameskip, sticky=0.0, seed=seed)
        self._emulator.reset_game()
        self._start = self._emulator.cloneState()
        legal = [action.value for action in self._emulator.getLegalActionSet()]
        self._actions = cycle(Random(f"bare {seed}").choices(legal, k=1_000))

    def run(self, calls: int) -> None:
        """Act some times, from wherever the game is."""
        emulator = self._emulator
        for action in islice(self._actions, calls):
            if emulator.game_over():
                # A reset would emulate many frames that are not counted.
                emulator.restoreState(self._start)
            emulator.act(action)


class AtariState:
    """An emulator's state, serialised, with what was observed in it and in the state before."""

    __slots__ = ("emulator", "is_terminal", "lives", "observation", "previous")

    def __init__(
        self, emulator: bytes, is_terminal: bool, lives: int, observation: bytes, previous: bytes
    ) -> None:
        self.emulator = emulator
        self.is_terminal = is_terminal
        self.lives = lives
        self.observation = observation
        self.previous = previous

    def __eq__(self, other: object) -> bool:
        """Compare the emulators' states alone: the background may have changed since."""
        return isinstance(other, AtariState) and self.emulator == other.emulator


class Outcome(NamedTuple):
    """Where an action has led an emulator."""

    emulator: bytes
    observation: bytes
    reward: int
    is_terminal: bool
    lives: int

    def transition(self, previous: bytes, describe: Describe) -> Transition:
        """Return the transition from a state with that observation."""
        emulator, observation, reward, is_terminal, lives = self
        state = AtariState(emulator, is_terminal, lives, observation, previous)
        return Transition(state, describe(observation, previous), float(reward), is_terminal, lives)


class Work(NamedTuple):
    """How long emulators have acted, and how long it has taken to observe them, in seconds."""

    act_seconds: float
    kernel_seconds: float


class AtariEmulator:
    """An emulator that can be put into any state, and acts for `frameskip` frames at a time."""

    def __init__(self, game: str, *, frameskip: int, seed: int) -> None:
        self.work = Work(0.0, 0.0)
        self._emulator = _load(game, frameskip=frameskip, sticky=0.0, seed=seed)
        self._emulator.reset_game()
        self._screen = np.empty(SCREEN_SHAPE, np.uint8)
        self._ram = np.empty(RAM_BYTES, np.uint8)

    def restore(self, state: bytes) -> None:
        """Go to a state."""
        self._emulator.restoreState(ale_py.ALEState(state))

    def screen(self) -> npt.NDArray[np.uint8]:
        """Return the screen as palette indices: that of the last action, also after a restore."""
        self._emulator.getScreen(self._screen)
        return self._screen

    def ram(self) -> npt.NDArray[np.uint8]:
        """Return the 128 bytes of the console's memory."""
        self._emulator.getRAM(self._ram)
        return self._ram

    def act(self, action: Action, observe: Observe) -> Outcome:
        """Apply an action, and observe where it has led."""
        emulator = self._emulator
        started = time.perf_counter()
        reward = emulator.act(action)
        acted = time.perf_counter()
        # The screen must be read now: a restore does not bring it back.
        observation = observe(self)
        act_seconds, kernel_seconds = self.work
        self.work = Work(act_seconds + acted - started, kernel_seconds + time.perf_counter() - acted)
        state = emulator.cloneState().serialize()
        return Outcome(state, observation, reward, emulator.game_over(), emulator.lives())


class PlayedView(NamedTuple):
    """A played game, as a feature set looks at it."""

    screen: Callable[[], npt.NDArray[np.uint8]]
    ram: Callable[[], npt.NDArray[np.uint8]]


class AtariSimulator(Simulator):
    """An Atari game that can be rewound, seen through features of its screen or of its memory."""

    def __init__(
        self,
        game: str | AtariGame,
        *,
        frameskip: int = 15,
        actions: ActionSet = "full",
        features: str | FeatureSet = "b-prost",
        seed: int = 0,
    ) -> None:
        played = AtariGame(game, seed=seed) if isinstance(game, str) else game
        self._emulator = AtariEmulator(played.name, frameskip=frameskip, seed=played.seed)
        self._actions = played.action_set(actions)
        self._features = find_feature_set(features)
        self.make_table: Callable[[int], NoveltyTable] = self._features.make_table
        self._standing_at: AtariState | None = None
        self._background = Background.of_screen(played.screen())
        if self._features.needs_background:
            self._learn_background(played.clone(), Random(f"background {seed}"))
        self._root = self.arrive(played, NO_OBSERVATION)

    def __enter__(self) -> Self:
        """Return the simulator."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End what the simulator has started."""
        self.close()

    def close(self) -> None:
        """End what the simulator has started."""

    def _learn_background(self, start: bytes, rng: Random) -> None:
        is_over = True
        for _ in range(BACKGROUND_ACTIONS):
            if is_over:
                self._emulator.restore(start)
            is_over = self._emulator.act(rng.choice(self._actions), self._observe).is_terminal
        self._background.amend()

    def background(self) -> npt.NDArray[np.uint8] | None:
        """Return a copy of the background that the lookahead sees by; None if its features need none."""
        return self._background.colours.copy() if self._features.needs_background else None

    def _observe(self, view: View) -> bytes:
        return self._features.observe(self._background, view)

    def _ram_in(self, state: bytes) -> npt.NDArray[np.uint8]:
        """Return the console's memory in a state: unlike the screen, a restore brings it back."""
        self._standing_at = None
        self._emulator.restore(state)
        return self._emulator.ram()

    def work(self) -> Work:
        """Return how long emulators and kernel have worked so far."""
        return self._emulator.work

    def root(self) -> AtariState:
        """Return the state of the played game when this simulator was made."""
        return self._root

    def arrive(self, played: Sight, previous: bytes) -> AtariState:
        """Return the state in which the played game is now, after one with that observation."""
        # What the last lookahead has noted counts: the next one may start from this observation.
        self._amend_background()
        emulator = played.clone()
        observation = self._observe(PlayedView(screen=played.screen, ram=partial(self._ram_in, emulator)))
        return AtariState(emulator, played.is_over(), played.lives(), observation, previous)

    def look(self, state: AtariState) -> Transition:
        """Describe a state without acting in it."""
        features = self._features.describe(state.observation, state.previous)
        return Transition(state, features, 0.0, state.is_terminal, state.lives)

    def actions(self, state: AtariState) -> tuple[Action, ...]:  # noqa: ARG002
        """Return the actions, which are the same in every state."""
        return self._actions

    def transition(self, state: AtariState, action: Action) -> Transition:
        """Apply an action for `frameskip` frames."""
        if state is not self._standing_at:
            self._emulator.restore(state.emulator)
        # Nowhere that is known, should the call be interrupted.
        self._standing_at = None
        outcome = self._emulator.act(action, self._observe)
        transition = outcome.transition(state.observation, self._features.describe)
        self._standing_at = transition.state
        return transition

    def novelty_table(self, width: int = 1) -> NoveltyTable:
        """Make an empty table for conjunctions of up to `width` of the features in use."""
        check_width(self._features.max_atoms, width, "these features")
        return self.make_table(width)

    def familiarity(self) -> Familiarity:
        """Make empty counts of the features in use."""
        return self._features.make_familiarity()

    def start_decision(self) -> None:
        """Amend the background by what the last lookahead has seen."""
        self._amend_background()

    def _amend_background(self) -> None:
        self._background.amend()
