"""The emulators of ale-py: of the played game, of simulators, and a bare one. No other module uses ale-py."""

from __future__ import annotations

import time
from itertools import cycle, islice
from random import Random
from typing import TYPE_CHECKING

import ale_py
import numpy as np
from ale_py import roms

from pixelplan.errors import InputError
from pixelplan.features.background import SCREEN_SHAPE
from pixelplan.features.variables import RAM_BYTES
from pixelplan.planning.limits import check
from pixelplan.simulators.advice import check_game
from pixelplan.simulators.emulator import Outcome, Work
from pixelplan.simulators.games import ActionSet, find_game
from pixelplan.simulators.saved_state import without_generator

if TYPE_CHECKING:
    import numpy.typing as npt

    from pixelplan.features.observation import Observe
    from pixelplan.planning.simulator import Action


ACTION_NAMES = tuple(ale_py.Action(number).name for number in range(18))

ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)


def rom_names() -> list[str]:
    """Return the ROM names of all games that ale-py has."""
    return sorted(roms.get_all_rom_ids())


def load_rom(game: str, *, frameskip: int, sticky: float, seed: int) -> ale_py.ALEInterface:
    """Return an emulator with the ROM of a game, which must be reset before it can act."""
    emulator = ale_py.ALEInterface()
    # ALE takes its seed from the clock if it is 0.
    emulator.setInt("random_seed", 1 + seed % (2**31 - 1))
    emulator.setFloat("repeat_action_probability", sticky)
    emulator.setInt("frame_skip", frameskip)
    rom = roms.get_rom_path(game)
    assert rom is not None, "find_game has found it"
    emulator.loadROM(rom)
    return emulator


class AtariGame:
    """A game as it is played: forwards only, one frame at a time."""

    def __init__(self, game: str, *, sticky: float = 0.0, seed: int = 0) -> None:
        check_game(game)
        check("sticky", sticky, float)
        check("seed", seed, int)
        self.name = find_game(game, rom_names())
        self.seed = seed
        self._emulator = load_rom(self.name, frameskip=1, sticky=sticky, seed=seed)
        height, width = self._emulator.getScreenDims()
        if (height, width) != SCREEN_SHAPE:
            raise InputError(f"{self.name} has a screen of {height} lines; the screen features need 210")
        self._emulator.reset_game()

    def act(self, action: Action) -> int:
        """Play one frame and return its reward."""
        return self._emulator.act(action)

    def is_over(self) -> bool:
        """Say whether the game has ended."""
        return self._emulator.game_over()

    def lives(self) -> int:
        """Return the number of lives left; always 0 in games without lives."""
        return self._emulator.lives()

    def clone(self) -> bytes:
        """Return the emulator's state, serialised, without its random generators."""
        return without_generator(self._emulator.cloneState().serialize())

    def screen(self) -> npt.NDArray[np.uint8]:
        """Return the screen as palette indices."""
        return self._emulator.getScreen()

    def rgb(self) -> npt.NDArray[np.uint8]:
        """Return the screen in colour, (210, 160, 3)."""
        return self._emulator.getScreenRGB()

    def grayscale(self) -> npt.NDArray[np.uint8]:
        """Return the screen in shades of grey, (210, 160)."""
        return self._emulator.getScreenGrayscale()

    def ram(self) -> npt.NDArray[np.uint8]:
        """Return the 128 bytes of the console's memory."""
        return self._emulator.getRAM()

    def action_set(self, kind: ActionSet) -> tuple[Action, ...]:
        """Return all 18 actions, or those that this game uses."""
        check("actions", kind, ActionSet)
        legal = self._emulator.getLegalActionSet()
        minimal = self._emulator.getMinimalActionSet()
        return tuple(action.value for action in (legal if kind == "full" else minimal))


class AleEmulator:
    """An emulator that can be put into any state, and acts for `frameskip` frames at a time."""

    def __init__(self, game: str, *, frameskip: int, seed: int) -> None:
        self.work = Work(0.0, 0.0)
        self._emulator = load_rom(game, frameskip=frameskip, sticky=0.0, seed=seed)
        self._emulator.reset_game()
        self._screen = np.empty(SCREEN_SHAPE, np.uint8)
        self._ram = np.empty(RAM_BYTES, np.uint8)

    def restore(self, state: bytes) -> None:
        """Go to a state."""
        self._emulator.restoreState(ale_py.ALEState(state))

    def screen(self) -> npt.NDArray[np.uint8]:
        """Return the screen as palette indices: that of the last action, also after a restore."""
        self._emulator.getScreen(self._screen)
        return self._screen

    def ram(self) -> npt.NDArray[np.uint8]:
        """Return the 128 bytes of the console's memory."""
        self._emulator.getRAM(self._ram)
        return self._ram

    def act(self, action: Action, observe: Observe) -> Outcome:
        """Apply an action, and observe where it has led."""
        emulator = self._emulator
        started = time.perf_counter()
        reward = emulator.act(action)
        acted = time.perf_counter()
        # The screen must be read now: a restore does not bring it back.
        observation = observe(self)
        act_seconds, kernel_seconds = self.work
        self.work = Work(act_seconds + acted - started, kernel_seconds + time.perf_counter() - acted)
        state = emulator.cloneState().serialize()
        return Outcome(state, observation, reward, emulator.game_over(), emulator.lives())


class BareEmulator:
    """An emulator that acts at random and does nothing else: the speed that no planner can exceed."""

    def __init__(self, game: str, *, frameskip: int, seed: int = 0) -> None:
        self._emulator = load_rom(game, frameskip=frameskip, sticky=0.0, seed=seed)
        self._emulator.reset_game()
        self._start = self._emulator.cloneState()
        legal = [action.value for action in self._emulator.getLegalActionSet()]
        self._actions = cycle(Random(f"bare {seed}").choices(legal, k=1_000))

    def run(self, calls: int) -> None:
        """Act some times, from wherever the game is."""
        emulator = self._emulator
        for action in islice(self._actions, calls):
            if emulator.game_over():
                # A reset would emulate many frames that are not counted.
                emulator.restoreState(self._start)
            emulator.act(action)
