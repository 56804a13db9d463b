"""The background of every decision of an episode: a pixel leaves it once and never comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pixelplan.features.background import NO_BACKGROUND

if TYPE_CHECKING:
    import numpy.typing as npt

    Colours = npt.NDArray[np.uint8]

NEVER = -1


class Backgrounds:
    """The first background, and when each pixel has left it. Without a first one there is none at all."""

    def __init__(self, colours: Colours | None = None, left: npt.NDArray[np.int32] | None = None) -> None:
        self.colours = colours
        self.left = left
        """The decision before which a pixel left the background, or NEVER."""

    def note(self, decision: int, colours: Colours | None) -> None:
        """Note the background of a decision, which comes after those noted before."""
        if colours is None:
            return
        if self.colours is None or self.left is None:
            self.colours, self.left = colours, np.full(colours.shape, NEVER, np.int32)
        has_left = (colours != self.colours) & (self.left == NEVER)
        self.left[has_left] = decision

    def at(self, decision: int) -> Colours | None:
        """Return the background that a decision was made by, as far as it was noted."""
        if self.colours is None or self.left is None:
            return None
        has_left = (self.left != NEVER) & (self.left <= decision)
        return np.where(has_left, np.uint8(NO_BACKGROUND), self.colours)
