"""Variables with a value in every state: the console's memory, and the luminance of the screen.

RAM bytes are the features of IW(1) in Lipovetzky, Ramirez and Geffner, "Classical Planning with
Simulators: Results on the Atari Video Games", IJCAI 2015. An atom is a variable and its value. The
features of a state are bytes, one for each variable; the C++ kernel judges their novelty.
"""

from __future__ import annotations

import numpy as np

from pixelplan.features import _kernel
from pixelplan.planning.novelty import Novelty

RAM_BYTES = 128
RAM_BITS = 8 * RAM_BYTES
BLOCKS = 80 * 105
"""Blocks of 2 x 2 pixels on a screen."""

_NOVELTY = tuple(Novelty)


class VariableTable:
    """The least depth at which each variable has had each value, and up to `width` of them theirs at once."""

    def __init__(self, variables: int, values: int, width: int) -> None:
        self._table = _kernel.VariableTable(variables, values, width)

    def compare(self, features: bytes, depth: int) -> Novelty:
        """Compare a depth with the least depths of these values."""
        return _NOVELTY[self._table.compare(features, depth)]

    def update(self, features: bytes, depth: int) -> Novelty:
        """Compare, then lower the values' least depths to this depth where they are greater."""
        return _NOVELTY[self._table.update(features, depth)]

    def clear(self) -> None:
        """Forget all depths."""
        self._table.clear()


def describe_bits(observation: bytes, previous: bytes) -> bytes:  # noqa: ARG001
    """Return the bits of the memory, one byte for each: bit b of byte i is variable 8 i + b."""
    return np.unpackbits(np.frombuffer(observation, np.uint8), bitorder="little").tobytes()
