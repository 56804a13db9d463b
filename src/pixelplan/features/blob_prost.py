"""Blob-PROST: B-PROST over blobs instead of colours in tiles, computed and judged by the C++ kernel.

Y. Liang, M. C. Machado, E. Talvitie and M. Bowling, "State of the Art Control of Atari Games Using
Shallow Reinforcement Learning", AAMAS 2016. A blob is pixels of one colour, each at most 6 rows and
6 columns from another. It stands in the tile, 4 wide and 7 high, of the centre of its bounding box.
Differs: background pixels, found as for B-PROST, belong to no blob; Liang et al. take the screen as
it is. A thing that never changes is in no atom that could be novel. Things that move in front of it would
only change the outlines of its blobs. A screen has at most MAX_BLOBS of them, so that noise costs a few
milliseconds; games were seen with up to 149.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pixelplan.features import _kernel
from pixelplan.features.background import Background
from pixelplan.features.observation import NO_OBSERVATION

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def atoms(
    screen: npt.NDArray[np.uint8],
    previous: npt.NDArray[np.uint8] | None = None,
    background: npt.NDArray[np.uint8] | None = None,
) -> npt.NDArray[np.uint32]:
    """Return the sorted numbers of all atoms true in a screen. Slow: not for the search.

    Without a previous screen there is no atom in time; without a background nothing is removed.
    """
    fixed = Background.fixed(background)
    before = NO_OBSERVATION if previous is None else fixed.extract_blobs(previous)
    return _kernel.blob_atoms(fixed.extract_blobs(screen), before)
