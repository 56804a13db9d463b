"""Counts of the screen and memory contents that a game has shown.

Of screens, only what is where counts, not the offsets between things, of which there are always new ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pixelplan.features import _kernel

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from pixelplan.features.screens import ScreenFeatures
    from pixelplan.planning.novelty import Features

BLOB_COLUMNS, BLOB_ROWS, COLOURS = 40, 30, 128
BLOB_PLACES = COLOURS * BLOB_COLUMNS * BLOB_ROWS


class TileFamiliarity:
    """How often each colour was seen in each tile, in the states that were played."""

    def __init__(self) -> None:
        self._counts = _kernel.TileCounts()

    def note(self, features: ScreenFeatures) -> None:
        """Count the tiles of a played state."""
        self._counts.note(features.observation)

    def rarity(self, features: ScreenFeatures) -> float:
        """Return the sum of 1 / (1 + count) over the tiles of a state."""
        return self._counts.rarity(features.observation)


class NumberedFamiliarity:
    """How often each atom was true in the states that were played; a function tells the atoms' numbers."""

    def __init__(self, numbers: Callable[[Features], npt.NDArray[np.integer]], atoms: int) -> None:
        self._numbers = numbers
        self._counts = np.zeros(atoms, np.int32)
        self._worth = np.ones(atoms, np.float32)

    def note(self, features: Features) -> None:
        """Count the atoms of a played state."""
        numbers = self._numbers(features)
        self._counts[numbers] += 1
        self._worth[numbers] = 1 / (1 + self._counts[numbers])

    def rarity(self, features: Features) -> float:
        """Return the sum of 1 / (1 + count) over the atoms of a state."""
        return float(self._worth[self._numbers(features)].sum())


def blob_numbers(features: ScreenFeatures) -> npt.NDArray[np.int64]:
    """Return numbers of the blobs."""
    colours, columns, rows = np.frombuffer(features.observation, np.uint8).reshape(-1, 3).T.astype(np.int64)
    return (colours * BLOB_COLUMNS + columns) * BLOB_ROWS + rows


def familiarity_of_values(variables: int, values: int) -> NumberedFamiliarity:
    """Make empty counts of the values of some variables."""
    first = np.arange(0, variables * values, values)
    return NumberedFamiliarity(lambda features: first + np.frombuffer(features, np.uint8), variables * values)
