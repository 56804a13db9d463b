"""B-PROST: the pixel features of the paper, computed and judged by the C++ kernel.

Paper: section "Planning with Pixels". A node keeps the tile bits of its screen and of the screen
before it, some hundred bytes each; atoms are listed only on demand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pixelplan.features import _kernel
from pixelplan.features.background import NO_BACKGROUND
from pixelplan.features.observation import NO_OBSERVATION
from pixelplan.planning.novelty import Novelty

if TYPE_CHECKING:
    import numpy.typing as npt

SCREEN_SHAPE = (210, 160)
NO_TILES = NO_OBSERVATION
"""Stands for the screen before the first one."""

ATOMS = _kernel.BASIC_ATOMS + _kernel.SPACE_ATOMS + _kernel.TIME_ATOMS

_NOVELTY = tuple(Novelty)


class ScreenFeatures(NamedTuple):
    """Tile bits of a screen and of the screen before it."""

    tiles: bytes
    previous: bytes


class BProstTable:
    """The least depth at which each B-PROST atom was reached."""

    def __init__(self) -> None:
        self._table = _kernel.NoveltyTable()

    def compare(self, features: ScreenFeatures, depth: int) -> Novelty:
        """Compare a depth with the least depths of these features."""
        return _NOVELTY[self._table.compare(features.tiles, features.previous, depth)]

    def update(self, features: ScreenFeatures, depth: int) -> Novelty:
        """Compare, then lower the features' least depths to this depth where they are greater."""
        return _NOVELTY[self._table.update(features.tiles, features.previous, depth)]

    def explain(self, features: ScreenFeatures, depth: int) -> npt.NDArray[np.uint32]:
        """Return the numbers of the atoms that would improve, sorted. Slow: not for the search."""
        return self._table.explain(features.tiles, features.previous, depth)

    def clear(self) -> None:
        """Forget all depths."""
        self._table.clear()


def atoms(
    screen: npt.NDArray[np.uint8],
    previous: npt.NDArray[np.uint8] | None = None,
    background: npt.NDArray[np.uint8] | None = None,
) -> npt.NDArray[np.uint32]:
    """Return the sorted numbers of all atoms true in a screen. Slow: not for the search.

    Without a previous screen there is no B-PROT atom; without a background nothing is removed.
    """
    if background is None:
        background = np.full(SCREEN_SHAPE, NO_BACKGROUND, np.uint8)
    departed = np.zeros(SCREEN_SHAPE, np.uint8)
    tiles = _kernel.extract_tiles(screen, background, departed)
    before = NO_TILES if previous is None else _kernel.extract_tiles(previous, background, departed)
    return _kernel.atoms(tiles, before)
