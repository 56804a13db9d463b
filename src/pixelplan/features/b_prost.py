"""B-PROST: the pixel features of the paper, computed and judged by the C++ kernel.

Paper: section "Planning with Pixels". Basic features are colours in tiles; B-PROS has the offsets
between them on one screen too, B-PROT those since the screen before, B-PROST both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pixelplan.features import _kernel
from pixelplan.features.background import Background
from pixelplan.features.observation import NO_OBSERVATION

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]

COLUMNS, ROWS, COLOURS = 16, 14, 128
OFFSET_COLUMNS, OFFSET_ROWS = 2 * COLUMNS - 1, 2 * ROWS - 1
LOWER_COLOURS, HIGHER_COLOURS = np.triu_indices(COLOURS, 1)
"""The pairs of two colours, in the order of their numbers."""
TWO_COLOUR_ATOMS = OFFSET_COLUMNS * OFFSET_ROWS * len(LOWER_COLOURS)


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


class Decoded(NamedTuple):
    """Atoms in words: an array for each kind, with one row for each atom."""

    basic: Integers
    """Column, row, colour."""
    space: Integers
    """Columns and rows from the tile of the second colour to that of the first; the two colours."""
    time: Integers
    """Columns and rows from the tile of the second colour, on the screen before, to that of the first, now;
    the two colours."""


def decode_atoms(numbers: npt.NDArray[np.uint32]) -> Decoded:
    """Return the meanings of atoms' numbers."""
    sorted_numbers = np.sort(numbers.astype(np.int64))
    first_time = _kernel.BASIC_ATOMS + _kernel.SPACE_ATOMS
    basic, space, time = np.split(
        sorted_numbers, np.searchsorted(sorted_numbers, [_kernel.BASIC_ATOMS, first_time])
    )
    tile, colour = np.divmod(basic, COLOURS)
    return Decoded(
        basic=np.stack([*np.divmod(tile, ROWS), colour], axis=1),
        space=_decode_space(space - _kernel.BASIC_ATOMS),
        time=_decode_time(time - first_time),
    )


def _decode_space(numbers: Integers) -> Integers:
    two, one = np.split(numbers, [np.searchsorted(numbers, TWO_COLOUR_ATOMS)])
    offset, pair = np.divmod(two, len(LOWER_COLOURS))
    of_two = np.stack([*_decode_offset(offset), LOWER_COLOURS[pair], HIGHER_COLOURS[pair]], axis=1)
    # One colour in two tiles: the first is right of the second, or below it, or the same.
    place, colour = np.divmod(one - TWO_COLOUR_ATOMS, COLOURS)
    column, row = np.divmod(place, OFFSET_ROWS)
    is_right = column < COLUMNS - 1
    columns = np.where(is_right, column + 1, 0)
    rows = np.where(is_right, row - (ROWS - 1), (row + 1) % ROWS)
    return np.concatenate([of_two, np.stack([columns, rows, colour, colour], axis=1)])


def _decode_time(numbers: Integers) -> Integers:
    offset, colours = np.divmod(numbers, COLOURS * COLOURS)
    return np.stack([*_decode_offset(offset), *np.divmod(colours, COLOURS)], axis=1)


def _decode_offset(offset: Integers) -> tuple[Integers, Integers]:
    column, row = np.divmod(offset, OFFSET_ROWS)
    return column - (COLUMNS - 1), row - (ROWS - 1)
