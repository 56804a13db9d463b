"""Background pixels: those that have kept their colour in every screen seen so far.

Paper: section "Planning with Pixels". Differs: the paper amends the background at every scanned
screen; here it is fixed during a decision, and what was noted meanwhile amends it, for good, before
the next. Otherwise one screen would have several feature sets inside one decision, and results
would depend on the order of scanning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pixelplan.features import _kernel

if TYPE_CHECKING:
    import numpy.typing as npt

NO_BACKGROUND = 255
"""In place of a colour: this pixel is not background."""


class Background:
    """The colour that each pixel has kept, and the pixels that have left it since."""

    def __init__(self, first_screen: npt.NDArray[np.uint8]) -> None:
        self.colours: npt.NDArray[np.uint8] = np.right_shift(first_screen, 1, dtype=np.uint8)
        self._departed = np.zeros_like(first_screen)

    def extract_tiles(self, screen: npt.NDArray[np.uint8]) -> bytes:
        """Return the tile bits of a screen without its background, and note what has left it."""
        return _kernel.extract_tiles(screen, self.colours, self._departed)

    def amend(self) -> None:
        """Take the noted pixels out of the background."""
        self.colours[self._departed != 0] = NO_BACKGROUND
        self._departed.fill(0)
