"""The luminance of blocks of pixels, against its twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelplan.features import _kernel, reference

SHAPE = (210, 160)
LUMINANCE = np.frombuffer(
    b"".join(_kernel.extract_luminance(np.full(SHAPE, 2 * colour, np.uint8))[:1] for colour in range(128)),
    np.uint8,
)
"""Of each colour. tests/simulators/test_luminance.py compares them with the emulator's."""


@given(seed=st.integers(0, 2**32 - 1), colours=st.sampled_from([2, 10, 256]))
def test_blocks_equal_the_twins(seed: int, colours: int) -> None:
    screen = np.random.default_rng(seed).integers(0, colours, SHAPE, np.uint8)
    assert _kernel.extract_luminance(screen) == reference.mean_blocks(LUMINANCE[screen >> 1])


@pytest.mark.parametrize(("bright", "mean"), [(0, 0), (1, 59), (2, 118), (3, 177), (4, 236)])
def test_a_block_is_the_mean_of_its_pixels(bright: int, mean: int) -> None:
    """Black has luminance 0 and white 236; the block lies in row 2, column 3."""
    screen = np.zeros(SHAPE, np.uint8)
    screen[4:6, 6:8].flat[:bright] = 14
    blocks = np.frombuffer(_kernel.extract_luminance(screen), np.uint8).reshape(105, 80)
    assert blocks[2, 3] == mean
    assert np.count_nonzero(blocks) == (bright > 0)


@pytest.mark.parametrize(("colours", "mean"), [((0, 0, 1, 0), 19), ((1, 1, 0, 0), 37), ((9, 0, 0, 0), 24)])
def test_halves_are_rounded_up(colours: tuple[int, ...], mean: int) -> None:
    """Luminances 74 and 95: 18.5 becomes 19, 37 stays, 23.75 becomes 24."""
    screen = np.zeros(SHAPE, np.uint8)
    screen[:2, :2] = 2 * np.array(colours, np.uint8).reshape(2, 2)
    assert _kernel.extract_luminance(screen)[0] == mean
