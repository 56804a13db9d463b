"""The kernel's slow twin: features of screens and novelty tables in plain NumPy.

Written from the paper ("Planning with Pixels") and not from the C++: tests compare the two, so that
each catches the other's mistakes. Nothing else uses it.

A basic feature is (column, row, colour): a pixel of that colour lies in that tile. Arrays of basic
features have shape (n, 3).
"""

from collections.abc import Hashable, Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Feature = tuple[int, int, int]
Integers = NDArray[np.int64]

ROWS, COLUMNS = 14, 16
TILE_HEIGHT, TILE_WIDTH = 15, 10
NO_BACKGROUND = 255

BASIC_ATOMS = 28_672
TWO_COLOUR_ATOMS = 6_803_136
ONE_COLOUR_ATOMS = 53_504
SPACE_ATOMS = TWO_COLOUR_ATOMS + ONE_COLOUR_ATOMS + 128

IMPROVES, TIES, WORSE = 0, 1, 2


def extract_tiles(
    screen: NDArray[np.uint8], background: NDArray[np.uint8], departed: NDArray[np.uint8]
) -> bytes:
    """Tile bits of a screen of palette indices; pixels that left their background are noted in departed."""
    colours = screen >> 1
    is_background = colours == background
    departed |= ~is_background & (background != NO_BACKGROUND)
    painted = np.where(is_background, 0, colours)
    y, x = np.indices(painted.shape)
    features = np.stack([x // TILE_WIDTH, y // TILE_HEIGHT, painted], axis=-1)
    return encode_tiles(np.unique(features.reshape(-1, 3), axis=0).tolist())


def encode_tiles(features: Iterable[Feature]) -> bytes:
    """Basic features as tile bits: by ascending colour, the colour and its 14 rows; bit c = column c."""
    rows_of_colour: dict[int, list[int]] = {}
    for column, row, colour in features:
        rows_of_colour.setdefault(colour, [0] * ROWS)[row] |= 1 << column
    return np.array([[colour, *rows] for colour, rows in sorted(rows_of_colour.items())], "<u2").tobytes()


def basic_features(tiles: bytes) -> list[Feature]:
    """The basic features that tile bits stand for, by ascending colour."""
    return [
        (column, row, colour)
        for colour, *rows in np.frombuffer(tiles, "<u2").reshape(-1, 1 + ROWS).tolist()
        for row, bits in enumerate(rows)
        for column in range(COLUMNS)
        if bits >> column & 1
    ]


def basic_numbers(features: Integers) -> Integers:
    """Numbers of basic features, from 0."""
    column, row, colour = features[:, 0], features[:, 1], features[:, 2]
    return (14 * column + row) * 128 + colour


def space_numbers(first: Integers, second: Integers) -> Integers:
    """B-PROS numbers, from 0, of pairs of basic features of one screen; the first has the lower colour."""
    dc, dr = first[:, 0] - second[:, 0], first[:, 1] - second[:, 1]
    k1, k2 = first[:, 2], second[:, 2]
    two_colours = ((15 + dc) * 27 + 13 + dr) * 8128 + 127 * k1 - k1 * (k1 + 1) // 2 + k2 - 1
    # Both directions between two tiles of one colour are the same atom.
    sign = np.where((dc < 0) | ((dc == 0) & (dr < 0)), -1, 1)
    dc, dr = sign * dc, sign * dr
    other_column = TWO_COLOUR_ATOMS + ((dc - 1) * 27 + 13 + dr) * 128 + k1
    same_column = TWO_COLOUR_ATOMS + 15 * 27 * 128 + (dr - 1) * 128 + k1
    same_tile = TWO_COLOUR_ATOMS + ONE_COLOUR_ATOMS + k1
    return np.select([k1 < k2, dc > 0, dr > 0], [two_colours, other_column, same_column], same_tile)


def time_numbers(current: Integers, previous: Integers) -> Integers:
    """B-PROT numbers, from 0, of pairs of basic features of a screen and the one before it."""
    dc, dr = current[:, 0] - previous[:, 0], current[:, 1] - previous[:, 1]
    return ((15 + dc) * 27 + 13 + dr) * 16384 + 128 * current[:, 2] + previous[:, 2]


def atoms(tiles: bytes, previous: bytes, in_space: bool = True) -> NDArray[np.uint32]:
    """The numbers of all atoms true in a screen and the one before it (b"" = none), B-PROS or not, sorted."""
    now = np.array(basic_features(tiles), np.int64).reshape(-1, 3)
    before = np.array(basic_features(previous), np.int64).reshape(-1, 3)
    first, second = np.triu_indices(len(now))
    space = space_numbers(now[first], now[second])
    time = time_numbers(np.repeat(now, len(before), axis=0), np.tile(before, (len(now), 1)))
    numbers = [basic_numbers(now), BASIC_ATOMS + SPACE_ATOMS + time]
    if in_space:
        numbers.append(BASIC_ATOMS + space)
    return np.unique(np.concatenate(numbers)).astype(np.uint32)


def mean_blocks(luminance: NDArray[np.uint8]) -> bytes:
    """The mean of each block of 2 x 2 pixels, row by row, halves rounded up."""
    means: NDArray[np.float64] = luminance.reshape(105, 2, 80, 2).mean(axis=(1, 3))
    return np.floor(means + 0.5).astype(np.uint8).tobytes()


class LeastDepths:
    """The table d of Rollout IW(1): the least depth at which each atom was reached."""

    def __init__(self) -> None:
        self._least_depth: dict[Hashable, int] = {}

    def judge(self, atoms: Iterable[Hashable], depth: int) -> int:
        """IMPROVES: some atom was not reached by depth. TIES: else, some was at depth. WORSE: otherwise."""
        least_depths = [self._least_depth.get(atom, np.inf) for atom in atoms]
        if any(least > depth for least in least_depths):
            return IMPROVES
        return TIES if depth in least_depths else WORSE

    def improving(self, atoms: Iterable[Hashable], depth: int) -> list[Hashable]:
        """The atoms that were not reached by depth."""
        return [atom for atom in atoms if self._least_depth.get(atom, np.inf) > depth]

    def enter(self, atoms: Iterable[Hashable], depth: int) -> None:
        """No atom's least depth is more than depth afterwards."""
        self._least_depth |= dict.fromkeys(self.improving(atoms, depth), depth)

    def clear(self) -> None:
        """Forgets all depths."""
        self._least_depth.clear()


class NoveltyTable(LeastDepths):
    """The table of B-PROST, with the atoms of B-PROS or without."""

    def __init__(self, in_space: bool = True) -> None:
        super().__init__()
        self._in_space = in_space

    def compare(self, tiles: bytes, previous: bytes, depth: int) -> int:
        """The verdict on a screen and the one before it."""
        return self.judge(atoms(tiles, previous, self._in_space).tolist(), depth)

    def update(self, tiles: bytes, previous: bytes, depth: int) -> int:
        """The same answer as compare; then no atom's least depth is more than depth."""
        verdict = self.compare(tiles, previous, depth)
        self.enter(atoms(tiles, previous, self._in_space).tolist(), depth)
        return verdict

    def explain(self, tiles: bytes, previous: bytes, depth: int) -> NDArray[np.uint32]:
        """The numbers of the atoms that were not reached by depth, sorted."""
        return np.array(self.improving(atoms(tiles, previous, self._in_space).tolist(), depth), np.uint32)


class VariableTable(LeastDepths):
    """The table of variables: an atom is a conjunction of up to `width` of them with their values."""

    def __init__(self, variables: int, values: int, width: int) -> None:  # noqa: ARG002
        super().__init__()
        self._sizes = range(1, width + 1)

    def compare(self, state: bytes, depth: int) -> int:
        """The verdict on a state, which has one byte per variable."""
        return self.judge(self._conjunctions(state), depth)

    def update(self, state: bytes, depth: int) -> int:
        """The same answer as compare; then no conjunction's least depth is more than depth."""
        verdict = self.compare(state, depth)
        self.enter(self._conjunctions(state), depth)
        return verdict

    def _conjunctions(self, state: bytes) -> list[Hashable]:
        return [chosen for size in self._sizes for chosen in combinations(enumerate(state), size)]
