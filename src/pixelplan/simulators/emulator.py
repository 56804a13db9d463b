"""Emulators of the console, as simulators see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from pixelplan.features.observation import View

if TYPE_CHECKING:
    from pixelplan.features.observation import Observe
    from pixelplan.planning.simulator import Action


class Outcome(NamedTuple):
    """The result of an action in an emulator."""

    emulator: bytes
    observation: bytes
    reward: int
    is_terminal: bool
    lives: int


class Work(NamedTuple):
    """Seconds that emulators have acted, and seconds that it took to observe them."""

    act_seconds: float
    kernel_seconds: float


class Emulator(View, Protocol):
    """An emulator that can be put into any state, and acts for a number of frames at a time.

    To restore a state brings back its memory, but not its screen, which stays that of the last action.
    """

    @property
    def work(self) -> Work:
        """Seconds that it has worked so far."""
        ...

    def restore(self, state: bytes) -> None:
        """Go to a state."""
        ...

    def act(self, action: Action, observe: Observe) -> Outcome:
        """Apply an action, and observe where it has led."""
        ...


class EmulatorMaker(Protocol):
    """Makes emulators of a game."""

    def __call__(self, game: str, *, frameskip: int, seed: int) -> Emulator:
        """Make one that acts for `frameskip` frames at a time."""
        ...
