"""Emulators that stand in for real ones, to see how many workers one tree can feed."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING

from pixelplan.simulators.ale import AleEmulator

if TYPE_CHECKING:
    from pixelplan.features.observation import Observe
    from pixelplan.planning.simulator import Action
    from pixelplan.simulators.emulator import Outcome

CALL_SECONDS = 0.001
SCREENS = 300


class SleepingEmulator(AleEmulator):
    """Sleeps for as long as a call takes, and shows some screen of the game."""

    def __init__(self, game: str, *, frameskip: int, seed: int) -> None:
        super().__init__(game, frameskip=frameskip, seed=seed)
        self._rng = Random(seed)
        self._outcomes: list[Outcome] = []

    def act(self, action: Action, observe: Observe) -> Outcome:
        """Sleep, and return the outcome of some action in a game that was played at random before."""
        while len(self._outcomes) < SCREENS:
            outcome = super().act(self._rng.randrange(18), observe)
            self._outcomes.append(outcome._replace(reward=0, is_terminal=False))
        time.sleep(CALL_SECONDS)
        return self._outcomes[(action + self._rng.randrange(SCREENS)) % SCREENS]
