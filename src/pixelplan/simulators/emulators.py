"""The emulators that there are. Whoever simulates a game, or looks at one again, has them made here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.simulators.ale import AleEmulator

if TYPE_CHECKING:
    from pixelplan.simulators.emulator import Emulator


def make_emulator(game: str, *, frameskip: int, seed: int) -> Emulator:
    """Make an emulator that can be put into any state of a game, and acts for so many frames at a time."""
    return AleEmulator(game, frameskip=frameskip, seed=seed)
