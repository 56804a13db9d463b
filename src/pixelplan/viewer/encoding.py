"""The binary messages to the page, little endian; the page's script is their other end.

A message begins with its kind, as one byte, three zeros and a number of four bytes. Screens are
run-length encoded: pairs of bytes, a palette index and a run's length - 1, row by row.
"""

from __future__ import annotations

import enum
import struct
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pixelplan.features.background import SCREEN_SHAPE

if TYPE_CHECKING:
    from collections.abc import Sequence

    Screen = npt.NDArray[np.uint8]

LONGEST_RUN = 256

ROW = np.dtype(
    [
        ("id", "<u4"),
        ("parent", "<u4"),
        ("reward", "<f4"),
        ("assured", "<f4"),
        ("value", "<f8"),
        ("action", np.uint8),
        ("case", np.uint8),
        ("flags", np.uint8),
        ("unused", np.uint8),
    ]
)
"""A node of the tree, 28 bytes. The root's parent is NO_PARENT_ROW; if no action led to it, its is 255."""

Rows = npt.NDArray[Any]
"""An array of ROW."""

NO_PARENT_ROW = 0xFFFFFFFF
NOT_VISITED_ROW = 255
"""In place of a case: the node was not visited in this decision."""


class Flag(enum.IntFlag):
    """What else there is to say of a node."""

    SOLVED = 1
    LIFE_LOST = 2
    """By the action that leads here."""
    KEPT = 4
    """The node comes from an earlier decision."""
    REPEAT = 8
    """The last action had no effect, and is the only one to be tried here."""
    TWIN = 16
    """The node shows just what a sibling has shown, and does not count."""
    END = 32
    """Nothing follows: game over, no action, or a lost life where that ends a branch."""


class Kind(enum.IntEnum):
    """What a message is."""

    FRAME = 1
    TREE = 2
    GROWTH = 3
    SCREEN = 4
    CLIP = 5
    BACKGROUND = 6


def encode_screen(screen: Screen) -> bytes:
    """Return a screen as runs; those longer than 256 pixels are split."""
    pixels = screen.ravel()
    starts = np.concatenate(([0], 1 + np.flatnonzero(pixels[1:] != pixels[:-1])))
    lengths = np.diff(starts, append=pixels.size)
    pieces = -(-lengths // LONGEST_RUN)
    ends = np.cumsum(pieces)
    runs = np.full((ends[-1], 2), LONGEST_RUN - 1, np.uint8)
    runs[:, 0] = np.repeat(pixels[starts], pieces)
    runs[ends - 1, 1] = (lengths - 1) % LONGEST_RUN
    return runs.tobytes()


def decode_screen(encoded: bytes) -> Screen:
    """Return the screen that was encoded."""
    runs = np.frombuffer(encoded, np.uint8).reshape(-1, 2)
    return np.repeat(runs[:, 0], 1 + runs[:, 1].astype(np.intp)).reshape(SCREEN_SHAPE)


def frame_message(number: int, encoded: bytes) -> bytes:
    """Show a frame of the game."""
    return _head(Kind.FRAME, number) + encoded


def tree_message(decision: int, rows: Rows, branch: Sequence[int]) -> bytes:
    """Show the tree of a decision in place of another, with the actions of its best branch."""
    return _head(Kind.TREE, decision) + _number(len(rows)) + rows.tobytes() + bytes(branch)


def growth_message(decision: int, rows: Rows, branch: Sequence[int]) -> bytes:
    """Add nodes to the tree of a decision or change them, and tell the actions of its best branch."""
    return _head(Kind.GROWTH, decision) + _number(len(rows)) + rows.tobytes() + bytes(branch)


def screen_message(request: int, encoded: bytes) -> bytes:
    """Answer with the screen of a node."""
    return _head(Kind.SCREEN, request) + encoded


def clip_message(request: int, frames_per_action: int, encoded_frames: Sequence[bytes]) -> bytes:
    """Answer with all frames of a branch."""
    frames = [part for encoded in encoded_frames for part in (_number(len(encoded)), encoded)]
    return b"".join((_head(Kind.CLIP, request), _number(frames_per_action), *frames))


def background_message(request: int, mask: npt.NDArray[np.bool_]) -> bytes:
    """Answer with the pixels that are background."""
    return _head(Kind.BACKGROUND, request) + encode_screen(mask.astype(np.uint8))


def _head(kind: Kind, number: int) -> bytes:
    return struct.pack("<B3xI", kind, number)


def _number(number: int) -> bytes:
    return struct.pack("<I", number)
