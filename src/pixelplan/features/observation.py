"""Observations: what is kept of a state, as bytes, so that its features can be computed.

An observation is made at once after an action, where the emulator is, and travels with the state.
The features of a node are computed from its own observation and its parent's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from pixelplan.features import _kernel

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from pixelplan.features.background import Background

NO_OBSERVATION = b""
"""Stands for what was seen before the first state."""


class View(Protocol):
    """View of a game in its present state. The arrays are valid until the next action."""

    def screen(self) -> npt.NDArray[np.uint8]:
        """Return the screen as palette indices."""
        ...

    def ram(self) -> npt.NDArray[np.uint8]:
        """Return the 128 bytes of the console's memory."""
        ...


Observe = Callable[[View], bytes]
"""Makes an observation of what can be seen now."""


def observe_tiles(background: Background, view: View) -> bytes:
    """Return the tile bits of the screen without its background."""
    return background.extract_tiles(view.screen())


def observe_blobs(background: Background, view: View) -> bytes:
    """Return the blobs of the screen without its background."""
    return background.extract_blobs(view.screen())


def observe_ram(background: Background, view: View) -> bytes:  # noqa: ARG001
    """Return the bytes of the console's memory."""
    return view.ram().tobytes()


def observe_luminance(background: Background, view: View) -> bytes:  # noqa: ARG001
    """Return the mean luminance of each block of 2 x 2 pixels of the whole screen, row by row."""
    return _kernel.extract_luminance(view.screen())
