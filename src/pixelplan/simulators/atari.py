"""Atari 2600 games that can be rewound, seen through features of their screen or of their memory.

There are two emulators. The *played* one is reset, acted and cloned, never restored, one frame at
a time. The *simulator's* jumps `frameskip` frames per call and is restored to whatever state the
search asks for. The lookahead starts from a clone of the played state. Differs: the published
program replayed the actions in a second emulator, which was not in the same state in some games.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Self

from pixelplan.features.background import Background
from pixelplan.features.feature_sets import DEFAULT_FEATURES, FeatureSet, find_feature_set
from pixelplan.features.observation import NO_OBSERVATION
from pixelplan.planning.limits import Positive, check
from pixelplan.planning.novelty import check_width
from pixelplan.planning.simulator import Simulator, Transition
from pixelplan.simulators.ale import AtariGame
from pixelplan.simulators.emulators import make_emulator
from pixelplan.simulators.sighting import Sighting

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    import numpy as np
    import numpy.typing as npt

    from pixelplan.features.observation import View
    from pixelplan.planning.familiarity import Familiarity
    from pixelplan.planning.novelty import Features, NoveltyTable
    from pixelplan.planning.simulator import Action
    from pixelplan.simulators.emulator import EmulatorMaker, Outcome, Work
    from pixelplan.simulators.games import ActionSet

    Describe = Callable[[bytes, bytes], Features]

NOOP: Action = 0
BACKGROUND_ACTIONS = 100
"""Paper: random actions that find a first background."""


class AtariState:
    """An emulator's state, serialised, with the observations in it and in the state before."""

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


def make_transition(outcome: Outcome, previous: bytes, describe: Describe) -> Transition:
    """Return the transition from a state with that observation."""
    emulator, observation, reward, is_terminal, lives = outcome
    state = AtariState(emulator, is_terminal, lives, observation, previous)
    return Transition(state, describe(observation, previous), float(reward), is_terminal, lives)


class AtariSimulator(Simulator):
    """An Atari game that can be rewound, seen through features of its screen or of its memory."""

    has_lives = True

    def __init__(
        self,
        game: str | AtariGame,
        *,
        frameskip: int = 15,
        actions: ActionSet = "full",
        features: str | FeatureSet = DEFAULT_FEATURES,
        make_emulator: EmulatorMaker = make_emulator,
        seed: int = 0,
    ) -> None:
        check("frameskip", frameskip, Positive)
        check("seed", seed, int)
        played = game if isinstance(game, AtariGame) else AtariGame(game, seed=seed)
        self._emulator = make_emulator(played.name, frameskip=frameskip, seed=played.seed)
        self._actions = played.action_set(actions)
        self._features = find_feature_set(features)
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

    def work(self) -> Work:
        """Return how long emulators and kernel have worked so far."""
        return self._emulator.work

    def root(self) -> AtariState:
        """Return the state of the played game when this simulator was made."""
        return self._root

    def arrive(self, played: AtariGame | Sighting, previous: bytes) -> AtariState:
        """Return the state in which the played game is now, after one with that observation."""
        # What the last lookahead has noted counts: the next one may start from this observation.
        self._amend_background()
        seen = played if isinstance(played, Sighting) else Sighting.of(played)
        return AtariState(seen.state, seen.is_over, seen.lives, self._observe(seen), previous)

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
        transition = make_transition(outcome, state.observation, self._features.describe)
        self._standing_at = transition.state
        return transition

    def novelty_table(self, width: int = 1) -> NoveltyTable:
        """Make an empty table for conjunctions of up to `width` of the features in use."""
        check_width(self._features.max_atoms, width, "these features")
        return self._features.make_table(width)

    def familiarity(self) -> Familiarity:
        """Make empty counts of the features in use."""
        return self._features.make_familiarity()

    def start_decision(self) -> None:
        """Amend the background by the pixels that the last lookahead has noted."""
        self._amend_background()

    def _amend_background(self) -> None:
        self._background.amend()
