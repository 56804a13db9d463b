"""The played game at one moment: all that a simulator, here or elsewhere, must know to go on from there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pixelplan.features.background import SCREEN_SHAPE

if TYPE_CHECKING:
    import numpy.typing as npt

    from pixelplan.simulators.ale import AtariGame


@dataclass(frozen=True, kw_only=True)
class Sighting:
    """A view of the played game at one moment, which can be sent elsewhere."""

    state: bytes
    """The emulator's."""
    pixels: bytes
    memory: bytes
    lives: int
    is_over: bool

    @classmethod
    def of(cls, game: AtariGame) -> Sighting:
        """Look at a game."""
        return cls(
            state=game.clone(),
            pixels=game.screen().tobytes(),
            memory=game.ram().tobytes(),
            lives=game.lives(),
            is_over=game.is_over(),
        )

    def screen(self) -> npt.NDArray[np.uint8]:
        """Return the screen as palette indices."""
        return np.frombuffer(self.pixels, np.uint8).reshape(SCREEN_SHAPE).copy()

    def ram(self) -> npt.NDArray[np.uint8]:
        """Return the 128 bytes of the console's memory."""
        return np.frombuffer(self.memory, np.uint8).copy()
