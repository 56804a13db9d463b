"""The kernel's slow twin: features of screens and novelty tables in plain NumPy.

Written from the paper ("Planning with Pixels") and not from the C++: tests compare the two, so that
each catches the other's mistakes. Nothing else uses it.

A basic feature is (column, row, colour): a pixel of that colour, or a blob, lies in that tile. Arrays
of basic features have shape (n, 3).
"""

from collections.abc import Callable, Hashable, Iterable
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Feature = tuple[int, int, int]
Integers = NDArray[np.int64]

ROWS, COLUMNS = 14, 16
TILE_HEIGHT, TILE_WIDTH = 15, 10
NO_BACKGROUND = 255
MAX_BLOBS = 256
"""Of a screen: the least ones."""

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


class Grid(NamedTuple):
    """The numbers of atoms on screens with these numbers of columns and rows of tiles."""

    columns: int
    rows: int

    def offset_numbers(self, dc: Integers, dr: Integers) -> Integers:
        """Numbers of offsets between tiles, from 0: all rows of the leftmost column first."""
        return (self.columns - 1 + dc) * (2 * self.rows - 1) + self.rows - 1 + dr

    @property
    def offsets(self) -> int:
        """Number of offsets."""
        return (2 * self.columns - 1) * (2 * self.rows - 1)

    def basic_numbers(self, features: Integers) -> Integers:
        """Numbers of basic features, from 0."""
        column, row, colour = features[:, 0], features[:, 1], features[:, 2]
        return (self.rows * column + row) * 128 + colour

    def space_numbers(self, first: Integers, second: Integers) -> Integers:
        """B-PROS numbers, from 0, of pairs of features of one screen; the first has the lower colour."""
        two_colour_atoms = self.offsets * 8128
        dc, dr = first[:, 0] - second[:, 0], first[:, 1] - second[:, 1]
        k1, k2 = first[:, 2], second[:, 2]
        two_colours = self.offset_numbers(dc, dr) * 8128 + 127 * k1 - k1 * (k1 + 1) // 2 + k2 - 1
        # Both directions between two tiles of one colour are the same atom.
        sign = np.where((dc < 0) | ((dc == 0) & (dr < 0)), -1, 1)
        dc, dr = sign * dc, sign * dr
        offset_rows = 2 * self.rows - 1
        other_column = two_colour_atoms + ((dc - 1) * offset_rows + self.rows - 1 + dr) * 128 + k1
        same_column = two_colour_atoms + ((self.columns - 1) * offset_rows + dr - 1) * 128 + k1
        same_tile = two_colour_atoms + self.offsets // 2 * 128 + k1
        return np.select([k1 < k2, dc > 0, dr > 0], [two_colours, other_column, same_column], same_tile)

    def time_numbers(self, current: Integers, previous: Integers) -> Integers:
        """B-PROT numbers, from 0, of pairs of features of a screen and the one before it."""
        dc, dr = current[:, 0] - previous[:, 0], current[:, 1] - previous[:, 1]
        return self.offset_numbers(dc, dr) * 16384 + 128 * current[:, 2] + previous[:, 2]

    def atoms(self, current: list[Feature], previous: list[Feature], in_space: bool) -> NDArray[np.uint32]:
        """The numbers of all atoms of features that are sorted by colour, with B-PROS or without, sorted."""
        now = np.array(current, np.int64).reshape(-1, 3)
        before = np.array(previous, np.int64).reshape(-1, 3)
        first_space = self.columns * self.rows * 128
        first_time = first_space + self.offsets * 8128 + (self.offsets // 2 + 1) * 128
        time = self.time_numbers(np.repeat(now, len(before), axis=0), np.tile(before, (len(now), 1)))
        numbers = [self.basic_numbers(now), first_time + time]
        if in_space:
            first, second = np.triu_indices(len(now))
            numbers.append(first_space + self.space_numbers(now[first], now[second]))
        return np.unique(np.concatenate(numbers)).astype(np.uint32)


def atoms(tiles: bytes, previous: bytes, in_space: bool = True) -> NDArray[np.uint32]:
    """The numbers of all atoms true in a screen and the one before it (b"" = none), B-PROS or not, sorted."""
    return Grid(COLUMNS, ROWS).atoms(basic_features(tiles), basic_features(previous), in_space)


def extract_blobs(
    screen: NDArray[np.uint8], background: NDArray[np.uint8], departed: NDArray[np.uint8]
) -> bytes:
    """Blobs of a screen of palette indices; pixels that left their background are noted in departed.

    A blob is a colour and a tile, column and row; three bytes each, sorted. There are MAX_BLOBS at most.
    """
    colours = screen >> 1
    is_background = colours == background
    departed |= ~is_background & (background != NO_BACKGROUND)
    blobs: set[Feature] = set()
    is_left = ~is_background
    for y, x in np.argwhere(is_left).tolist():
        if is_left[y, x]:
            pixels = take_blob(y, x, colours, is_left)
            top, left = pixels.min(axis=0)
            bottom, right = pixels.max(axis=0)
            blobs.add((int(colours[y, x]), int(left + right) // 2 // 4, int(top + bottom) // 2 // 7))
    return np.array(sorted(blobs)[:MAX_BLOBS], np.uint8).tobytes()


def take_blob(y: int, x: int, colours: NDArray[np.integer[Any]], is_left: NDArray[np.bool_]) -> Integers:
    """The pixels that are linked to one, as rows (y, x); they are not left afterwards."""
    is_left[y, x] = False
    found = [(y, x)]
    for y0, x0 in found:
        top, left = max(y0 - 6, 0), max(x0 - 6, 0)
        window = np.s_[top : y0 + 7, left : x0 + 7]
        is_linked = is_left[window] & (colours[window] == colours[y, x])
        is_left[window] &= ~is_linked
        found += [(top + dy, left + dx) for dy, dx in np.argwhere(is_linked).tolist()]
    return np.array(found, np.int64)


def blob_atoms(blobs: bytes, previous: bytes) -> NDArray[np.uint32]:
    """The numbers of all Blob-PROST atoms true in a screen and the one before it (b"" = none), sorted."""
    return Grid(40, 30).atoms(blob_features(blobs), blob_features(previous), in_space=True)


def blob_features(blobs: bytes) -> list[Feature]:
    """Blobs as features (column, row, colour), by ascending colour."""
    return [
        (column, row, colour)
        for colour, column, row in np.frombuffer(blobs, np.uint8).reshape(-1, 3).tolist()
    ]


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


class ScreenTable(LeastDepths):
    """A table that judges a screen and the one before it by the atoms that a function lists."""

    def __init__(self, list_atoms: Callable[[bytes, bytes], NDArray[np.uint32]]) -> None:
        super().__init__()
        self._list_atoms = list_atoms

    def compare(self, screen: bytes, previous: bytes, depth: int) -> int:
        """The verdict on a screen and the one before it."""
        return self.judge(self._list_atoms(screen, previous).tolist(), depth)

    def update(self, screen: bytes, previous: bytes, depth: int) -> int:
        """The same answer as compare; then no atom's least depth is more than depth."""
        verdict = self.compare(screen, previous, depth)
        self.enter(self._list_atoms(screen, previous).tolist(), depth)
        return verdict

    def explain(self, screen: bytes, previous: bytes, depth: int) -> NDArray[np.uint32]:
        """The numbers of the atoms that were not reached by depth, sorted."""
        return np.array(self.improving(self._list_atoms(screen, previous).tolist(), depth), np.uint32)


class NoveltyTable(ScreenTable):
    """The table of B-PROST, with the atoms of B-PROS or without."""

    def __init__(self, in_space: bool = True) -> None:
        super().__init__(partial(atoms, in_space=in_space))


class BlobTable(ScreenTable):
    """The table of Blob-PROST."""

    def __init__(self) -> None:
        super().__init__(blob_atoms)


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
