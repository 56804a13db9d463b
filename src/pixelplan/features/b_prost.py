"""B-PROST: the pixel features of the paper, computed and judged by the C++ kernel.

Paper: section "Planning with Pixels". Basic features are colours in tiles; B-PROS has the offsets
between them on one screen too, B-PROT those since the screen before, B-PROST both. A node keeps the
tile bits of its screen and of the screen before it, some hundred bytes each; atoms are listed only
on demand.
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

_NOVELTY = tuple(Novelty)


class ScreenFeatures(NamedTuple):
    """Tile bits of a screen and of the screen before it."""

    tiles: bytes
    previous: bytes


def screen_alone(tiles: bytes, previous: bytes) -> ScreenFeatures:  # noqa: ARG001
    """Describe a state by its own screen: without one before it there are no B-PROT atoms."""
    return ScreenFeatures(tiles, NO_TILES)


class BProstTable:
    """The least depth at which each B-PROST atom was reached, with those of B-PROS or without."""

    def __init__(self, *, in_space: bool = True) -> None:
        self._table = _kernel.NoveltyTable(in_space)

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
    *,
    in_space: bool = True,
) -> npt.NDArray[np.uint32]:
    """Return the sorted numbers of all atoms true in a screen. Slow: not for the search.

    Without a previous screen there is no B-PROT atom, and no B-PROS atom if not `in_space`; without a
    background nothing is removed.
    """
    if background is None:
        background = np.full(SCREEN_SHAPE, NO_BACKGROUND, np.uint8)
    departed = np.zeros(SCREEN_SHAPE, np.uint8)
    tiles = _kernel.extract_tiles(screen, background, departed)
    before = NO_TILES if previous is None else _kernel.extract_tiles(previous, background, departed)
    return _kernel.atoms(tiles, before, in_space)
