"""The maker of emulators, wherever a game is simulated or looked at again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.simulators.ale import AleEmulator

if TYPE_CHECKING:
    from pixelplan.simulators.emulator import Emulator


def make_emulator(game: str, *, frameskip: int, seed: int) -> Emulator:
    """Make an emulator that can be put into any state of a game. It acts for `frameskip` frames at a time."""
    return AleEmulator(game, frameskip=frameskip, seed=seed)
