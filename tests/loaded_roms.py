"""Emulators that are loaded once and used by one test after another.

To load a ROM takes ale-py 65 ms, most of it for colours that nobody looks at, and the tests do it two
thousand times.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import TYPE_CHECKING

from pixelplan.simulators import ale

if TYPE_CHECKING:
    import ale_py

IDLE = 3
"""References to an emulator that nobody uses: the shelf's, the loop's and that of getrefcount itself."""


class Shelf:
    """Hands out emulators that nobody uses any more, in the state in which they were loaded."""

    def __init__(self) -> None:
        self._load = ale.load_rom
        self._shelf: dict[tuple[str, int, float, int], list[ale_py.ALEInterface]] = defaultdict(list)
        self._states: dict[tuple[str, int, float, int], ale_py.ALEState] = {}

    def load_rom(self, game: str, *, frameskip: int, sticky: float, seed: int) -> ale_py.ALEInterface:
        """Do what simulators.ale.load_rom does."""
        kind = (game, frameskip, sticky, seed)
        for emulator in self._shelf[kind]:
            if sys.getrefcount(emulator) == IDLE:
                emulator.restoreSystemState(self._states[kind])
                return emulator
        emulator = self._load(game, frameskip=frameskip, sticky=sticky, seed=seed)
        self._shelf[kind].append(emulator)
        self._states[kind] = emulator.cloneSystemState()
        return emulator
