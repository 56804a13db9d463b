"""The form in which ale-py saves an emulator's state."""

from __future__ import annotations

import re

_LENGTH = slice(24, 28)
"""Place in a serialised state of the length of the console's part, which follows."""
_AFTER_CONSOLE = 8
"""Bytes that come after that part."""
_GENERATOR = re.compile(rb"(?:\d+ ){623,}\d+")
"""The console's random generator in a serialised state: numbers in decimal, most of the state's length."""


def without_generator(state: bytes) -> bytes:
    """Return a serialised state in which the console's random generator is all zeros.

    The console draws from it when it is switched on, never while a game runs. But its numbers are
    written at each clone and read at each restore, and zeros are much faster. An emulator that has been
    put into such a state makes such clones from then on.
    """
    found = _GENERATOR.search(state)
    length = int.from_bytes(state[_LENGTH], "little")
    if found is None or _LENGTH.stop + length + _AFTER_CONSOLE != len(state):
        return state
    zeros = b"0 " * found.group().count(b" ") + b"0"
    length += len(zeros) - len(found.group())
    text_length = found.start() - 4
    return b"".join(
        (
            state[: _LENGTH.start],
            length.to_bytes(4, "little"),
            state[_LENGTH.stop : text_length],
            len(zeros).to_bytes(4, "little"),
            zeros,
            state[found.end() :],
        )
    )
