"""What stands in for real emulators: one that sleeps, to see how many workers one tree can feed, and a world
that costs next to nothing, to see what the search itself costs."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING

from pixelplan.planning.simulator import Simulator, Transition
from pixelplan.simulators.atari import AtariEmulator, Outcome

if TYPE_CHECKING:
    from pixelplan.planning.simulator import Action
    from pixelplan.simulators.atari import Observe

CALL_SECONDS = 0.001
SCREENS = 300


class SleepingEmulator(AtariEmulator):
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


class FreeGrid(Simulator):
    """A square grid to walk in, with 4 actions and 20 atoms in each place, known beforehand."""

    SIZE = 64
    STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))

    def __init__(self) -> None:
        places = [(x, y) for x in range(self.SIZE) for y in range(self.SIZE)]
        self._seen = {
            (x, y): Transition(
                state=(x, y),
                features=frozenset({("x", x), ("y", y), *((n, (x + n * y) % (11 + n)) for n in range(18))}),
                reward=0.0,
                is_terminal=False,
                lives=0,
            )
            for x, y in places
        }

    def root(self) -> tuple[int, int]:
        """Start in the middle."""
        return self.SIZE // 2, self.SIZE // 2

    def look(self, state: tuple[int, int]) -> Transition:
        """Describe a place."""
        return self._seen[state]

    def actions(self, state: tuple[int, int]) -> range:  # noqa: ARG002
        """Go in any of four directions."""
        return range(len(self.STEPS))

    def transition(self, state: tuple[int, int], action: Action) -> Transition:
        """Take a step, or stay at the wall."""
        x, y = state
        dx, dy = self.STEPS[action]
        return self._seen.get((x + dx, y + dy)) or self._seen[state]
