"""B-PROST: the pixel features of the paper, computed and judged by the C++ kernel.

Paper: section "Planning with Pixels". Basic features are colours in tiles; B-PROS has the offsets
between them on one screen too, B-PROT those since the screen before, B-PROST both.
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
    *,
    in_space: bool = True,
) -> npt.NDArray[np.uint32]:
    """Return the sorted numbers of all atoms true in a screen. Slow: not for the search.

    Without a previous screen there is no B-PROT atom, and no B-PROS atom if not `in_space`; without a
    background nothing is removed.
    """
    fixed = Background.fixed(background)
    before = NO_OBSERVATION if previous is None else fixed.extract_tiles(previous)
    return _kernel.atoms(fixed.extract_tiles(screen), before, in_space)
