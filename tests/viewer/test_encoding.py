from __future__ import annotations

import struct
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelplan.features.background import SCREEN_SHAPE
from pixelplan.viewer.encoding import (
    LONGEST_RUN,
    ROW,
    background_message,
    clip_message,
    decode_screen,
    encode_screen,
    frame_message,
    growth_message,
    screen_message,
    tree_message,
)

PIXELS = SCREEN_SHAPE[0] * SCREEN_SHAPE[1]


@st.composite
def screens(draw: st.DrawFn) -> npt.NDArray[np.uint8]:
    """Screens with runs of all lengths."""
    pixels = np.zeros(PIXELS, np.uint8)
    bounds = draw(st.lists(st.integers(0, PIXELS), max_size=20))
    for start in bounds:
        length = draw(st.sampled_from([1, 2, 255, 256, 257, 511, 512, 513, 5_000]))
        pixels[start : start + length] = 2 * draw(st.integers(0, 127))
    return pixels.reshape(SCREEN_SHAPE)


def runs(encoded: bytes) -> list[tuple[int, int]]:
    return [(encoded[index], encoded[index + 1] + 1) for index in range(0, len(encoded), 2)]


@given(screens())
def test_a_screen_comes_back_from_its_runs(screen: npt.NDArray[np.uint8]) -> None:
    encoded = encode_screen(screen)
    assert np.array_equal(decode_screen(encoded), screen)
    assert sum(length for _, length in runs(encoded)) == PIXELS


@given(screens())
def test_runs_are_as_long_as_they_may_be(screen: npt.NDArray[np.uint8]) -> None:
    encoded = runs(encode_screen(screen))
    for (colour, length), (following, _) in pairwise(encoded):
        assert colour != following or length == LONGEST_RUN


def test_a_screen_without_two_equal_neighbours_comes_back() -> None:
    screen = np.arange(PIXELS, dtype=np.uint8).reshape(SCREEN_SHAPE)
    assert len(encode_screen(screen)) == 2 * PIXELS
    assert np.array_equal(decode_screen(encode_screen(screen)), screen)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (frame_message(7, b"ab"), b"\1\0\0\0\7\0\0\0ab"),
        (screen_message(258, b"ab"), b"\4\0\0\0\2\1\0\0ab"),
        (clip_message(9, 15, [b"ab", b"cdef"]), b"\5\0\0\0\x09\0\0\0\x0f\0\0\0\2\0\0\0ab\4\0\0\0cdef"),
    ],
)
def test_messages_begin_with_kind_and_number(message: bytes, expected: bytes) -> None:
    assert message == expected


def test_rows_have_28_bytes() -> None:
    rows = np.array([(5, 3, -0.5, np.inf, 1e-6, 17, 4, 6, 0)], ROW)
    packed = struct.pack("<IIffdBBBB", 5, 3, -0.5, np.inf, 1e-6, 17, 4, 6, 0)
    body = b"\0\0\0\2\0\0\0" + struct.pack("<I", 1) + packed
    assert tree_message(2, rows, (17, 5)) == b"\2" + body + b"\x11\5"
    assert growth_message(2, rows, ()) == b"\3" + body


def test_a_background_is_ones_and_zeros() -> None:
    mask = np.zeros(SCREEN_SHAPE, np.bool_)
    mask[1, :10] = True
    message = background_message(3, mask)
    assert message[:8] == b"\6\0\0\0\3\0\0\0"
    assert runs(message[8:])[:3] == [(0, 160), (1, 10), (0, 256)]
