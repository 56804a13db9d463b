"""Blobs, their atoms and their novelty table: the kernel against its NumPy twin and hand-made examples."""

from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pixelplan.features import _kernel, reference
from pixelplan.features.reference import IMPROVES, NO_BACKGROUND, TIES, WORSE

Pixels = NDArray[np.uint8]
Blob = tuple[int, int, int]
"""Colour, column and row."""

SHAPE = (210, 160)
NOWHERE = np.full(SHAPE, NO_BACKGROUND, np.uint8)
MAX_DEPTH = 32_766

both = pytest.mark.parametrize("implementation", [_kernel, reference], ids=["kernel", "twin"])


def encode(blobs: list[Blob]) -> bytes:
    return np.array(sorted(set(blobs)), np.uint8).tobytes()


def decode(blobs: bytes) -> list[Blob]:
    return [
        (colour, column, row)
        for colour, column, row in np.frombuffer(blobs, np.uint8).reshape(-1, 3).tolist()
    ]


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Pixels, Pixels]:
    """Specks and rectangles of a few colours, in places background, with lines that are alike."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    colours = draw(st.integers(1, 4))
    screen = np.zeros(SHAPE, np.uint8)
    background = np.zeros(SHAPE, np.uint8)
    # About one pixel in 169, so that chains of specks are neither all linked nor never.
    specks = random.random(SHAPE) < draw(st.sampled_from([0, 0.001, 0.006, 0.02, 0.3]))
    screen[specks] = 2 * random.integers(1, colours + 1, np.count_nonzero(specks))
    for _ in range(draw(st.integers(0, 15))):
        top, left, height, width = random.integers(0, [210, 160, 30, 40])
        screen[top : top + height, left : left + width] = 2 * random.integers(0, colours + 1)
    alike = random.random(210) < draw(st.sampled_from([0, 0.5]))
    screen[1:][alike[1:]] = screen[:-1][alike[1:]]
    hidden = random.random(SHAPE) < draw(st.sampled_from([0, 0.5]))
    background[hidden] = screen[hidden] >> 1
    background[random.random(SHAPE) < 0.1] = NO_BACKGROUND
    return screen, background


@settings(max_examples=60, deadline=None)
@given(scene=scenes())
def test_blobs_equal_the_twins(scene: tuple[Pixels, Pixels]) -> None:
    screen, background = scene
    departed, twins_departed = np.zeros((2, *SHAPE), np.uint8)
    blobs = _kernel.extract_blobs(screen, background, departed)
    assert decode(blobs) == decode(reference.extract_blobs(screen, background, twins_departed))
    np.testing.assert_array_equal(departed, twins_departed)


@pytest.mark.slow
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), colours=st.sampled_from([2, 8, 30, 128]))
def test_blobs_of_noise_equal_the_twins(seed: int, colours: int) -> None:
    """No background, many segments on each line."""
    screen = 2 * np.random.default_rng(seed).integers(0, colours, SHAPE, np.uint8)
    expected = reference.extract_blobs(screen, NOWHERE, np.zeros(SHAPE, np.uint8))
    assert decode(_kernel.extract_blobs(screen, NOWHERE, np.zeros(SHAPE, np.uint8))) == decode(expected)


# Pixels (y, x) of colour 5 on background, and their blobs as tiles (column, row) of 4 x 7 pixels.
HAND_MADE = [
    ([], []),
    ([(0, 0)], [(0, 0)]),
    ([(209, 159)], [(39, 29)]),
    # At most 6 rows and columns apart: one blob, whose centre is (3, 3).
    ([(0, 0), (6, 6)], [(0, 0)]),
    ([(6, 0), (0, 6)], [(0, 0)]),
    ([(0, 0), (7, 0)], [(0, 0), (0, 1)]),
    ([(0, 0), (0, 7)], [(0, 0), (1, 0)]),
    ([(6, 0), (0, 7)], [(0, 0), (1, 0)]),
    # A chain; its bounding box is 0..13 and 0..12, and the centre (6, 6).
    ([(0, 0), (6, 6), (12, 12), (13, 12)], [(1, 0)]),
    # Two arms that meet at the bottom only.
    ([(y, x) for x in (50, 70) for y in range(60, 80)] + [(80, x) for x in range(50, 71)], [(15, 10)]),
    # A frame and what is in it, with the same centre: two blobs of one colour in one tile are one.
    (
        [(y, x) for y in range(100, 141) for x in range(100, 141) if {y, x} & {100, 140}] + [(120, 120)],
        [(30, 17)],
    ),
]


@both
@pytest.mark.parametrize(("pixels", "tiles"), HAND_MADE)
def test_blobs_worked_out_by_hand(
    implementation: ModuleType, pixels: list[tuple[int, int]], tiles: list[tuple[int, int]]
) -> None:
    screen, background, departed = (
        np.full(SHAPE, 2, np.uint8),
        np.ones(SHAPE, np.uint8),
        np.zeros(SHAPE, np.uint8),
    )
    for place in pixels:
        screen[place] = 11
    blobs = implementation.extract_blobs(screen, background, departed)
    assert decode(blobs) == sorted((5, column, row) for column, row in tiles)
    assert sorted(map(tuple, np.argwhere(departed).tolist())) == sorted(set(pixels))


@both
def test_colours_and_what_is_no_background_are_apart(implementation: ModuleType) -> None:
    """Pixels of two colours are never linked; without a background the whole screen is a blob too."""
    screen = np.zeros(SHAPE, np.uint8)
    screen[50, 80], screen[50, 81] = 2, 4
    blobs = implementation.extract_blobs(screen, NOWHERE, np.zeros(SHAPE, np.uint8))
    assert decode(blobs) == [(0, 19, 14), (1, 20, 7), (2, 20, 7)]


one_blob = st.tuples(st.sampled_from([0, 1, 64, 127]), st.integers(0, 39), st.integers(0, 29))
blob_sets = st.lists(one_blob, max_size=40).map(encode)


@given(blobs=blob_sets, previous=blob_sets)
def test_atoms_equal_the_twins(blobs: bytes, previous: bytes) -> None:
    expected = reference.blob_atoms(blobs, previous)
    np.testing.assert_array_equal(_kernel.blob_atoms(blobs, previous), expected)


@both
@pytest.mark.parametrize(
    ("blobs", "before", "expected"),
    [
        # Basic: (30 column + row) 128 + colour.
        ([(0, 0, 0)], [], 0),
        ([(127, 39, 29)], [], 153_599),
        # Two colours, from 153,600: 79 x 59 offsets of 8,128 pairs.
        ([(0, 0, 0), (1, 39, 29)], [], 153_600),
        ([(126, 39, 29), (127, 0, 0)], [], 38_038_207),
        # One colour: 2,330 offsets, then none.
        ([(0, 1, 0), (0, 0, 29)], [], 38_038_208),
        ([(127, 4, 29), (127, 4, 0)], [], 38_336_447),
        ([(0, 8, 8)], [], 38_336_448),
        ([(127, 8, 8)], [], 38_336_575),
        ([(0, 0, 0)], [(0, 39, 29)], 38_336_576),
        ([(127, 39, 29)], [(127, 0, 0)], 114_702_399),
    ],
)
def test_first_and_last_atoms(
    implementation: ModuleType, blobs: list[Blob], before: list[Blob], expected: int
) -> None:
    """The ends of the number ranges, of which there are 114,702,400 in all."""
    assert expected in implementation.blob_atoms(encode(blobs), encode(before))
    assert _kernel.BLOB_ATOMS == 114_702_400


steps = st.tuples(
    st.sampled_from(["compare", "update", "update", "clear"]),
    st.integers(0, 4),
    st.integers(0, 4),
    st.integers(0, 4) | st.sampled_from([MAX_DEPTH - 1, MAX_DEPTH]),
)


@settings(max_examples=200)
@given(
    known=st.lists(st.lists(one_blob, max_size=6).map(encode), min_size=5, max_size=5),
    history=st.lists(steps),
)
def test_verdicts_and_explanations_equal_the_twins(
    known: list[bytes], history: list[tuple[str, int, int, int]]
) -> None:
    """At every step of a history over a few screens."""
    table, twin = _kernel.BlobTable(), reference.BlobTable()
    for method, screen, before, depth in history:
        meeting = known[screen], known[before], depth
        if method == "clear":
            table.clear()
            twin.clear()
            assert len(table) == 0
        else:
            np.testing.assert_array_equal(table.explain(*meeting), twin.explain(*meeting))
            assert getattr(table, method)(*meeting) == getattr(twin, method)(*meeting)


def test_a_table_grows() -> None:
    """A hundred blobs after as many others: over ten thousand atoms, each kept once."""
    rng = np.random.default_rng(1)
    first, second = (
        encode([(int(k), int(c), int(r)) for k, c, r in rng.integers(0, [20, 40, 30], (100, 3))])
        for _ in range(2)
    )
    table = _kernel.BlobTable()
    assert table.update(first, second, 3) == IMPROVES
    assert len(table) == _kernel.blob_atoms(first, second).size > 10_000
    assert [table.compare(first, second, depth) for depth in (2, 3, 4)] == [IMPROVES, TIES, WORSE]
    table.clear()
    assert len(table) == 0
    assert table.compare(first, b"", MAX_DEPTH) == IMPROVES


# What the kernel refuses


@pytest.mark.parametrize("name", ["screen", "background", "departed"])
def test_wrong_pixels_are_refused(name: str) -> None:
    arguments = {key: np.zeros(SHAPE, np.uint8) for key in ("screen", "background", "departed")}
    with pytest.raises(ValueError, match=f"^{name} must be"):
        _kernel.extract_blobs(**(arguments | {name: np.zeros((214, 160), np.uint8)}))


def test_a_screen_of_noise_has_no_more_blobs_than_can_be_judged() -> None:
    """A bound, because the pairs of all 17,000 could not be enumerated."""
    noise = np.random.default_rng(0).integers(0, 256, SHAPE, np.uint8)
    blobs = _kernel.extract_blobs(noise, NOWHERE, np.zeros(SHAPE, np.uint8))
    assert len(blobs) == 3 * _kernel.MAX_BLOBS
    table = _kernel.BlobTable()
    assert table.update(blobs, blobs, 1) == 0
    assert table.update(blobs, blobs, 1) == 1
    more = encode([*decode(blobs), (127, 39, 29)])
    with pytest.raises(ValueError, match="blobs is not what extract_blobs returns"):
        table.update(more, b"", 1)


@pytest.mark.parametrize("name", ["blobs", "previous"])
@pytest.mark.parametrize(
    "wrong",
    [b"12", bytes(4), bytes(6), b"\1\0\0\0\0\0", b"\x80\0\0", b"\0\x28\0", b"\0\0\x1e"],
    ids=["two bytes", "four bytes", "twice", "not sorted", "no such colour", "no such column", "no such row"],
)
def test_wrong_blobs_are_refused(name: str, wrong: bytes) -> None:
    """Bytes that extract_blobs cannot have returned; a refused screen leaves the table empty."""
    arguments = {"blobs": b"", "previous": b"", name: wrong}
    with pytest.raises(ValueError, match=f"^{name} is not"):
        _kernel.blob_atoms(**arguments)
    table = _kernel.BlobTable()
    for judge in (table.compare, table.update, table.explain):
        with pytest.raises(ValueError, match=f"^{name} is not"):
            judge(**arguments, depth=0)
        with pytest.raises(ValueError, match=r"^depth must lie in 0\.\.32766"):
            judge(b"", b"", -1)
    assert len(table) == 0
