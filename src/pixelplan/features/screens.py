"""The common part of B-PROST and Blob-PROST: a screen, the one before it, and a table of their atoms.

A node keeps the tile bits or the blobs of both screens, some hundred bytes each. Atoms are listed only on
demand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pixelplan.features.observation import NO_OBSERVATION
from pixelplan.planning.novelty import Novelty

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    from pixelplan.features import _kernel

_NOVELTY = tuple(Novelty)


class ScreenFeatures(NamedTuple):
    """Observations of a screen and of the screen before it: tile bits or blobs."""

    observation: bytes
    previous: bytes


def screen_alone(observation: bytes, previous: bytes) -> ScreenFeatures:  # noqa: ARG001
    """Describe a state by its own screen: without one before it there are no atoms in time."""
    return ScreenFeatures(observation, NO_OBSERVATION)


class ScreenTable:
    """The least depth at which each atom of screens was reached, in a table of the C++ kernel."""

    def __init__(
        self, make_table: Callable[[], _kernel.NoveltyTable | _kernel.BlobTable], width: int
    ) -> None:
        assert width == 1, "screens have too many atoms for more"
        self._table = make_table()

    def compare(self, features: ScreenFeatures, depth: int) -> Novelty:
        """Compare a depth with the least depths of these features."""
        return _NOVELTY[self._table.compare(features.observation, features.previous, depth)]

    def update(self, features: ScreenFeatures, depth: int) -> Novelty:
        """Compare, then lower the features' least depths to this depth where they are greater."""
        return _NOVELTY[self._table.update(features.observation, features.previous, depth)]

    def explain(self, features: ScreenFeatures, depth: int) -> npt.NDArray[np.uint32]:
        """Return the numbers of the atoms that would improve, sorted. Slow: not for the search."""
        return self._table.explain(features.observation, features.previous, depth)

    def clear(self) -> None:
        """Forget all depths."""
        self._table.clear()
