"""Tiles and atoms: the kernel against its NumPy twin, and both against numbers worked out by hand."""

from collections.abc import Iterable, Sequence
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pixelplan.features import _kernel, reference
from pixelplan.features.reference import NO_BACKGROUND, Feature, basic_features, encode_tiles

Pixels = NDArray[np.uint8]

SHAPE = (210, 160)
ALL_TILES = [(column, row) for column in range(16) for row in range(14)]
NOWHERE = np.full(SHAPE, NO_BACKGROUND, np.uint8)

both = pytest.mark.parametrize("implementation", [_kernel, reference], ids=["kernel", "twin"])


@st.composite
def pictures(draw: st.DrawFn, values: Sequence[int]) -> Pixels:
    """Noise of one, few or many of the values, with rectangles of a few of them painted over it."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    palette = random.permutation(values)[: draw(st.sampled_from([1, 2, 4, 30, 256]))]
    picture = random.choice(palette, SHAPE).astype(np.uint8)
    brushes = st.sampled_from(palette[:4].tolist())
    x, y, size = st.integers(0, 159), st.integers(0, 209), st.integers(1, 60)
    for left, top, width, height, value in draw(st.lists(st.tuples(x, y, size, size, brushes), max_size=12)):
        picture[top : top + height, left : left + width] = value
    picture.setflags(write=False)
    return picture


@st.composite
def screens_and_backgrounds(draw: st.DrawFn) -> tuple[Pixels, Pixels]:
    """A screen, and a background that has its colours here, another screen's there and none elsewhere."""
    screen, other = draw(pictures(range(256))), draw(pictures(range(256)))
    background = np.choose(draw(pictures(range(3))), [screen >> 1, other >> 1, NOWHERE])
    background.setflags(write=False)
    return screen, background


def tile_sets(max_features: int) -> st.SearchStrategy[bytes]:
    """Tile bits of some basic features, many of them of a few colours."""
    colours = st.sampled_from([0, 1, 64, 126, 127]) | st.integers(0, 127)
    features = st.tuples(st.integers(0, 15), st.integers(0, 13), colours)
    return st.lists(features, max_size=max_features).map(encode_tiles)


def everywhere(colours: Iterable[int]) -> bytes:
    """Tile bits of a screen that shows these colours in all tiles."""
    return encode_tiles([(column, row, colour) for colour in colours for column, row in ALL_TILES])


@given(scenes=st.lists(screens_and_backgrounds(), min_size=2, max_size=2), noted=pictures(range(2)))
def test_tiles_equal_the_twins(scenes: list[tuple[Pixels, Pixels]], noted: Pixels) -> None:
    """Two screens in turn: the tile bits and the growing notes are the twin's."""
    departed, twins_departed = noted.copy(), noted.copy()
    for screen, background in scenes:
        tiles = _kernel.extract_tiles(screen, background, departed)
        assert tiles == reference.extract_tiles(screen, background, twins_departed)
        np.testing.assert_array_equal(departed, twins_departed)
    assert (departed >= noted).all()


@given(scene=screens_and_backgrounds())
def test_departed_keeps_its_notes(scene: tuple[Pixels, Pixels]) -> None:
    """A pixel that left its background stays noted when it shows it again."""
    screen, background = scene
    departed = np.zeros(SHAPE, np.uint8)
    _kernel.extract_tiles(screen, background, departed)
    has_left = (background != NO_BACKGROUND) & (background != screen >> 1)
    np.testing.assert_array_equal(departed, has_left)
    _kernel.extract_tiles(background << np.uint8(1), background, departed)
    np.testing.assert_array_equal(departed, has_left)


@both
@pytest.mark.parametrize("palette_index", [10, 11])
def test_tiles_of_one_pixel(implementation: ModuleType, palette_index: int) -> None:
    """One pixel of colour 5, at the right edge of column 3 and the upper edge of row 2, on colour 0."""
    screen = np.zeros(SHAPE, np.uint8)
    screen[30, 39] = palette_index
    rows = [0, 0, 0b1000, *[0] * 11]
    expected = np.array([[0, *[0xFFFF] * 14], [5, *rows]], "<u2").tobytes()
    assert implementation.extract_tiles(screen, NOWHERE, np.zeros_like(screen)) == expected


@both
def test_background_counts_as_colour_0(implementation: ModuleType) -> None:
    """Only tile (0, 0) has a background, colour 7; one of its pixels shows colour 8."""
    screen, background, departed = np.full(SHAPE, 14, np.uint8), NOWHERE.copy(), np.zeros(SHAPE, np.uint8)
    screen[14, 9] = 16
    background[:15, :10] = 7
    features = basic_features(implementation.extract_tiles(screen, background, departed))
    elsewhere = [(column, row, 7) for column, row in ALL_TILES[1:]]
    assert sorted(features) == sorted([(0, 0, 0), (0, 0, 8), *elsewhere])
    assert np.argwhere(departed).tolist() == [[14, 9]]


@given(tiles=tile_sets(150), previous=st.just(b"") | tile_sets(100), in_space=st.booleans())
def test_atoms_equal_the_twins(tiles: bytes, previous: bytes, in_space: bool) -> None:
    """Few tiles of up to 128 colours, with and without a screen before, with and without B-PROS."""
    expected = reference.atoms(tiles, previous, in_space)
    np.testing.assert_array_equal(_kernel.atoms(tiles, previous, in_space), expected)


@settings(max_examples=15)
@given(screens=st.lists(pictures(range(8)), min_size=2, max_size=2))
def test_atoms_of_whole_screens_equal_the_twins(screens: list[Pixels]) -> None:
    """Four colours in up to all tiles."""
    departed = np.zeros(SHAPE, np.uint8)
    tiles, previous = (_kernel.extract_tiles(screen, NOWHERE, departed) for screen in screens)
    np.testing.assert_array_equal(_kernel.atoms(tiles, previous), reference.atoms(tiles, previous))


# Basic features (column, row, colour) now and before, and their atoms. The offset (dc, dr) has number
# (15 + dc) 27 + 13 + dr: 467 for (2, -5), 418 for (0, 0). Colours 5 and 9 are pair 5 * 127 - 15 + 8 = 628.
# Pairs of a feature with itself start at 28,672 + 6,803,136 + 53,504 = 6,885,312.
HAND_MADE: list[tuple[list[Feature], list[Feature], list[int]]] = [
    ([], [(3, 2, 5)], []),
    ([(3, 2, 5)], [], [5_637, 6_885_317]),
    # Two colours: 28,672 + 467 * 8,128 + 628 in two tiles, 28,672 + 418 * 8,128 + 628 in one.
    ([(3, 2, 5), (1, 7, 9)], [], [2_697, 5_637, 3_825_076, 6_885_317, 6_885_321]),
    ([(3, 2, 5), (3, 2, 9)], [], [5_637, 5_641, 3_426_804, 6_885_317, 6_885_321]),
    # One colour: 6,831,808 + (1 * 27 + 8) 128 + 5 for (2, -5), 6,831,808 + 51,840 + 6 * 128 + 5 for (0, 7).
    ([(1, 7, 5), (3, 2, 5)], [], [2_693, 5_637, 6_836_293, 6_885_317]),
    ([(3, 2, 5), (3, 9, 5)], [], [5_637, 6_533, 6_884_421, 6_885_317]),
    # The screen before: 6,885,440 + 467 * 16,384 + 5 * 128 + 9, and 6,885,440 + 369 * 16,384 + 9 * 128 + 5.
    ([(3, 2, 5)], [(1, 7, 9)], [5_637, 6_885_317, 14_537_417]),
    ([(1, 7, 9)], [(3, 2, 5)], [2_697, 6_885_321, 12_932_293]),
]


@both
@pytest.mark.parametrize(("features", "before", "expected"), HAND_MADE)
def test_atoms_worked_out_by_hand(
    implementation: ModuleType, features: list[Feature], before: list[Feature], expected: list[int]
) -> None:
    """One or two tiles: all their atoms."""
    assert implementation.atoms(encode_tiles(features), encode_tiles(before)).tolist() == expected


@both
@pytest.mark.parametrize(
    ("features", "before", "expected"),
    [
        ([(0, 0, 0)], [], 0),
        ([(15, 13, 127)], [], 28_671),
        ([(0, 0, 0), (15, 13, 1)], [], 28_672),
        ([(15, 13, 126), (0, 0, 127)], [], 6_831_807),
        ([(1, 0, 0), (0, 13, 0)], [], 6_831_808),
        ([(4, 13, 127), (4, 0, 127)], [], 6_885_311),
        ([(8, 8, 0)], [], 6_885_312),
        ([(8, 8, 127)], [], 6_885_439),
        ([(0, 0, 0)], [(15, 13, 0)], 6_885_440),
        ([(15, 13, 127)], [(0, 0, 127)], 20_598_847),
    ],
)
def test_first_and_last_atoms(
    implementation: ModuleType, features: list[Feature], before: list[Feature], expected: int
) -> None:
    """The ends of the number ranges: basic; two colours, one colour, one tile (B-PROS); B-PROT."""
    assert expected in implementation.atoms(encode_tiles(features), encode_tiles(before))


@pytest.mark.slow
def test_every_number_is_some_atoms() -> None:
    """20,598,848 numbers, none left out, so that no two atoms share one."""
    families = _kernel.BASIC_ATOMS, _kernel.SPACE_ATOMS, _kernel.TIME_ATOMS
    assert families == (28_672, 6_856_768, 13_713_408)
    is_used = np.zeros(20_598_848, bool)
    before = everywhere(range(128))
    for colour in range(128):
        is_used[_kernel.atoms(everywhere([colour]), before)] = True
    for low in range(0, 128, 16):
        for high in range(low, 128, 16):
            is_used[_kernel.atoms(everywhere([*range(low, low + 16), *range(high, high + 16)]), b"")] = True
    assert is_used.all()
