"""Memory that a pool and its workers share: the background, and a slot for each call under way.

The memory is anonymous (memfd), so it has no name that could be left behind. It is freed when the last
process that has it ends, however that happens. The right to read or write a slot is settled by messages
that go through channels, never here.
"""

from __future__ import annotations

import mmap
import os
import struct
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pixelplan.errors import InputError
from pixelplan.features.background import SCREEN_SHAPE
from pixelplan.simulators.emulator import Outcome

if TYPE_CHECKING:
    import numpy.typing as npt

    from pixelplan.planning.simulator import Action

PIXELS = SCREEN_SHAPE[0] * SCREEN_SHAPE[1]
STATE_BYTES = 32_768
"""Room for an emulator's state: 2.3 kB in nearly all games, and about 8 kB with its random generator."""
OBSERVATION_BYTES = 65_536
"""Room for an observation. Most have some hundred bytes, luminances 8,400. Memory that was never written
takes no room."""
GO_ON = -1
"""In place of a state's length: the emulator stands there already."""
FAILED = -1
"""In place of a state's length: the observation is a text about a fault of the features."""

DECISION = struct.Struct("=q")
CALL = struct.Struct("=qii")
ANSWER = struct.Struct("=qiiiiddd")
STATE_AT = ANSWER.size
OBSERVATION_AT = STATE_AT + STATE_BYTES
SLOT_BYTES = OBSERVATION_AT + OBSERVATION_BYTES
BACKGROUND_AT = 4_096


class Call(NamedTuple):
    """An action to be simulated, from a state or, if that is None, from where the emulator stands."""

    decision: int
    action: Action
    state: bytes | None


Times = tuple[float, float, float]
"""Seconds of a call, and the parts of the emulator and of the kernel in them."""


class SharedMemory:
    """Memory for a number of seats, each of which has one worker at a time and some slots."""

    def __init__(self, descriptor: int, seats: int, lanes: int) -> None:
        departed_at = BACKGROUND_AT + PIXELS
        slots_at = departed_at + seats * PIXELS
        size = slots_at + seats * lanes * SLOT_BYTES
        if os.fstat(descriptor).st_size != size:
            os.ftruncate(descriptor, size)
        self.descriptor = descriptor
        self._memory = memoryview(mmap.mmap(descriptor, size))
        self.background = self._screen(BACKGROUND_AT)
        self.departed = [self._screen(departed_at + seat * PIXELS) for seat in range(seats)]
        self.slots = [
            [Slot(self._memory, slots_at + (seat * lanes + lane) * SLOT_BYTES) for lane in range(lanes)]
            for seat in range(seats)
        ]

    def close(self) -> None:
        """Let go of the memory, which exists as long as some process has it."""
        os.close(self.descriptor)

    def _screen(self, start: int) -> npt.NDArray[np.uint8]:
        return np.frombuffer(self._memory, np.uint8, PIXELS, start).reshape(SCREEN_SHAPE)

    @property
    def decision(self) -> int:
        """The number of the decision under way. Calls of others need not be made."""
        number: int = DECISION.unpack_from(self._memory)[0]
        return number

    @decision.setter
    def decision(self, number: int) -> None:
        DECISION.pack_into(self._memory, 0, number)


class Slot:
    """A place for one call, and then for its answer."""

    def __init__(self, memory: memoryview, start: int) -> None:
        self._memory = memory[start : start + SLOT_BYTES]
        # What does not fit into these raises.
        self._state = self._memory[STATE_AT:OBSERVATION_AT]
        self._observation = self._memory[OBSERVATION_AT:]

    def put_call(self, decision: int, action: Action, state: bytes | None) -> None:
        """Write a call."""
        length = GO_ON if state is None else len(state)
        CALL.pack_into(self._memory, 0, decision, action, length)
        if state is not None:
            self._state[:length] = state

    def call(self) -> Call:
        """Read the call."""
        decision, action, length = CALL.unpack_from(self._memory)
        state = None if length == GO_ON else bytes(self._state[:length])
        return Call(decision, action, state)

    def put_answer(self, outcome: Outcome, times: Times) -> None:
        """Write the answer over the call."""
        state, observation, reward, is_terminal, lives = outcome
        if len(observation) > OBSERVATION_BYTES:
            raise InputError(
                f"the features need {len(observation):,} bytes for a state; workers have room for "
                f"{OBSERVATION_BYTES:,}: set workers to 0"
            )
        ANSWER.pack_into(self._memory, 0, reward, is_terminal, lives, len(state), len(observation), *times)
        self._state[: len(state)] = state
        self._observation[: len(observation)] = observation

    def put_failure(self, error: InputError) -> None:
        """Write why there is no answer."""
        text = str(error).encode()[:OBSERVATION_BYTES]
        ANSWER.pack_into(self._memory, 0, 0, 0, 0, FAILED, len(text), 0.0, 0.0, 0.0)
        self._observation[: len(text)] = text

    def answer(self) -> tuple[Outcome, Times]:
        """Read the answer; InputError if there is none because of the features."""
        fields = ANSWER.unpack_from(self._memory)
        reward, is_terminal, lives, state_size, observation_size, seconds, act, kernel = fields
        if state_size == FAILED:
            raise InputError(bytes(self._observation[:observation_size]).decode(errors="replace"))
        state, observation = bytes(self._state[:state_size]), bytes(self._observation[:observation_size])
        return Outcome(state, observation, reward, is_terminal == 1, lives), (seconds, act, kernel)
