"""
The two jobs that Python is too slow for: features of states and their novelty.
"""

from typing import Annotated

import numpy
from numpy.typing import NDArray


BASIC_ATOMS: int = 28672

SPACE_ATOMS: int = 6856768

TIME_ATOMS: int = 13713408

def extract_tiles(screen: NDArray[numpy.uint8], background: NDArray[numpy.uint8], departed: NDArray[numpy.uint8]) -> bytes:
    """
    Tile bits of a (210, 160) screen of palette indices, as bytes: for each colour on it, ascending, the colour and 14 rows of 16 tile bits, 15 little-endian 16-bit words in all. Pixels that show their background colour (255 = none) count as colour 0; those that differ from it are noted in departed.
    """

def atoms(tiles: bytes, previous: bytes, in_space: bool = True) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
    """
    The numbers of the B-PROST atoms true in a screen and the one before it (b'' = none), sorted; in_space: those of B-PROS too.
    """

BLOB_ATOMS: int = 114702400

MAX_BLOBS: int = 256

def extract_blobs(screen: NDArray[numpy.uint8], background: NDArray[numpy.uint8], departed: NDArray[numpy.uint8]) -> bytes:
    """
    Blobs of a (210, 160) screen of palette indices, as bytes: colour, column and row of the tile of each, in ascending order, MAX_BLOBS of them at most. Pixels that show their background colour (255 = none) belong to none; those that differ from it are noted in departed.
    """

def blob_atoms(blobs: bytes, previous: bytes) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
    """
    The numbers of the Blob-PROST atoms true in a screen and the one before it (b'' = none), sorted.
    """

class BlobTable:
    """
    Least depth at which each Blob-PROST atom was reached. Not to be shared by threads.
    """

    def __init__(self) -> None: ...

    def compare(self, blobs: bytes, previous: bytes, depth: int) -> int:
        """
        0: some atom improves on its least depth; 1: some atom ties; 2: all are worse.
        """

    def update(self, blobs: bytes, previous: bytes, depth: int) -> int:
        """
        The same answer as compare; then no atom's least depth is more than depth.
        """

    def explain(self, blobs: bytes, previous: bytes, depth: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """
        The numbers of the atoms that improve on their least depth, sorted. Slow.
        """

    def clear(self) -> None:
        """Forgets all depths."""

    def __len__(self) -> int:
        """How many atoms were reached."""

def extract_luminance(screen: NDArray[numpy.uint8]) -> bytes:
    """
    Mean luminance of each block of 2 x 2 pixels of a (210, 160) screen of palette indices, row by row, one byte each, rounded to the nearest whole number, halves up.
    """

class NoveltyTable:
    """
    Least depth at which each B-PROST atom was reached. Not to be shared by threads.
    """

    def __init__(self, in_space: bool = True) -> None:
        """in_space: whether B-PROS atoms, pairs of one screen, are judged."""

    def compare(self, tiles: bytes, previous: bytes, depth: int) -> int:
        """
        0: some atom improves on its least depth; 1: some atom ties; 2: all are worse.
        """

    def update(self, tiles: bytes, previous: bytes, depth: int) -> int:
        """
        The same answer as compare; then no atom's least depth is more than depth.
        """

    def explain(self, tiles: bytes, previous: bytes, depth: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """
        The numbers of the atoms that improve on their least depth, sorted. Slow.
        """

    def clear(self) -> None:
        """Forgets all depths."""

    @property
    def blocks(self) -> int:
        """How many colours and colour pairs hold memory."""

class TileCounts:
    """
    How often each colour was seen in each tile. Not to be shared by threads.
    """

    def __init__(self) -> None: ...

    def note(self, tiles: bytes) -> None:
        """Counts the colours in the tiles of a screen."""

    def rarity(self, tiles: bytes) -> float:
        """The sum of 1 / (1 + count) over the colours in the tiles of a screen."""

class VariableTable:
    """
    Least depth at which variables have had their values, and up to width variables theirs at once. A state has one byte per variable. Not to be shared by threads.
    """

    def __init__(self, variables: int, values: int, width: int) -> None: ...

    def compare(self, state: bytes, depth: int) -> int:
        """
        0: some conjunction improves on its least depth; 1: some ties; 2: all are worse.
        """

    def update(self, state: bytes, depth: int) -> int:
        """
        The same answer as compare; then no conjunction's least depth is more than depth.
        """

    def clear(self) -> None:
        """Forgets all depths."""

    def __len__(self) -> int:
        """How many conjunctions were reached, single values included."""
