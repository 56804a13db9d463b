"""First backgrounds that are learnt once and known to one test after another.

To learn one takes 1,500 frames, as many as a short episode, and the tests do it hundreds of times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.simulators import atari
from pixelplan.simulators.ale import AleEmulator
from pixelplan.simulators.atari import AtariSimulator

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from random import Random

    import numpy as np
    import numpy.typing as npt


def learn_once() -> Callable[[AtariSimulator, bytes, Random], None]:
    """Return what does as AtariSimulator._learn_background, but for the same again from memory."""
    learn = AtariSimulator._learn_background
    known: dict[Hashable, npt.NDArray[np.uint8]] = {}

    def learn_or_remember(simulator: AtariSimulator, start: bytes, rng: Random) -> None:
        background, emulator = simulator._background, simulator._emulator
        if type(emulator) is not AleEmulator:
            learn(simulator, start, rng)
            return
        how = simulator._features.observe, simulator._actions, emulator._emulator.getInt("frame_skip")
        many = atari.BACKGROUND_ACTIONS
        key = start, rng.getstate(), *how, many, background.colours.tobytes()
        if key not in known:
            learn(simulator, start, rng)
            known[key] = background.departed.copy()
        background.departed[:] = known[key]
        background.amend()

    return learn_or_remember
