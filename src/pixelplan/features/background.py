"""Background pixels: those that have kept their colour in every screen seen so far.

Paper: section "Planning with Pixels". Differs: the paper amends the background at every scanned
screen. Here it is fixed during a decision. Pixels that change meanwhile are noted, and leave it for good
before the next decision. Otherwise one screen would have several feature sets inside one decision, and
results would depend on the order of scanning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pixelplan.features import _kernel

if TYPE_CHECKING:
    import numpy.typing as npt

SCREEN_SHAPE = (210, 160)
NO_BACKGROUND = 255
"""In place of a colour: this pixel is not background."""


class Background:
    """The colour that each pixel has kept, and the pixels that have left it since."""

    def __init__(self, colours: npt.NDArray[np.uint8], departed: npt.NDArray[np.uint8]) -> None:
        self.colours = colours
        self.departed = departed
        """Not 0 for a pixel that has left the background. A note is never taken back."""

    @classmethod
    def of_screen(cls, screen: npt.NDArray[np.uint8]) -> Background:
        """Make the background of one screen, which is all of it."""
        return cls(np.right_shift(screen, 1, dtype=np.uint8), np.zeros_like(screen))

    @classmethod
    def fixed(cls, colours: npt.NDArray[np.uint8] | None) -> Background:
        """Make a background of these colours, or none at all."""
        if colours is None:
            colours = np.full(SCREEN_SHAPE, NO_BACKGROUND, np.uint8)
        return cls(colours, np.zeros(SCREEN_SHAPE, np.uint8))

    def extract_tiles(self, screen: npt.NDArray[np.uint8]) -> bytes:
        """Return the tile bits of a screen without its background, and note pixels that have left it."""
        return _kernel.extract_tiles(screen, self.colours, self.departed)

    def extract_blobs(self, screen: npt.NDArray[np.uint8]) -> bytes:
        """Return the blobs of a screen without its background, and note pixels that have left it."""
        return _kernel.extract_blobs(screen, self.colours, self.departed)

    def amend(self) -> None:
        """Take the noted pixels out of the background."""
        self.colours[self.departed != 0] = NO_BACKGROUND
