"""RAM bytes: the console's memory, 128 variables of 256 values each.

These are the features of IW(1) in Lipovetzky, Ramirez and Geffner, "Classical Planning with
Simulators: Results on the Atari Video Games", IJCAI 2015. An atom is a byte's place and its value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pixelplan.planning.novelty import Novelty

if TYPE_CHECKING:
    import numpy.typing as npt

RAM_BYTES = 128
VALUES = 256

_NEVER = np.iinfo(np.int16).max
"""In place of a depth: the atom was not reached."""
_FIRST_ATOMS = np.arange(0, RAM_BYTES * VALUES, VALUES)
"""The number of each byte's atom of value 0."""


class RamBytesTable:
    """The least depth at which each byte has had each value."""

    def __init__(self) -> None:
        self._least_depths = np.full(RAM_BYTES * VALUES, _NEVER, np.int16)

    def compare(self, features: bytes, depth: int) -> Novelty:
        """Compare a depth with the least depths of these bytes."""
        return _verdict(self._least_depths[_atoms(features)], depth)

    def update(self, features: bytes, depth: int) -> Novelty:
        """Compare, then lower the bytes' least depths to this depth where they are greater."""
        atoms = _atoms(features)
        least_depths = self._least_depths[atoms]
        novelty = _verdict(least_depths, depth)
        if novelty is Novelty.IMPROVES:
            self._least_depths[atoms] = np.minimum(least_depths, depth)
        return novelty

    def clear(self) -> None:
        """Forget all depths."""
        self._least_depths.fill(_NEVER)


def _atoms(features: bytes) -> npt.NDArray[np.int64]:
    return _FIRST_ATOMS + np.frombuffer(features, np.uint8)


def _verdict(least_depths: npt.NDArray[np.int16], depth: int) -> Novelty:
    greatest = least_depths.max()
    if depth < greatest:
        return Novelty.IMPROVES
    return Novelty.TIES if depth == greatest else Novelty.WORSE
